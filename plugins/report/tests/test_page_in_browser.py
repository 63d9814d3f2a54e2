"""The page in a real browser: nothing but its own scripts runs, nothing is loaded, and everybody can use it."""

import base64
import json

import pytest
from bvf_report.page.build import page_of
from bvf_report.page.content import Page
from bvf_report.page.html import html_of
from helpers.hostile_texts import PAYLOADS

from bvf import Section
from bvf.interfaces import Cell
from bvf.results.page import Part

LOADS = ("file:", "data:", "blob:")
ROWS = "[...document.querySelectorAll('.search')][0].parentNode.querySelectorAll('tbody tr')"


@pytest.fixture(scope="module")
def files(hostile, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for kind, text in hostile.items():
        (folder / f"{kind}.html").write_text(text, "utf-8")
    return folder


@pytest.fixture
def opened(visited, files):
    """Open a page, as wide as is said; every picture is drawn."""

    def call(kind="full", width=1200, files=files):
        page = visited(files / f"{kind}.html", width)
        page.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        return page

    return call


@pytest.mark.parametrize("kind", ["full", "light"])
def test_nothing_foreign_runs_and_nothing_is_loaded(opened, kind):
    page = opened(kind)
    assert page.execute_script("return typeof window.ran") == "undefined"
    assert page.find_elements("css selector", "body iframe, body a:not([href^='#'])") == []
    assert [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"] == []
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    sent = [each["params"] for each in messages if each["method"] == "Network.requestWillBeSent"]
    loaded = [each["request"]["url"] for each in sent]
    assert any(url.endswith(f"{kind}.html") for url in loaded)
    assert [url for url in loaded if not url.startswith(LOADS)] == []


def test_every_picture_is_drawn(opened):
    page = opened()
    missing = "return [...document.querySelectorAll('.plot')].filter(e => !e.querySelector('svg.main-svg')).length"
    assert page.execute_script("return document.querySelectorAll('.plot').length") >= 9
    assert page.execute_script(missing) == 0
    images = "return [...document.images].filter(e => !e.naturalWidth).length"
    assert opened("light").execute_script(images) == 0


def test_columns_sort_by_their_values_whatever_form_their_texts_have(browser, tmp_path):
    """In each column the first row has the largest value, and the last the smallest."""
    rows = [
        ("large", Cell("1,234"), Cell("12%", 0.12), Cell("0.10", 0.1, "0.09 to 0.11"), Cell("2-3", 5.0), Cell("", 3.0)),
        ("middle", Cell("999"), Cell("9%", 0.09), Cell("0.09", 0.09, "0.01 to 0.2"), Cell("1-3", 4.0), Cell("", 2.0)),
        ("small", Cell("-2"), Cell("0.5%", 0.005), Cell("-0.30", -0.3, "-1 to 1"), Cell("1-2", 3.0), Cell("", 1.0)),
    ]
    columns = ("", "whole", "share", "interval", "rank", "drawn")
    numbered = [[row[0], Cell(row[1].text, float(row[1].text.replace(",", ""))), *row[2:]] for row in rows]
    page = tmp_path / "page.html"
    page.write_text(html_of(Page("t", "s", (Part("p", "P", (Section("c", columns, numbered),)),))), "utf-8")
    browser.get(page.as_uri())
    for button in browser.find_elements("css selector", "thead button"):
        for expected in (["large", "middle", "small"], ["small", "middle", "large"]):
            button.click()
            names = "return [...document.querySelectorAll('tbody tr')].map(e => e.cells[0].textContent)"
            assert browser.execute_script(names) == expected, button.text


def test_searching_leaves_the_rows_with_the_text(opened):
    page = opened()
    field = page.find_element("css selector", ".search input")
    shown = f"return [...{ROWS}].filter(e => !e.hidden).map(e => e.cells[0].textContent)"
    field.send_keys("IFRAME")
    assert page.execute_script(shown) == [PAYLOADS[6]]
    field.clear()
    field.send_keys("x", "\ue003")  # and the key that takes it away
    assert len(page.execute_script(shown)) == len(PAYLOADS)


def test_the_button_turns_light_to_dark_and_back_and_pictures_stay_on_light_paper(opened):
    page = opened()
    paper = "return getComputedStyle(document.body).backgroundColor"
    button = page.find_element("id", "theme")
    before = page.execute_script(paper)
    button.click()
    assert page.execute_script(paper) != before
    look = "const look = getComputedStyle(document.querySelector(arguments[0])); return look[arguments[1]]"
    assert page.execute_script(look, ".plot", "backgroundColor") == "rgb(255, 255, 255)"
    assert page.execute_script(look, ".plot .ytick text", "fill") == "rgb(28, 28, 28)"
    button.click()
    assert page.execute_script(paper) == before


def test_the_page_prints(opened):
    for kind in ("full", "light"):
        pdf = base64.b64decode(opened(kind).execute_cdp_cmd("Page.printToPDF", {})["data"])
        assert pdf.startswith(b"%PDF")
        assert pdf.count(b"/Type /Page\n") > 1


@pytest.mark.parametrize("kind", ["full", "light"])
def test_a_phone_shows_the_page_without_scrolling_sideways(opened, kind):
    page = opened(kind, width=390)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 390


def test_a_phone_shows_drawings_in_the_width_of_its_screen(opened):
    drawn = "return [...document.querySelectorAll('picture img')].map(e => [e.naturalWidth, e.currentSrc.length])"
    wide, narrow = (opened("light", width=width).execute_script(drawn) for width in (1200, 390))
    assert wide
    assert all(one[0] > 1.5 * other[0] for one, other in zip(wide, narrow, strict=True))


@pytest.mark.parametrize(
    ("kind", "theme"), [("full", "light"), pytest.param("full", "dark", marks=pytest.mark.long), ("light", "dark")]
)
def test_axe_finds_no_fault(opened, faults, kind, theme):
    assert faults(opened(kind), theme) == []


def test_a_page_of_one_model_begins_with_what_was_asked_and_prints_on_ten_sheets(opened, run_of, plugins, tmp_path):
    result = run_of(limit_groups=0, sample_contexts=80)
    (tmp_path / "page.html").write_text(html_of(page_of([result.folder], plugins)), "utf-8")
    browser = opened("page", 1400, tmp_path)
    first = browser.find_element("id", "in-short")
    assert first.rect["y"] + first.rect["height"] < 900
    assert "The accountant had a great career but [" in first.text
    assert "Furthest from neutral subjects" in first.text
    folded = browser.find_elements("css selector", "section:has(> details)")
    assert [each.get_attribute("id") for each in folded] == ["grid-0", "spread-0", "shapes-0", "drivers-0", "words-0"]
    sheets = base64.b64decode(browser.print_page()).count(b"/Type /Page\n")
    assert 5 < sheets <= 10
