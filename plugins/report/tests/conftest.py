"""Results of toy models, stored once for all pages."""

import csv
import os
import shutil
from itertools import product
from pathlib import Path

import pytest
from bvf_factors.run import analyse_table
from bvf_report.page.build import page_of
from bvf_report.page.provenance import Scenario
from helpers.factor_tables import table_of
from helpers.hostile_texts import DIRECTING, PAYLOADS
from helpers.topic_text import topic_text

from bvf.hooks.loader import load

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
TOY = Path(__file__).resolve().parents[3] / "tests" / "data" / "toy_plugin.py"


@pytest.fixture(scope="session")
def plugins():
    return load(extra=(str(TOY),))


@pytest.fixture(scope="session")
def drawn(run_of):
    """Two classes, contexts that are a sample."""
    return run_of()


@pytest.fixture(scope="session")
def written(run_of):
    """Seven classes, contexts that are all of a set."""
    return run_of(topic="weekday", contexts="", sample_contexts=0, limit_contexts=12)


@pytest.fixture(scope="session")
def hostile(run_of, plugins, tmp_path_factory):
    """Models compared on somebody's names, words, contexts, label and scenario, all of which mean harm."""
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
    return page_of([*runs, file], plugins, scenario=Scenario(group_at_risk=" ".join(PAYLOADS)))


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
