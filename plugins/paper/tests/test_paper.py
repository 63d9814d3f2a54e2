"""``bvf paper``: runs beside printed tables, and the configuration of the paper's models."""

import csv
import io
import json

import pytest
from bvf_paper.tables import checkpoints, config_of, key_of, printed_name, printed_table, printed_tables

import bvf
from bvf.terminal.options import configs_of_models


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs of reference models: two of gender, one named after a model of the paper, and one of another topic."""
    folder = tmp_path_factory.mktemp("runs")
    common = {"model": "baseline:random", "mass_sample": 2}
    bvf.run(out=str(folder / "gpt2"), name="gpt2", topic="gender-2026", contexts="gender-table8", **common)
    few = {"limit_groups": 4, "sample_contexts": 60}
    bvf.run(out=str(folder / "ours"), criterion="lk:2", words={"male": ["he"], "female": ["she"]}, **few, **common)
    bvf.run(out=str(folder / "days"), topic="weekday", limit_groups=2, limit_contexts=2, **common)
    return folder


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_run_stands_beside_the_printed_figures_of_its_model(command, runs):
    done = command("paper", "table1", runs, runs / "gpt2", "--format", "csv")
    assert done.code == 0, done.err
    result = bvf.read_result(runs / "gpt2")
    rows = {row["figure"]: row for row in rows_of(done.out) if row["model"] == "gpt2"}
    printed = {"R": "0.4157", "R_bias": "0.3956", "R_volatility": "0.02"}
    assert {figure: row["printed"] for figure, row in rows.items()} == printed
    assert len([row for row in rows_of(done.out) if row["model"] == "gpt2"]) == 3  # the folder named twice is one row
    assert float(rows["R_bias"]["value"]) == result.R_bias
    assert float(rows["R"]["difference"]) == pytest.approx(result.R - 0.4157)
    assert {row["printed_as"] for row in rows.values()} == {"GPT-2"}


def test_a_model_that_the_paper_does_not_have_has_its_interval_alone(command, runs):
    found = json.loads(command("paper", "table1", runs, "--format", "json").out)
    mine = [each for each in found["figures"] if each["contexts"] == "gender-no-cues"]
    interval = bvf.read_result(runs / "ours").uncertainty.intervals["R_bias"]
    assert [each["printed"] for each in mine] == [None] * 3
    assert (mine[1]["low"], mine[1]["high"]) == (interval.low, interval.high)


def test_choices_that_are_not_the_papers_are_said(command, runs):
    found = json.loads(command("paper", "table1", runs / "ours", runs / "gpt2", "--format", "json").out)
    choices = {(each["choice"], each["paper"], each["run"]) for each in found["choices"]}
    assert choices == {
        ("contexts", "gender-table8", "gender-no-cues"),
        ("openings", "none", "no-person"),
        ("occupations", "120", "4"),
        ("words", "its own", "others"),
        ("criterion", "linf", "lk:2"),
    }
    assert "Differences to expect" in command("paper", "table1", runs / "ours").out


def test_runs_of_other_topics_are_left_out_and_named(command, runs):
    done = command("paper", "table1", runs)
    assert f"Left out: {runs / 'days'}: its topic is weekday (en)." in done.out.replace("\n", " ")
    alone = command("paper", "table1", runs / "days")
    assert (alone.code, alone.out) == (2, "")
    assert "no run belongs in table1" in alone.err
    assert "--topic gender" in alone.err


def test_the_criterion_of_the_released_code_has_half_of_the_volatility(command, runs):
    def volatility(*options):
        rows = rows_of(command("paper", "table1", runs / "gpt2", "--format", "csv", *options).out)
        return next(float(row["value"]) for row in rows if row["figure"] == "R_volatility")

    assert volatility("--criterion", "released:b") == pytest.approx(volatility() / 2)
    assert volatility("--criterion", "released:a") == pytest.approx(volatility())


def test_a_printed_figure_in_the_interval_is_said(command, tmp_path):
    """The random model has R = 1 in every context, so its interval has no width; T5 is far from it."""
    options = {"model": "baseline:random", "limit_groups": 2, "sample_contexts": 60, "mass_sample": 2}
    bvf.run(out=str(tmp_path / "t5"), name="T5", **options)
    rows = rows_of(command("paper", "table1", tmp_path, "--format", "csv").out)
    assert {row["figure"]: row["inside"] for row in rows}["R"] == "False"
    assert all(
        (row["inside"] == "True") == (float(row["low"]) <= float(row["printed"]) <= float(row["high"])) for row in rows
    )
    assert "covers: whether your interval has the printed figure." in command("paper", "table1", tmp_path).out


def test_a_part_of_table_4_takes_runs_in_its_contexts(command, tmp_path):
    options = {"model": "baseline:stereotyped", "limit_groups": 2, "sample_contexts": 0, "limit_contexts": 2}
    bvf.run(out=str(tmp_path / "novels"), name="T5", contexts="gender-novels", mass_sample=2, **options)
    bvf.run(out=str(tmp_path / "others"), name="T5", contexts="gender-table8", mass_sample=2, **options)
    found = json.loads(command("paper", "table4", tmp_path, "--format", "json").out)
    figures = [(each["part"], each["printed"]) for each in found["figures"]]
    assert figures == [("Book", 0.8818), ("Book", 0.8804), ("Book", 0.0014)]
    assert found["left_out"] == {str(tmp_path / "others"): "its contexts are gender-table8"}


@pytest.mark.parametrize("name", ["table1", "table2"])
def test_the_configuration_is_one_that_bvf_run_takes(command, tmp_path, name):
    file = tmp_path / "run.toml"
    file.write_text(command("paper", name, "--config").out)
    configs = configs_of_models({}, file)
    table = printed_table(name)
    assert [config.name for config in configs] == list(table.models)
    assert {(config.topic, config.contexts, config.criterion) for config in configs} == {
        (table.parts[0].topics[0], table.parts[0].contexts, "linf")
    }
    for config in configs:
        checkpoint = checkpoints()[key_of(config.name)]
        assert config.model == checkpoint.path
        assert config.backend_options.get("revision", "") == checkpoint.revision
        assert printed_name(config.model, "", table) == config.name


def test_tables_of_one_paper_name_a_checkpoint_in_several_ways():
    names = {name: printed_name("gpt2", "anything", printed_table(name)) for name in ("table1", "table3")}
    assert names == {"table1": "GPT-2", "table3": "GPT2"}
    assert printed_name("/models/bert-base-uncased/", "", printed_table("table1")) == "BERT"
    assert printed_name("gpt2-medium", "", printed_table("table1")) == ""


@pytest.mark.parametrize("name", [name for name in printed_tables() if name not in ("table1", "table2")])
def test_a_table_without_a_configuration_says_what_to_do(name):
    with pytest.raises(bvf.BvfError) as error:
        config_of(printed_table(name))
    assert error.value.hint


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config"], "no table is named"),
        (["table1", "runs", "--config"], "does nothing"),
        (["table1", "--criterion", "linf"], "no folder of a run is named"),
        (["table1", "nowhere"], "neither the folder of a run"),
        (["factors-table1", "runs"], "no run belongs in it"),
    ],
)
def test_what_does_nothing_is_refused(command, arguments, message):
    done = command("paper", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_every_table_is_listed_and_printed(command):
    listed = command("paper").out
    for name, table in printed_tables().items():
        assert name in listed
        printed = command("paper", name).out
        assert all(row.cells[table.columns[-1]] in printed for row in table.rows)
