"""``bvf report --site``: tables of models by question, ranks, data, and what is left out or refused."""

import csv
import html
import json
import re
import shutil
from pathlib import Path

import jsonschema
import pytest
import yaml
from bvf_report import site as sites
from bvf_report.export import eee_record
from bvf_report.site import write_site
from helpers.fixtures import TOY
from huggingface_hub import parse_eval_result_entries

import bvf
from bvf.files.folder import Folder
from bvf.results import result_in
from bvf.study.config import AnalysisConfig

EEE_SCHEMA = json.loads((Path(__file__).parent / "export" / "every_eval_ever" / "eval.schema.json").read_text())


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three models asked the same, one of them also about another topic, and one asked of fewer groups."""
    folder = tmp_path_factory.mktemp("contributed")
    sampled = {"contexts": "gender-mixed", "sample_contexts": 60, "limit_groups": 4, "mass_sample": 2}
    asked = {
        "random": {"model": "baseline:random", **sampled},
        "stereotyped": {"model": "baseline:stereotyped", **sampled},
        "hash": {"model": "toy:hash", "name": "=hash", **sampled},
        "fewer": {"model": "toy:rare", **sampled, "limit_groups": 2},
        "days": {"model": "toy:hash", "topic": "weekday", "limit_groups": 2, "limit_contexts": 2, "mass_sample": 2},
    }
    for name, choices in asked.items():
        bvf.run(plugin=(str(TOY),), out=str(folder / name), **choices)
    return folder


@pytest.fixture(scope="module")
def site(runs, plugins, tmp_path_factory):
    """The site of all these runs, and its data."""
    folder = tmp_path_factory.mktemp("site")
    leaderboard = write_site(folder, [runs], AnalysisConfig(), plugins, light=True, dataset="acme/bias")
    return folder, json.loads(leaderboard.model_dump_json(by_alias=True))


@pytest.fixture
def board(site):
    """The table of three models."""
    (found,) = (each for each in site[1]["boards"] if len(each["models"]) == 3)
    return found


@pytest.fixture
def report(command, toy, tmp_path):
    """Write a site; returns what the command left, and the data of the site."""

    def call(*sources, folder=tmp_path / "site"):
        done = command("report", *sources, "--site", folder, "--plugin", toy, "--light")
        data = folder / "data" / "leaderboard.json"
        return done, json.loads(data.read_text("utf-8")) if data.is_file() else None

    return call


def links_of(page):
    return re.findall(r'href="([^"#]+)"', page.read_text("utf-8"))


def test_models_of_one_question_share_a_table_and_others_have_their_own(site):
    folder, data = site
    models = {board["title"]: [model["name"] for model in board["models"]] for board in data["boards"]}
    assert models["weekday (en)"] == ["toy:hash"]
    assert sorted(map(len, models.values())) == [1, 1, 3]
    assert data["left_out"] == []
    assert json.loads((folder / "data" / "leaderboard.json").read_text("utf-8")) == data


def test_a_table_has_the_figures_of_its_runs_and_the_ranks_of_their_comparison(site, board, runs, plugins):
    compared = bvf.compare([runs / name for name in ("random", "stereotyped", "hash")], plugins=plugins).topics[0]
    ranks = {model.measurement: model.ranks["R"] for model in compared.models}
    assert {model["measurement"]: tuple(model["ranks"]["R"]) for model in board["models"]} == ranks
    for name in ("random", "hash"):
        result = bvf.read_result(runs / name)
        listed = next(model for model in board["models"] if model["measurement"] == result.measurement)
        assert listed["figures"] == {field: getattr(result, field) for field in ("R", "R_bias", "R_volatility")}
        assert listed["intervals"]["R"]["low"] == result.uncertainty.intervals["R"].low


def test_models_without_a_significant_difference_are_in_the_order_of_names(site, board):
    """Both reference models have R = 1 everywhere; the model that hashes has less."""
    assert [model["name"] for model in board["models"]] == ["baseline:random", "baseline:stereotyped", "=hash"]
    assert [model["ranks"]["R"] for model in board["models"]] == [[1, 2], [1, 2], [3, 3]]
    assert board["tied"] == 1
    assert "1 of 3 pairs of models show no significant difference in R" in (site[0] / "index.html").read_text("utf-8")


def test_one_model_has_no_rank_and_the_page_says_why(report, runs, tmp_path):
    _, data = report(runs / "days")
    assert [board["unranked"] for board in data["boards"]] == ["there is one model"]
    assert "Ordered by name, as there are no ranks" in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_every_link_leads_to_a_page_of_the_site(site):
    pages = sorted(site[0].rglob("*.html"))
    assert len(pages) == 1 + 5 + 1
    for page in pages:
        assert [link for link in links_of(page) if not (page.parent / link).is_file()] == []
    linked = {(page.parent / link).resolve() for page in pages for link in links_of(page)}
    assert linked >= {page.resolve() for page in pages}


def test_the_table_of_data_has_a_row_per_figure_and_no_formula(site, runs):
    page = (site[0] / "index.html").read_text("utf-8")
    with (site[0] / "data" / "leaderboard.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5 * 3
    assert {row["model"] for row in rows} >= {"'=hash", "baseline:random"}
    random = next(row for row in rows if row["model"] == "baseline:random" and row["figure"] == "R")
    assert (random["best_rank"], random["worst_rank"]) == ("1", "2")
    warnings = {run.model: run.warnings for run in map(bvf.read_result, runs.iterdir())}
    assert any(warnings.values())
    assert random["warnings"] == "; ".join(warnings["baseline:random"])
    assert all(f": {html.escape(each)}." in page for its in warnings.values() for each in its)


def test_each_run_has_records_in_the_formats_of_others_which_their_schemas_allow(site, runs):
    folder, data = site
    models = [model for board in data["boards"] for model in board["models"]]
    assert {*links_of(folder / models[0]["page"])} >= {f"../{place}" for place in models[0]["records"].values()}
    for model in models:
        record, entries = ((folder / place).read_text("utf-8") for place in model["records"].values())
        jsonschema.Draft7Validator(EEE_SCHEMA).validate(json.loads(record))
        results = json.loads(record)["evaluation_results"]
        scores = {each["metric_config"]["metric_id"]: each["score_details"]["score"] for each in results}
        assert scores == {f"bvf.{name}": value for name, value in model["figures"].items()}
        parsed = parse_eval_result_entries(yaml.safe_load(entries))
        assert {entry.dataset_id for entry in parsed} == {"acme/bias"}
        assert [entry.value for entry in parsed] == list(model["figures"].values())
    last = next(run for run in map(bvf.read_result, runs.iterdir()) if run.measurement == models[-1]["measurement"])
    assert json.loads(record) == eee_record(last)


def test_a_folder_that_does_not_verify_is_left_out_and_named(report, runs, tmp_path):
    damaged = tmp_path / "damaged"
    shutil.copytree(runs / "hash", damaged)
    with (damaged / "result.json").open("a") as result:
        result.write(" ")
    done, data = report(runs / "random", damaged, tmp_path / "nowhere")
    assert done.code == 0
    assert [each["folder"] for each in data["left_out"]] == [str(tmp_path / "nowhere"), str(damaged)]
    assert f"left out: {damaged}: " in done.err
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert ">damaged<" in index
    assert str(damaged) not in index  # a page names no folder of its machine
    assert len(data["boards"]) == 1
    alone, _ = report(damaged, folder=tmp_path / "other")
    assert alone.code == 2
    assert "no run can be shown" in alone.err


def test_two_processes_write_the_pages_and_figures_of_one(runs, site, plugins, tmp_path, monkeypatch):
    monkeypatch.setattr(sites, "RUNS_PER_PROCESS", 1)
    monkeypatch.setattr(sites, "processors", lambda: 2)
    sources = [runs / "days", runs / "fewer"]
    boards = write_site(tmp_path, sources, AnalysisConfig(), plugins, light=True, dataset="acme/bias").boards
    listed = {model["page"]: model["figures"] for board in site[1]["boards"] for model in board["models"]}
    figures = {model.page: model.figures for board in boards for model in board.models}
    assert len(figures) == 2
    assert figures.items() <= listed.items()
    for page in (tmp_path / "runs").iterdir():
        assert page.read_text("utf-8") == (site[0] / "runs" / page.name).read_text("utf-8")
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_a_run_is_read_once(runs, plugins, tmp_path, monkeypatch):
    read = []
    as_before = Folder.read_bytes
    monkeypatch.setattr(Folder, "read_bytes", lambda at, name: read.append(at.path / name) or as_before(at, name))
    write_site(tmp_path / "site", [runs / "days"], AnalysisConfig(), plugins, light=True)
    assert read.count(runs / "days" / "measurement.json") == 1


def test_a_copy_is_left_out_and_a_second_measurement_of_a_model_is_a_row(report, runs, tmp_path):
    shutil.copytree(runs / "hash", tmp_path / "again")
    done, data = report(runs / "hash", tmp_path / "again")
    assert (done.code, [len(board["models"]) for board in data["boards"]]) == (0, [1])
    assert data["left_out"] == [{"folder": str(tmp_path / "again"), "why": f"the measurement in {runs / 'hash'} again"}]
    options = {"contexts": "gender-mixed", "sample_contexts": 60, "limit_groups": 4, "mass_sample": 2, "seed": 7}
    groups = [group.group for group in bvf.read_result(runs / "random").groups]
    bvf.run(model="baseline:random", out=str(tmp_path / "seed"), groups=groups, **options)
    done, data = report(runs / "random", tmp_path / "seed")
    assert done.code == 0, done.err
    pages = [model["page"] for board in data["boards"] for model in board["models"]]
    assert len(set(pages)) == 2


def test_a_folder_that_an_analysis_fails_on_is_left_out(report, runs, monkeypatch):
    def failing(folder, *rest, **more):
        if folder.name == "hash":
            raise IndexError("of theirs")
        return result_in(folder, *rest, **more)

    monkeypatch.setattr(sites, "result_in", failing)
    done, data = report(runs / "days", runs / "hash")
    assert (done.code, data["left_out"]) == (0, [{"folder": str(runs / "hash"), "why": "IndexError: of theirs"}])


def test_a_site_is_written_again_without_the_pages_of_runs_that_are_gone(report, site, runs, tmp_path):
    shutil.copytree(site[0], tmp_path / "site")
    site = tmp_path / "site"
    (site / "CNAME").write_text("example.org")
    done, data = report(runs / "hash")
    assert done.code == 0, done.err
    ((model,),) = (board["models"] for board in data["boards"])
    assert {str(page.relative_to(site)) for page in site.rglob("*.html")} == {"index.html", model["page"]}
    assert (site / "CNAME").read_text() == "example.org"
    assert {str(file.relative_to(site)) for file in (site / "data").glob("*/*")} == {*model["records"].values()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--site", "there"], "is there already"),
        (["--dataset", "acme/bias"], "--dataset does nothing without --site"),
        (["--site", "site", "--dataset", "acme"], '"acme" is not the name of a data set'),
        (["--site", "site", "--by", "kind"], "--by does nothing with --site"),
    ],
)
def test_what_cannot_be_is_refused_before_a_run_is_read(command, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_text("mine")
    done = command("report", "runs", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_site_is_not_written_around_its_runs(command, runs, tmp_path):
    shutil.copytree(runs, tmp_path / "all")
    done = command("report", tmp_path / "all", "--site", tmp_path / "all", "--force")
    assert done.code == 2
    assert "lies in it" in done.err
