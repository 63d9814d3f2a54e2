"""Every picture has its caption and its drawings; one of somebody else's analysis is drawn and shown like ours."""

import ast
import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import bvf_factors
import bvf_insights
import bvf_knowledge
import bvf_report
import pytest
from bvf_factors.benchmarks.file import ScoresFile
from bvf_factors.pictures import FactorsFile
from bvf_report import plot
from bvf_report.page.build import page_of
from bvf_report.page.html import html_of
from bvf_report.plot.kinds import kind_of

import bvf
from bvf import AnalysisConfig, BvfError, Picture
from bvf.hooks.loader import load
from bvf.running.plotting import PlotRequest

OF_FILES = [each for file in (ScoresFile, FactorsFile) for each in file.pictures if each.kind]
DOUBTED = "undecided"
"""The name under which an analysis by doubt is kept."""
KIND = """
from bvf import Provider, hookimpl
from bvf.drawing.marked import MarkedPicture
from bvf.drawing.marks import Axis, Dots, Marks, RowNames
from bvf.running.plotting import PictureKind


class Risks(MarkedPicture):
    kind, title, limited = "risks", "Risks of groups", True

    def __init__(self, groups):
        self.groups = groups

    def caption(self):
        return f"R of {len(self.groups)} groups."

    def marks(self):
        risks = [each.r for each in self.groups]
        return Marks([Dots(risks, range(len(risks)))], Axis("r"), RowNames([each.group for each in self.groups]))


class RisksKind(PictureKind):
    picture = Risks

    def of(self, result, *, show=24):
        return Risks(result.groups[:show])


@hookimpl
def bvf_pictures():
    return [Provider("risks", RisksKind)]
"""
"""A plugin with a kind of pictures."""


def ours():
    """Every picture in the rooms of analyses and of factors."""
    ours = (bvf, bvf_factors, bvf_insights, bvf_knowledge, bvf_report)
    packages = [each for package in ours for each in walk_packages(package.__path__, f"{package.__name__}.")]
    names = [each.name for each in packages if "pictures" in each.name.split(".")]
    found = {value for name in names for value in vars(import_module(name)).values() if inspect.isclass(value)}
    return {each for each in found if issubclass(each, Picture) and not inspect.isabstract(each)}


def test_every_picture_has_a_form_for_a_browser_and_a_caption_and_with_a_name_is_a_kind():
    for each in ours():
        assert {"caption", "title", "marks"} <= vars(each).keys(), each
    of_files = {each.kind: each for each in OF_FILES}
    of_runs = {name: load().pictures.make(name).picture for name in load().pictures.names()}
    assert all(name == picture.kind for name, picture in of_runs.items())
    assert {each.kind: each for each in ours() if each.kind} == of_runs | of_files


@pytest.fixture
def plugins(monkeypatch, doubting):
    monkeypatch.setattr(bvf, "load", lambda extra=(): doubting)
    return doubting


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


def test_a_kind_of_another_plugin_is_drawn_by_its_name(result, command, tmp_path):
    plugin, file = tmp_path / "risks.py", tmp_path / "f.svg"
    plugin.write_text(KIND)
    done = command("plot", result.folder, "--kind", "risks", "--plugin", plugin, "--show", 2, "-o", file)
    assert done.code == 0, done.err
    assert done.out.startswith("R of 2 groups.")
    assert "Risks of groups" in file.read_text("utf-8")
    (dots,) = load(extra=(str(plugin),)).pictures.make("risks").of(result, show=3).interactive()["data"]
    assert dots["x"] == pytest.approx([group.r for group in result.groups[:3]], abs=1e-5)


def test_a_name_that_no_picture_has_is_refused_with_all_that_there_are(doubted, command, tmp_path):
    done = command("plot", folder := doubted(), "--kind", "zzz", "--analysis", DOUBTED, "-o", tmp_path / "f.svg")
    assert done.code == 2
    error, hint = done.err.splitlines()
    assert error == 'error: --kind "zzz": there is no such figure'
    known = [*load().pictures.names(), *(each.kind for each in OF_FILES), "doubts"]
    assert hint.split("there are ")[1].split(", ") == known
    doubt = command("plot", folder, "--kind", "doubt", "--analysis", DOUBTED, "-o", tmp_path / "f.svg")
    assert "did you mean doubts" in doubt.err
    assert list(tmp_path.iterdir()) == []


def test_several_pictures_of_one_name_are_not_one_figure(doubted, plugins, monkeypatch):
    analysis = type(plugins.analyses.make("doubt"))
    one = analysis.pictures
    monkeypatch.setattr(analysis, "pictures", lambda self, results: [*one(self, results), *one(self, results)])
    with pytest.raises(BvfError, match=r'--kind "doubts": there are 2 such figures'):
        kind_of("doubts", PlotRequest([doubted()], plugins, AnalysisConfig(analysis=DOUBTED)))


def test_a_page_shows_the_pictures_of_another_analysis_above_its_tables(doubted, plugins):
    page = page_of([doubted()], plugins, config=AnalysisConfig(analysis=DOUBTED))
    ((picture, *tables),) = (part.blocks for part in page.parts if part.id == "result-0")
    assert isinstance(picture, Picture)
    assert tables
    full = html_of(page)
    assert 'alt="Doubt of 3 groups of 1 models."' in full
    assert "data:image/webp;base64," in full


def test_a_page_says_why_another_analysis_draws_nothing(doubted, plugins, monkeypatch):
    def refuse(self, results):
        raise BvfError("nothing to draw")

    monkeypatch.setattr(type(plugins.analyses.make("doubt")), "pictures", refuse)
    page = page_of([doubted()], plugins, config=AnalysisConfig(analysis=DOUBTED))
    assert [part.blocks[0] for part in page.parts if part.id == "result-0"] == ["Not drawn: nothing to draw."]


def test_a_function_of_plot_has_the_parameters_of_its_kind_and_says_what_they_mean():
    assert set(bvf.plot.__all__) == set(load().pictures.names()) == set(dir(bvf.plot))
    assert list(inspect.signature(bvf.plot.lean).parameters) == ["result", "ax", "rank", "show", "columns"]
    for name in bvf.plot.__all__:
        draw = getattr(bvf.plot, name)
        assert draw.__name__ == name
        parameters = inspect.signature(draw).parameters
        assert all(f"    {each}: " in draw.__doc__ for each in parameters), name
        assert parameters["columns"].default == load().pictures.make(name).picture.wide
    with pytest.raises(AttributeError, match=r"'bvf.plot' has no attribute 'leen'"):
        _ = bvf.plot.leen


def test_the_stub_of_plot_has_the_same_functions_and_parameters():
    stub = ast.parse(Path(plot.__file__).with_suffix(".pyi").read_text("utf-8"))
    calls = {each.name: each.body[-1] for each in stub.body if isinstance(each, ast.ClassDef)}
    typed = {each.name: each for each in stub.body if isinstance(each, ast.FunctionDef)}
    for each in stub.body:
        if isinstance(each, ast.AnnAssign) and getattr(each.annotation, "id", "") in calls:
            typed[each.target.id] = calls[each.annotation.id]
    assert set(typed) == set(bvf.plot.__all__)
    for name, function in typed.items():
        written = [each.arg for each in (*function.args.args, *function.args.kwonlyargs) if each.arg != "self"]
        assert written == list(inspect.signature(getattr(bvf.plot, name)).parameters), name
