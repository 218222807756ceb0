"""The pictures in a real browser with no network: they draw, run without an error, fit a phone, follow dark mode."""

import os
import shutil

import pytest

from tests.graph.test_view import PAGES

CHROMIUM = os.environ.get("KG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium on the path (apt install chromium, or set KG_CHROMIUM)"),
]


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(g, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {name: draw(g).save(folder / f"{name}.html") for name, draw in PAGES.items()}


def opened(browser, path, *, width=1280, scheme="light"):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True)
    page = context.new_page()
    wrong, asked = [], []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.goto(path.as_uri())
    page.wait_for_load_state("load")
    return page, wrong, asked


@pytest.mark.parametrize("name", PAGES)
def test_it_opens_offline_on_a_desk_and_on_a_phone(browser, pages, name):
    for width in (1280, 390):
        page, wrong, asked = opened(browser, pages[name], width=width)
        if name in ("entity", "task", "schema"):
            page.wait_for_selector("canvas, svg", state="attached")
        assert wrong == []
        assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.context.close()


@pytest.mark.parametrize("name", PAGES)
def test_it_follows_dark_mode(browser, pages, name):
    ink = {}
    for scheme in ("light", "dark"):
        page, _, _ = opened(browser, pages[name], scheme=scheme)
        ink[scheme] = page.evaluate("getComputedStyle(document.querySelector('h1')).color")
        page.context.close()
    light, dark = (sum(int(n) for n in value[4:-1].split(",")) for value in (ink["light"], ink["dark"]))
    assert light < 200 < 500 < dark


def test_arcs_are_drawn_and_lit(browser, pages):
    page, _, _ = opened(browser, pages["paper"])
    assert page.locator("#arcs g").count() == 1
    item = page.locator("#claims li", has_text="subclass of")
    item.hover()
    assert page.locator("#arcs g.on").count() == 1
    assert page.locator("mark.on").count() == 2
    page.context.close()
