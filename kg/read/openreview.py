"""OpenReview notes: submissions of API 1 (plain contents) and API 2 (``{"value": ...}``)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from kg.read.paper import RowError, make_paper, prose_of, text_of, year_of
from kg.types import Paper


def paper(record: Mapping[str, Any]) -> Paper | None:
    """The Paper in a note; None for a review, comment or decision, which are notes about one."""
    content = record.get("content")
    if not isinstance(content, dict):
        raise RowError("its content is no object")
    values = {k: v["value"] if isinstance(v, dict) and "value" in v else v for k, v in content.items()}
    note = text_of(record.get("id"), "id")
    forum = text_of(record.get("forum"), "forum") or note
    if record.get("replyto") or (note and forum != note):
        return None
    invitations = " ".join([str(record.get("invitation") or ""), *map(str, record.get("invitations") or ())])
    venue = text_of(values.get("venue"), "venue")
    withdrawn = "withdrawn" in f"{venue} {values.get('venueid') or ''} {invitations}".lower() or bool(
        values.get("withdrawal")
    )
    return make_paper(
        id=f"openreview:{forum}" if forum else "",
        title=text_of(values.get("title"), "title"),
        abstract=prose_of(values.get("abstract"), "abstract"),
        year=year_of(venue) or year_of(values.get("venueid")) or _year(record) or year_of(invitations),
        venue=venue,
        url=f"https://openreview.net/forum?id={forum}" if forum else "",
        known="withdrawn" if withdrawn else None,
    )


def _year(record: Mapping[str, Any]) -> int | None:
    """The year of publication, else of creation; both are milliseconds since 1970."""
    for name in ("pdate", "odate", "cdate", "tcdate"):
        stamp = record.get(name)
        if isinstance(stamp, int) and not isinstance(stamp, bool) and 0 < stamp < 4_102_444_800_000:
            return datetime.fromtimestamp(stamp / 1000, UTC).year
    return None
