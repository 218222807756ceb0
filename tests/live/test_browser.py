"""The real Neo4j Browser, as the server serves it, in headless Chromium: style and recipes imported, graphs drawn."""

import base64
import json
import os
import shutil
import tempfile
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest

from kg.browser import browser_address, example, examples_of, write_browser_files
from kg.recipes import folder, recipe, recipes
from kg.store import open_store
from tests.live.fixtures import unavailable
from tests.recipes.aviary import ENTITIES, contributions

pytestmark = [pytest.mark.neo4j, pytest.mark.browser]

SHOTS = Path(os.environ.get("KG_SCREENSHOTS") or tempfile.mkdtemp(prefix="kg-browser-"))
DRAWN = ("draw-method", "draw-task", "draw-paper")
COLOURS = {"rgb(76, 142, 218)", "rgb(247, 151, 103)", "rgb(87, 199, 163)", "rgb(165, 171, 182)"}


@pytest.fixture
def loaded(neo4j_url):
    with open_store(neo4j_url, mode="write") as store:
        store.prepare()
        store.write(list(contributions()), ENTITIES.values())
        yield store


def test_saved_queries_carry_parameters_of_this_graph(loaded, tmp_path):
    queries, style, guide = write_browser_files(loaded, tmp_path / "for-browser")
    assert style.read_bytes() == (folder() / "browser" / "kg.grass").read_bytes()
    assert "runnable" in guide.read_text()
    with zipfile.ZipFile(queries) as archive:
        texts = {Path(name).stem: archive.read(name).decode() for name in archive.namelist()}
    assert {one.name for one in recipes()} <= texts.keys()
    values = examples_of(loaded)
    for one in recipes():
        text = texts[one.name]
        assert text.startswith(f"// {one.title}\n")
        assert all(f"//   :param {p.name} => " in text for p in one.parameters)
        loaded.query(text.rstrip().rstrip(";"), {p.name: example(p, values) for p in one.parameters})
    assert f":param method => '{values['method']}'" in texts["draw-method"]


def test_browser_address():
    assert browser_address("neo4j://localhost:7687") == (
        "http://localhost:7474/browser/?connectURL=neo4j%3A%2F%2Fneo4j%40localhost%3A7687"
    )
    assert browser_address("bolt+s://me@db.example:1234").startswith("https://db.example:7473/browser/")
    assert browser_address("bolt://h", "http://127.0.0.1:8080/").startswith("http://127.0.0.1:8080/browser/?")


@pytest.fixture
def page(neo4j_server):
    if not neo4j_server.http:
        unavailable("it is not known where this server serves Neo4j Browser")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    if not chromium:
        if os.environ.get("KG_REQUIRE_NEO4J") == "1":
            pytest.fail("Chromium is not installed", pytrace=False)
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as drive:
        browser = drive.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=neo4j_server.http)
        context.route(
            "**/*", lambda r: r.continue_() if r.request.url.startswith(neo4j_server.http) else r.abort()
        )  # Browser asks for fonts and statistics elsewhere; nothing leaves this machine
        page = context.new_page()
        page.set_default_timeout(60_000)
        yield page
        page.screenshot(path=SHOTS / "last.png")
        browser.close()


def paste(page, text):
    page.evaluate("t => navigator.clipboard.writeText(t)", text)
    page.click("#monaco-main-editor")
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+V")
    page.click("[data-testid=editor-Run]")


def drop(page, path):
    """Drop a file on Browser, as the guide says to."""
    script = """([name, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(content), c => c.charCodeAt(0))], name));
        const target = document.querySelector('.filedrop');
        for (const kind of ['dragenter', 'dragover', 'drop'])
            target.dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data}));
    }"""
    page.wait_for_selector(".filedrop", state="attached")
    page.evaluate(script, [path.name, base64.b64encode(path.read_bytes()).decode()])
    page.wait_for_timeout(1000)


def frames(page):
    return page.locator("[data-testid=frame]")


def run(page, text):
    before = frames(page).count()
    paste(page, text)
    page.wait_for_function(f"() => document.querySelectorAll('[data-testid=frame]').length > {before}")


def log_in(page, server):
    bolt = server.uri.removeprefix("bolt://")
    page.goto(f"{server.http}/browser/?connectURL={quote(f'bolt://neo4j@{bolt}', safe=':/@')}")
    page.fill("[data-testid=username]", server.username)
    page.fill("[data-testid=password]", server.password)
    page.click("[data-testid=connect]")
    page.wait_for_selector("text=You are connected as user")
    page.wait_for_selector("#monaco-main-editor")


def test_saved_queries_dropped_on_browser_are_kept_in_folders(loaded, neo4j_server, page, tmp_path):
    queries = write_browser_files(loaded, tmp_path)[0]
    log_in(page, neo4j_server)
    drop(page, queries)
    stored = page.evaluate("() => ['neo4j.documents', 'neo4j.folders'].map(k => localStorage.getItem(k))")
    with zipfile.ZipFile(queries) as archive:
        saved = {name: archive.read(name).decode() for name in archive.namelist()}
    kept = json.dumps(json.loads(stored[0]))
    assert [name for name, text in saved.items() if json.dumps(text)[1:-1] not in kept] == []
    assert [name for name in saved if json.dumps(name.split("/")[0]) not in stored[1]] == []
    page.screenshot(path=SHOTS / "saved-queries.png")


def test_log_in_and_draw_three_recipes(loaded, neo4j_server, page):
    log_in(page, neo4j_server)
    drop(page, folder() / "browser" / "kg.grass")
    values = examples_of(loaded)
    for name in DRAWN:
        one = recipe(name)
        for p in one.parameters:
            value = example(p, values)
            text = repr(value) if isinstance(value, str) else str(value).lower()
            run(page, f":param {p.name} => {text}")
        rows = loaded.query(one.cypher.rstrip().rstrip(";"), {p.name: example(p, values) for p in one.parameters})
        drawn = {item["id"] for row in rows for item in row.values() if item and "sentence" not in item}
        run(page, one.cypher)
        first = frames(page).first
        first.locator("g.node").first.wait_for()
        assert first.locator("[data-testid=cypherFrameErrorMessage]").count() == 0
        assert first.locator("g.node").count() == len(drawn) > 1
        assert first.locator("g.relationship").count() > 0
        page.wait_for_timeout(1500)  # the picture settles
        fills = first.locator("g.node circle.b-outline").evaluate_all("all => all.map(c => getComputedStyle(c).fill)")
        assert set(fills) <= COLOURS
        page.screenshot(path=SHOTS / f"{name}.png")
