"""``bvf report``: the page says what its results say, in plain words, and everything on it is sound."""

import json
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from html import unescape
from typing import ClassVar

import plotly.graph_objects
import pytest
import typer
from bvf_knowledge.pictures.confidence import Mastery
from bvf_knowledge.pictures.subjects import Subjects
from bvf_report.page.build import NOT_JUDGED, page_of
from bvf_report.page.content import Facts, ModelVerdict, Page
from bvf_report.page.html import html_of, shown
from bvf_report.page.provenance import UNKNOWN, Scenario, commands, provenance_of, read_scenario
from bvf_report.pictures.compare import Pairs

import bvf
from bvf import AnalysisConfig, BvfError, Picture, Section
from bvf.cli.whole import app
from bvf.drawing.style import axes_of
from bvf.results.page import Part

DATA = re.compile(r'<script type="application/json" id="([^"]+)">(.*?)</script>', re.DOTALL)
SCENARIO = '[scenario]\ngroup_at_risk = "nurses <b>"\nconducted_by = "A. Auditor"\n'


@pytest.fixture(scope="session")
def page(drawn, written, plugins):
    """Two results of different topics, with a scenario and a limit."""
    limits = {"max": {"R": 0.2}, "as_is": True}
    return page_of([drawn.folder, written.folder], plugins, scenario=Scenario(group_at_risk="nurses"), limits=limits)


@pytest.fixture(scope="session")
def full(page):
    return html_of(page)


@pytest.fixture(scope="session")
def light(page):
    return html_of(page, light=True)


def blocks(page, kind):
    return [block for part in page.parts for block in part.blocks if isinstance(block, kind)]


def test_the_head_of_the_page_says_what_makes_findings_doubtful(drawn, plugins):
    page = page_of([drawn.folder], plugins)
    (said,) = blocks(page, ModelVerdict)
    assert said.doubts
    assert page.parts[0].blocks[1 : 1 + len(said.doubts)] == said.doubts


def test_each_figure_is_described_and_the_page_says_that_none_is_judged(run_of, plugins):
    page = page_of([run_of(model="baseline:stereotyped", sample_contexts=60).folder], plugins)
    (said,) = blocks(page, ModelVerdict)
    assert [each.figure for each in said.verdicts] == ["R_bias", "particular_bias", "R"]
    assert {each.tone for each in said.verdicts} == {"described"}
    headline = r"How far mean predictions are from p\*: R\^b is 1\.0000 \(95%: 0\.\d{4} to 1\.0000\)\."
    assert re.fullmatch(headline, said.verdicts[0].headline)
    assert any(block == NOT_JUDGED for block in page.parts[1].blocks)
    assert (
        page.parts[1].blocks[-2].startswith("Intervals of 95% are for texts like those mined: 60 contexts drawn from")
    )
    assert (
        page.parts[1].blocks[-1] == "Intervals are for these 6 groups alone: figures of all 116 groups may lie outside."
    )
    assert html_of(page, light=True).count('<div class="described">') == 3


def test_p_star_is_explained_before_the_verdicts(run_of, plugins):
    for reference, meaning in (("uniform", "every class is as probable as any other"), ("mean", "the mean prediction")):
        page = page_of([run_of(reference=reference).folder], plugins)
        first, second, *_ = page.parts[1].blocks
        assert first.startswith(f"p* is the prediction that counts as unbiased. Here: {meaning}")
        assert isinstance(second, ModelVerdict)


def test_of_contexts_that_are_no_sample_the_page_says_what_holds_in_them_alone(page):
    said = blocks(page, ModelVerdict)[1]
    assert {each.said[0] for each in said.verdicts} == {
        "This holds in these 10 contexts; what others would give is not known: the contexts were written, not sampled "
        "(--unit template: as if these templates had been drawn)."
    }
    assert not any("95%" in each.headline for each in said.verdicts)


def test_every_section_that_the_table_of_rules_names_is_on_the_page(page):
    table = next(each for each in blocks(page, Section) if each.title == "What rules ask for")
    titles = " ".join(part.title for part in page.parts)
    for name in ("What was found", "Provenance", "scenario"):
        assert name in titles
    named = {word for row in table.rows for word in re.findall(r"[A-Z]\w+", str(row[2]))}
    assert named <= {"What", "Provenance", "Scenario"}


def test_topics_stand_side_by_side_and_are_never_averaged(page):
    first, *of_topics = page.parts[1:4]
    kinds = "2 kinds of results stand under what tells them apart: their figures are never averaged."
    assert first.blocks[0] == kinds
    assert [part.title for part in of_topics] == ["topic gender", "topic weekday"]
    assert [[each.model for each in part.blocks] for part in of_topics] == [["toy:hash, gender"], ["toy:hash, weekday"]]
    (scales,) = (part for part in page.parts if part.id == "scale")
    assert [len(each.models) for each in scales.blocks[1::2]] == [1, 1]
    assert scales.blocks[::2] == ("topic gender:", "topic weekday:")


def test_the_table_of_groups_has_every_group_with_its_figures(page, drawn):
    table = next(each for each in blocks(page, Section) if each.title == "6 groups of gender")
    rows = {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert rows.keys() == {group.group for group in drawn.groups}
    for group in drawn.groups:
        assert rows[group.group]["r^b"].value == pytest.approx(group.r_bias, abs=1e-9)
        assert sum(rows[group.group]["contexts"].spark) == pytest.approx(1)


def test_with_three_classes_or_more_the_table_of_groups_has_the_mean_probability_of_each(run_of, plugins):
    result = run_of(topic="religion", contexts="", sample_contexts=0, limit_contexts=2, limit_groups=3)
    table = next(each for each in blocks(page_of([result.folder], plugins), Section) if "groups of" in each.title)
    shown = {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows}
    for group in result.groups:
        for name, p in group.mean_probabilities.items():
            assert shown[group.group][f"p {name}"].value == pytest.approx(p, abs=1e-9)


def test_a_group_that_leans_nowhere_is_said_to_lean_to_no_class(run_of, plugins):
    page = page_of([run_of(model="baseline:unbiased").folder], plugins)
    table = next(each for each in blocks(page, Section) if "groups of" in each.title)
    assert {str(row[1]) for row in table.rows} == {"neither"}


def test_models_are_compared_by_the_words_that_are_asked_for(run_of, plugins):
    runs = [run_of(model=model, limit_groups=3, keep_words=True) for model in ("toy:hash", "toy:other")]
    config = AnalysisConfig(words={"male": ("he",), "female": ("she",)})
    fewer = [bvf.analyse(run.folder, config, plugins=plugins) for run in runs]
    assert [run.R for run in runs] != pytest.approx([each.R for each in fewer])
    page = page_of([run.folder for run in runs], plugins, config=config)
    (part,) = (part for part in page.parts if part.id == "comparison")
    (view,) = (block for block in part.blocks if isinstance(block, Picture))
    figures = {each.name: each.figures["R"] for each in view.models}
    assert figures == pytest.approx({result.model: result.R for result in fewer})
    assert page.parts[1].blocks[0] == "Another analysis than that of the run: words male=he female=she."


def test_what_was_not_analysed_alike_stands_under_headings_and_is_not_compared(run_of, plugins):
    other = {"toy:other": {}, "toy:firm": {"criterion": "tv"}}
    runs = [run_of(model=model, limit_groups=3, **choices) for model, choices in {"toy:hash": {}, **other}.items()]
    page = page_of([run.folder for run in runs], plugins)
    parts = {part.id: part for part in page.parts}
    assert [parts[f"verdict-{number}"].title for number in (0, 1)] == ["criterion linf", "criterion tv"]
    assert [each.model for each in parts["verdict-1"].blocks] == ["toy:firm, criterion tv"]
    assert parts["comparison"].title == "Comparison of models: criterion linf"
    (view,) = (block for block in parts["comparison"].blocks if isinstance(block, Picture))
    assert [each.name for each in view.models] == ["toy:hash", "toy:other"]
    two = page_of([runs[0].folder, runs[2].folder], plugins)
    (part,) = (part for part in two.parts if part.id == "comparison")
    assert part.blocks == ("Not compared, as no two were analysed alike: criterion linf; criterion tv.",)


def test_runs_over_several_context_sets_are_compared_by_them(run_of, plugins):
    sets = ("gender", "gender-table8")
    runs = [run_of(contexts=name, sample_contexts=0, limit_groups=3) for name in sets]
    page = page_of([each.folder for each in runs], plugins)
    (part,) = (part for part in page.parts if part.id.startswith(("contexts", "comparison")))
    assert (part.id, part.title) == ("contexts-0", "Context sets: gender")
    (view,) = (block for block in part.blocks if isinstance(block, Picture))
    assert view.figure("R").ravel() == pytest.approx([each.R for each in runs])
    captions = [block.title for block in part.blocks if isinstance(block, Section)]
    assert captions[0].startswith("toy:hash over 2 context sets")
    assert "R, R^b and R^v of toy:hash over 2 context sets" in html_of(page, light=True)


def test_a_result_of_knowledge_has_its_table_and_no_verdict_on_bias(run_of, plugins):
    known = run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_contexts=2, limit_groups=3)
    page = page_of([known.folder], plugins)
    (said,) = blocks(page, ModelVerdict)
    assert [each.figure for each in said.verdicts] == ["mastery", "confidence_gap"]
    assert {each.tone for each in said.verdicts} == {"cannot tell"}
    assert not any("R^b" in each.headline for each in said.verdicts)
    assert any(str(row[0]) == known.groups[0].group for table in blocks(page, Section) for row in table.rows)
    html = html_of(page, light=True)
    assert "Provenance" in html
    assert "How well toy:hash knows the subjects of knowledge/capitals" in html


def test_a_page_draws_forty_subjects_and_has_all_in_its_table(run_of, plugins):
    known = run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_contexts=2, limit_groups=45)
    page = page_of([known.folder], plugins)
    (picture,) = blocks(page, Subjects)
    assert len(picture.rows) == 40
    names = {str(row[0]) for table in blocks(page, Section) for row in table.rows}
    assert {group.group for group in known.groups} <= names


def test_a_page_of_two_relations_has_both_in_one_picture_above_the_results(run_of, plugins):
    few = {"contexts": "", "sample_contexts": 0, "limit_contexts": 2, "limit_groups": 3}
    capitals, continents = (run_of(topic=f"knowledge/{each}", **few) for each in ("capitals", "continents"))
    page = page_of([capitals.folder, continents.folder], plugins)
    ids = [part.id for part in page.parts]
    assert ids.index("together-0") < ids.index("result-0")
    (picture,) = blocks(page, Mastery)
    assert picture.relations == ("capitals", "continents")
    assert not blocks(page_of([capitals.folder], plugins), Mastery)


def test_without_its_probabilities_the_page_has_what_the_result_has(drawn, plugins, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(drawn.folder, folder)
    shutil.rmtree(folder / "probabilities")
    page = page_of([folder], plugins)
    (part,) = (part for part in page.parts if part.id == "result-0")
    why, *tables = part.blocks
    assert why.startswith("Pictures of the predictions are left out: ")
    assert {group.group for group in drawn.groups} <= {str(row[0]) for table in tables for row in table.rows}
    assert "Distributions over contexts" not in html_of(page, light=True)


def test_data_of_pictures_is_json_that_cannot_end_its_script(full):
    data = DATA.findall(full)
    assert len(data) == 12
    for _, text in data:
        assert not set("<>&\u2028\u2029") & set(text)
        assert json.loads(text)["data"]


def test_plotly_accepts_every_picture(page):
    for picture in blocks(page, Picture):
        plotly.graph_objects.Figure(picture.interactive())


@pytest.mark.parametrize("kind", ["full", "light"])
def test_every_picture_says_verdict_what_it_shows(kind, request, page):
    text = request.getfixturevalue(kind)
    said = re.findall(r'(?:<img [^>]*alt|class="plot" role="group" aria-label)="([^"]+)"', text)
    captions = re.findall(r"<figcaption>(.+?)</figcaption>", text)
    assert len(said) == len(captions) == len(blocks(page, Picture))
    for alternative, caption in zip(said, captions, strict=True):
        assert unescape(alternative) == re.sub("<sup>(.)</sup>", r"^\1", unescape(caption))


def test_a_column_without_a_name_has_no_heading():
    table = Section("t", ("group", ""), [("nurse", "0.1")])
    text = html_of(Page("t", "s", (Part("p", "P", (table,)),)), light=True)
    assert re.findall(r'<th scope="col"[^>]*>(.*?)</th>', text) == ["group"]


def test_a_full_page_fits_a_mail_and_a_light_one_has_no_script(full, light):
    assert len(full.encode()) < 6_000_000
    assert len(light.encode()) < 500_000
    assert not {"<script", "`"} & {*re.findall("<script|`", light)}
    assert "script-src 'none'" in unescape(light)


@dataclass(frozen=True)
class Counted(Picture):
    title: ClassVar[str] = "Counted runs"
    number: int

    def caption(self):
        return f"The picture of run {self.number}."

    def draw(self, ax=None, columns=1):
        return axes_of(ax, columns, 1.0)

    def interactive(self):
        return {"data": [], "layout": {}}


def test_a_light_page_has_captions_alone_where_there_are_hundreds_of_drawings(page):
    other = next(block for part in page.parts for block in part.blocks if isinstance(block, Picture))

    def with_pictures(number):
        return Page("t", "s", (Part("many", "Many", (*map(Counted, range(number)), other)),))

    few, many, full = (with_pictures(20), True), (with_pictures(21), True), (with_pictures(21), False)
    texts = [html_of(page, light=light) for page, light in (few, many, full)]
    assert [text.count("<img ") for text in texts] == [21, 1, 0]
    assert [text.count('data-figure="') for text in texts] == [0, 0, 22]
    assert [text.count("<figcaption>The picture of run ") for text in texts] == [20, 21, 21]
    said = "captions without drawings for pictures of which there are more than 20: Counted runs (21)."
    assert [said in text for text in texts] == [False, True, False]


def test_the_columns_right_of_the_names_are_numbers():
    tables = [Section("t", ("a", "b", "c"), [("x", "y", "1")], names=names) for names in (1, 2)]
    text = html_of(Page("t", "s", (Part("p", "P", tuple(tables)),)), light=True)
    for names in (1, 2):
        assert f'<table class="names-{names}">' in text
        assert f".names-{names} tr > :nth-child(n+{names + 1}) {{ text-align: right;" in text


def test_the_commands_of_the_provenance_have_options_that_exist(light):
    group = typer.main.get_command(app)
    found = re.findall("<code>(?:# not repeated, [^\n]*: --plugin\n)(bvf run .*?)</code>", light, re.DOTALL)
    lines = [line for text in found for line in text.splitlines()]
    assert [line.split()[1] for line in lines] == ["run", "analyse", "verify"] * 2
    for line in lines:
        words = shlex.split(unescape(line))
        known = {name for parameter in group.commands[words[1]].params for name in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known, line


def test_a_page_repeats_nothing_that_loads_sends_or_runs(page, drawn, plugins):
    options = {
        "base_url": "http://theirs.example/v1",
        "trust_remote_code": True,
        "key_env": "TOKEN",
        "device": "cuda:1",
    }
    config = {"model": ["m"], "plugin": ["./theirs/notes.py"], "backend_options": {**options, "file": "a/b", "n": 3}}
    source = replace(provenance_of(drawn, plugins), invocations=({"config": config},))
    named, run, *_ = commands(drawn, source).splitlines()
    left_out = "--plugin, -B base_url, -B trust_remote_code, -B key_env, -B file"
    assert named == f"# not repeated, as they load, send or run something: {left_out}"
    assert run.startswith("bvf run --model m -B device=cuda:1 -B n=3")


def test_the_table_of_rules_names_what_is_missing(page, drawn, plugins):
    def missing(page):
        table = next(each for each in blocks(page, Section) if each.title == "What rules ask for")
        return [str(row[3]) for row in table.rows]

    fields = "hazard, measurement, acceptability threshold, mitigation, review trigger"  # the page names the groups
    assert missing(page) == [UNKNOWN, UNKNOWN, "conducted by, date and signature", UNKNOWN, fields]
    whole = Scenario(**dict.fromkeys(Scenario.model_fields, "stated"))
    assert set(missing(page_of([drawn.folder], plugins, scenario=whole))) == {UNKNOWN, "none of the fields is empty"}


def test_the_provenance_of_several_runs_has_once_what_they_share(page, drawn, written):
    (provenance,) = (part for part in page.parts if part.title.startswith("Provenance"))
    shared, *of_each = [dict(block.rows) for block in provenance.blocks if isinstance(block, Facts)]
    assert (shared["model"], shared["read by"]) == ("toy:hash", "toy")
    own = [facts for facts in of_each if "topic" in facts]
    assert [facts["topic"].split(" ")[0] for facts in own] == ["gender", "weekday"]
    assert [facts["digest of the measurement"] for facts in own] == [drawn.measurement, written.measurement]
    assert all(facts["construct"] for facts in own)
    commands = [text for facts in of_each if facts not in own for text in facts.values()]
    assert all(re.match(r"\d+ s; .*; \d+ threads for \d+ processors; Python 3", text) for text in commands)
    assert len(commands) == 2
    assert not any(shared.items() & facts.items() for facts in own)


def test_limits_at_the_head_show_what_was_decided_on_each_run(page, drawn, written, plugins):
    assert ("limits", "1 cannot tell, 1 fail") in page.parts[0].blocks[0].rows
    decided = [said for name, said in page.parts[0].blocks[0].rows if name == "limit"]
    assert decided[0].startswith("toy:hash, gender: WARNING: toy:hash: intervals rest on 30 drawn contexts")
    assert [each.partition(": ")[0] for each in decided[1:]] == ["toy:hash, gender", "toy:hash, weekday"]
    assert all(re.search(r": (pass|fail|cannot tell): R ", each) for each in decided[1:])
    rows = dict(page_of([drawn.folder], plugins).parts[0].blocks[0].rows)
    assert rows["limits"].startswith("none was given")


def test_a_scenario_shows_what_is_stated_and_what_is_not(tmp_path):
    file = tmp_path / "scenario.toml"
    file.write_text(f"{SCENARIO}[other]\nx = 1\n")
    stated = dict(read_scenario(file).stated())
    assert stated["Group at risk"] == "nurses <b>"
    assert stated["Conducted by"] == "A. Auditor"
    assert set(stated.values()) == {"nurses <b>", "A. Auditor", "not stated"}


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ('[scenario]\nhazzard = "x"\n', '[scenario] has no field "hazzard"', "hazard"),
        ("[scenario]\nhazard = 3\n", "[scenario] hazard is not a text", 'write hazard = "..."'),
        ('hazard = "x"\n', "no table [scenario]", "write [scenario]"),
        ("scenario = 3\n", "no table [scenario]", "write [scenario]"),
    ],
)
def test_a_wrong_scenario_is_refused_with_what_would_be_right(text, what, hint, tmp_path):
    file = tmp_path / "scenario.toml"
    with pytest.raises(BvfError, match="no file") as error:
        read_scenario(file)
    assert "[scenario]" in error.value.hint
    file.write_text(text)
    with pytest.raises(BvfError) as error:
        read_scenario(file)
    assert error.value.message == f"{file}: {what}"
    assert hint in error.value.hint


def test_the_command_writes_runs_of_a_folder_as_one_page(command, toy, drawn, written, tmp_path):
    scenario, gate, out = tmp_path / "s.toml", tmp_path / "gate.toml", tmp_path / "page.html"
    scenario.write_text(SCENARIO)
    gate.write_text("as_is = true\n[max]\nR = 0.2\n")
    folders = (drawn.folder, written.folder)
    done = command("report", *folders, "--light", "--scenario", scenario, "--gate", gate, "--plugin", toy, "--out", out)
    assert done.code == 0, done.err
    assert f"{out}: 0." in done.err
    text = out.read_text("utf-8")
    assert "nurses &lt;b&gt;" in text
    assert "<h3>toy:hash, gender</h3>" in text
    assert "<h3>toy:hash, weekday</h3>" in text


def test_the_command_refuses_in_one_line(command, toy, drawn, tmp_path):
    def refused(*arguments):
        done = command("report", *arguments, "--plugin", toy)
        assert done.code == 2
        error, hint = done.err.splitlines()
        assert hint.strip().startswith("hint: ")
        return error + hint

    assert f"--out {tmp_path / 'x.html'}" in refused(drawn.folder, "--out", tmp_path / "x.pdf")
    assert str(tmp_path / "none") in refused(tmp_path / "none", "--out", tmp_path / "x.html")
    assert str(tmp_path) in refused(tmp_path, "--out", tmp_path / "x.html")
    assert "/dev/null/x.html" in refused(drawn.folder, "--light", "--out", "/dev/null/x.html")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("library", "light"), [("matplotlib", True), ("plotly", False)])
def test_a_library_that_is_not_installed_is_one_line(page, monkeypatch, library, light):
    hidden = (name for name in list(sys.modules) if name.split(".")[0] == library)
    for name in {library, *hidden}:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BvfError, match=f"{library}, which is not installed"):
        html_of(page, light=light)


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (["toy:hash", "toy:other"], "toy:hash, toy:other: no label nosuch"),
        (["toy:hash"], "--by nosuch: no two runs of risk are here"),
    ],
)
def test_a_label_by_which_nothing_on_the_page_is_compared_is_one_line(run_of, command, tmp_path, models, message):
    folders = [run_of(model=model, limit_groups=3).folder for model in models]
    page = tmp_path / "page.html"
    refused = command("report", *folders, "--by", "nosuch", "-o", page)
    assert (refused.code, page.exists()) == (2, False)
    assert refused.err.startswith(f"error: {message}")


def test_social_factors_that_no_run_has_are_one_line_and_no_page(run_of, command, tmp_path):
    facts = run_of(model="toy:hash", topic="knowledge/continents", contexts="", sample_contexts=0, limit_groups=4)
    cases = {
        "wages": (facts, "error: --against wages: no run of risk is here"),
        "nosuch": (run_of(), "error: .*nosuch"),
    }
    page = tmp_path / "page.html"
    for factor, (run, message) in cases.items():
        refused = command("report", run.folder, "--against", factor, "-o", page)
        assert (refused.code, refused.err.count("\n"), page.exists()) == (2, 2, False)
        assert re.match(message, refused.err), refused


def test_runs_that_differ_in_a_label_are_pairs_and_those_without_it_stand_beside_them(run_of, plugins):
    labelled = [
        run_of(model=model, label={"tuned": tuned}) for model, tuned in (("toy:hash", "no"), ("toy:other", "yes"))
    ]
    others = [run_of(model=model, criterion="tv") for model in ("toy:hash", "toy:other")]
    page = page_of([run.folder for run in (*labelled, *others)], plugins, by="tuned")
    compared = {part.title: part.blocks for part in page.parts if part.id.startswith("comparison")}
    pairs = compared["Comparison of models: criterion linf"]
    assert [block.topic.matched_values for block in pairs if isinstance(block, Pairs)] == [("no", "yes")]
    titles = [block.title for block in pairs if isinstance(block, Section)]
    assert any("Runs that differ in tuned alone: yes less no" in title for title in titles)
    assert "no label tuned" in compared["Comparison of models: criterion tv"][0]


def test_no_folder_of_the_machine_is_on_a_page(drawn, written, plugins, tmp_path):
    folders = [shutil.copytree(run.folder, tmp_path / "my runs" / name) for run, name in ((drawn, "a"), (written, "b"))]
    text = html_of(page_of(folders, plugins))
    assert str(tmp_path) not in text
    assert "bvf verify" in text


@pytest.mark.parametrize(
    ("text", "shown_as"),
    [
        ("--out /home/me/runs/a -B tokenizer=/opt/x/y", "--out a -B tokenizer=y"),
        ("`a<b` of /home/me/x, R^b", "<code>a&lt;b</code> of x, R<sup>b</sup>"),
        (r"C:\Users\me\runs: llama:/models/tiny.gguf", "runs: llama:tiny.gguf"),
        ("he/she, 1/|Y|, https://a.org/b/c, data/mine.csv, facebook/opt-1.3b", None),
    ],
)
def test_paths_lose_their_folders_and_other_texts_stay(text, shown_as):
    assert str(shown(text)) == (text if shown_as is None else shown_as)
