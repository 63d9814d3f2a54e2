"""What simulations measure is what their pages say: sources have the figures that they are made for."""

import numpy as np
import pytest

from benchmarks.coverage import (
    answers,
    conclusions,
    decisions,
    frame,
    impact,
    intervals,
    knowledge,
    populations,
    scenes,
    thoughts,
)
from benchmarks.factors import nulls, planted, scores
from benchmarks.pages import PAGES, kept

SIMULATIONS = {
    program.__name__.removeprefix("benchmarks."): program.main
    for program in (answers, conclusions, decisions, impact, intervals, knowledge, thoughts, nulls, planted, scores)
}


@pytest.mark.parametrize(("classes", "criterion"), scenes.FAMILIES)
@pytest.mark.parametrize("bias", [0.0, 0.05, 0.4])
def test_a_source_has_the_bias_that_it_is_made_for(classes, criterion, bias):
    lean = populations.leans_of_bias(6, bias)
    source = populations.model(lean, classes, np.random.default_rng(0), shared=0.5)
    assert source.truth(scenes.CRITERIA[criterion]).r_bias == pytest.approx(np.abs(lean), abs=1e-8)


def test_models_of_one_law_have_the_same_risks():
    rng, lean = np.random.default_rng(1), populations.leans(4, 0.05, 0.1)
    first, second = (model.truth(scenes.LINF) for model in scenes.pair_of_one_law(lean, rng))
    assert [first.R, first.R_bias, first.R_volatility] == pytest.approx(
        [second.R, second.R_bias, second.R_volatility], abs=1e-8
    )
    assert first.r != pytest.approx(second.r)


def test_rare_templates_are_as_large_a_share_of_the_source_as_they_are_to_be():
    risk = populations.rarely_turning(0.03, np.random.default_rng(4)).truth(scenes.LINF)
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


@pytest.mark.parametrize("drawn", scenes.SETS)
def test_draws_are_of_the_set(drawn):
    sample = scenes.SETS[drawn](np.random.default_rng(0)).sample
    assert sample.counts.sum() == float(drawn.split()[0].replace(",", ""))
    assert (sample.drawn_from.counts > 0).all()
    assert sample.drawn_from.counts.sum() <= sample.drawn_from.occurrences
    assert (sample.drawn_from.replicates is None) == (sample.unit == "occurrence")


def test_models_of_sampled_answers_are_what_they_are_called():
    truth = {name: answers.truth_of(answers.model(name, np.random.default_rng(0))) for name in answers.MODELS}
    assert (truth["fair"]["R"], truth["fair"]["R_volatility"]) == (0.0, 0.0)
    assert truth["sure"]["R_bias"] > 0.9 > 0.1 > truth["sure"]["R_volatility"]
    assert truth["torn"]["R"] == pytest.approx(0.95)
    assert truth["torn"]["R_bias"] < 0.2
    p = answers.model("mixed", np.random.default_rng(1))
    more = answers.truth_of(answers.leaning_more(p))["R_bias"] - answers.truth_of(p)["R_bias"]
    assert 0.1 < more < 0.2


def test_the_two_volatilities_of_a_model_that_thinks_and_r_b_add_up_to_r():
    for name in thoughts.MODELS:
        truth = thoughts.model(name, np.random.default_rng(0)).truth
        assert min(truth.values()) > -1e-12
        parts = [truth[part] for part in ("R_bias", "context_volatility", "thought_volatility")]
        assert sum(parts) == pytest.approx(truth["R"])
    fair, torn = (thoughts.model(name, np.random.default_rng(0)).truth for name in ("fair", "torn"))
    assert fair["thought_volatility"] == pytest.approx(fair["R"]) == pytest.approx(0.4)
    assert torn["R"] == pytest.approx(0.95)


NOT_KEPT_YET = {"coverage.conclusions": {"agreement", "frames", "laws"}}
"""Scenes whose raw figures are not kept whole: they were written to a page before there was a file for them."""


@pytest.mark.parametrize("name", SIMULATIONS)
def test_every_cell_is_kept_under_a_name_of_its_own(name):
    cells = SIMULATIONS[name].cells
    assert len({(cell.scene, cell.name) for cell in cells}) == len(cells)
    records, missing = kept(SIMULATIONS[name].file), NOT_KEPT_YET.get(name, set())
    assert {cell.scene for cell in cells} - set(records) <= missing
    cells = [cell for cell in cells if cell.scene not in missing]
    for cell in cells:
        assert sum(cell.facts.items() <= record.items() for record in records[cell.scene]) == 1


@pytest.mark.parametrize("name", SIMULATIONS)
def test_pages_have_the_tables_of_the_raw_figures(name):
    for page, marker, table in SIMULATIONS[name].tables(kept(SIMULATIONS[name].file)):
        assert f"<!-- {marker} -->\n\n{table}\n\n<!-- /{marker} -->" in (PAGES / page).read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("name", SIMULATIONS)
def test_the_last_cell_of_each_scene_is_measured_with_the_figures_of_its_table(name):
    program, left_out = SIMULATIONS[name], {"nulls", "power", "nulls of draws", *NOT_KEPT_YET.get(name, ())}
    last = {cell.scene: cell for cell in program.cells if cell.scene not in left_out}
    records = {scene: [{"on": "", **cell.measured(FEW.get(scene, 2))}] for scene, cell in last.items()}
    assert all(table for _, _, table in program.tables(records))
    of_file = kept(program.file)
    for scene, cell in last.items():
        record = next(record for record in of_file[scene] if cell.facts.items() <= record.items())
        assert set(records[scene][0]) <= set(record)


FEW = {"bootstrap": 50}
"""Samples of a cell where two do not do."""


def test_a_cell_is_measured_the_same_way_again():
    cell = next(cell for cell in intervals.main.cells if cell.scene == "documents")
    assert cell.measured(10) == cell.measured(10)


def test_a_program_measures_what_is_missing_and_writes_raw_figures_and_tables(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(frame, "PAGES", tmp_path)
    monkeypatch.setattr("benchmarks.pages.PAGES", tmp_path)
    measured = []

    def measure(repetitions, rng):
        measured.append(repetitions)
        yield {"found": 0.25 + repetitions / 100}

    cells = [frame.Cell("half", {"n": n}, measure) for n in (5, 50)]
    table = frame.Table("half", {"what": "all"}, frame.shares({"found": "found"}))
    program = frame.Simulation("how often", "half.json", cells, 25, {"page.md": [table]})
    page = tmp_path / "page.md"
    page.write_text("<!-- machine of half --><!-- /machine of half -->\nA | b.\n<!-- half -->old<!-- /half -->\nend\n")
    program("half")
    program()
    assert measured == [25, 25]
    written = "A | b.\n<!-- half -->\n\n| what | found |\n|---|---|\n| all | 50.0 |\n\n<!-- /half -->\nend\n"
    assert page.read_text().endswith(written)
    program("--repetitions", "50", "--anew")
    program("--whole")
    assert measured == [25, 25, 50, 50]
    assert "repetitions  found" in capsys.readouterr().out
    assert "| all | 75.0 |" in page.read_text()


def test_a_line_of_a_table_has_the_figures_of_every_size_in_their_order_and_equal_ones_once():
    coverage = {"a": {50: 0.05, 200: 0.2}, "b": {50: 1.0, 200: 1.0}}
    cells = [{"of": of, "n": n, "R": {"coverage": coverage[of][n]}} for n in (50, 200) for of in ("a", "b")]
    table = frame.Table("some", {"of": "{of}"}, frame.held({"R": "R"}))
    assert table.written({"some": cells}).splitlines()[2:] == ["| a | 5.0, 20.0 |", "| b | 100.0 |"]
    short = frame.Table("some", {"of": "{of}"}, frame.held({"R": "R"}), left_out=("b",))
    assert short.written({"some": cells}).splitlines() == table.written({"some": cells}).splitlines()[:3]


def test_shares_are_those_of_intervals_that_hold_the_truth():
    ends = ((0.0, 0.2), (0.15, 0.2), (0.0, 0.05), (0.1, 0.1))
    found = frame.means({"R": frame.within(low, high, 0.1)} for low, high in ends)
    assert found["R"] == {"coverage": 0.5, "width": pytest.approx(0.075)}
