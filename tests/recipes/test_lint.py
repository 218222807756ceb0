"""Every recipe through Neo4j's own linter, in Cypher 5 and 25: no error and no warning (deprecations among them)."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kg.recipes import LABELS, TYPES, recipes
from kg.types import Contribution, Edge, Entity, Extraction, Paper

FOLDER = Path(__file__).parent / "lint"
MODULE = FOLDER / "node_modules" / "@neo4j-cypher" / "language-support"


def lint(queries):
    """What the linter says of each (name, Cypher, parameters)."""
    node = shutil.which("node")
    missing = "node" if node is None else f"the linter (npm install --prefix {FOLDER})" if not MODULE.is_dir() else ""
    if missing:
        message = f"recipes are not linted: no {missing} here"
        if os.environ.get("KG_REQUIRE_NEO4J") == "1":
            pytest.fail(message)
        pytest.skip(message)
    asked = {
        "schema": {"labels": sorted(LABELS), "relationshipTypes": sorted(TYPES), "propertyKeys": properties()},
        "queries": [{"name": name, "cypher": text, "parameters": values} for name, text, values in queries],
    }
    done = subprocess.run(
        [node, "lint.cjs"], cwd=FOLDER, input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=800
    )
    return json.loads(done.stdout)


def properties():
    """Every property that a stored node or edge has."""
    paper = Paper(id="p")
    edge = Edge("e", "USES", "Paper", "p", "Method", "m", "p", "s", 0, 1, 1.0, "x")
    stored = Contribution(record=Extraction(paper=paper, extractor="x"), edges=()).paper_values()
    names = {"key", "count", "surfaces", *stored, *edge.values(), *Entity(id="m", type="Method", name="m").model_dump()}
    return sorted(names)


def test_the_linter_finds_what_is_wrong():
    found = lint(
        [
            ("syntax", "MATCH (p:Paper RETURN p", {}),
            ("variable", "MATCH (p:Paper) RETURN q", {}),
            ("label", "MATCH (p:Papr) RETURN p", {}),
            ("property", "MATCH (p:Paper) RETURN p.titel AS t", {}),
            ("deprecated", "MATCH (p:Paper) RETURN id(p) AS i", {}),
            ("fine", "MATCH (p:Paper) RETURN p.title AS t LIMIT $limit", {"limit": 1}),
        ]
    )
    by_name = {(one["name"], one["version"]): one["severity"] for one in found}
    wrong = {"syntax": "error", "variable": "error", "label": "warning", "property": "warning", "deprecated": "warning"}
    assert by_name == {(name, version): level for name, level in wrong.items() for version in ("5", "25")}


@pytest.mark.timeout(900)  # 20 s of one free core; more where the cores are shared
def test_every_recipe_passes_in_cypher_5_and_25():
    examples = {"string": "x", "int": 1, "float": 0.5, "bool": True, "list": ["x"]}
    found = lint((one.name, one.cypher, {p.name: examples[p.type] for p in one.parameters}) for one in recipes())
    said = [
        f"cypher/{f['name']}.cypher:{f['line']}: Cypher {f['version']}: {f['severity']}: {f['message']}" for f in found
    ]
    assert not said, "\n".join(said)
