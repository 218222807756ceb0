import doctest

import pytest

import kg.resolve.aliases
from kg.errors import InputError, ResolutionError
from kg.names import fold
from kg.resolve import Resolver, load_aliases, load_never_merge, shipped_aliases, shipped_never_merge, uses
from tests.resolve.records import record

HEAD = "name,alias,type,reason\n"


def table(tmp_path, text):
    path = tmp_path / "own.csv"
    path.write_text(text, encoding="utf-8")
    return load_aliases(path)


def test_the_examples_hold():
    assert doctest.testmod(kg.resolve.aliases).failed == 0


def test_the_shipped_tables_are_consistent_and_large_enough():
    assert len(shipped_aliases().targets) > 400
    assert len(shipped_never_merge().pairs) > 100
    Resolver()


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("name,alias\n", ":1:", "first line must be"),
        ("", "", "empty"),
        (HEAD + "falcon net,FN,Model,x\n", ":2:", "none of Method, Task, Dataset"),
        (HEAD + "falcon net,FN,Method\n", ":2:", "3 columns, not the 4"),
        (HEAD + "falcon net,,Method,x\n", ":2:", "alias is empty"),
        (HEAD + "# a comment\nfalcon net,FN,Method,x\nfinch net,FN,Method,x\n", ":4:", "alias of 'finch net' here"),
        (HEAD + "falcon net,finch net,Method,x\nfinch net,falcon net,Method,x\n", ":", "leads back to itself"),
        (HEAD + "falcon net,FN,Method,x\nFalcon Net,FNet,Method,x\n", ":3:", "use one spelling"),
    ],
)
def test_a_bad_table_is_refused_with_its_place(tmp_path, text, place, says):
    with pytest.raises((InputError, ResolutionError), match=says) as caught:
        table(tmp_path, text)
    assert f"own.csv{place}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv"):
        load_aliases(tmp_path / "none.csv")


def test_a_table_may_not_join_what_is_never_merged(tmp_path):
    with pytest.raises(ResolutionError, match="never-merge"):
        Resolver(table(tmp_path, HEAD + "Adam,AdamW,Method,wrong\n"))


def test_never_merge_refuses_two_spellings_of_one_name(tmp_path):
    path = tmp_path / "never.csv"
    path.write_text("a,b,reason\nfalcon net,Falcon-Nets,x\n", encoding="utf-8")
    with pytest.raises(ResolutionError, match=r"never\.csv:2: .*one name"):
        load_never_merge(path)


def test_aliases_chain_to_the_last_name(tmp_path):
    own = table(tmp_path, HEAD + "falcon network,falcon net,Method,x\nfalcon net,FN,Method,x\n")
    assert own.expand("FN", "Method") == "falcon network"


def test_a_person_s_row_goes_before_a_shipped_one(tmp_path):
    own = table(tmp_path, HEAD + "rapid lemmatizing,RL,Method,house style\n").over(shipped_aliases())
    assert own.expand("RL", "Method") == "rapid lemmatizing"
    assert own.expand("GAN", "Method") == "generative adversarial network"


def test_a_person_s_spelling_holds_for_shipped_rows_too(tmp_path):
    own = table(tmp_path, HEAD + "Reinforcement Learning,RL,Method,house style\n").over(shipped_aliases())
    assert own.expand("deep RL", "Method") == "Reinforcement Learning"


def test_types_are_kept_apart():
    records = [record("a", [("Dataset", "RL")]), record("b", [("Method", "RL")])]
    resolution = Resolver().resolve(map(uses, records))
    assert resolution.id_of("a", "Dataset", "RL") == "dataset:rl"
    assert resolution.id_of("b", "Method", "reinforcement learning") == "method:reinforcement-learning"


def test_every_shipped_alias_leads_to_its_name():
    shipped = shipped_aliases()
    for row in shipped.rows:
        assert fold(shipped.expand(row.alias, row.type)) == fold(shipped.expand(row.name, row.type)), row
