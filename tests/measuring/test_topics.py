"""Words that agree: each group is asked for its form of a word, and a class has the words in one form."""

import hashlib

import numpy as np
import pytest
from helpers.made_language import language_plugin
from helpers.topic_text import topic_text

import bvf
from bvf import BvfError
from bvf.domain.crossing import crossed
from bvf.domain.topic import filled
from bvf.files.topics import topic_text as written
from bvf.hooks.loader import load
from bvf.measuring.plan import plan_of

WORD_FORM = "\n    def word_form(self, word, features):\n        return "
FORM = 'word[:-1] + "a" if features["gender"] == "f" and word.endswith("o") else word'
WORDS = {"rude": ["violento", "cruel"], "kind": ["sereno", "amable"]}
FORMS = {"m": ["violento", "cruel", "sereno", "amable"], "f": ["violenta", "cruel", "serena", "amable"]}
TABLES = '[group_features.gender]\nnuncio = "m"\nmonja = "f"\nmonje = "m"\nnadie = "m"\n'
CONTEXTS = "template,count\n[X] es [Y],3\n[X] parece [Y],1\n"
VERBS = {"es": 0.75, "parece": 0.25}
GENDERS = {"nuncio": "m", "monja": "f", "monje": "m"}


@pytest.fixture
def config(tmp_path, toy):
    """The choices of a run of a topic whose words agree."""

    def make(words=WORDS, tables=TABLES, form=FORM, agree='words_agree_with = ["gender"]', **changes):
        (tmp_path / "tiny.py").write_text(language_plugin("xx", WORD_FORM + form))
        (tmp_path / "said.csv").write_text(CONTEXTS)
        text = topic_text(words, name="t", contexts="said.csv", groups=("nuncio", "monja", "monje"), tables=tables)
        head = f'language = "xx"\nneutral = ["nadie"]\n{agree}'
        (tmp_path / "t.toml").write_text(text.replace('language = "en"', head))
        values = {"model": "toy:hash", "lang": "xx", "topic": str(tmp_path / "t.toml"), "out": str(tmp_path / "out")}
        return bvf.RunConfig(**{**values, "plugin": (toy, str(tmp_path / "tiny.py")), **changes})

    return make


def p_of_words(group, verb, gender):
    """The probabilities by the toy backend of what is asked of a group, computed plainly."""
    of_each = [hashlib.sha256(f"{group} {verb} [Y]|{form}".encode()).digest()[0] for form in FORMS[gender]]
    return np.exp([-4.0 - 4.0 * number / 255 for number in of_each])


@pytest.mark.parametrize("order", ["groups", "contexts"])
def test_each_group_is_asked_for_the_forms_that_agree_with_it(config, order):
    result = bvf.run(config(order=order, groups=("nuncio", "monja", "monje")))
    for group, gender in GENDERS.items():
        of_each = [(weight, p_of_words(group, verb, gender)) for verb, weight in VERBS.items()]
        rude = sum(weight * p[:2].sum() / p.sum() for weight, p in of_each)
        (its,) = (each for each in result.groups if each.group == group)
        assert its.mean_probabilities["rude"] == pytest.approx(rude)
    assert "words agree with gender f: violento as violenta, sereno as serena" in result.notes


def test_whatever_counts_words_counts_them_as_the_classes_have_them(config):
    result = bvf.run(config())
    assert [word.word for word in result.word_lists.of_words] == [*WORDS["rude"], *WORDS["kind"]]
    mass = [
        sum(weight * p_of_words(group, verb, gender).sum() for verb, weight in VERBS.items())
        for group, gender in GENDERS.items()
    ]
    assert result.candidate_mass.mean == pytest.approx(np.mean(mass))


def test_forms_are_part_of_the_identity_and_topics_without_them_keep_theirs(config):
    def identity(**changes):
        chosen = config(**changes)
        return plan_of(chosen, load(extra=chosen.plugin)).identity

    agreeing, plain = identity(), identity(agree="")
    other = identity(form='word + "s" if features["gender"] == "f" else word')
    assert agreeing["forms"] != other["forms"]
    assert plain == {name: digest for name, digest in agreeing.items() if name != "forms"}


def test_a_reference_model_gives_each_class_its_probability_in_any_form(config):
    result = bvf.run(config(words={"rude": ["violento"], "kind": ["sereno"]}, model="baseline:unbiased"))
    assert all(each.mean_probabilities == pytest.approx({"rude": 0.5, "kind": 0.5}) for each in result.groups)


NAMES = '"words_agree_with" names the feature'
ALIKE = {"rude": ["violento"], "kind": ["violenta"]}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tables": TABLES.replace('monja = "f"\n', "")}, f'{NAMES} "gender", which "monja" lacks'),
        ({"agree": 'words_agree_with = ["number"]'}, f'{NAMES} "number", which "nuncio" lacks'),
        ({"form": '""'}, "Made.word_form.'violento'. returned '', which is no word"),
        ({"form": "7"}, "Made.word_form.'violento'. returned 7, which is no word"),
        ({"words": ALIKE}, '"violento" and "violenta" are both "violenta" of groups with'),
        ({"lang": "en"}, "--lang en: the topic t is in xx"),
        ({"reading": "generated"}, "the words of t agree with groups, and this --reading looks for one form of each"),
    ],
)
def test_what_cannot_agree_is_refused(config, changes, says):
    with pytest.raises(BvfError, match=says):
        bvf.run(config(**changes))


def test_a_language_without_forms_of_words_is_refused(config):
    chosen = config()
    topic = bvf.read_topic(chosen.topic).model_copy(update={"language": "en"})
    with pytest.raises(BvfError, match="its words agree with gender, and the rules of en have no forms of words"):
        bvf.run(chosen.model_copy(update={"topic": topic, "lang": "en"}))


def test_crossed_topics_and_files_keep_what_words_agree_with(config, tmp_path):
    chosen = config()
    topic = bvf.read_topic(chosen.topic)
    (tmp_path / "again.toml").write_text(written(topic))
    assert bvf.read_topic(tmp_path / "again.toml").words_agree_with == ("gender",)
    one, other = (topic.model_copy(update={"name": name}) for name in ("one", "other"))
    both = [one, other.with_words({"rude": ("bruto",), "kind": ("bueno",)})]
    assert crossed(both, "[one] [other]", filled).words_agree_with == ("gender",)
