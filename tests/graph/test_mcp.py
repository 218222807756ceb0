import json
import signal
import subprocess
import sys

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from kg import mcp as served
from tests.graph.made import PAPERS

TOOLS = {
    "papers_sharing_method", "shared", "similar", "methods_for_task", "datasets_for_task", "compare", "entity", "paper",
    "evidence", "search", "list_recipes", "query", "counts",
}  # fmt: skip

CALLS = [
    ("papers_sharing_method", {"method": "GNN"}, lambda g: g.papers_sharing_method("GNN")),
    ("shared", {"first": "rook", "second": "crow"}, lambda g: g.shared("rook", "crow")),
    ("similar", {"paper": "rook", "k": 2}, lambda g: g.similar("rook", 2)),
    ("methods_for_task", {"task": "node labeling"}, lambda g: g.methods_for_task("node labeling")),
    ("datasets_for_task", {"task": "node labeling"}, lambda g: g.datasets_for_task("node labeling")),
    ("compare", {"method": "CrowNet"}, lambda g: g.compare("CrowNet")),
    ("evidence", {"head": "rook", "relation": "uses", "tail": "GNN"}, lambda g: g.evidence("rook", "uses", "GNN")),
    ("search", {"text": "CrowNet"}, lambda g: g.search("CrowNet")),
    (
        "query",
        {"question": "most-used-methods", "parameters": {"limit": 3}},
        lambda g: g.query("most-used-methods", limit=3),
    ),
]


def ask(g, *calls):
    """The results of tool calls, through the SDK's own client."""

    async def asked():
        async with Client(served.server(g)) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return anyio.run(asked)


def test_every_tool_is_a_look_up_that_only_reads(g):
    async def listed():
        async with Client(served.server(g)) as client:
            return (await client.list_tools()).tools

    tools = anyio.run(listed)
    assert {t.name for t in tools} == TOOLS
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert not tool.annotations.destructive_hint
        assert tool.description


@pytest.mark.parametrize(("tool", "arguments", "look_up"), CALLS, ids=[c[0] for c in CALLS])
def test_a_tool_answers_as_the_look_up_does(g, tool, arguments, look_up):
    (result,) = ask(g, (tool, arguments))
    assert not result.is_error
    assert result.structured_content["rows"] == look_up(g).to_dicts() != []


def test_cards_counts_and_recipes(g):
    entity, paper, counts, recipes = ask(
        g, ("entity", {"name": "GNN"}), ("paper", {"paper": "rook"}), ("counts", {}), ("list_recipes", {})
    )
    assert entity.structured_content == g.entity("GNN").model_dump(mode="json")
    assert paper.structured_content == g.paper("rook").model_dump(mode="json")
    assert counts.structured_content == g.counts()
    assert "papers-sharing-method" in {r["recipe"] for r in recipes.structured_content["rows"]}


def test_what_is_not_there_is_said_in_one_line(g):
    (result,) = ask(g, ("papers_sharing_method", {"method": "RokNet"}))
    assert result.is_error
    assert "RookNet" in result.content[0].text
    assert "\n" not in result.content[0].text


@pytest.mark.parametrize(
    "cypher",
    ["MATCH (p:Paper) DETACH DELETE p", "MERGE (p:Paper {id: 'cuckoo'}) RETURN p", "DROP INDEX x", "not cypher"],
)
def test_it_is_closed_to_writes(g, cypher):
    (result,) = ask(g, ("query", {"question": cypher}))
    assert result.is_error
    assert g.counts()["Paper"] == len(PAPERS)


def test_rows_are_cut_where_asked_and_it_is_said(g):
    (result,) = ask(g, ("query", {"question": "MATCH (p:Paper) RETURN p.id AS id ORDER BY id", "limit": 2}))
    assert result.structured_content["rows"] == [{"id": "crow"}, {"id": "finch"}]
    assert result.structured_content["note"] == "the first 2 of 7 rows"


def test_the_command_serves_standard_input_and_output(tmp_path, records):
    import kg

    url = str(tmp_path / "served.db")
    kg.load([records], store=url)

    async def asked():
        server = StdioServerParameters(command=sys.executable, args=["-m", "kg", "mcp", "--store", url])
        async with Client(stdio_client(server)) as client:
            return await client.call_tool("papers_sharing_method", {"method": "GNN"})

    result = anyio.run(asked)
    assert [r["paper"] for r in result.structured_content["rows"]] == ["rook", "wren", "crow"]


@pytest.fixture
def served_url(tmp_path, records):
    import kg

    url = str(tmp_path / "served.db")
    kg.load([records], store=url)
    return url


def hello(id):
    parameters = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": parameters})


def test_what_is_no_message_does_not_end_the_conversation(served_url):
    """The SDK passes it over without an answer, as it has no id to answer to."""
    lines = ["garbage", '{"jsonrpc": "2.0"', "[]", "\x00\ufffd", "", hello(7)]
    asked = subprocess.run(
        [sys.executable, "-m", "kg", "mcp", "--store", served_url],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    (answer,) = asked.stdout.splitlines()
    assert json.loads(answer)["id"] == 7
    assert (asked.returncode, asked.stderr) == (0, "")


def test_ctrl_c_ends_the_server_quietly(served_url):
    command = [sys.executable, "-m", "kg", "mcp", "--store", served_url]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True) as server:
        server.stdin.write(hello(1) + "\n")
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 130
        assert server.stderr.read() == "kg: interrupted\n"
