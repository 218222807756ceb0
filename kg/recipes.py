"""Recipes: named questions to the graph, one Cypher file each, whose header declares what they take and give.

A header is Cypher comments, so a file pastes into Neo4j Browser as it is::

    // title: Papers that share a method
    // group: Methods
    // param method: string           name or alias
    // param limit: int = 20          rows at most
    // returns: paper, title, relation, sentence

``// note: ...`` (any number) explains, and ``// scans: REASON`` declares that no index can serve the question. A
parameter ``limit`` is rows at most, 1 or more.
Declared and used parameters must agree, labels and relationship types must be the schema's, and the columns returned
must be those declared: a file that breaks this is a RecipeError that names file and line.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, Field, TypeAdapter

from kg.errors import NotFoundError, RecipeError, must_be_text, nearest, quoted
from kg.finding import find_either, find_entities, find_paper
from kg.store import NAME, NAMES, Rows, Store
from kg.types import ENTITY_TYPES, SCHEMA, EntityType

ParameterType = Literal["string", "int", "float", "bool", "list"]

LABELS = frozenset({label for spec in SCHEMA.values() for pair in spec.pairs for label in pair} | {NAME})
TYPES = frozenset({*SCHEMA, NAMES})

_PARAM = re.compile(
    r"(?P<name>[a-z]\w*)\s*:\s*(?P<type>\w+)(?:\s*=\s*(?P<default>\"[^\"]*\"|'[^']*'|\[[^\]]*\]|\S+))?(?:\s+(?P<text>.*))?"
)
_QUIET = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
# In brackets any name after a colon is a label or type; elsewhere (x:Dataset) one that begins in upper case right after
# it, which a map's value does not ({kind: x}).
_NAMES = re.compile(
    r"(?:(?P<open>[(\[])\s*\w*\s*:\s*(?=[A-Za-z])|:(?=[A-Z]))(?P<names>\w+(?:\s*[|&]\s*:?[A-Za-z]\w*)*)"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One declared parameter. ``required`` says that it has no default; ``text`` is its explanation."""

    name: str
    type: ParameterType
    required: bool
    default: str | int | float | bool | list[Any] | None
    text: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """One named question: the header's declarations and the file's whole text, comments included."""

    name: str
    title: str
    group: str
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    notes: tuple[str, ...]
    scans: str | None
    cypher: str
    path: Path

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters to run with: what was given, brought to its declared type, and defaults for the rest.

        Raises NotFoundError for a parameter or relation that there is not, RecipeError for one that is missing or has a
        value of another type. Text, as it comes from a command line, is read: ``"20"``, ``"true"``, ``"a, b"``.
        """
        known = {p.name: p for p in self.parameters}
        for name in given:
            if name not in known:
                raise NotFoundError(f"{self.name}: no parameter {quoted(name)}; {_nearest(name, known)}")
        values: dict[str, Any] = {}
        for name, parameter in known.items():
            if name in given and given[name] is not None:
                values[name] = _coerced(self.name, parameter, given[name])
                if values[name] and name in _RELATION.findall(self.cypher):
                    values[name] = find_relation(values[name])
            elif parameter.required:
                raise RecipeError(f"{self.name}: parameter {name!r} has no value; give {parameter.text or 'one'}")
            else:
                values[name] = parameter.default
        return values


def find_relation(name: str) -> str:
    """A relation of the schema, in any case, with spaces or hyphens; NotFoundError suggests the nearest.

    >>> find_relation("compares with")
    'COMPARES_WITH'
    """
    key = re.sub(r"[\s-]+", "_", must_be_text(name, "relation").strip().upper())
    if key not in SCHEMA:
        raise NotFoundError(f"no relation is called {quoted(name)}; {_nearest(key, SCHEMA)}")
    return key


def find_relations(names: str | Iterable[str]) -> list[str]:
    """The relations of those names; one alone may be given as it is.

    >>> find_relations("uses"), find_relations(["part of", "USED_FOR"])
    (['USES'], ['PART_OF', 'USED_FOR'])
    """
    return [find_relation(name) for name in ([names] if isinstance(names, str) else names)]


def folder() -> Path:
    """Where the recipes lie: an installed kg carries its own copy, a clone has them at its top.

    Raises RecipeError where there is neither.
    """
    here = Path(__file__).parent
    found = next((f for f in (here / "cypher", here.parent / "cypher") if f.is_dir()), None)
    if found is None:
        raise RecipeError(f"no folder of recipes beside {here}; reinstall kg")
    return found


def recipes() -> list[Recipe]:
    """Every recipe, ordered by name. Raises RecipeError, with file and line, for a file that breaks the rules.

    >>> [one.name for one in recipes() if one.group == "Review"][:2]
    ['ambiguous-names', 'duplicates']
    """
    return list(_all().values())


def recipe(name: str) -> Recipe:
    """The recipe of that name (the file's stem). Raises NotFoundError, which suggests the nearest name.

    >>> recipe("methods-for-task").returns[:3]
    ('task', 'method', 'name')
    """
    found = _all().get(name)
    if found is None:
        raise NotFoundError(f"no recipe {quoted(name)}; {_nearest(name, _all())}")
    return found


def run(store: Store, question: str | Recipe, /, **parameters: Any) -> Rows:
    """Ask a recipe of a graph: rows as plain dicts, in the recipe's own fixed order.

    A parameter that is looked up as a name is tried as it was typed, then forgiving hyphens, plurals and spelling,
    then as an entity's id; one that names a paper as its id, another identifier or its title (kg.finding).
    Raises what ``recipe`` and ``Recipe.values`` raise, NotFoundError for a name or paper that the graph does not have
    (it suggests the nearest), and StoreError when the engine fails.

    >>> import kg
    >>> with kg.open_store(url) as store:
    ...     rows = kg.run(store, "papers-sharing-method", method="GNN", limit=5)
    >>> rows[0]["relation"]
    'USES'
    """
    asked = recipe(question) if isinstance(question, str) else question
    values = asked.values(parameters)
    names, papers = set(_NAME.findall(asked.cypher)), set(_PAPER.findall(asked.cypher))
    types = set(_NAMED.findall(asked.cypher))  # with an empty one where a name of any type will do
    wanted: Sequence[EntityType] = ENTITY_TYPES if "" in types else [t for t in ENTITY_TYPES if t in types]
    for name in sorted(names | papers):
        if name not in names:
            values[name] = find_paper(store, values[name])
        elif name in papers:
            values[name] = find_either(store, values[name], wanted)
        else:
            values[name] = find_entities(store, values[name], wanted)[0]
    return store.query(asked.cypher, values)


def parse(path: Path) -> Recipe:
    """Read and check one recipe file. Raises RecipeError with file and line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path}: cannot be read as UTF-8 text: {error}") from error
    single: dict[str, str] = {}
    notes: list[str] = []
    parameters: dict[str, tuple[Parameter, int]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("//"):
            break
        key, _, rest = line[2:].strip().partition(":")
        if line[2:].strip().startswith("param "):
            parameter = _parameter(path, number, line[2:].strip().removeprefix("param "))
            if parameter.name in parameters:
                raise RecipeError(f"{path}:{number}: parameter {parameter.name!r} is declared twice")
            parameters[parameter.name] = parameter, number
        elif key == "note":
            notes.append(rest.strip())
        elif key in ("title", "group", "returns", "scans") and key not in single and rest.strip():
            single[key] = rest.strip()
        else:
            raise RecipeError(f"{path}:{number}: not a header line (title, group, param, returns, note, scans): {line}")
    for key in ("title", "group", "returns"):
        if key not in single:
            raise RecipeError(f"{path}:1: the header has no '// {key}: ...'")
    returns = tuple(column.strip() for column in single["returns"].split(","))
    _check(path, text, {name: number for name, (_, number) in parameters.items()}, returns)
    return Recipe(
        name=path.stem,
        title=single["title"],
        group=single["group"],
        parameters=tuple(parameter for parameter, _ in parameters.values()),
        returns=returns,
        notes=tuple(notes),
        scans=single.get("scans"),
        cypher=text,
        path=path,
    )


def page(of: Iterable[Recipe]) -> str:
    """docs/recipes.md: every recipe with its parameters and columns, by group; ``make docs`` writes it."""
    groups: dict[str, list[Recipe]] = {}
    for one in of:
        groups.setdefault(one.group, []).append(one)
    lines = ["# Recipes", "", _PREFACE, ""]
    for group in sorted(groups):
        lines += [f"## {group}", ""]
        for one in groups[group]:
            lines += [f"### {one.name}", "", f"{one.title}. {' '.join(one.notes)}".rstrip(), ""]
            for p in one.parameters:
                default = "" if p.required else f" = {json.dumps(p.default, ensure_ascii=False)}"
                lines.append(f"- `{p.name}: {p.type}{default}` {p.text}".rstrip())
            lines += ["", "Returns " + ", ".join(f"`{column}`" for column in one.returns) + ".", ""]
    return "\n".join(lines)


_PREFACE = """A recipe is one read-only Cypher file in `cypher/`. Ask it by `kg query NAME --PARAMETER VALUE`, by
`kg.run(store, NAME, PARAMETER=VALUE)`, or paste the file into Neo4j Browser after setting its parameters
(one `:param name => value` line each). Names are found by any name or alias an entity has, in upper or lower case;
answers come in a fixed order, the same on both engines. `kg query` and `kg.run` also forgive hyphens, plurals and
spelling, and find a paper by another identifier (`doi:...`) or its title. `limit` is 1 or more; `-n` is short for
`--limit`. `make docs` writes this page."""


_NAME = re.compile(r"left\(toLower\(trim\(\$(\w+)\)\), 500\)")
_RELATION = re.compile(r"type\(\w+\) = toUpper\(\$(\w+)\)")
_PAPER = re.compile(r"\(\w*:Paper \{id: \$(\w+)\}\)")
_NAMED = re.compile(rf"-\[:{NAMES}\]->\(\w+(?::(\w+))?\)")


@cache
def _all() -> dict[str, Recipe]:
    return {path.stem: parse(path) for path in sorted(folder().glob("*.cypher"))}


def _nearest(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = nearest(name.replace("_", "-"), names) or nearest(name, names)
    return f"did you mean {close[0]!r}?" if close else "there are " + ", ".join(names)


def _parameter(path: Path, number: int, text: str) -> Parameter:
    found = _PARAM.fullmatch(text)
    if found is None or found["type"] not in get_args(ParameterType):
        kinds = ", ".join(get_args(ParameterType))
        raise RecipeError(
            f"{path}:{number}: not '// param name: type [= default]  text' with a type of {kinds}: {text}"
        )
    kind: ParameterType = found["type"]  # type: ignore[assignment]  # checked above
    default = found["default"]
    bare = Parameter(found["name"], kind, default is None, None, (found["text"] or "").strip())
    if default is None:
        return bare
    value = default[1:-1] if default[0] in "'\"" else default
    try:
        return Parameter(bare.name, kind, False, _coerced(path.stem, bare, value), bare.text)
    except RecipeError as error:
        raise RecipeError(f"{path}:{number}: {error}") from error


_WANTS = {
    "string": "text",
    "int": "a whole number from 0 to 2^63 - 1",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "limit": "a whole number from 1 to 2^63 - 1",
}


def _coerced(recipe_name: str, parameter: Parameter, value: Any) -> Any:
    """The value in the declared type, read from text where it is text; RecipeError where it does not fit."""
    kind = "limit" if parameter.name == "limit" else parameter.type
    try:
        coerced = _READ[kind](value)
        json.dumps(coerced, ensure_ascii=False).encode()  # a lone surrogate has no UTF-8 and no engine takes it
    except (ValueError, TypeError):  # pydantic's ValidationError is a ValueError
        raise RecipeError(
            f"{recipe_name}: parameter {parameter.name!r} must be {_WANTS[kind]}, not {quoted(value)}"
        ) from None
    return coerced


def _list(value: Any) -> list[Any]:
    if isinstance(value, str):
        if not value.strip().startswith("["):
            return [item.strip() for item in value.split(",") if item.strip()]
        value = json.loads(value)
    if not isinstance(value, list | tuple):
        raise TypeError
    return list(value)


_READ: Mapping[str, Callable[[Any], Any]] = {
    "string": TypeAdapter(str, config=ConfigDict(coerce_numbers_to_str=True)).validate_python,
    "int": TypeAdapter(Annotated[int, Field(ge=0, lt=2**63)]).validate_python,
    "limit": TypeAdapter(Annotated[int, Field(ge=1, lt=2**63)]).validate_python,
    "float": TypeAdapter(Annotated[float, Field(allow_inf_nan=False)]).validate_python,
    "bool": TypeAdapter(bool).validate_python,
    "list": _list,
}


def _check(path: Path, text: str, declared: Mapping[str, int], returns: tuple[str, ...]) -> None:
    """Parameters, labels, types and columns of the query against the header and SCHEMA."""
    # Comments and strings become blanks, so that places in the text stay what they are.
    query = _QUIET.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)

    def line(at: int) -> int:
        return query.count("\n", 0, at) + 1

    used = {found[1]: line(found.start()) for found in re.finditer(r"\$(\w+)", query)}
    for name in used.keys() - declared.keys():
        raise RecipeError(f"{path}:{used[name]}: ${name} is used but not declared ('// param {name}: TYPE')")
    for name in declared.keys() - used.keys():
        raise RecipeError(f"{path}:{declared[name]}: parameter {name!r} is declared but ${name} is not used")
    for found in _NAMES.finditer(query):
        known, what = (TYPES, "relationship type") if found["open"] == "[" else (LABELS, "label")
        for name in re.split(r"\s*[|&]\s*:?", found["names"]):
            if name not in known:
                place = f"{path}:{line(found.start())}"
                raise RecipeError(f"{place}: no {what} {name!r} in the schema; {_nearest(name, known)}")
    last = query.rfind("RETURN ")
    if last < 0:
        raise RecipeError(f"{path}:{line(len(query) - 1)}: the query has no RETURN")
    columns = _columns(query[last:])
    if columns != returns:
        raise RecipeError(
            f"{path}:{line(last)}: RETURN gives {', '.join(columns)}, the header says {', '.join(returns)}"
        )


def _columns(clause: str) -> tuple[str, ...]:
    """The column names of a RETURN clause: after AS, or the bare variable."""
    body = re.split(r"\bORDER BY\b|\bSKIP\b|\bLIMIT\b|;", clause.removeprefix("RETURN "), maxsplit=1)[0]
    body = body.strip().removeprefix("DISTINCT ")
    items, depth = [""], 0
    for character in body:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            items.append("")
        else:
            items[-1] += character
    return tuple(item.split(" AS ")[-1].strip() for item in items)
