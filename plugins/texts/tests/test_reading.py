"""What is read in texts: figures of a known distribution, and what could not be read."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bvf_texts.answers import Written
from bvf_texts.reading import chosen_reader

import bvf
from bvf.domain.answers import Samples
from bvf.domain.generation import Generation
from bvf.errors import BvfError, ContractError
from bvf.hooks.loader import load
from bvf.measuring.kind import as_read, kind_called
from bvf.results.restore import predictions_of
from bvf.running.verify import problems_in

PLUGIN = Path(__file__).resolve().parents[3] / "tests" / "data" / "writing_plugin.py"
WORDS = {"male": ("he",), "female": ("she",)}
NO_WORDS = {}


def said(folder, groups=("nurse", "cook"), number=60, **choices):
    """A run in contexts of which half end with even and half with odd."""
    texts = tuple(bvf.Template(f"The [X] of day {day} is {('even', 'odd')[day % 2]} [Y]") for day in range(number))
    contexts = bvf.ContextSet("days", texts, (1.0,) * number, "made")
    asked = {"model": "writing:known", "plugin": str(PLUGIN), "reading": "generated", "topic": "gender-2026"}
    return bvf.run(groups=groups, contexts=contexts, out=str(folder), **{**asked, "samples": 20, **choices})


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return said(tmp_path_factory.mktemp("said") / "run")


def test_r_and_its_parts_are_those_of_the_distribution_without_the_noise_of_sampling(result):
    """Of a nurse |2p - 1| is 0.9 and 0.6, of the mean 0.15; a cook has none, though few shares of 20 texts are 0.5."""
    cook, nurse = result.groups
    assert (nurse.group, cook.group) == ("nurse", "cook")
    assert (nurse.r, nurse.r_bias, nurse.r_volatility) == pytest.approx((0.75, 0.15, 0.6), abs=0.03)
    assert (cook.r, cook.r_bias, cook.r_volatility) == pytest.approx((0, 0, 0), abs=0.05)
    assert (result.R, result.R_bias, result.R_volatility) == pytest.approx((0.375, 0.075, 0.3), abs=0.03)
    assert result.sampled.plug_in["R"] > result.R + 0.05  # shares taken as exact
    assert nurse.mean_probabilities["female"] == pytest.approx(0.575, abs=0.02)


def test_the_most_probable_text_is_exact(tmp_path):
    """Every prompt is certain of one class: R is 1, where a random draw of one text may come from an even model."""
    certain, drawn = (said(tmp_path / f"at-{t}", samples=1, temperature=t) for t in (0.0, 1.0))
    assert (certain.R, certain.sampled, drawn.R < 0.8) == (1.0, None, True)
    assert drawn.sampled.errors["R"] > 0.0
    assert certain.R_bias == bvf.decompose(certain.probabilities()).R_bias


def test_what_was_read_is_counted_and_said(tmp_path):
    result = said(tmp_path / "run", groups=("nurse", "cio"), samples=10)
    told = result.texts
    assert (told.written, told.read) == (1200, 600)
    assert told.refused + told.unread["no word of a class"] == 600
    assert told.refused == pytest.approx(300, abs=60)
    assert result.candidate_mass.mean == pytest.approx(0.5)
    assert [group.group for group in result.groups] == ["nurse"]
    assert any("of 1,200 texts 50.0% were read" in note for note in result.notes)
    assert any("60 of 120 prompts are missing: no text was read there" in note for note in result.notes)
    assert any("1 of 2 groups left out, as none of their prompts has an answer" in note for note in result.notes)
    with pytest.raises(BvfError, match=r"^writing:known: no text was read, so no group has an answer"):
        bvf.analyse(result.folder, groups=("cio",))


def test_texts_are_read_anew_by_another_reader_and_by_other_words(result, tmp_path):
    folder = result.folder
    again = bvf.analyse(folder, reader="share")
    assert (again.reader, again.R) == ("share", result.R)
    assert (again.measurement, bvf.read_result(folder).reader) == (result.measurement, "first-word")
    (tmp_path / "p.toml").write_text("male = ['she']\nfemale = ['\\bhe\\b']")
    swapped = bvf.analyse(folder, reader=f"pattern:{tmp_path / 'p.toml'}")
    assert swapped.groups[1].mean_probabilities["male"] == result.groups[1].mean_probabilities["female"]
    assert bvf.analyse(folder, words=WORDS).R == result.R


def test_a_reader_needs_texts_which_are_analysed_by_a_reader_that_reads_some(result, run_of):
    with pytest.raises(BvfError, match=r"reads no class in any text: of 2,400 texts 0.0% were read"):
        bvf.analyse(result.folder, words={"male": ("monk",), "female": ("nun",)})
    with pytest.raises(ContractError, match="texts are analysed without a reader"):
        as_read(bvf.read_measurement(result.folder), None, NO_WORDS)
    probable = run_of()
    with pytest.raises(BvfError, match="--reader share: the model was asked for probabilities"):
        bvf.analyse(probable.folder, reader="share")
    measurement = bvf.read_measurement(probable.folder)
    assert as_read(measurement, None, NO_WORDS) is measurement
    assert kind_called("probable").reader("", measurement.record.asked, load()) is None


def test_the_measurement_has_the_texts_and_how_they_were_generated_and_the_result_what_was_analysed(result):
    measurement = bvf.read_measurement(result.folder)
    assert measurement.answers.texts.shape == (2, 60)
    assert {text for texts in measurement.answers.texts.flat for text in texts} == {" she left.", " he left."}
    assert np.isnan(measurement.probabilities).all()
    assert not isinstance(measurement.answers, Samples)
    assert measurement.record.asked.generation == Generation(samples=20, tokens=30, temperature=1.0, seed=0)
    assert measurement.record.identity["generated"] == "20 texts of 30 tokens at temperature 1, seed 0"
    found = bvf.read_result(result.folder).probabilities()
    mean = found.of(group="nurse", attribute="female").mean()
    assert mean == pytest.approx(result.groups[1].mean_probabilities["female"])


def test_p_star_of_neutral_subjects_is_read_from_their_texts(tmp_path):
    chosen = {"reading": "generated", "samples": 8, "limit_groups": 3, "limit_contexts": 4, "reference": "prior"}
    result = bvf.run(model="baseline:unbiased", **chosen, out=str(tmp_path))
    prior = as_read(bvf.read_measurement(tmp_path / "prior"), read_by(result), NO_WORDS)
    expected = prior.probabilities.mean(axis=0)[:, 0]
    stored = bvf.read_result(tmp_path)
    p_star = [group.reference_probabilities["male"] for group in stored.groups]
    assert p_star == pytest.approx([np.average(expected, weights=prior.record.asked.context_weights)] * 3)
    assert list(problems_in(tmp_path, load())) == []


def read_by(result):
    return chosen_reader(result.reader, bvf.read_measurement(result.folder).record.asked, load())


def test_the_share_that_was_read_is_told_for_each_format(tmp_path):
    (tmp_path / "mine.toml").write_text('[bare]\n[minutes]\ntext = "Minutes: [template]"\n')
    result = said(tmp_path / "run", number=4, formats=str(tmp_path / "mine.toml"), samples=4, controls=True)
    assert result.controls == ()  # of them no text is read
    assert sum(note.startswith("control ") and "reads no class in any text" in note for note in result.notes) == 3
    mass = result.candidate_mass
    assert list(mass.by_format) == ["bare", "minutes"]
    assert mass.mean == pytest.approx(np.mean(list(mass.by_format.values())))


@pytest.mark.parametrize("text", ["<think>she</think>{}<|im_end|> she", "{prompt} {}", "<|refusal|> she", "<think>she"])
def test_what_stands_around_the_answer_is_read_in_no_text(text, tmp_path, monkeypatch):
    """Half of the texts have something around the answer, or have none."""

    def around(_, prompt, sample, __):
        return " he left." if sample % 2 else text.format(" he left.", prompt=prompt.left)

    monkeypatch.setattr("bvf.builtin.reference_models.Baseline._text", around)
    told = bvf.ContextSet("told", (bvf.Template("She and the [X] said that [Y]"),), (1.0,), "made")
    chosen = {"topic": "gender-2026", "groups": ("nurse", "cook"), "contexts": told, "samples": 4}
    result = bvf.run(model="baseline:random", reading="generated", out=str(tmp_path / "run"), words=WORDS, **chosen)
    assert {group.mean_probabilities["male"] for group in result.groups} == {1.0}
    assert (result.texts.read, result.texts.thoughts) == (8 if "{}" in text else 4, 4 if "think" in text else 0)
    assert (result.texts.refused, result.texts.cut) == (4 * ("refusal" in text), 4 * (text == "<think>she"))
    assert list(problems_in(tmp_path / "run", load())) == []


@pytest.fixture(scope="module")
def owing(result):
    """The measurement with what its texts owe: each is one word, whose probability is known."""
    measurement = bvf.read_measurement(result.folder)
    asked, texts = measurement.record.asked, measurement.answers.texts
    she = np.array([[[0.95, 0.2], [0.5, 0.5]][asked.group_names.index("cook") == x] for x in range(2)])[:, :, None]
    p = np.tile(np.concatenate([1.0 - she, she], axis=2), (1, 30, 1))[:, :, None]
    rule = np.array([[[[" he" in text, " she" in text] for text in of] for of in row] for row in texts], float)
    in_order = [0, 1] if asked.classes == ("male", "female") else [1, 0]
    return replace(measurement, answers=Written(texts, (p - rule)[..., in_order])), p[:, :, 0, in_order]


def test_what_texts_owe_takes_all_noise_of_the_draw_away(owing, result):
    measurement, p = owing
    found = as_read(measurement, read_by(result), NO_WORDS)
    assert found.probabilities == pytest.approx(p)
    expected = found.answers.summary.expected
    assert {name: each[0] for name, each in expected.items()} == pytest.approx(
        {name: p[..., y].mean() for y, name in enumerate(expected)}
    )
    assert [added for _, added in expected.values()] == pytest.approx([0.0, 0.0])


def test_texts_are_counted_by_other_readers_and_words_and_where_nothing_is_known(owing, result):
    measurement, _ = owing
    asked = measurement.record.asked
    counted = as_read(bvf.read_measurement(result.folder), read_by(result), NO_WORDS)
    fewer = as_read(measurement, read_by(result), {"male": ("he",)})
    share = as_read(measurement, chosen_reader("share", asked, load()), NO_WORDS)
    for found in (counted, fewer, share):
        assert found.probabilities == pytest.approx(counted.probabilities)
        assert (found.answers.vectors, found.answers.summary.expected) == (None, {})


def test_texts_are_counted_where_the_reader_reads_much_otherwise(owing, result, monkeypatch):
    measurement, _ = owing
    texts = np.empty_like(measurement.answers.texts)
    for place, of_prompt in np.ndenumerate(measurement.answers.texts):
        texts[place] = tuple(text.replace(" she", " he or she") if k < 5 else text for k, text in enumerate(of_prompt))
    of_few = replace(measurement, answers=Written(texts, measurement.answers.owed))
    assert as_read(of_few, read_by(result), NO_WORDS).answers.vectors is not None
    predictions = predictions_of(result, of_few)
    assert predictions.apart.std(axis=1).min() > 0.0
    assert np.einsum("xcy,xc->xy", predictions.apart, predictions.weights_of_group) == pytest.approx(0.0, abs=1e-12)
    monkeypatch.setattr("bvf_texts.reading.MOST_OTHERWISE", 0.01)
    assert as_read(of_few, read_by(result), NO_WORDS).answers.vectors is None
