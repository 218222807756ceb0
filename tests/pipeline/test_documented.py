import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "extraction.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES, ids=("shipped", "own"))
def test_examples_run_as_they_stand(code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(PAGE), "exec"), {})
    if "print" in code:
        shown = capsys.readouterr().out
        assert "WidgetNet Method" in shown
        assert "PROPOSES WidgetNet" in shown


def test_every_component_is_described(nlp):
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in nlp.pipe_names if f"`{name}`" not in page] == []
