"""What benchmarks/coverage measures is what its page says: sources have the R^b that they are made for."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "coverage"


def loaded(name):
    """A script of the benchmark, under a name that no other benchmark has."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def loaded_with_others(name):
    """A script that imports others of the folder, of which ``run`` has the name of another benchmark's."""
    of_another = sys.modules.pop("run", None)
    sys.path.insert(0, str(FOLDER))
    try:
        return loaded(name)
    finally:
        sys.path.remove(str(FOLDER))
        sys.modules.pop("run", None)
        if of_another is not None:
            sys.modules["run"] = of_another


populations = loaded("populations")
scenes = loaded("scenes")
tables = loaded("tables")
designs = loaded("designs")
design_tables = loaded("design_tables")
answers = loaded_with_others("answers")
thoughts = loaded_with_others("thoughts")


@pytest.mark.parametrize(("classes", "criterion"), scenes.FAMILIES)
@pytest.mark.parametrize("bias", [0.0, 0.05, 0.4])
def test_a_source_has_the_bias_that_it_is_made_for(classes, criterion, bias):
    lean = populations.leans_of_bias(6, bias)
    source = populations.model(lean, classes, np.random.default_rng(0), shared=0.5)
    assert source.truth(scenes.CRITERIA[criterion]).r_bias == pytest.approx(np.abs(lean), abs=1e-8)


def test_models_of_one_law_have_the_same_risks():
    rng, lean = np.random.default_rng(1), populations.leans(4, 0.05, 0.1)
    first, second = (model.truth(scenes.CRITERIA["linf"]) for model in scenes.pair_of_one_law(lean, rng))
    assert [first.R, first.R_bias, first.R_volatility] == pytest.approx(
        [second.R, second.R_bias, second.R_volatility], abs=1e-8
    )
    assert first.r != pytest.approx(second.r)


def test_rare_templates_are_as_large_a_share_of_the_source_as_they_are_to_be():
    risk = populations.rarely_turning(0.03, np.random.default_rng(4)).truth(scenes.CRITERIA["linf"])
    assert risk.r_volatility[1:] == pytest.approx(np.full(19, 0.03), rel=0.02)
    assert risk.r[1:] == pytest.approx(np.full(19, 0.5))


def test_documents_that_never_repeat_are_occurrences_and_those_that_do_move_together():
    spread = []
    for repeating in (0.0, 0.9):
        drawn, _ = populations.documents(repeating, np.random.default_rng(2))
        assert drawn.sample.counts.sum() == populations.DOCUMENTS * populations.IN_A_DOCUMENT
        assert drawn.sample.replicates.mean(axis=1) == pytest.approx(drawn.sample.counts, rel=0.5, abs=1)
        heaviest = drawn.sample.replicates[drawn.sample.counts.argmax()]
        spread.append(heaviest.var() / heaviest.mean())
    assert spread[1] > 1.5 * spread[0]


def test_a_cell_is_measured_the_same_way_again_and_its_tables_can_be_written():
    cells = {cell.scene: cell for cell in scenes.cells() if cell.scene not in ("nulls", "power")}
    records = {scene: [{"on": "one thread, 2026-11-26", **cell.measured(50)}] for scene, cell in cells.items()}
    again = [{"on": "one thread, 2026-11-26", **cells["documents"].measured(50)}]
    assert again == records["documents"]
    page = tables.page(records, tables.COVERAGE)
    assert "## Intervals" in page
    assert "## R^b beside a bootstrap" in page


def test_cells_of_hard_designs_are_measured_and_their_tables_can_be_written():
    cells = {cell.scene: cell for cell in designs.design_cells() if cell.scene != "nulls of draws"}
    records = {scene: [{"on": "2026-11-26", **cell.measured(10)}] for scene, cell in cells.items()}
    page = tables.page(records, design_tables.COVERAGE)
    assert page.count("10 samples per cell") == page.count("## ") == 4


def test_a_line_of_a_table_has_the_figures_of_every_size_in_their_order_and_equal_ones_once():
    coverage = {"a": {50: 0.05, 200: 0.2}, "b": {50: 1.0, 200: 1.0}}
    cells = [{"of": of, "n": n, "R": {"coverage": coverage[of][n]}} for n in (50, 200) for of in ("a", "b")]
    lines = tables.by_size(cells, lambda cell: (cell["of"],), tables.held("R"))
    assert lines == [["a", "5.0, 20.0"], ["b", "100.0"]]
    assert tables.values(cells, "n") == "50, 200"


@pytest.mark.parametrize("drawn", designs.SETS)
def test_draws_are_of_the_set(drawn):
    sample = designs.SETS[drawn](np.random.default_rng(0)).sample
    assert sample.counts.sum() == float(drawn.split()[0].replace(",", ""))
    assert (sample.drawn_from.counts > 0).all()
    assert sample.drawn_from.counts.sum() <= sample.drawn_from.occurrences
    assert (sample.drawn_from.replicates is None) == (sample.unit == "occurrence")


def test_cells_have_names_of_their_own():
    names = [(cell.scene, cell.name) for cell in (*scenes.cells(), *designs.design_cells())]
    assert len(set(names)) == len(names)


def test_shares_are_those_of_intervals_that_hold_the_truth():
    tally = scenes.Tally()
    for low, high in ((0.0, 0.2), (0.15, 0.2), (0.0, 0.05), (0.1, 0.1)):
        tally.add("R", scenes.Estimate(np.float64(0.1), np.float64(low), np.float64(high)), 0.1)
    record = tally.record()["R"]
    assert (record["coverage"], record["too_low"], record["width"]) == (0.5, 0.25, pytest.approx(0.075))


def test_models_of_sampled_answers_are_what_they_are_called():
    truth = {name: answers.truth_of(answers.model(name, np.random.default_rng(0))) for name in answers.MODELS}
    assert (truth["fair"]["R"], truth["fair"]["R_volatility"]) == (0.0, 0.0)
    assert truth["sure"]["R_bias"] > 0.9 > 0.1 > truth["sure"]["R_volatility"]
    assert truth["torn"]["R"] == pytest.approx(0.95)
    assert truth["torn"]["R_bias"] < 0.2
    p = answers.model("mixed", np.random.default_rng(1))
    more = answers.truth_of(answers.leaning_more(p))["R_bias"] - answers.truth_of(p)["R_bias"]
    assert 0.1 < more < 0.2


def test_cells_of_sampled_answers_are_measured_and_their_tables_can_be_written(monkeypatch):
    monkeypatch.setattr(answers, "SOURCES", 1)
    few = {cell.scene: cell for cell in answers.cells() if cell.facts["samples"] == 5}
    records = {scene: [cell.measured(2)] for scene, cell in few.items()}
    assert few["answers"].measured(2) == records["answers"][0]
    page = answers.page(records)
    assert page.count("2 samples of contexts and answers per row") == 1
    assert "| width of R |" in page
    assert "| fair, mixed exactly |" in page


def test_cells_of_thoughts_are_measured_and_their_tables_can_be_written(monkeypatch):
    monkeypatch.setattr(thoughts, "SOURCES", 1)
    few = {cell.scene: cell for cell in thoughts.cells() if cell.facts["thoughts"] == 4}
    records = {scene: [cell.measured(2)] for scene, cell in few.items()}
    page = thoughts.page(records)
    assert page.count("2 samples") == 2
    assert "| sure, torn | " in page


def test_the_two_volatilities_of_a_model_that_thinks_and_r_b_add_up_to_r():
    for name in thoughts.MODELS:
        truth = thoughts.model(name, np.random.default_rng(0)).truth
        assert min(truth.values()) > -1e-12
        parts = [truth[part] for part in ("R_bias", "context_volatility", "thought_volatility")]
        assert sum(parts) == pytest.approx(truth["R"])
    fair, torn = (thoughts.model(name, np.random.default_rng(0)).truth for name in ("fair", "torn"))
    assert fair["thought_volatility"] == pytest.approx(fair["R"]) == pytest.approx(0.4)
    assert torn["R"] == pytest.approx(0.95)
