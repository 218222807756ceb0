"""From what the network says to probabilities, and where an edge starts to be worth storing.

Platt scaling (Platt, 1999): a logistic function of the log-odds of the edge and of the mentions it joins, fitted on
annotated abstracts that the network was not trained on. Its weights and the thresholds lie in the model's
``meta.json`` and nowhere else.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

_LIMIT = 12.0


def log_odds(p: float) -> float:
    """log(p / (1 - p)), bounded."""
    if p <= 0.0:
        return -_LIMIT
    if p >= 1.0:
        return _LIMIT
    return max(-_LIMIT, min(_LIMIT, math.log(p) - math.log1p(-p)))


def probability(score: float) -> float:
    """The logistic function, rounded to four digits so that equal inputs give equal text everywhere."""
    return round(1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score)))), 4)


class Calibration:
    """Weights and thresholds of one model, as ``meta.json`` gives them.

    ``min_score`` replaces the thresholds of all relations and roles but SYNONYM_OF, which is no edge: it joins mentions
    into one entity, and a lower bar for edges must not merge things.
    """

    def __init__(self, meta: Mapping[str, Any], min_score: float | None = None) -> None:
        self._weights: Mapping[str, Mapping[str, Sequence[float]]] = meta["calibration"]
        self._thresholds: Mapping[str, Mapping[str, float]] = meta["thresholds"]
        self._min_score = min_score

    def score(self, kind: str, label: str, features: Sequence[float]) -> float:
        """The calibrated probability of a mention, relation or role from its log-odds."""
        weights = self._weights[kind][label]
        return probability(weights[-1] + sum(w * x for w, x in zip(weights, features, strict=False)))

    def keeps(self, kind: str, label: str, score: float) -> bool:
        """Whether a relation or role is kept at this score."""
        if self._min_score is not None and label != "SYNONYM_OF":
            return score >= self._min_score
        return score >= self._thresholds[kind][label]
