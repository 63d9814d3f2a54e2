"""``bvf factors``: tables, logs, a benchmark, refusals, and the overview in at most 30 lines."""

import csv
import io
import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from bvf_factors.run import analyse_table
from bvf_factors.tables import overview, result_sections
from helpers.benchmark_answers import TOY_BENCHMARK
from helpers.factor_tables import stigma_qa_rows, table_of
from helpers.rendered import lines
from rich.cells import cell_len

ROOT = Path(__file__).resolve().parents[3]
DECLARED = """
title = "Made up"
outcome = "deviates"
cluster = "template"
factors.stigma.reference = "none"
factors.gender.type = "prompt"
factors.style = {type = "prompt", reference = "base"}
factors.biased.type = "prompt"
"""


@pytest.fixture
def bvf(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: command("factors", *arguments)


def written(file, rows):
    Path(file).write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture(scope="module")
def stigma_rows():
    """A table like SocialStigmaQA. Doubt about some stigmas deviates, and so does every eleventh prompt."""
    rows = stigma_qa_rows(("no",), lambda row: row["style"] == "doubt" and row["stigma"][-1] in "147")
    return [{**row, "deviates": row["deviates"] or number % 11 == 0} for number, row in enumerate(rows)]


@pytest.fixture
def table(bvf, stigma_rows):
    written("answers.jsonl", stigma_rows)
    Path("f.toml").write_text(DECLARED)
    return "answers.jsonl", "--factors", "f.toml"


def test_everything_is_said_and_what_is_aliased_is_named(bvf, table):
    short, done = bvf("analyse", *table), bvf("analyse", *table, "--details")
    assert (short.code, done.code) == (0, 0), done.err
    assert len(short.out.splitlines()) <= 30
    assert short.out.startswith("Made up: 10,360 prompts, rate ")
    same = "stigma=none, gender=none and style=base are the same rows."
    for text in ("Coverage: Made up", same, "DM, mean distance"):
        assert text in done.out
    assert "no regression: the 101 columns of the model have rank 99 in 10,360 rows" in done.err
    assert "--drop style=base" in done.err
    assert max(map(len, [*short.out.splitlines(), *done.out.splitlines()])) <= 80


def test_a_result_is_json_and_has_its_interactions(bvf, table):
    given = (*table, "--drop", "style=base", "--interaction", "style:biased", "--format", "json")
    done = bvf("analyse", *given)
    assert done.code == 0, done.err
    result = json.loads(done.out)
    jsonschema.validate(result, json.loads((ROOT / "docs" / "schema" / "factors-1.json").read_text()))
    assert (result["schema"], result["rows"], result["importance"]["rows"]) == ("bvf.factors/1", 10_323, 10_323)
    effects = {(each["term"], each["level"]): each for each in result["importance"]["effects"]}
    assert effects["style", "original"]["adjusted_p"] < 1e-6
    assert [each["order"] for each in result["subgroups"]] == [1, 2]
    assert "style : biased" in {each["term"] for each in result["importance"]["tests"]}
    assert result["importance"] == json.loads(bvf("importance", *given).out)


def test_parts_are_commands_of_their_own(bvf, table):
    covered = json.loads(bvf("coverage", *table, "--factor", "gender", "--factor", "style", "--format", "json").out)
    assert (covered["joint"]["cells"], covered["joint"]["filled"]) == (16, 10)
    empty = bvf("coverage", *table, "--factor", "gender", "--factor", "style", "--empty").out
    assert ["none", "doubt"] in [line.split() for line in empty.splitlines()]
    done = bvf("subgroups", *table, "--order", "2", "--line", "0.2", "-o", "s.csv")
    assert "share above 0.2" in done.out
    assert len(Path("s.csv").read_text().splitlines()) == 1 + 280 + 280 + 188 + 10 + 6 + 8
    of_two = ("--factor", "stigma", "--factor", "gender", "--order", "2")
    done = bvf("subgroups", *table, *of_two, "-o", "two.csv", "--ecdf", "e.svg", "--sunburst", "r.svg")
    assert done.code == 0, done.err
    found = list(csv.DictReader(Path("two.csv").read_text().splitlines()))
    assert len(found) == 280
    assert all(row["subgroup"] == f"stigma={row['stigma']}, gender={row['gender']}" for row in found)
    assert "280 subgroups" in done.out
    given = "--drop", "style=base", "--factor", "style", "--factor", "gender", "--forest", "f.svg"
    done = bvf("importance", *table, *given)
    for file in ("e.svg", "r.svg", "f.svg"):
        assert Path(file).read_text().startswith("<?xml")
    assert "style=original" in done.out
    assert "10,323 prompts; errors by 37 values of template" in done.out
    done = bvf("design", *table, "--strength", "2", "-o", "d.csv", "--format", "json")
    assert len(Path("d.csv").read_text().splitlines()) == 1 + len(json.loads(done.out)["missing"])


def test_models_are_compared(bvf):
    for model, rate in (("small", 3), ("large", 1)):
        cells = [(t, g, n) for t in range(24) for g in "abc" for n in range(4)]
        rows = [{"model": model, "template": t, "group": g, "bad": (t + n) % 6 < rate} for t, g, n in cells]
        written(f"{model}.jsonl", rows)
    Path("f.toml").write_text('outcome = "bad"\ncluster = "template"\nfactors = {model.type = "model", group = {}}\n')
    given = ("compare", "small.jsonl", "large.jsonl", "--factors", "f.toml")
    done = bvf(*given)
    assert (done.code, done.err) == (0, "")
    assert "Subgroups of one factor (group). Answers exchanged by template:" in done.out
    assert bvf(*given, "--factor", "group").out == done.out
    result = json.loads(bvf(*given, "--format", "json").out)
    assert (result["factors"], result["order"]) == (["group"], 1)
    assert result["rates"] == pytest.approx({"small": 0.5, "large": 1 / 6}, abs=0.01)
    (pair,) = result["pairs"]
    assert (pair["first"], pair["second"], pair["ks"]) == ("large", "small", 1.0)
    assert pair["difference"] == pytest.approx(-1 / 3)
    narrower = json.loads(bvf(*given, "--level", "0.8", "--format", "json").out)["pairs"][0]
    assert pair["low"] < narrower["low"] < pair["difference"] < narrower["high"] < pair["high"]
    ends = f"{100 * pair['low']:+.1f} to {100 * pair['high']:+.1f}"
    assert f"large - small -33.3 {ends}" in " ".join(done.out.split())


def test_one_answer_of_a_log_is_taken_by_the_name_of_its_filter(bvf):
    doc = {"target": "4", "arguments": {}, "resps": [], "filtered_resps": ["4"]}
    answers = [(name, n) for name in ("strict", "loose") for n in range(60)]
    rows = [
        {"doc_id": n, "doc": {"who": "abc"[n % 3]}, **doc, "filter": name, "right": float(n % 5 > (name == "strict"))}
        for name, n in answers
    ]
    written("log.jsonl", rows)
    declared = 'outcome = { column = "right", yes = ["0.0"] }\n[factors.who]\ncolumn = "doc.who"\n'
    Path("log.toml").write_text(declared)
    given = ("log.jsonl", "--factors", "log.toml")
    for name in ("analyse", "coverage", "design", "importance", "subgroups"):
        done = bvf(name, *given, "--filter", "strict", "--format", "json")
        assert done.code == 0, done.err
        assert "60 of 120 rows of logs: of strict" in done.err
    found = json.loads(done.out)["subgroups"]
    assert (found["rate"], found["cluster"], {each["rows"] for each in found["found"]}) == (0.4, "", {20})
    text = bvf("subgroups", *given, "--filter", "strict").out
    assert "95% intervals and p values as if prompts were independent" in " ".join(text.split())
    Path("log.toml").write_text(declared + "[factors.filter]\n")
    text = bvf("subgroups", *given).out
    assert "95% intervals and p values by doc_id (cluster-robust)" in " ".join(text.split())


def test_a_level_may_be_named_as_the_table_writes_it(bvf):
    Path("floats.csv").write_text("stars,bad\n" + "".join(f"{n % 3}.0,{n % 2}.0\n" for n in range(60)))
    Path("f.toml").write_text('outcome = "bad"\n[factors.stars]\n')
    done = bvf("subgroups", "floats.csv", "--factors", "f.toml", "--drop", "stars=1.0", "--format", "json")
    assert done.code == 0, done.err
    assert {each["levels"][0] for each in json.loads(done.out)["subgroups"]["found"]} == {"0", "2"}


def test_a_chat_model_is_asked_as_a_chat(bvf):
    shutil.copytree(ROOT / "languages" / "en" / "bvf_en" / "models" / "en-causal", "model")
    template = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '. ' }}{% endfor %}"
    Path("model", "chat_template.jinja").write_text(template)
    ways = {"bare": (), "chat-assistant": ("--chat-turn", "assistant", "--user", "Go on")}
    answers = set()
    for wording, options in ways.items():
        given = ("run", "pets", "--plugin", TOY_BENCHMARK, "--backend", "llama", "--model", "model", "--out", wording)
        given += ("--limit-items", "3")
        assert (done := bvf(*given, *options, "--quiet")).code == 0, done.err
        assert json.loads(Path(wording, "benchmark.json").read_text())["identity"]["wording"] == wording
        answers |= {file.read_text() for file in Path(wording, "answers").glob("*.jsonl")}
    assert len(answers) == 2


def test_a_benchmark_is_put_to_a_model_and_analysed(bvf):
    given = ("run", "pets", "--plugin", TOY_BENCHMARK, "--out", "out", "--quiet")
    done = bvf(*given)
    assert done.code == 0, done.err
    assert "Chosen: the answer with the highest log-probability" in " ".join(done.out.split())
    assert "scores mean nothing" in " ".join(done.out.split())
    scores = json.loads(bvf(*given, "--format", "json").out)["scores"]
    assert scores[0]["name"] == "share of unknown"
    rows = list(csv.DictReader(io.StringIO(bvf(*given, "--format", "csv").out)))
    assert [row["score"] for row in rows] == [each["name"] for each in scores]
    assert len(Path("out", "rows.jsonl").read_text().splitlines()) == 12
    covered = bvf("coverage", "out/rows.jsonl", "--factors", "pets", "--plugin", TOY_BENCHMARK, "--format", "json")
    assert json.loads(covered.out)["joint"]["proportion"] == 1.0
    assert bvf(*given[:-3], "--out", "part", "--limit-items", "6", "--quiet").code == 0
    refused = bvf("compare", "out/rows.jsonl", "part/rows.jsonl", "--factors", "pets", "--plugin", TOY_BENCHMARK)
    assert refused.code == 2
    assert "part/rows.jsonl and out/rows.jsonl are answers to different items" in refused.err


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ("coverage none.csv", "none.csv: is neither a file nor a folder", "it takes tables"),
        ("subgroups answers.jsonl --level 95", "--level 95: an interval holds the truth", "--level 0.95"),
        ("subgroups answers.jsonl --ecdf e.gif", "e.gif: no kind of figure", ".pdf, .svg, .png"),
        ("importance answers.jsonl --drop style", "--drop style: no level is named", "FACTOR=LEVEL"),
        ("importance answers.jsonl --interaction style", "these are not two factors", "A:B"),
        ("analyse answers.jsonl --items answers.jsonl", "items are joined on columns", "--on COLUMN"),
        ("compare answers.jsonl", 'answers.jsonl:1: there is no column "model"', "gender"),
        ("coverage answers.jsonl --factors none.toml", "none.toml: cannot be read", ""),
        ("run bbq --by letter", "--by letter: no way to score answers", "letters"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(bvf, stigma_rows, arguments, message, hint):
    written("answers.jsonl", stigma_rows[:300])
    Path("f.toml").write_text(DECLARED)
    needs_none = "--factors" in arguments or arguments.startswith("run")
    done = bvf(*arguments.split(), *(() if needs_none else ("--factors", "f.toml")))
    assert (done.code, done.out) == (2, "")
    first, *hints = done.err.strip().splitlines()
    assert message in first
    assert len(hints) == 1 or not hint
    assert hint in done.err


def test_a_table_in_ansi_and_sentences_of_ones_own(bvf):
    text = "id;sentence_he;sentence_she\nfête;Il a préparé la fête.;Elle a préparé la fête.\n"
    Path("mine.csv").write_bytes(text.encode("cp1252"))
    given = ("run", "sentences", "--data", "mine.csv", "--model", "bundled:en-causal", "--quiet")
    done = bvf(*given, "--encoding", "cp1252", "--by", "tokens", "--out", "out")
    assert done.code == 0, done.err
    assert "Sentences are compared by their log-probability per token." in done.out.replace("\n", " ")
    row = json.loads(Path("out", "rows.jsonl").read_text())
    assert row["set"] == "fête"
    assert -20 < row["score_he"] < 0


def made(factors):
    """A result in which every third prompt of the first factor's first level deviates, and no other prompt."""
    rows = []
    for number in range(240):
        levels = {name: f"{name}{number % (2 + place)}" for place, name in enumerate(factors)}
        rows.append({**levels, "d": levels[factors[0]].endswith("0") and number % 3 == 0})
    return analyse_table(table_of(rows, outcome="d", factors={name: {} for name in factors}))


def test_the_figures_are_those_of_the_result_and_a_regression_that_cannot_tell_has_no_column():
    result = made(["who", "how"])
    first, groups = overview("T", result, 6, is_number=False)
    assert first.title == f"T: 240 prompts, rate {result.rate:.4f}"
    covered, spread = first.subtitle
    (pair,) = result.coverage.pairs
    counts = f"{pair.filled} of {pair.possible} combinations have a prompt (CP {pair.possible_proportion:.3f})"
    assert covered == f"Covered worst: who x how, {counts}"
    assert spread.startswith(f"DM {result.spread.distance:.3f} (95%: {result.spread.low:.3f} to ")
    assert sorted(row[:4] for row in first.rows) == [("how", "3", "80", "80"), ("who", "2", "120", "120")]
    tests = {each.term: each for each in result.importance.tests}
    assert [row[4] for row in first.rows] == [f"{tests[row[0]].statistic:.2f}" for row in first.rows]
    assert (order := [tests[row[0]].p_value for row in first.rows]) == sorted(order)
    assert [row[0] for row in groups.rows] == ["how=how0", "who=who0", "how=how1", "how=how2", "who=who1"]
    assert groups.notes[-1] == "details: the same command with --details"
    unknown = result.model_copy(update={"importance": None, "importance_refused": "two levels have the same rows"})
    first, _ = overview("T", unknown, 6, is_number=False)
    assert first.columns == ("factor", "levels", "fewest", "most")
    assert not first.notes


@pytest.mark.parametrize("number", [1, 2, 9])
def test_it_is_read_at_one_glance(number):
    result = made([f"factor{place}" for place in range(number)])
    first = lines(*overview("A title of a benchmark", result, 6, is_number=False), crop=False)
    assert len(first) <= 30
    assert max(map(cell_len, first)) <= 80
    narrow = lines(*overview("T", result, 6, is_number=False), width=50, crop=False)
    assert max(map(cell_len, narrow)) <= 50
    assert len(lines(*result_sections("T", result, 8, is_number=False))) > len(first)


def test_an_interaction_that_cannot_be_tested_says_why():
    pairs = (("w0", "h0"), ("w1", "h0"), ("w0", "h1"))
    rows = [{"who": who, "how": how, "d": number % 3 == 0} for number in range(60) for who, how in pairs]
    table = table_of(rows, outcome="d", factors={"who": {"reference": "w0"}, "how": {"reference": "h0"}})
    first, _ = overview("T", analyse_table(table, interactions=[("who", "how")]), 6, is_number=False)
    assert [row[0] for row in first.rows][-1] == "who : how"
    assert any(note.startswith("who : how: no row has a level of each") for note in first.notes)
