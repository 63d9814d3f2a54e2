"""Every picture has its caption and its drawings; one of somebody else's analysis is drawn and shown like ours."""

import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import bvf_factors
import pytest
from bvf_factors.benchmarks.file import ScoresFile
from bvf_factors.file import FactorsFile
from bvf_knowledge.pictures.certainty import Certainty
from bvf_knowledge.pictures.confidence import Confidence
from bvf_knowledge.pictures.mastery import Mastery
from bvf_knowledge.pictures.subjects import Subjects
from bvf_knowledge.pictures.wordings import Wordings
from bvf_report.page.build import page_of
from bvf_report.page.html import html_of
from bvf_report.pictures.risk.scale import Scale
from bvf_report.plot import kinds
from bvf_report.plot.kinds import KINDS

import bvf
from bvf import AnalysisConfig, BvfError, Picture
from bvf.hooks.loader import load

OF_FILES = [each for file in (ScoresFile, FactorsFile) for each in file.pictures if each.kind]
OF_ANALYSES = (Scale, Mastery, Confidence, Subjects, Certainty, Wordings)
DOUBTED = "undecided"
"""The name under which an analysis by doubt is kept."""
DOUBT = Path(__file__).resolve().parents[4] / "tests" / "data" / "doubt_plugin.py"


def ours():
    """Every picture in the rooms of analyses and of factors."""
    packages = [*walk_packages(bvf.__path__, "bvf."), *walk_packages(bvf_factors.__path__, "bvf_factors.")]
    names = [each.name for each in packages if "pictures" in each.name.split(".")]
    found = {value for name in names for value in vars(import_module(name)).values() if inspect.isclass(value)}
    return {each for each in found if issubclass(each, Picture)} - {Picture}


def test_every_picture_is_drawn_has_a_form_for_a_browser_and_a_caption():
    assert len(ours()) == 29
    for each in ours():
        assert {"caption", "draw", "interactive", "title"} <= vars(each).keys(), each


def test_every_picture_with_a_name_is_a_kind():
    of_files = {each.kind: each for each in OF_FILES}
    of_runs = {name: kind.picture for name, kind in KINDS.items()}
    of_analyses = {each.kind: each for each in OF_ANALYSES}
    assert {each.kind: each for each in ours() if each.kind} == of_runs | of_files | of_analyses


@pytest.fixture
def plugins(monkeypatch):
    """What is installed, and the analysis doubt."""
    plugins = load(extra=(str(DOUBT),))
    monkeypatch.setattr(kinds, "load", lambda: plugins)
    return plugins


@pytest.fixture
def doubted(run_of, plugins):
    """A function: the folder of a run in which an analysis by doubt is kept."""

    def make(**choices):
        folder = run_of(limit_groups=3, **choices).folder
        return bvf.analyse(folder, analysis="doubt", plugins=plugins, save_as=DOUBTED).folder

    return make


def test_a_picture_of_another_analysis_is_drawn_by_its_name(doubted, command, tmp_path):
    file = tmp_path / "f.svg"
    done = command("plot", doubted(), doubted(model="toy:other"), "--kind", "doubts", "--analysis", DOUBTED, "-o", file)
    assert done.code == 0, done.err
    caption = "Doubt of 6 groups of 2 models. The analysis undecided, not that of the run: analysis doubt."
    assert " ".join(done.out.split()).startswith(caption)
    assert "Doubt of groups" in file.read_text("utf-8")


def test_a_name_that_no_picture_has_is_refused_with_all_that_there_are(doubted, command, tmp_path):
    done = command("plot", folder := doubted(), "--kind", "zzz", "--analysis", DOUBTED, "-o", tmp_path / "f.svg")
    assert done.code == 2
    error, hint = done.err.splitlines()
    assert error == 'error: --kind "zzz": there is no such figure'
    assert hint.split("there are ")[1].split(", ") == [*KINDS, *(each.kind for each in OF_FILES), "doubts"]
    doubt = command("plot", folder, "--kind", "doubt", "--analysis", DOUBTED, "-o", tmp_path / "f.svg")
    assert "did you mean doubts" in doubt.err
    assert list(tmp_path.iterdir()) == []


def test_several_pictures_of_one_name_are_not_one_figure(doubted, plugins, monkeypatch):
    analysis = type(plugins.analyses.make("doubt"))
    one = analysis.pictures
    monkeypatch.setattr(analysis, "pictures", lambda self, results: [*one(self, results), *one(self, results)])
    with pytest.raises(BvfError, match=r'--kind "doubts": there are 2 such figures'):
        kinds.kind_of("doubts", [doubted()], kinds.Wanted(AnalysisConfig(analysis=DOUBTED)))


def test_a_page_shows_the_pictures_of_another_analysis_above_its_tables(doubted, plugins):
    page = page_of([doubted()], plugins, config=AnalysisConfig(analysis=DOUBTED))
    (part,) = (part for part in page.parts if part.id == "result-0")
    picture, *tables = part.blocks
    assert isinstance(picture, Picture)
    assert tables
    full = html_of(page)
    assert 'alt="Doubt of 3 groups of 1 models."' in full
    assert "data:image/webp;base64," in full


def test_a_page_says_why_another_analysis_draws_nothing(doubted, plugins, monkeypatch):
    def refuse(self, results):
        raise BvfError("nothing to draw")

    monkeypatch.setattr(type(plugins.analyses.make("doubt")), "pictures", refuse)
    (part,) = (
        part
        for part in page_of([doubted()], plugins, config=AnalysisConfig(analysis=DOUBTED)).parts
        if part.id == "result-0"
    )
    assert part.blocks[0] == "Not drawn: nothing to draw."


def test_an_analysis_of_risk_has_the_pictures_of_a_result(result, plugins):
    pictures = plugins.analyses.make("risk").pictures([result])
    assert [picture.kind for picture in pictures] == ["lean", "scatter", "heatmap", "distribution"]


def test_an_analysis_of_knowledge_has_its_pictures(run_of, plugins):
    known = run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_groups=3)
    analysis = plugins.analyses.make("knowledge")
    assert tuple(map(type, [*analysis.pictures_of_topics([known]), *analysis.pictures([known])])) == OF_ANALYSES[1:]
