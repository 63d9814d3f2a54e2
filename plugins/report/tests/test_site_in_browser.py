"""A site in a real browser, from the disk: pages lead to each other, nothing is loaded, and everybody can use it."""

import pytest
from bvf_report.site import write_site

import bvf
from bvf.hooks.loader import load
from bvf.study.config import AnalysisConfig

KINDS = ("full", "light")


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")
    for model in ("random", "stereotyped"):
        options = {"contexts": "gender-mixed", "sample_contexts": 60, "limit_groups": 3, "mass_sample": 2}
        bvf.run(model=f"baseline:{model}", out=str(folder / "runs" / model), **options)
    for kind in KINDS:
        write_site(folder / kind, [folder / "runs"], AnalysisConfig(), load(), light=kind == "light")
    return folder


@pytest.fixture
def opened(visited, sites):
    """Open the first page of a site, as wide as is said."""
    return lambda kind, width=1200: visited(sites / kind / "index.html", width)


@pytest.mark.parametrize("kind", KINDS)
def test_a_click_leads_to_the_page_of_a_run_and_back(opened, kind):
    page = opened(kind)
    page.find_element("css selector", "td a, th a").click()
    assert "/runs/baseline-" in page.current_url
    page.find_element("link text", "All tables").click()
    assert page.current_url.endswith(f"{kind}/index.html")
    page.find_element("link text", "Every difference, and how sure it is").click()
    assert page.find_element("tag name", "h1").text == "Models compared"
    assert [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_phone_shows_the_site_without_scrolling_sideways(opened, kind):
    assert opened(kind, width=390).execute_script("return document.documentElement.scrollWidth") <= 390


def test_the_full_site_filters_models_and_the_light_one_has_no_script(opened):
    page = opened("full")
    page.find_element("css selector", ".search input").send_keys("stereo")
    shown = "return [...document.querySelectorAll('tbody tr')].filter(e => !e.hidden).map(e => e.cells[0].textContent)"
    assert page.execute_script(shown) == ["baseline:stereotyped"]
    assert opened("light").find_elements("css selector", "script, .search") == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault(opened, faults, kind, theme):
    assert faults(opened(kind), theme) == []
