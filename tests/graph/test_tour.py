"""The notebook of the docs runs from its first cell to its last, on the seeds, with the shipped model."""

from pathlib import Path

import nbformat
import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.timeout(600)
def test_the_tour_runs(monkeypatch):
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(DOCS.parent))
    monkeypatch.delenv("KG_STORE", raising=False)
    tour = nbformat.read(DOCS / "tour.ipynb", as_version=4)
    kept = [cell.source for cell in tour.cells]
    NotebookClient(tour, timeout=400, kernel_name="python3", resources={"metadata": {"path": str(DOCS)}}).execute()
    assert [cell.source for cell in tour.cells] == kept
    shown = {
        cell.source: "".join(str(o.get("text") or o.get("data", {}).get("text/plain", "")) for o in cell.outputs)
        for cell in tour.cells
        if cell.cell_type == "code"
    }
    assert "graph neural network" in shown['g.papers_sharing_method("GNNs")']
    assert all("Error" not in text for text in shown.values())
