"""Choices among lettered options: what is for a letter, and not for a class, is volatility and no bias."""

from pathlib import Path

import pytest

import bvf
from bvf.errors import BvfError

PLUGIN = Path(__file__).resolve().parents[3] / "tests" / "data" / "choosing_plugin.py"
OFFER = "[options: male=a man | female=a woman]"


def chosen(folder, offer=OFFER, reader="letter", **choices):
    texts = tuple(bvf.Template(f"On day {day}, is the [X] a man? {offer} Answer: [Y]") for day in range(30))
    contexts = bvf.ContextSet("asked", texts, (1.0,) * 30, "made", sampling=WRITTEN)
    asked = {"model": "choosing:known", "plugin": str(PLUGIN), "reading": "generated", "samples": 20}
    return bvf.run(**asked, contexts=contexts, groups=("nurse", "cook"), reader=reader, out=str(folder), **choices)


def check_figures(result):
    """Of a nurse |2p - 1| is 0.6 in either order, in opposite directions; of a cook it is 0.8 in one direction."""
    cook, nurse = result.groups
    assert (nurse.r, nurse.r_bias, nurse.r_volatility) == pytest.approx((0.6, 0, 0.6), abs=0.08)
    assert (cook.r, cook.r_bias, cook.r_volatility) == pytest.approx((0.8, 0.8, 0), abs=0.04)


WRITTEN = bvf.ContextSet("w", (bvf.Template("[X] [Y]"),), (1.0,)).sampling


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return chosen(tmp_path_factory.mktemp("letters") / "run")


def test_a_preference_for_a_letter_is_volatility_and_one_for_a_class_is_bias(result):
    check_figures(result)
    assert result.groups[0].mean_probabilities["female"] == pytest.approx(0.9, abs=0.02)
    assert (result.texts.written, result.texts.read) == (2400, 2400)


def test_both_orders_are_asked_and_explained_as_a_frame(result):
    asked = bvf.read_measurement(result.folder).record.asked
    assert [each.template.partition("? ")[2] for each in asked.templates[:2]] == [
        "(A) a man (B) a woman Answer: [Y]",
        "(A) a woman (B) a man Answer: [Y]",
    ]
    assert {each.count for each in asked.templates} == {0.5}
    (share,) = bvf.explain(result).frame_shares
    assert (share.frame, share.levels) == ("options", 2)
    assert share.between == pytest.approx(0.3, abs=0.03)  # half of the groups, of which it is 0.6
    assert share.within < 0.1


def test_the_heaviest_templates_keep_all_their_orders_whose_options_are_named_as_the_classes(tmp_path):
    result = chosen(tmp_path / "run", "[options]", limit_contexts=3)
    assert result.number_of_contexts == 6
    assert "(A) male (B) female" in bvf.read_measurement(result.folder).record.asked.templates[0].template


def test_options_and_formats_are_crossed_and_both_explained(tmp_path):
    """The letter is read by the order of its prompt in either format, so that figures are those of one format."""
    formats = tmp_path / "formats.toml"
    formats.write_text('[bare]\n[polite]\ntext = "Please say: [template]"\n', "utf-8")
    result = chosen(tmp_path / "run", formats=(str(formats),))
    asked = bvf.read_measurement(result.folder).record.asked.templates
    question = "On day 0, is the [X] a man?"
    orders = (("male | female", "(A) a man (B) a woman"), ("female | male", "(A) a woman (B) a man"))
    assert [(each.template, each.columns, each.count) for each in asked[:4]] == [
        (
            f"{before}{question} {listed} Answer: [Y]",
            {"origin": f"{question} {OFFER} Answer: [Y]", "format": name, "options": order},
            0.25,
        )
        for order, listed in orders
        for name, before in (("bare", ""), ("polite", "Please say: "))
    ]
    assert len(asked) == 120
    check_figures(result)
    explanation = bvf.explain(result)
    between = {each.frame: each.between for each in explanation.frame_shares}
    assert between == pytest.approx({"format": 0.0, "options": 0.3}, abs=0.03)
    assert [each.what for each in explanation.crossed] == ["template", "format", "options", "together"]
    (topic,) = bvf.compare([result.folder], by="format").topics
    assert [each.name for each in topic.models] == ["choosing:known (texts, bare)", "choosing:known (texts, polite)"]
    assert topic.number_of_contexts == 60
    assert {each.decision for each in topic.differences} == {"tied"}


@pytest.mark.parametrize(
    ("offer", "message"),
    [
        ("yes or no?", "--reader letter: the contexts offer no options"),
        ("[options: male=a man]", r"topic\nhint: write \[options: male=... \| female=...\]"),
        ("[options: male=a | female=b | male=c]", "are not the classes of the topic"),
        ("[options: male= | female=b]", "are not the classes of the topic"),
        ("[options] [options]", "lists its options twice"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_the_run(offer, message, tmp_path):
    with pytest.raises(BvfError, match=message):
        chosen(tmp_path / "run", offer)
    assert not (tmp_path / "run").exists()
