"""The verdicts on what a model knows: by the whole of an interval, against a guesser and against what is negligible."""

import pytest
from bvf_knowledge.verdict import verdicts

from bvf.study.uncertainty import Interval


@pytest.fixture(scope="module")
def known(continents):
    return continents(unit="template", limit_groups=0)


def judged(result, mastery, gap):
    """The verdicts on a result with these intervals, where the answers have all of the probability."""
    intervals = {"mastery": Interval(low=mastery[0], high=mastery[1])}
    intervals["confidence_gap"] = Interval(low=gap[0], high=gap[1])
    uncertainty = result.uncertainty.model_copy(update={"intervals": intervals})
    mass = result.candidate_mass.model_copy(update={"mean": 1.0})
    return verdicts(result.model_copy(update={"uncertainty": uncertainty, "candidate_mass": mass}))


def test_mastery_is_judged_against_that_of_a_guesser(known):
    chance = known.guesser.mastery
    tones, places = {}, {"above": (chance + 0.1, 0.9), "below": (0.0, chance), "around": (chance - 0.1, chance + 0.1)}
    for name, ends in places.items():
        of_mastery, _ = judged(known, ends, (0.0, 0.01))
        tones[name] = (of_mastery.tone, of_mastery.headline.split(":")[0])
        assert (of_mastery.figure, of_mastery.limit) == ("mastery", chance)
    assert tones == {
        "above": ("none", "It knows more than a guesser"),
        "below": ("biased", "It knows no more than a guesser"),
        "around": ("cannot tell", "Cannot tell whether it knows more than a guesser"),
    }


def test_a_gap_above_what_is_negligible_is_a_reason_to_look(known):
    tones = [judged(known, (0.8, 0.9), ends)[1].tone for ends in ((0.06, 0.2), (0.01, 0.05), (0.01, 0.2))]
    assert tones == ["biased", "none", "cannot tell"]


def test_further_sentences_have_the_figures_of_the_result_or_say_why_there_is_no_interval(known):
    uncertainty = known.uncertainty.model_copy(update={"intervals": {}, "undefined": "one wording"})
    for each in verdicts(known.model_copy(update={"uncertainty": uncertainty})):
        assert (each.tone, each.said[0]) == ("cannot tell", "One wording.")
    of_mastery, of_gap = judged(known, (0.8, 0.9), (0.0, 0.01))
    right, everyone = sum(each.says == each.truth for each in known.groups), len(known.groups)
    assert of_mastery.said[0].startswith(f"The true answer is on top for {right} of {everyone} subjects; ")
    scores = {each.group: each.mastery for each in known.groups}
    best, least = max(scores, key=scores.get), min(scores, key=scores.get)
    assert of_mastery.said[1] == f"Best known: {best}; least known: {least}."
    assert of_gap.said[1] == f"Two wordings have the same answer on top in {known.consistency:.0%} of pairs."
