"""Results of toy models, stored once for all pages."""

import csv
import os
import shutil
from itertools import product
from pathlib import Path

import pytest
from bvf_factors.run import analyse_table
from bvf_report.page.build import page_of
from bvf_report.page.html import html_of
from bvf_report.page.provenance import Scenario
from helpers.factor_tables import table_of
from helpers.fixtures import TOY
from helpers.hostile_texts import DIRECTING, PAYLOADS
from helpers.topic_text import topic_text

import bvf
from bvf.hooks.loader import load

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
ROOT = Path(__file__).resolve().parents[3]
DOUBT = ROOT / "tests" / "data" / "doubt_plugin.py"
AXE = ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="session")
def plugins():
    return load(extra=(str(TOY),))


@pytest.fixture(scope="session")
def doubting():
    """What is installed, the toy backend, and an analysis of somebody else."""
    return load(extra=(str(TOY), str(DOUBT)))


@pytest.fixture(scope="session")
def runs(doubting, tmp_path_factory):
    """A folder with the runs hash and silent (20 contexts drawn of all), weekday, knowledge, and doubt."""
    folder = tmp_path_factory.mktemp("runs")
    toy = {"plugin": (str(TOY),)}
    drawn = {**toy, "contexts": "gender-mixed", "openings": "none", "sample_contexts": 20}
    asked = {
        "hash": {**drawn, "limit_groups": 4},
        "silent": {**drawn, "model": "toy:silent-nurse", "limit_groups": 90},
        "weekday": {**toy, "topic": "weekday", "limit_groups": 3},
        "knowledge": {**toy, "topic": "knowledge/capitals", "limit_contexts": 3, "limit_groups": 4},
        "doubt": {"limit_groups": 4, "contexts": "gender", "analysis": "doubt", "plugins": doubting},
    }
    for name, choices in asked.items():
        bvf.run(**{"model": "toy:hash", "out": str(folder / name), **choices})
    return folder


@pytest.fixture(scope="session")
def models(result, run_of):
    """Results of two models."""
    return [result, run_of(model="baseline:stereotyped")]


@pytest.fixture
def undrawn(monkeypatch):
    """Drawings of light pages are empty: to make them takes most of the time of a page."""
    monkeypatch.setattr("bvf_report.page.html._image", lambda picture, columns: "data:image/webp;base64,")


@pytest.fixture(scope="session")
def hostile(run_of, plugins, tmp_path_factory):
    """Models compared on somebody's names, words, contexts, label and scenario, all of which mean harm: both pages."""
    folder = tmp_path_factory.mktemp("hostile")
    topic, contexts = folder / "topic.toml", folder / "contexts.csv"
    visible = [payload.translate(dict.fromkeys(map(ord, DIRECTING))) for payload in PAYLOADS]  # a topic refuses others
    quoted = [payload.replace('"', '\\"') for payload in visible]
    attributes = {quoted[0]: [quoted[0], quoted[3]], quoted[1]: [quoted[4], quoted[9]]}
    topic.write_text(topic_text(attributes, summary=" ".join(quoted), groups=quoted), "utf-8")
    with contexts.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("template", "count"), *((f"{text} [X] said [Y]", 1) for text in visible)])
    given = {"topic": str(topic), "contexts": str(contexts), "label": (f"by={PAYLOADS[0]}",)}
    models = (f"toy:{PAYLOADS[1]}", "toy:hash")
    runs = [run_of(**given, model=model, sample_contexts=0, limit_groups=0).folder for model in models]
    declared = {PAYLOADS[0]: {"reference": PAYLOADS[1]}, PAYLOADS[3]: {"reference": PAYLOADS[4]}}
    prompts = [
        {PAYLOADS[0]: one, PAYLOADS[3]: other, "case": case, "deviates": (case + place) % 3 == 0}
        for place, (one, other) in enumerate(product(PAYLOADS, PAYLOADS[3:6]))
        for case in range(12)
    ]
    table = table_of(prompts, title=PAYLOADS[1], outcome="deviates", cluster="case", factors=declared)
    file = folder / "factors.json"
    file.write_text(analyse_table(table).model_dump_json(by_alias=True), "utf-8")
    page = page_of([*runs, file], plugins, scenario=Scenario(group_at_risk=" ".join(PAYLOADS)))
    return {kind: html_of(page, light=kind == "light") for kind in ("full", "light")}


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium, which logs what it loads."""
    if not (CHROMIUM and DRIVER):
        pytest.skip("chromium or chromedriver is not installed")
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu", "window-size=1200,900"):
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    log = webdriver.ChromeService(DRIVER, log_output=os.devnull)
    try:
        driver = webdriver.Chrome(options=options, service=log)
    except WebDriverException as error:
        pytest.skip(f"chromium does not start: {error.msg}")
    yield driver
    driver.quit()


@pytest.fixture
def visited(browser):
    """Open a file, as wide as is said."""

    def call(page, width=1200):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get(page.as_uri())
        return browser

    return call


@pytest.fixture
def faults():
    """What axe finds wrong with the page that is open, in a theme."""
    if not AXE.is_file():
        pytest.skip("axe-core is not there: npm install --prefix build/axe axe-core")

    def found(page, theme):
        page.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
        page.execute_script(AXE.read_text("utf-8"))
        report = page.execute_async_script("axe.run(document).then(arguments[arguments.length - 1])")
        return [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in report["violations"]]

    return found
