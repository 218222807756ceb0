"""A page: one HTML file that holds all it needs, opens without a network, and follows the reader's dark mode."""

import html
from dataclasses import dataclass
from pathlib import Path

from kg.errors import InputError
from kg.files import replacing

COLOURS = {"Paper": "#A5ABB6", "Method": "#4C8EDA", "Task": "#F79767", "Dataset": "#57C7A3"}
"""One colour a node type, those of Neo4j Browser's palette, far enough apart for the colour-blind."""


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """A finished picture: ``html`` is the whole document. In Jupyter it shows itself."""

    title: str
    html: str

    def save(self, path: str | Path) -> Path:
        """Write the page, as a whole or not at all; the path it was written to. Raises InputError where it cannot."""
        path = Path(path)
        try:
            with replacing(path) as part:
                part.write_text(self.html, encoding="utf-8", errors="xmlcharrefreplace")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
        return path

    def __repr__(self) -> str:
        return f"<Page {self.title!r}: {len(self.html):,} characters; save(path) writes it>"

    def _repr_html_(self) -> str:
        inner = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{inner}" style="width:100%;height:560px;border:0" title="{escape(self.title)}"></iframe>'
        )


def escape(text: object) -> str:
    """Text for HTML; nothing for None. What XML forbids and a browser would misread becomes U+FFFD."""
    if text is None:
        return ""
    return html.escape(str(text).translate(_CONTROLS), quote=True)


# The page may run its own style and script, and fetch nothing.
_CLOSED = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

_CONTROLS = {c: "\N{REPLACEMENT CHARACTER}" for c in range(0x20) if chr(c) not in "\t\n\r"}


def document(title: str, body: str, *, style: str = "", script: str = "") -> Page:
    """A page of our own HTML: ``body`` in the common frame, with the common style."""
    tail = f"<script>{script}</script>" if script else ""
    return Page(
        title,
        f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_CLOSED}">
<title>{escape(title)}</title>
<style>{STYLE}{style}</style>
</head>
<body>
<main>
{body}
</main>
{tail}
</body>
</html>
""",
    )


STYLE = (
    ":root{"
    + "".join(f"--{type_.lower()}:{colour};" for type_, colour in COLOURS.items())
    + """--ink:#1d2230;--dim:#5c6475;--line:#dfe3ea;--paper-bg:#fff;--card:#f6f7f9}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--dim:#9aa3b5;--line:#343b49;--paper-bg:#14171e;--card:#1d222c}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper-bg);color:var(--ink);font:16px/1.55 system-ui,"Segoe UI",sans-serif}
main{max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem}
h2{font-size:1.15rem;margin:2.25rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--line)}
p.lead{color:var(--dim);margin:.1rem 0 1rem}
a{color:inherit}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line)}
th{color:var(--dim);font-weight:600;white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.scroll{overflow-x:auto}
.dim{color:var(--dim)}
.chip{display:inline-block;border-radius:1em;padding:0 .6em;font-size:.82rem;line-height:1.6;white-space:nowrap;
  color:#10131a}
"""
    + "".join(f".chip.{type_}{{background:var(--{type_.lower()})}}" for type_ in COLOURS)
)
