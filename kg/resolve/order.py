"""The order of words in the name of a task: uncertainty quantification is quantification of uncertainty."""

from kg.resolve.synonyms import SMALL
from kg.words import DETERMINERS

ACTS = ("ing", "tion", "sion", "sis")
"""How a word ends that says what is done to something."""


def turned(key: str) -> str | None:
    """A folded name with what is done after what it is done to; None where it says no such thing.

    >>> turned("quantification of the uncertainty"), turned("tuning hyperparameter"), turned("image captioning")
    ('uncertainty quantification', 'hyperparameter tuning', None)
    >>> turned("detection of fake and real news"), turned("mixture of expert")
    (None, None)
    """
    words = key.split()
    if "of" in words[1:-1]:
        at = words.index("of")
        act, thing = words[:at], words[at + 1 :]
    else:
        act, thing = words[:1], words[1:]
        if not act[0].endswith("ing"):
            return None
    if thing and thing[0] in DETERMINERS:
        thing = thing[1:]
    if not thing or len(act) > 2 or not act[-1].endswith(ACTS) or SMALL & {*thing, *act}:
        return None
    return " ".join([*thing, *act])
