"""Whatever command a figure comes from, it is the one that ``bvf show`` gives, by the same name, choices and warnings.

A command that shows results is added to `SURFACES`, and a kind of run to `RUNS`.
"""

import csv
import json
import random
import re
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler

import pytest
from helpers.fixtures import TOY
from helpers.served import Says, served

import bvf
from bvf import ContextSet, Template

RISK, PARTS = ("R", "R_bias", "R_volatility"), ("shared_bias", "particular_bias")
TOPIC_OF_KNOWLEDGE = {"topic": "knowledge/capitals", "contexts": "", "sample_contexts": 0, "unit": "template"}
ENDINGS = ("", " was late", " was early")
MODEL = "coins"
NOT_AT_THE_END = ContextSet(
    "not-at-the-end",
    tuple(Template(f"The [X] {place} said that [Y]{end}") for place in "abcd" for end in ENDINGS),
    (1,) * 12,
)
SAMPLED = {
    "model": f"openai:{MODEL}",
    "backend_options": {"estimate": "samples", "samples": 8},
    "words": {"male": ("he",), "female": ("she",)},
    "limit_groups": 4,
}
TEXTS = {"model": "writing:known", "plugin": (str(TOY.with_name("writing_plugin.py")),), "reading": "generated"}
TEXTS |= {"topic": "gender-2026", "groups": ("nurse", "cook", "cio"), "limit_groups": 0, "samples": 4}
RUNS = {
    "risk": ({}, (*RISK, *PARTS)),
    "hardly any mass": ({"model": "toy:rare"}, (*RISK, *PARTS)),
    "words not read": ({"contexts": NOT_AT_THE_END, "sample_contexts": 0, "unit": "template"}, (*RISK, *PARTS)),
    "total variation of p* mean": ({"criterion": "tv", "reference": "mean", "scale": "raw"}, (*RISK, *PARTS)),
    "sampled answers": (SAMPLED, (*RISK, *PARTS)),
    "texts": (TEXTS, (*RISK, *PARTS)),
    "knowledge": ({**TOPIC_OF_KNOWLEDGE, "distractors": 4, "seed": 3}, ("mastery", "expected_score", "confidence_gap")),
}
"""The choices of a run, and the figures of its result."""


@dataclass
class Shown:
    """What a command says of a run: figures by field, or numbers in its text; and the text."""

    text: str
    figures: dict[str, float] | None = None


def gated(command, folder, fields, tmp_path):
    limits = [argument for name in fields for argument in ("--max", f"{name}=0.99")]
    done = command("gate", folder, *limits, "--format", "json")
    return Shown(done.out + done.err, {each["figure"]: each["value"] for each in done.json["decisions"]})


def planned(command, folder, fields, tmp_path):
    done = command("plan", folder, "--format", "json")
    return Shown(done.out, {name: each["value"] for name, each in done.json["figures"].items()})


def exported_csv(command, folder, fields, tmp_path):
    command("export", folder, "--to", "csv", "--out", tmp_path / "models.csv")
    text = (tmp_path / "models.csv").read_text()
    (row,) = csv.DictReader(text.splitlines())
    return Shown(text, {name: float(row[name]) for name in fields})


def exported_table(form, ending):
    def made(command, folder, fields, tmp_path):
        command("export", folder, "--to", form, "--out", tmp_path / f"table.{ending}")
        return Shown((tmp_path / f"table.{ending}").read_text().replace("\\", ""))

    return made


def reported(command, folder, fields, tmp_path):
    command("report", folder, "--out", tmp_path / "page.html")
    page = re.sub("<script.*?</script>", "", (tmp_path / "page.html").read_text(), flags=re.DOTALL)
    return Shown(re.sub("<[^>]*>", "", page.replace("&#39;", "'")))


def printed(*options):
    def made(command, folder, fields, tmp_path):
        return Shown(command("show", folder, *options).said)

    return made


def read_in_python(command, folder, fields, tmp_path):
    result = bvf.read_result(folder)
    return Shown(str(result.model_dump()), {name: getattr(result, name) for name in fields})


SURFACES = {
    "show": printed(),
    "show --details": printed("--details"),
    "show --format md": printed("--format", "md"),
    "gate": gated,
    "plan": planned,
    "export csv": exported_csv,
    "export markdown": exported_table("markdown", "md"),
    "export latex": exported_table("latex", "tex"),
    "report": reported,
    "python": read_in_python,
}
WITHOUT_PARTS = {"show", "show --format md"}
"""The first screen has R, R^b and R^v; shared and particular R^b are in --details."""
WITHOUT_WARNINGS = {"plan"}
"""A plan says how many contexts are needed, whatever makes the figures doubtful."""


@pytest.fixture(scope="module")
def runs(run_of):
    def made(choices):
        with coins_served() as url:
            asked = {"backend_options": {**choices["backend_options"], "base_url": url}} if choices is SAMPLED else {}
            return run_of(**{"sample_contexts": 60, "limit_groups": 12, **choices, **asked})

    return {name: made(choices) for name, (choices, _) in RUNS.items()}


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("kind", RUNS)
def test_every_command_has_the_figures_name_choices_and_warnings_of_the_run(
    kind, surface, runs, command, in_json, tmp_path
):
    folder, fields = str(runs[kind].folder), RUNS[kind][1]
    result = in_json("show", folder)
    shown = SURFACES[surface](command, folder, fields, tmp_path)
    if shown.figures is not None:
        assert shown.figures == pytest.approx({name: result[name] for name in shown.figures}, rel=1e-12)
        assert shown.figures.keys() & set(fields)
    else:
        numbers = set(re.findall(r"(?<![\d.])\d?\.\d+", shown.text))
        for name in (each for each in fields if each not in PARTS or surface not in WITHOUT_PARTS):
            known = {f"{result[name]:.{places}f}" for places in (3, 4)}
            assert (known | {each.removeprefix("0") for each in known}) & numbers, name
    assert result["model"] in shown.text
    assert result["criterion"] in shown.text
    if result["reference"] != "uniform":
        assert result["reference"] in shown.text
    if surface not in WITHOUT_WARNINGS:
        plain = " ".join(shown.text.split())
        assert all(warning in plain for warning in result["warnings"])


def test_a_comparison_is_of_the_figures_that_are_shown(in_json, runs, run_of):
    other = run_of(model="toy:alike", sample_contexts=60, limit_groups=12)
    compared = in_json("compare", runs["risk"].folder, other.folder)
    models = {each["folder"]: each["figures"] for topic in compared["topics"] for each in topic["models"]}
    for run in (runs["risk"], other):
        result = in_json("show", run.folder)
        assert models[str(run.folder)] == {name: pytest.approx(result[name]) for name in models[str(run.folder)]}
        assert {*RISK, "particular_bias"} <= set(models[str(run.folder)])


def test_a_title_names_the_distractors(command, runs):
    shown = command("show", runs["knowledge"].folder).said
    assert "knowledge/capitals (en), toy:hash, criterion knowledge:sqrt, 4 distractors" in shown


SAYS = (" he said", " he was", " she said", " it")


MISSING = (404, {"detail": "Not Found"})


class Coins(Says, BaseHTTPRequestHandler):
    def do_GET(self):
        self.say(*((200, {"data": [{"id": MODEL}]}) if self.path == "/v1/models" else MISSING))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path != "/v1/completions" or "logprobs" in body:
            return self.say(*MISSING)
        coin = random.Random(f"{body.get('seed')} {body['prompt']}")
        texts = [coin.choice(SAYS) for _ in range(body["n"])]
        return self.say(200, {"choices": [{"index": index, "text": text} for index, text in enumerate(texts)]})


@contextmanager
def coins_served():
    """Serve sampled continuations without a model, drawn by the prompt and the seed; yield the address of the API."""
    with served(Coins) as server:
        yield f"http://127.0.0.1:{server.server_port}/v1"
