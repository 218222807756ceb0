"""Damaged files of every format: whatever happens, papers and rejected rows come out, and no traceback.

``KG_FUZZ=100000`` sets the number of damaged files of each format, and of those that hypothesis makes of all formats.
"""

# ruff: noqa: E501 - samples of files a line

import io
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import InputError
from kg.read import FORMATS, Rejected, _of_source
from kg.read.paper import Fields
from kg.read.source import Broken, _unpacked
from kg.types import Extraction, Paper
from tests.read import samples
from tests.read.test_basic import TEXT
from tests.read.test_formats import COMPRESSIONS

CASES = int(os.environ.get("KG_FUZZ", "150"))
CONTENTS = {name: make()[0] for name, (_, _, make) in samples.FORMATS.items()}
CONTENTS["text"] = TEXT.encode() * 3
CONTENTS["records"] = (
    b'{"paper": {"id": "a", "title": "A", "abstract": "We prune trees."}, "mentions": [{"start": 9, "end": 14, "text": '
    b'"trees", "name": "trees", "type": "Method", "entity": "tree", "score": 0.5}], "triples": [{"head": "a", "head_type": '
    b'"Paper", "relation": "USES", "tail": "tree", "tail_type": "Method", "start": 0, "end": 15, "score": 0.5}], '
    b'"extractor": "x 1"}\n'
) * 3
CONTENTS["dump"] = (
    b'{"node": "Paper", "id": "a", "title": "A", "abstract": "We prune.", "year": 2020, "venue": null, "url": null, "ids": [],'
    b' "status": "ok", "extractor": "x 1", "record": "{\\"mentions\\": [], \\"triples\\": []}"}\n{"node": "Method", "id": "m"}\n'
) * 3
for suffix, compress in COMPRESSIONS.items():
    CONTENTS[suffix] = compress(CONTENTS["jsonl"])

TOKENS = [
    b'"', b"'", b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\n", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"null", b"true",
    b"-1", b"1e999", b"99999999999999999999", b"@", b"@article{", b"@string{", b"TY  - ", b"ER  - ", b"AB  - ", b"<", b">", b"&", b"</paper>",
    b"<paper>", b"]]>", b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"\\ud800", b"\\u0000", b"\xed\xa0\x80", b"\t", b";", b"#", b"$", b"%",
    b'{"value": null}', b'"abstract": 5', b'"id": {}', b'"title": []', b"\xe2\x80\xa8", b"PK\x03\x04", b"\x1f\x8b", b"PAR1",
]  # fmt: skip


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with a few bytes changed, cut out, doubled, put in or cut off."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        at = chance.randrange(len(data) + 1)
        width = chance.choice((1, 1, 3, 20, 200))
        match chance.randrange(7):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at : at + width]
            case 2:
                data[at:at] = data[at : at + width]
            case 3 | 4:
                data[at:at] = chance.choice(TOKENS)
            case 5:
                del data[at:]
            case _:
                other = chance.randrange(len(data) + 1)
                data[at : at + width] = data[other : other + width]
    return bytes(data)


def items(content: bytes, format: str | None):
    """What comes out of a stream with this content."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        try:
            for source in _unpacked("x", io.BytesIO(content), None, stack, 0):
                yield from _of_source(source, format, Fields())
        except Broken as error:
            yield Rejected("x", str(error))


def check(found: list) -> None:
    """What must hold of what comes out of any stream."""
    assert found, "not even a rejected file"
    for item in found:
        if isinstance(item, Rejected):
            assert item.reason
            assert "\n" not in item.reason
            str(item).encode()
        else:
            assert isinstance(item, Paper | Extraction)
            item.model_dump_json().encode()


def test_every_format_is_among_the_samples():
    detected = {samples.FORMATS[name][1] if name in samples.FORMATS else name for name in CONTENTS}
    assert set(FORMATS) <= detected


@pytest.mark.timeout(0 if CASES > 1000 else 300)
@pytest.mark.parametrize("name", CONTENTS)
def test_damaged_files_give_papers_and_rejected_rows(name):
    detected = samples.FORMATS[name][1] if name in samples.FORMATS else name
    forced = detected if detected in FORMATS else None
    for seed in range(CASES):
        content = damaged(CONTENTS[name], random.Random(seed))
        try:
            check(list(items(content, forced if seed % 3 == 0 else None)))
        except Exception as error:
            raise AssertionError(f"seed {seed} of {name}: {error!r}; content {content[:3000]!r}") from error


PLACE = st.floats(0, 1, exclude_max=True)
EDITS = st.lists(
    st.tuples(PLACE, st.integers(0, 40), st.one_of(st.sampled_from(TOKENS), st.binary(max_size=6))),
    min_size=1,
    max_size=6,
)
"""Edits of a file: where, how many bytes go, and what comes in their place."""


@pytest.mark.timeout(0 if CASES > 1000 else 300)
@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(CONTENTS)), EDITS)
def test_no_edit_of_any_file_is_a_traceback(name, edits):
    content = CONTENTS[name]
    for place, gone, come in edits:
        at = int(place * len(content))
        content = content[:at] + come + content[at + gone :]
    check(list(items(content, None)))


def test_random_bytes_are_no_papers_and_no_traceback():
    for seed in range(CASES):
        chance = random.Random(seed)
        content = chance.randbytes(chance.choice((0, 1, 10, 300)))
        format = chance.choice((None, *FORMATS))
        assert all(isinstance(i, Paper | Extraction | Rejected) for i in items(content, format)), (seed, format)


def test_a_strict_reader_stops_at_the_first_bad_row(tmp_path):
    from kg.read import read

    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"id": "a", "abstract": "We prune."}\nnonsense\n{"id": "b", "abstract": "We prune."}\n')
    stream = read([path], strict=True)
    assert next(stream).id == "a"
    with pytest.raises(InputError, match=r"x\.jsonl:2"):
        next(stream)
