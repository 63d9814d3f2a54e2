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


@pytest.fixture(scope="session")
def page(result, several, plugins):
    """Two results of different topics, with a scenario and a limit."""
    limits = {"max": {"R": 0.2}, "as_is": True}
    return page_of([result.folder, several.folder], plugins, scenario=Scenario(group_at_risk="nurses"), limits=limits)


@pytest.fixture(scope="session")
def full(page):
    return html_of(page)


@pytest.fixture(scope="session")
def light(page):
    return html_of(page, light=True)


def blocks(page, kind):
    return [block for part in page.parts for block in part.blocks if isinstance(block, kind)]


def part_of(page, name):
    (part,) = (part for part in page.parts if part.id == name)
    return part


def rows_of(page, title):
    """The cells of a table by the first cell of the row, and by column."""
    table = next(each for each in blocks(page, Section) if title in each.title)
    return {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows}


@pytest.fixture(scope="module")
def known(run_of):
    """A run of knowledge with more subjects than a picture shows."""
    return run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_contexts=2, limit_groups=45)


def test_the_head_of_the_page_says_what_makes_findings_doubtful(result, plugins):
    page = page_of([result.folder], plugins)
    (said,) = blocks(page, ModelVerdict)
    assert said.doubts
    assert page.parts[0].blocks[1 : 1 + len(said.doubts)] == said.doubts
    assert dict(page.parts[0].blocks[0].rows)["limits"].startswith("none was given")


def test_each_figure_is_described_and_the_page_says_that_none_is_judged(run_of, plugins):
    page = page_of([run_of(model="baseline:stereotyped", sample_contexts=60).folder], plugins)
    (said,) = blocks(page, ModelVerdict)
    assert [each.figure for each in said.verdicts] == ["R_bias", "particular_bias", "R"]
    assert {each.tone for each in said.verdicts} == {"described"}
    headline = r"How far mean predictions are from p\*: R\^b is 1\.0000 \(95%: 0\.\d{4} to 1\.0000\)\."
    assert re.fullmatch(headline, said.verdicts[0].headline)
    assert any(block == NOT_JUDGED for block in page.parts[1].blocks)
    of_texts, of_groups = page.parts[1].blocks[-2:]
    assert of_texts.startswith("Intervals of 95% are for texts like those mined: 60 contexts drawn from")
    assert of_groups == "Intervals are for these 6 groups alone: figures of all 116 groups may lie outside."
    assert html_of(page).count('<div class="described">') == 3


@pytest.mark.parametrize(
    ("reference", "meaning"), [("uniform", "every class is as probable as any other"), ("mean", "the mean prediction")]
)
def test_p_star_is_explained_before_the_verdicts(run_of, plugins, reference, meaning):
    first, second, *_ = page_of([run_of(reference=reference).folder], plugins).parts[1].blocks
    assert first.startswith(f"p* is the prediction that counts as unbiased. Here: {meaning}")
    assert isinstance(second, ModelVerdict)


def test_of_contexts_that_are_no_sample_the_page_says_what_holds_in_them_alone(page):
    said = blocks(page, ModelVerdict)[1]
    assert {each.said[0] for each in said.verdicts} == {
        "This holds in these 10 contexts; what others would give is not known: the contexts were written, not sampled "
        "(--unit template: as if these templates had been drawn)."
    }
    assert not any("95%" in each.headline for each in said.verdicts)


def test_topics_stand_side_by_side_and_are_never_averaged(page):
    first, *of_topics = page.parts[1:4]
    kinds = "2 kinds of results stand under what tells them apart: their figures are never averaged."
    assert first.blocks[0] == kinds
    assert [part.title for part in of_topics] == ["topic gender", "topic weekday"]
    assert [[each.model for each in part.blocks] for part in of_topics] == [["toy:hash, gender"], ["toy:hash, weekday"]]
    scales = part_of(page, "scale")
    assert [len(each.models) for each in scales.blocks[1::2]] == [1, 1]
    assert scales.blocks[::2] == ("topic gender:", "topic weekday:")


def test_the_table_of_groups_has_every_group_with_its_figures_and_of_more_classes_the_means(page, result, several):
    rows = rows_of(page, "6 groups of gender")
    assert rows.keys() == {group.group for group in result.groups}
    for group in result.groups:
        assert rows[group.group]["r^b"].value == pytest.approx(group.r_bias, abs=1e-9)
        assert sum(rows[group.group]["contexts"].spark) == pytest.approx(1)
    of_seven = rows_of(page, "6 groups of weekday")
    for group in several.groups:
        for name, p in group.mean_probabilities.items():
            assert of_seven[group.group][f"p {name}"].value == pytest.approx(p, abs=1e-9)


def test_a_group_that_leans_nowhere_is_said_to_lean_to_no_class(run_of, plugins):
    page = page_of([run_of(model="baseline:unbiased").folder], plugins)
    assert {str(list(row.values())[1]) for row in rows_of(page, "groups of").values()} == {"neither"}


def test_models_are_compared_by_the_words_that_are_asked_for(run_of, plugins):
    runs = [run_of(model=model, limit_groups=3, keep_words=True) for model in ("toy:hash", "toy:other")]
    config = AnalysisConfig(words={"male": ("he",), "female": ("she",)})
    fewer = [bvf.analyse(run.folder, config, plugins=plugins) for run in runs]
    assert [run.R for run in runs] != pytest.approx([each.R for each in fewer])
    page = page_of([run.folder for run in runs], plugins, config=config)
    (view,) = (block for block in part_of(page, "comparison").blocks if isinstance(block, Picture))
    figures = {each.name: each.figures["R"] for each in view.models}
    assert figures == pytest.approx({result.model: result.R for result in fewer})
    assert page.parts[1].blocks[0] == "Another analysis than that of the run: words male=he female=she."


def test_what_was_not_analysed_alike_stands_under_headings_and_is_not_compared(run_of, plugins):
    other = {"toy:other": {}, "toy:firm": {"criterion": "tv"}}
    runs = [run_of(model=model, limit_groups=3, **choices) for model, choices in {"toy:hash": {}, **other}.items()]
    page = page_of([run.folder for run in runs], plugins)
    assert [part_of(page, f"verdict-{number}").title for number in (0, 1)] == ["criterion linf", "criterion tv"]
    assert [each.model for each in part_of(page, "verdict-1").blocks] == ["toy:firm, criterion tv"]
    comparison = part_of(page, "comparison")
    assert comparison.title == "Comparison of models: criterion linf"
    (view,) = (block for block in comparison.blocks if isinstance(block, Picture))
    assert [each.name for each in view.models] == ["toy:hash", "toy:other"]
    two = page_of([runs[0].folder, runs[2].folder], plugins)
    none = "Not compared, as no two were analysed alike: criterion linf; criterion tv."
    assert part_of(two, "comparison").blocks == (none,)


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
    assert "R, R^b and R^v of toy:hash over 2 context sets" in html_of(page)


def test_a_result_of_knowledge_has_its_table_and_no_verdict_on_bias(known, plugins):
    page = page_of([known.folder], plugins)
    (said,) = blocks(page, ModelVerdict)
    assert [each.figure for each in said.verdicts] == ["mastery", "confidence_gap"]
    assert {each.tone for each in said.verdicts} == {"cannot tell"}
    assert not any("R^b" in each.headline for each in said.verdicts)
    (picture,) = blocks(page, Subjects)
    assert len(picture.rows) == 40
    names = {str(row[0]) for table in blocks(page, Section) for row in table.rows}
    assert {group.group for group in known.groups} <= names
    html = html_of(page)
    assert "Provenance" in html
    assert "How well toy:hash knows the subjects of knowledge/capitals" in html
    assert not blocks(page, Mastery)


def test_a_page_of_two_relations_has_both_in_one_picture_above_the_results(known, run_of, plugins):
    few = {"contexts": "", "sample_contexts": 0, "limit_contexts": 2, "limit_groups": 3}
    page = page_of([known.folder, run_of(topic="knowledge/continents", **few).folder], plugins)
    ids = [part.id for part in page.parts]
    assert ids.index("together-0") < ids.index("result-0")
    (picture,) = blocks(page, Mastery)
    assert picture.relations == ("capitals", "continents")


def test_without_its_probabilities_the_page_has_what_the_result_has(result, plugins, tmp_path):
    folder = shutil.copytree(result.folder, tmp_path / "run")
    shutil.rmtree(folder / "probabilities")
    page = page_of([folder], plugins)
    why, *tables = part_of(page, "result-0").blocks
    assert why.startswith("Pictures of the predictions are left out: ")
    assert {group.group for group in result.groups} <= {str(row[0]) for table in tables for row in table.rows}
    assert "Distributions over contexts" not in html_of(page)


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


def test_a_column_without_a_name_has_no_heading_and_those_right_of_the_names_are_numbers():
    tables = [Section("t", ("group", "", "c"), [("x", "y", "1")], names=names) for names in (1, 2)]
    text = html_of(Page("t", "s", (Part("p", "P", tuple(tables)),)), light=True)
    assert re.findall(r'<th scope="col"[^>]*>(.*?)</th>', text) == ["group", "c"] * 2
    for names in (1, 2):
        assert f'<table class="names-{names}">' in text
        assert f".names-{names} tr > :nth-child(n+{names + 1}) {{ text-align: right;" in text


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


def test_a_light_page_has_captions_alone_where_there_are_hundreds_of_drawings(page, undrawn):
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


def test_the_commands_of_the_provenance_have_options_that_exist(light):
    group = typer.main.get_command(app)
    found = re.findall("<code>(?:# not repeated, [^\n]*: --plugin\n)(bvf run .*?)</code>", light, re.DOTALL)
    lines = [line for text in found for line in text.splitlines()]
    assert [line.split()[1] for line in lines] == ["run", "analyse", "verify"] * 2
    for line in lines:
        words = shlex.split(unescape(line))
        known = {name for parameter in group.commands[words[1]].params for name in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known, line


def test_a_page_repeats_nothing_that_loads_sends_or_runs(page, result, plugins):
    options = {"base_url": "http://theirs.example/v1", "trust_remote_code": True, "key_env": "TOKEN"}
    options |= {"device": "cuda:1", "file": "a/b", "n": 3}
    config = {"model": ["m"], "plugin": ["./theirs/notes.py"], "backend_options": options}
    source = replace(provenance_of(result, plugins), invocations=({"config": config},))
    named, run, *_ = commands(result, source).splitlines()
    left_out = "--plugin, -B base_url, -B trust_remote_code, -B key_env, -B file"
    assert named == f"# not repeated, as they load, send or run something: {left_out}"
    assert run.startswith("bvf run --model m -B device=cuda:1 -B n=3")
    by_mean = commands(result.model_copy(update={"reference": "mean"}), source).splitlines()
    assert by_mean[1] == f"{run} --reference mean"


def rules_of(page):
    return next(each for each in blocks(page, Section) if each.title == "What rules ask for").rows


def test_every_section_that_the_table_of_rules_names_is_on_the_page(page):
    titles = " ".join(part.title for part in page.parts)
    assert [name for name in ("What was found", "Provenance", "scenario") if name not in titles] == []
    named = {word for row in rules_of(page) for word in re.findall(r"[A-Z]\w+", str(row[2]))}
    assert named <= {"What", "Provenance", "Scenario"}


def test_the_table_of_rules_names_what_is_missing(page, result, plugins):
    fields = "hazard, measurement, acceptability threshold, mitigation, review trigger"  # the page names the groups
    missing = [str(row[3]) for row in rules_of(page)]
    assert missing == [UNKNOWN, UNKNOWN, "conducted by, date and signature", UNKNOWN, fields]
    whole = page_of([result.folder], plugins, scenario=Scenario(**dict.fromkeys(Scenario.model_fields, "stated")))
    assert {str(row[3]) for row in rules_of(whole)} == {UNKNOWN, "none of the fields is empty"}


def test_the_provenance_of_several_runs_has_once_what_they_share(page, result, several):
    (provenance,) = (part for part in page.parts if part.title.startswith("Provenance"))
    shared, *of_each = [dict(block.rows) for block in provenance.blocks if isinstance(block, Facts)]
    assert (shared["model"], shared["read by"]) == ("toy:hash", "toy")
    own = [facts for facts in of_each if "topic" in facts]
    assert [facts["topic"].split(" ")[0] for facts in own] == ["gender", "weekday"]
    assert [facts["digest of the measurement"] for facts in own] == [result.measurement, several.measurement]
    assert all(facts["construct"] for facts in own)
    commands = [text for facts in of_each if facts not in own for text in facts.values()]
    assert all(re.match(r"\d+ s; .*; \d+ threads for \d+ processors; Python 3", text) for text in commands)
    assert len(commands) == 2
    assert not any(shared.items() & facts.items() for facts in own)


def test_limits_at_the_head_show_what_was_decided_on_each_run(page):
    assert ("limits", "1 cannot tell, 1 fail") in page.parts[0].blocks[0].rows
    decided, doubts, of = (
        [said for name, said in page.parts[0].blocks[0].rows if name == what]
        for what in ("limit", "doubt", "limits are for")
    )
    assert doubts[0].startswith("toy:hash, gender: toy:hash: intervals rest on 30 drawn contexts")
    assert [each.partition(": ")[0] for each in decided] == ["toy:hash, gender", "toy:hash, weekday"]
    assert all(re.search(r": (pass|fail|cannot tell): R ", each) for each in decided)
    assert all(": criterion linf, scale unit, reference uniform" in each for each in of)


def test_a_scenario_shows_what_is_stated_and_what_is_not(tmp_path):
    file = tmp_path / "scenario.toml"
    file.write_text('[scenario]\ngroup_at_risk = "nurses <b>"\nconducted_by = "A. Auditor"\n[other]\nx = 1\n')
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


@pytest.fixture(scope="module")
def named(run_of, result):
    """Folders by the words that stand for them in a command."""
    facts = {"topic": "knowledge/continents", "contexts": "", "sample_contexts": 0, "limit_groups": 4}
    runs = {"RUN": result, "OTHER": run_of(model="toy:other"), "FACTS": run_of(**facts)}
    return {name: run.folder for name, run in runs.items()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("RUN --out x.pdf", "error: --out x.pdf: a page is a .html\n hint: --out x.html"),
        ("none", "error: none: "),
        ("empty", "error: empty: "),
        ("RUN --light --out /dev/null/x.html", "error: --out /dev/null/x.html: "),
        ("RUN OTHER --by nosuch", "error: toy:hash, toy:other: no label nosuch"),
        ("RUN --by nosuch", "error: --by nosuch: no two runs of risk are here"),
        ("FACTS --against wages", "error: --against wages: no run of risk is here"),
        ("RUN --against nosuch", "error: --against nosuch: gender has no such statistic"),
    ],
)
@pytest.mark.usefixtures("undrawn")
def test_the_command_refuses_in_one_line_and_writes_no_page(named, command, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    done = command("report", *(named.get(each, each) for each in arguments.split()))
    assert (done.code, done.err.count("\n")) == (2, 2)
    assert done.err.startswith(message)
    assert done.err.splitlines()[1].startswith(" hint: ")
    assert [each.name for each in tmp_path.iterdir()] == ["empty"]


@pytest.mark.parametrize(("library", "light"), [("matplotlib", True), ("plotly", False)])
def test_a_library_that_is_not_installed_is_one_line(page, monkeypatch, library, light):
    hidden = (name for name in list(sys.modules) if name.split(".")[0] == library)
    for name in {library, *hidden}:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BvfError, match=f"{library}, which is not installed"):
        html_of(page, light=light)


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


def test_no_folder_of_the_machine_is_on_a_page(result, several, plugins, tmp_path):
    folders = [
        shutil.copytree(run.folder, tmp_path / "my runs" / name) for run, name in ((result, "a"), (several, "b"))
    ]
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
