"""What a recipe file must hold, and what the parameters given to a recipe may be."""

import pytest

from kg.errors import NotFoundError, RecipeError
from kg.recipes import page, parse, recipe, recipes

GOOD = """// title: Papers of a year
// group: Papers
// param year: int                the year
// param titles: list = []        only these
// param word: string = 'a b'     a word
// param sure: float = .5         at least
// param all: bool = false        everything
// param limit: int = 20          rows at most
// returns: paper, title
// note: Nothing else.
MATCH (p:Paper)
WHERE p.year = $year AND ($all OR p.title IN $titles) AND p.title <> $word AND $sure > 0 // not $this: or '$that'
RETURN p.id AS paper, coalesce(p.title, {a: '1, 2', b: [3, 4]}.a) AS title
ORDER BY paper
LIMIT $limit;
"""


def parsed(folder, text):
    file = folder / "year.cypher"
    file.write_text(text, encoding="utf-8")
    return parse(file)


def test_a_header_is_read(tmp_path):
    year = parsed(tmp_path, GOOD)
    assert (year.name, year.title, year.group) == ("year", "Papers of a year", "Papers")
    assert [(p.name, p.type, p.required, p.default, p.text) for p in year.parameters] == [
        ("year", "int", True, None, "the year"),
        ("titles", "list", False, [], "only these"),
        ("word", "string", False, "a b", "a word"),
        ("sure", "float", False, 0.5, "at least"),
        ("all", "bool", False, False, "everything"),
        ("limit", "int", False, 20, "rows at most"),
    ]
    assert year.returns == ("paper", "title")
    assert year.notes == ("Nothing else.",)
    assert year.cypher == GOOD


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("// title: Papers of a year\n", "", ":1: the header has no '// title: ...'"),
        ("// group: Papers", "// grup: Papers", ":2: not a header line"),
        ("param year: int ", "param year: integer ", ":3: not '// param name: type"),
        ("titles: list = []", "titles: list = [", ":4: year: parameter 'titles' must be a list"),
        ("limit: int = 20", "limit: int = few", ":8: year: parameter 'limit' must be a whole number"),
        ("// param titles", "// param year: int  again\n// param titles", ":4: parameter 'year' is declared twice"),
        ("LIMIT $limit", "LIMIT 20", ":8: parameter 'limit' is declared but $limit is not used"),
        ("LIMIT $limit", "LIMIT $most", ":15: $most is used but not declared"),
        ("MATCH (p:Paper)", "MATCH (p:Papr)", ":11: no label 'Papr' in the schema; did you mean 'Paper'?"),
        ("MATCH (p:Paper)", "MATCH (p:Paper)-[:USE]->()", ":11: no relationship type 'USE' in the schema"),
        ("MATCH (p:Paper)", "MATCH (p:Paper)-[:USES|uses*1..2]->()", ":11: no relationship type 'uses'"),
        ("MATCH (p:Paper)", "MATCH (p:Paper)-->(x:Method|Thing)", ":11: no label 'Thing'"),
        ("WHERE p.year", "WHERE p:Person AND p.year", ":12: no label 'Person'"),
        (
            "returns: paper, title",
            "returns: title, paper",
            ":13: RETURN gives paper, title, the header says title, paper",
        ),
        ("RETURN", "WITH", "the query has no RETURN"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(tmp_path, old, new, says):
    assert GOOD.count(old) == 1 or old == "RETURN"
    with pytest.raises(RecipeError) as error:
        parsed(tmp_path, GOOD.replace(old, new))
    assert f"year.cypher{says}" in str(error.value) or says in str(error.value)
    assert "year.cypher:" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_text_is_refused(tmp_path):
    (tmp_path / "x.cypher").write_bytes(b"// title: \xff\n")
    with pytest.raises(RecipeError, match=r"x\.cypher: cannot be read as UTF-8"):
        parse(tmp_path / "x.cypher")


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("year", "2024", 2024),
        ("limit", 5, 5),
        ("sure", 1, 1.0),
        ("sure", "0.25", 0.25),
        ("all", "true", True),
        ("all", "no", False),
        ("word", 7, "7"),
        ("word", 'O\'Neil "net" β', 'O\'Neil "net" β'),
        ("titles", "one, two", ["one", "two"]),
        ("titles", '["a, b"]', ["a, b"]),
        ("titles", ("x",), ["x"]),
    ],
)
def test_values_are_brought_to_their_type(tmp_path, name, given, value):
    values = parsed(tmp_path, GOOD).values({"year": 1, name: given})
    assert values[name] == value
    assert type(values[name]) is type(value)
    assert set(values) == {"year", "titles", "word", "sure", "all", "limit"}


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("year", "soon"),
        ("year", 2.5),
        ("limit", -1),
        ("limit", 0),
        ("limit", 2**63),
        ("sure", "nan"),
        ("all", "perhaps"),
        ("word", ["a"]),
        ("word", "\ud800"),
        ("titles", 3),
        ("titles", "[1"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(tmp_path, name, given):
    with pytest.raises(RecipeError, match=f"^year: parameter '{name}' must be ") as error:
        parsed(tmp_path, GOOD).values({"year": 1, name: given})
    assert "\n" not in str(error.value)


def test_a_missing_parameter_is_named(tmp_path):
    with pytest.raises(RecipeError, match="year: parameter 'year' has no value; give the year"):
        parsed(tmp_path, GOOD).values({})


def test_a_mistyped_parameter_suggests_the_nearest(tmp_path):
    with pytest.raises(NotFoundError, match=r"year: no parameter 'limt'; did you mean 'limit'\?"):
        parsed(tmp_path, GOOD).values({"year": 1, "limt": 3})


@pytest.mark.parametrize("typed", ["paper-sharing-method", "papers_sharing_method", "PAPERS-SHARING-METHODS"])
def test_a_mistyped_recipe_suggests_the_nearest(typed):
    with pytest.raises(NotFoundError, match=r"did you mean 'papers-sharing-method'\?"):
        recipe(typed)


def test_a_name_like_no_other_lists_them_all():
    with pytest.raises(NotFoundError, match=r"there are .*paper-card"):
        recipe("zzz")


def test_there_are_recipes_enough_and_each_is_found_by_name():
    found = recipes()
    assert len(found) >= 25
    assert [one.name for one in found] == sorted(one.name for one in found)
    assert all(recipe(one.name) is one for one in found)


@pytest.mark.parametrize("one", recipes(), ids=lambda one: one.name)
def test_every_recipe_has_an_order_and_a_limit(one):
    limit = next(p for p in one.parameters if p.name == "limit")
    assert limit.type == "int"
    assert limit.default > 0
    assert all(p.text for p in one.parameters)
    last = one.cypher[one.cypher.rindex("RETURN ") :]
    assert "\nORDER BY " in last
    assert one.cypher.endswith(";\n")


def test_the_page_is_what_the_files_say(pytestconfig):
    written = (pytestconfig.rootpath / "docs" / "recipes.md").read_text(encoding="utf-8")
    assert written == page(recipes()), "run: make docs"
