"""``bvf factors`` as a process: tables, logs, a measurement, a benchmark, and refusals."""

import csv
import io
import json
import os
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest
from helpers.factor_tables import stigma_qa_rows
from helpers.warm import warm_bvf

ROOT = Path(__file__).resolve().parents[3]
BENCHMARK = str(Path(__file__).resolve().parent / "data" / "toy_benchmark.py")
DECLARED = """
title = "Made up"
outcome = "deviates"
cluster = "template"
[factors.stigma]
reference = "none"
[factors.gender]
type = "prompt"
[factors.style]
type = "prompt"
reference = "base"
[factors.biased]
type = "prompt"
"""


@pytest.fixture
def bvf(tmp_path):
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}

    def call(*arguments):
        command = [*warm_bvf(), "factors", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return call


@pytest.fixture
def table(tmp_path):
    """A table like SocialStigmaQA. Doubt about some stigmas deviates, and so does every eleventh prompt."""
    rows = stigma_qa_rows(("no",), lambda row: row["style"] == "doubt" and row["stigma"][-1] in "147")
    with (tmp_path / "answers.jsonl").open("w") as file:
        for number, row in enumerate(rows):
            file.write(json.dumps({**row, "deviates": row["deviates"] or number % 11 == 0}) + "\n")
    (tmp_path / "f.toml").write_text(DECLARED)
    return "answers.jsonl", "--factors", "f.toml"


def test_everything_is_said_and_what_is_aliased_is_named(bvf, table):
    short, done = bvf("analyse", *table), bvf("analyse", *table, "--details")
    assert (short.returncode, done.returncode) == (0, 0), done.stderr
    assert len(short.stdout.splitlines()) <= 30
    assert short.stdout.startswith("Made up: 10,360 prompts, rate ")
    for text in (
        "Coverage: Made up",
        "stigma=none, gender=none and style=base are the same rows.",
        "DM, mean distance",
    ):
        assert text in done.stdout
    assert "no regression: the 101 columns of the model have rank 99 in 10,360 rows" in done.stderr
    assert "--drop style=base" in done.stderr
    assert max(map(len, [*short.stdout.splitlines(), *done.stdout.splitlines()])) <= 80


def test_a_result_is_json(bvf, table):
    done = bvf("analyse", *table, "--drop", "style=base", "--format", "json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    schema = json.loads((ROOT / "docs" / "schema" / "factors-1.json").read_text())
    jsonschema.validate(result, schema)
    assert (result["schema"], result["rows"], result["importance"]["rows"]) == ("bvf.factors/1", 10_323, 10_323)
    effects = {(each["term"], each["level"]): each for each in result["importance"]["effects"]}
    assert effects["style", "original"]["adjusted_p"] < 1e-6
    assert [each["order"] for each in result["subgroups"]] == [1, 2]


def test_parts_are_commands_of_their_own(bvf, table, tmp_path):
    covered = json.loads(bvf("coverage", *table, "--factor", "gender", "--factor", "style", "--format", "json").stdout)
    assert (covered["joint"]["cells"], covered["joint"]["filled"]) == (16, 10)
    empty = bvf("coverage", *table, "--factor", "gender", "--factor", "style", "--empty").stdout
    assert ["none", "doubt"] in [line.split() for line in empty.splitlines()]
    done = bvf("subgroups", *table, "--order", "2", "--line", "0.2", "-o", "s.csv")
    assert "share above 0.2" in done.stdout
    assert len((tmp_path / "s.csv").read_text().splitlines()) == 1 + 280 + 280 + 188 + 10 + 6 + 8
    of_two = ("--factor", "stigma", "--factor", "gender")
    done = bvf("subgroups", *table, *of_two, "--order", "2", "-o", "two.csv", "--ecdf", "e.svg", "--sunburst", "r.svg")
    assert done.returncode == 0, done.stderr
    with (tmp_path / "two.csv").open() as file:
        found = list(csv.DictReader(file))
    assert len(found) == 280
    assert all(row["subgroup"] == f"stigma={row['stigma']}, gender={row['gender']}" for row in found)
    assert "280 subgroups" in done.stdout
    done = bvf(
        "importance", *table, "--drop", "style=base", "--factor", "style", "--factor", "gender", "--forest", "f.svg"
    )
    assert (tmp_path / "f.svg").read_text().startswith("<?xml")
    assert "style=original" in done.stdout
    assert "10,323 prompts; errors by 37 values of template" in done.stdout
    done = bvf("design", *table, "--strength", "2", "-o", "d.csv", "--format", "json")
    assert len((tmp_path / "d.csv").read_text().splitlines()) == 1 + len(json.loads(done.stdout)["missing"])


def test_models_are_compared(bvf, tmp_path):
    for model, rate in (("small", 3), ("large", 1)):
        rows = [
            {"model": model, "template": t, "group": g, "bad": (t + n) % 6 < rate}
            for t in range(24)
            for g in "abc"
            for n in range(4)
        ]
        (tmp_path / f"{model}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "f.toml").write_text(
        'outcome = "bad"\ncluster = "template"\n[factors.model]\ntype = "model"\n[factors.group]\n'
    )
    done = bvf("compare", "small.jsonl", "large.jsonl", "--factors", "f.toml")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Subgroups of one factor (group). Answers exchanged by template:" in done.stdout
    assert (
        bvf("compare", "small.jsonl", "large.jsonl", "--factors", "f.toml", "--factor", "group").stdout == done.stdout
    )
    done = bvf("compare", "small.jsonl", "large.jsonl", "--factors", "f.toml", "--format", "json")
    result = json.loads(done.stdout)
    assert (result["factors"], result["order"]) == (["group"], 1)
    assert result["rates"] == pytest.approx({"small": 0.5, "large": 1 / 6}, abs=0.01)
    (pair,) = result["pairs"]
    assert (pair["first"], pair["second"], pair["ks"]) == ("large", "small", 1.0)
    assert pair["difference"] == pytest.approx(-1 / 3)
    narrower = json.loads(
        bvf("compare", "small.jsonl", "large.jsonl", "--factors", "f.toml", "--level", "0.8", "--format", "json").stdout
    )["pairs"][0]
    assert pair["low"] < narrower["low"] < pair["difference"] < narrower["high"] < pair["high"]
    text = " ".join(bvf("compare", "small.jsonl", "large.jsonl", "--factors", "f.toml").stdout.split())
    ends = f"{100 * pair['low']:+.1f} to {100 * pair['high']:+.1f}"
    assert f"large - small -33.3 {ends}" in text


def test_interactions_are_stored_with_an_analysis(bvf, table, tmp_path):
    given = (*table, "--drop", "style=base", "--interaction", "style:biased")
    assert "style : biased" in bvf("analyse", *given).stdout
    stored = json.loads(bvf("analyse", *given, "--format", "json").stdout)["importance"]
    alone = json.loads(bvf("importance", *given, "--format", "json").stdout)
    assert stored == alone
    assert "style : biased" in {each["term"] for each in stored["tests"]}
    refused = bvf("analyse", *table, "--interaction", "gender:sytle")
    assert (refused.returncode, refused.stderr.splitlines()[0]) == (2, 'error: there is no factor "sytle"')


def test_one_answer_of_a_log_is_taken_by_the_name_of_its_filter(bvf, tmp_path):
    rows = [
        {
            "doc_id": n,
            "doc": {"who": "abc"[n % 3]},
            "target": "4",
            "arguments": {},
            "resps": [],
            "filtered_resps": ["4"],
        }
        | {"filter": name, "right": float(n % 5 > (name == "strict"))}
        for name in ("strict", "loose")
        for n in range(60)
    ]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "log.toml").write_text(
        'outcome = { column = "right", yes = ["0.0"] }\n[factors.who]\ncolumn = "doc.who"\n'
    )
    given = ("log.jsonl", "--factors", "log.toml")
    refused = bvf("subgroups", *given)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "which differ in filter: strict, loose" in refused.stderr
    for command in ("analyse", "coverage", "design", "importance", "subgroups"):
        done = bvf(command, *given, "--filter", "strict", "--format", "json")
        assert done.returncode == 0, done.stderr
        assert "60 of 120 rows of logs: of strict" in done.stderr
    found = json.loads(done.stdout)["subgroups"]
    assert (found["rate"], found["cluster"], {each["rows"] for each in found["found"]}) == (0.4, "", {20})
    text = bvf("subgroups", *given, "--filter", "strict").stdout
    assert "95% intervals and p values as if prompts were independent" in " ".join(text.split())
    (tmp_path / "log.toml").write_text((tmp_path / "log.toml").read_text() + "[factors.filter]\n")
    text = bvf("subgroups", *given).stdout
    assert "95% intervals and p values by doc_id (cluster-robust)" in " ".join(text.split())
    (tmp_path / "stored.json").write_text(bvf("analyse", *given, "--format", "json").stdout)
    shown = subprocess.run(
        [*warm_bvf(), "report", "stored.json", "-o", "page.html"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    assert "several rows have one doc_id: errors are by doc_id" in (tmp_path / "page.html").read_text()


def test_a_level_may_be_named_as_the_table_writes_it(bvf, tmp_path):
    lines = [f"{n % 3}.0,{n % 2}.0\n" for n in range(60)]
    (tmp_path / "floats.csv").write_text("stars,bad\n" + "".join(lines))
    (tmp_path / "f.toml").write_text('outcome = "bad"\n[factors.stars]\n')
    done = bvf("subgroups", "floats.csv", "--factors", "f.toml", "--drop", "stars=1.0", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert {each["levels"][0] for each in json.loads(done.stdout)["subgroups"]["found"]} == {"0", "2"}


def test_a_chat_model_is_asked_as_a_chat(bvf, tmp_path):
    shutil.copytree(ROOT / "languages" / "en" / "bvf_en" / "models" / "en-causal", tmp_path / "model")
    template = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '. ' }}{% endfor %}"
    (tmp_path / "model" / "chat_template.jinja").write_text(template)
    ways = {"bare": (), "chat": ("--chat-template",), "chat-assistant": ("--chat-turn", "assistant", "--user", "Go on")}
    answers = set()
    for wording, options in ways.items():
        given = ("run", "pets", "--plugin", BENCHMARK, "--backend", "llama", "--model", "model", "--out", wording)
        assert (done := bvf(*given, *options, "--quiet")).returncode == 0, done.stderr
        assert json.loads((tmp_path / wording / "benchmark.json").read_text())["identity"]["wording"] == wording
        answers |= {file.read_text() for file in (tmp_path / wording / "answers").glob("*.jsonl")}
    assert len(answers) == 3


def test_a_benchmark_is_put_to_a_model_and_analysed(bvf, tmp_path):
    given = ("run", "pets", "--plugin", BENCHMARK, "--out", "out", "--quiet")
    done = bvf(*given)
    assert done.returncode == 0, done.stderr
    assert "Chosen: the answer with the highest log-probability" in " ".join(done.stdout.split())
    assert "scores mean nothing" in " ".join(done.stdout.split())
    again = bvf(*given, "--format", "json")
    assert json.loads(again.stdout)["scores"][0]["name"] == "share of unknown"
    scores = list(csv.DictReader(io.StringIO(bvf(*given, "--format", "csv").stdout)))
    assert [score["score"] for score in scores] == [each["name"] for each in json.loads(again.stdout)["scores"]]
    rows = tmp_path / "out" / "rows.jsonl"
    assert len(rows.read_text().splitlines()) == 12
    covered = bvf("coverage", "out/rows.jsonl", "--factors", "pets", "--plugin", BENCHMARK, "--format", "json")
    assert json.loads(covered.stdout)["joint"]["proportion"] == 1.0
    assert bvf(*given[:-3], "--out", "part", "--limit-items", "6", "--quiet").returncode == 0
    refused = bvf("compare", "out/rows.jsonl", "part/rows.jsonl", "--factors", "pets", "--plugin", BENCHMARK)
    assert refused.returncode == 2
    assert refused.stderr.splitlines() == [
        "error: part/rows.jsonl and out/rows.jsonl are answers to different items: two versions of a file, a part, "
        "or other wordings",
        " hint: compare answers to the same items",
    ]


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (("coverage", "none.csv"), "none.csv: is neither a file nor a folder", "it takes tables"),
        (("coverage", "answers.jsonl", "--factor", "stil"), 'there is no factor "stil"', "style"),
        (
            ("subgroups", "answers.jsonl", "--order", "9"),
            "subgroups of 9 factors: there are 4 (stigma, gender, ",
            "choose 1 to 4",
        ),
        (("subgroups", "answers.jsonl", "--order", "2", "--factor", "style"), "there is 1 (style)", "choose 1"),
        (("subgroups", "answers.jsonl", "--level", "95"), "--level 95: an interval holds the truth", "--level 0.95"),
        (("subgroups", "answers.jsonl", "--ecdf", "e.gif"), "e.gif: no kind of figure", ".pdf, .svg, .png"),
        (("importance", "answers.jsonl"), "have rank 99 in 10,360 rows", "--drop style=base"),
        (("importance", "answers.jsonl", "--drop", "style"), "--drop style: no level is named", "FACTOR=LEVEL"),
        (("importance", "answers.jsonl", "--interaction", "style"), "these are not two factors", "A:B"),
        (("analyse", "answers.jsonl", "--items", "answers.jsonl"), "items are joined on columns", "--on COLUMN"),
        (("compare", "answers.jsonl"), 'answers.jsonl:1: there is no column "model"', "gender"),
        (("coverage", "answers.jsonl", "--factors", "nothing"), 'there is no benchmark "nothing"', "bbq"),
        (("coverage", "answers.jsonl", "--factors", "none.toml"), "none.toml: cannot be read", ""),
        (("run", "bbq", "--by", "letter"), "--by letter: no way to score answers", "letters"),
        (("run", "bbq", "--data", "none"), "none: there is no such file or folder", "github.com"),
        (("run", "bbq", "-q", "--cluster", "templat"), '--cluster: the answers have no column "templat"', "template"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(bvf, table, arguments, message, hint):
    declared = () if "--factors" in arguments or arguments[0] == "run" else table[1:]
    done = bvf(*arguments, *declared)
    assert done.returncode == 2, done.stdout
    assert done.stdout == ""
    told = done.stderr.strip().splitlines()
    assert len(told) == (2 if hint else len(told))
    assert message in told[0]
    assert hint in done.stderr


def test_a_table_in_ansi_and_sentences_of_ones_own(bvf, tmp_path):
    text = "id;sentence_he;sentence_she\nfête;Il a préparé la fête.;Elle a préparé la fête.\n"
    (tmp_path / "mine.csv").write_bytes(text.encode("cp1252"))
    given = ("run", "sentences", "--data", "mine.csv", "--model", "bundled:en-causal", "--quiet")
    refused = bvf(*given, "--out", "none")
    assert refused.returncode == 2
    assert "error: mine.csv:2: not utf-8: byte 0xea" in refused.stderr
    assert not (tmp_path / "none").exists()
    unknown = bvf(*given, "--encoding", "latin-99")
    assert (unknown.returncode, unknown.stderr.splitlines()[0]) == (
        2,
        "error: --encoding latin-99: there is no such encoding",
    )
    (tmp_path / "utf-8.csv").write_text(text)
    scores = []
    for file, encoding in (("mine.csv", "cp1252"), ("utf-8.csv", "utf-8")):
        given = ("run", "sentences", "--data", file, "--model", "bundled:en-causal", "--encoding", encoding)
        done = bvf(*given, "--by", "tokens", "--out", encoding)
        assert done.returncode == 0, done.stderr
        assert "Sentences are compared by their log-probability per token." in done.stdout.replace("\n", " ")
        rows = (tmp_path / encoding / "rows.jsonl").read_text().splitlines()
        scores.append([[json.loads(row)[name] for name in ("set", "score_he", "score_she")] for row in rows])
    assert scores[0] == scores[1]
    assert scores[0][0][0] == "fête"
    assert -20 < scores[0][0][1] < 0
