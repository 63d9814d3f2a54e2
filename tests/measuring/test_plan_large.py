"""Contexts drawn from a set so large that a run stores only those drawn: as from a set that is stored whole."""

import pytest

import bvf
from bvf import BvfError
from bvf.domain.context import Template
from bvf.files.contexts import sets
from bvf.measuring import plan

ROWS = 2000
COUNTS = [1 + row % 5 for row in range(ROWS)]


def laid_out(folder, first_count=COUNTS[0]):
    rows = [f'"The [X] was, on day {row}, so that [Y]",{count}\n' for row, count in enumerate(COUNTS)]
    rows[0] = f'"The [X] was, on day 0, so that [Y]",{first_count}\n'
    folder.mkdir()
    (folder / "days.csv").write_text("template,count\n" + "".join(rows))
    (folder / "sources.toml").write_text(f"[days]\noccurrences = {2 * sum(COUNTS)}\n")
    return folder / "days.csv"


@pytest.fixture
def run_in(tmp_path, toy, monkeypatch):
    """Run in contexts drawn from the set of a file, with as many templates as a run stores."""

    def run(out, file, *, stored=ROWS - 1, **choices):
        for module in (plan, sets):
            monkeypatch.setattr(module, "LARGE", stored)
        given = {"model": "toy:hash", "plugin": str(toy), "limit_groups": 4, "out": str(tmp_path / out)}
        return bvf.run(contexts=str(file), **{**given, **choices})

    return run


def record_of(result):
    return bvf.read_measurement(result.folder).record


def figures(result):
    return result.model_dump(exclude={"measurement", "candidate_mass"})


@pytest.mark.parametrize("choices", [{}, {"openings": "no-person"}], ids=["bare", "after openings"])
def test_figures_are_those_of_a_run_that_stores_the_whole_set(choices, run_in, tmp_path):
    file = laid_out(tmp_path / "set")
    few, all_of_them = (
        run_in(name, file, stored=stored, sample_contexts=60, **choices)
        for name, stored in (("few", ROWS - 1), ("all", ROWS))
    )
    assert figures(few) == figures(all_of_them)
    asked, of_all = record_of(few).asked, record_of(all_of_them).asked
    assert len(asked.templates) == sum(each.drawn > 0 for each in of_all.templates) < 61 < len(of_all.templates)
    assert asked.in_order == of_all.in_order
    unstored = {"digest", "draws"}
    assert asked.whole.model_dump(exclude=unstored) == of_all.whole.model_dump(exclude=unstored)
    assert (asked.whole.total, asked.whole.once, asked.whole.are_whole) == (sum(COUNTS), COUNTS.count(1), True)
    digests = [record_of(each).identity["contexts"] for each in (few, all_of_them)]
    assert digests == [sets.contexts_digest(bvf.read_contexts(file))] * 2
    assert [bvf.verify(each.folder) for each in (few, all_of_them)] == [[], []]


def test_further_draws_go_on_where_the_run_stopped(run_in, tmp_path):
    file = laid_out(tmp_path / "set")
    first = run_in("out", file, sample_contexts=30)
    shards = set((first.folder / "probabilities").iterdir())
    more = run_in("out", file, sample_contexts=70)
    assert shards < set((more.folder / "probabilities").iterdir())
    assert figures(more) == figures(run_in("alone", file, sample_contexts=70))
    assert figures(run_in("out", file, sample_contexts=30)) == figures(first)


def test_templates_are_made_only_of_those_that_are_asked_or_looked_at(run_in, tmp_path, monkeypatch):
    made, was = [], Template.__post_init__
    monkeypatch.setattr(Template, "__post_init__", lambda template: (made.append(template), was(template)))
    monkeypatch.setattr(plan, "WORDED", 10)
    run_in("out", laid_out(tmp_path / "set"), sample_contexts=20)
    assert 20 < len({template.text for template in made}) < 100


def test_runs_from_one_large_set_are_compared_and_others_refused(run_in, tmp_path):
    file, other = laid_out(tmp_path / "set"), laid_out(tmp_path / "other", first_count=6)
    ours = run_in("ours", file, sample_contexts=30)
    theirs = run_in("theirs", file, sample_contexts=30, model="baseline:random")
    compared = bvf.compare([ours.folder, theirs.folder]).topics[0].models
    assert [each.figures["R"] for each in compared] == pytest.approx([ours.R, theirs.R])
    with pytest.raises(BvfError, match="drew contexts from other templates"):
        bvf.compare([ours.folder, run_in("third", other, sample_contexts=30).folder])


def test_draws_of_other_templates_are_refused(run_in, tmp_path):
    asked = record_of(run_in("out", laid_out(tmp_path / "set"), sample_contexts=30)).asked
    whole = asked.model_dump(by_alias=True)
    with pytest.raises(ValueError, match="not those that were drawn"):
        type(asked).model_validate({**whole, "templates": whole["templates"][1:]})
