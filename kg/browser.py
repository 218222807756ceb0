"""What Neo4j Browser takes: recipes as saved queries with parameters of this graph, a style, a guide, its address."""

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from kg.errors import StoreError
from kg.files import replacing
from kg.recipes import Parameter, Recipe, folder, recipes
from kg.store import SERVER, Store
from kg.store.neo4j import split_address

QUERIES = "kg-queries.zip"
STYLE = "kg.grass"
GUIDE = "guide.html"

_MOST_USED = """
MATCH (x:{label})<-[:MENTIONS]-(:Paper)
WITH x, count(*) AS papers ORDER BY papers DESC, x.id LIMIT 2
RETURN x.name AS name
"""
_TWO_PAPERS = """
MATCH (x:Method|Task|Dataset)<-[:MENTIONS]-(:Paper)
WITH x, count(*) AS papers WHERE 1 < papers AND papers < 50
WITH x ORDER BY papers, x.id LIMIT 500
MATCH (a:Paper)-[:MENTIONS]->(x)<-[:MENTIONS]-(b:Paper) WHERE a.id < b.id
WITH a.id AS first, b.id AS second, count(*) AS shared ORDER BY shared DESC, first, second LIMIT 1
RETURN first, second
"""


def write_browser_files(store: Store, to: Path) -> list[Path]:
    """Write the saved queries, the style and the guide into the folder ``to``; the files, in that order.

    Every saved query starts with the ``:param`` lines that it needs, with values found in this graph. A file is written
    as a whole or not at all. Raises StoreError when the folder cannot be written.
    """
    files = {QUERIES: saved_queries(store)} | {
        name: (folder() / "browser" / name).read_bytes() for name in (STYLE, GUIDE)
    }
    try:
        to.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            with replacing(to / name) as part:
                part.write_bytes(content)
    except OSError as error:
        raise StoreError(f"{to} cannot be written ({error.strerror or error}): name another folder") from None
    return [to / name for name in files]


def saved_queries(store: Store) -> bytes:
    """A zip whose folders are the recipes' groups; Browser takes it when it is dropped on its saved queries."""
    examples = examples_of(store)
    groups: dict[str, list[Recipe]] = defaultdict(list)
    for one in recipes():
        groups[one.group].append(one)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for title, lines in _parameter_sets(examples).items():
            _add(archive, "kg 0 Parameters", title, f"// {title}\n" + "\n".join(lines) + "\n")
        for number, group in enumerate(sorted(groups), 1):
            for one in groups[group]:
                _add(archive, f"kg {number} {group}", one.name, saved_query(one, examples))
    return packed.getvalue()


def saved_query(one: Recipe, examples: Mapping[str, Any]) -> str:
    """A recipe's text with its title first, as Browser wants it, and the ``:param`` lines to run before it."""
    sets = [f"//   {_set(p.name, example(p, examples))}" for p in one.parameters]
    before = ["// Run these one at a time first, with values of your own:", *sets] if sets else []
    _, _, rest = one.cypher.partition("\n")
    return "\n".join([f"// {one.title}", *before, rest])


def examples_of(store: Store) -> dict[str, Any]:
    """Parameter values that find something in this graph; a kind of thing that it lacks is left out."""
    found: dict[str, Any] = {}
    for label in ("Method", "Task", "Dataset"):
        names = [row["name"] for row in store.query(_MOST_USED.format(label=label))]
        found |= dict(zip((label.lower(), f"second {label.lower()}"), names, strict=False))
    for row in store.query(_TWO_PAPERS):
        found |= {"paper": row["first"], "second paper": row["second"]}
    return found


def example(parameter: Parameter, examples: Mapping[str, Any]) -> Any:
    """A value for one parameter: its default, or what its name and explanation ask for."""
    if not parameter.required:
        return parameter.default
    kind = next((k for k in ("paper", "task", "dataset") if k in (parameter.name, *parameter.text.split())), "method")
    second = parameter.name in ("second", "tail")
    value = examples.get(f"second {kind}" if second else kind, "")
    match parameter.type:
        case "int":
            return 2020
        case "float":
            return 0.5
        case "bool":
            return False
        case "list":
            return [value]
        case _:
            return str(value)[:1] if parameter.name == "prefix" else value


def _parameter_sets(examples: Mapping[str, Any]) -> dict[str, list[str]]:
    """Saved queries that set what the others need; several commands may stand in one."""
    by_name = {p.name: p for one in recipes() for p in one.parameters}
    ends = ("first", "second", "head", "tail")
    common = [_set(name, example(p, examples)) + ";" for name, p in sorted(by_name.items()) if name not in ends]
    sets = {"Set parameters": common}
    for kind in ("paper", "task"):
        first, second = examples.get(kind, ""), examples.get(f"second {kind}", "")
        lines = [_set("first", first) + ";", _set("second", second) + ";"]
        sets[f"Set first and second to two {kind}s"] = lines
    sets["Set head and tail to a paper and a method"] = [
        _set("head", examples.get("paper", "")) + ";",
        _set("tail", examples.get("method", "")) + ";",
    ]
    return sets


def _set(name: str, value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        text = "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return f":param {name} => {text}"


def _add(archive: zipfile.ZipFile, group: str, name: str, text: str) -> None:
    entry = zipfile.ZipInfo(f"{group}/{name}.cypher", date_time=(2020, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text.encode())


def browser_address(store_url: str, http: str | None = None) -> str:
    """Where Neo4j Browser is served, with this server filled in; ``http`` replaces the usual port 7474 of its host.

    Raises StoreError, which does not repeat the address, for a graph that is not in a Neo4j server.
    """
    if not SERVER.match(store_url):
        raise StoreError("the graph is not in a Neo4j server: give --store neo4j://host")
    address, user, _ = split_address(store_url)
    parts = urlsplit(address)
    secure = "+" in parts.scheme
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    base = http or (f"https://{host}:7473" if secure else f"http://{host}:7474")
    bolt = f"{parts.scheme}://{quote(user or 'neo4j', safe='')}@{host}:{parts.port or 7687}"
    return f"{base.rstrip('/')}/browser/?connectURL={quote(bolt, safe='')}"
