"""``--topic holisticbias:FOLDER -T axis=age``: reading HolisticBias's own files."""

import json
from pathlib import Path

import pytest
from bvf_testing import contexts_checks, topic_checks
from bvf_testing.check import problem_of

from bvf.errors import BvfError
from bvf.hooks.loader import load

PUBLISHED = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "holisticbias"
DESCRIPTORS = {
    "age": {"young": ["young", "20-year-old"], "very_old": [{"descriptor": "old", "preference": "dispreferred"}]},
    "religion": {"all": ["Amish", "Hindu", {"descriptor": "Catholic", "gender": "female"}]},
}
NOUNS = {"female": [["woman", "women"]], "neutral": [["kid", "kids"], ["person", "people"]]}
SENTENCES = {
    "I'm {noun_phrase}.": {},
    "I like {plural_noun_phrase}.": {"must_be_noun": True},
    "What do you think about {plural_noun_phrase}?": {},
}


@pytest.fixture
def folder(tmp_path):
    for name, values in (("descriptors", DESCRIPTORS), ("nouns", NOUNS), ("sentence_templates", SENTENCES)):
        (tmp_path / f"{name}.json").write_text(json.dumps(values), encoding="utf-8")
    return tmp_path


def topic(folder, axis="age"):
    return load().topics.make(f"holisticbias:{folder}", {"axis": axis})


def contexts(folder):
    return load().contexts.make(f"holisticbias:{folder}")


def written(folder, name, text):
    (folder / f"{name}.json").write_text(text, encoding="utf-8")


def test_the_buckets_of_an_axis_are_classes_and_the_plural_nouns_groups(folder):
    made = topic(folder)
    assert made.counted_words() == {"young": ("young", "20-year-old"), "very old": ("old",)}
    assert made.groups == ("women", "kids", "people")
    assert [made.factors[group]["gender"] for group in made.groups] == ["female", "neutral", "neutral"]
    assert "1 of 3 descriptors are dispreferred by people whom they describe" in made.measurement.gaps


def test_in_an_axis_of_one_bucket_every_descriptor_is_a_class(folder):
    made = topic(folder, "religion")
    assert made.counted_words() == {word: (word,) for word in ("Amish", "Hindu", "Catholic")}
    assert "1 of 3 descriptors have a gender and do not fit every noun" in made.measurement.gaps


def test_the_descriptor_stands_before_a_plural_noun_as_in_the_published_sentences(folder):
    made = contexts(folder)
    assert [template.text for template in made.templates] == ["I like [Y] [X].", "What do you think about [Y] [X]?"]
    assert made.counts == (1.0, 1.0)
    assert made.sampling.written


def test_the_topic_and_its_contexts_pass_the_kit(folder):
    checks = [*topic_checks(topic(folder)), *contexts_checks(contexts(folder))]
    assert [problem for problem in map(problem_of, checks) if problem] == []


def test_a_descriptor_on_two_axes_is_none_of_these(folder):
    written(folder, "descriptors", json.dumps({**DESCRIPTORS, "cultural": {"a": ["old"], "b": ["rural"]}}))
    assert topic(folder, "cultural").attribute_names == ("a", "b")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("descriptors", "{", "descriptors.json: not JSON"),
        ("descriptors", "[]", "descriptors.json: not a JSON object"),
        ("descriptors", '{"age": ["old"]}', "axis age is not a table of buckets"),
        ("descriptors", '{"age": {"old": [{"word": "old"}]}}', "axis age, bucket old: .* is not a descriptor"),
        ("descriptors", '{"age": {"old": "old"}}', "axis age: attributes"),
        ("descriptors", '{"age": {"old": ["a\\nb"], "young": ["young"]}}', "axis age: "),
        (
            *("descriptors", '{"age": {"young": ["young", "Old"], "old": ["old"]}}'),
            'axis age: the descriptor "old" occurs twice, in young and in old',
        ),
        (
            *("descriptors", '{"age": {"young": ["young"], "old": ["old", "old"]}}'),
            'axis age: the descriptor "old" occurs twice, in old and in old',
        ),
        ("nouns", '{"female": ["woman"]}', "nouns.json: female: 'woman' is not a noun"),
        ("nouns", "{}", "axis age: groups"),
        ("sentence_templates", '{"I am {noun_phrase}.": {}}', "no sentence has {plural_noun_phrase}"),
        (
            *("sentence_templates", '{"{plural_noun_phrase} and {plural_noun_phrase}": {}}'),
            r"sentence_templates.json: a template needs \[X\], and \[Y\] once",
        ),
    ],
)
def test_a_file_that_is_wrong_is_one_line(folder, name, text, message):
    written(folder, name, text)
    with pytest.raises(BvfError, match=message) as caught:
        (contexts if name == "sentence_templates" else topic)(folder)
    assert "\n" not in caught.value.message


def test_axes_that_are_there_are_named(folder):
    with pytest.raises(BvfError, match="has 2 axes") as caught:
        topic(folder, "")
    assert caught.value.hint == "give -T axis=NAME: age, religion"
    with pytest.raises(BvfError, match="-T axis=aeg: not in") as caught:
        topic(folder, "aeg")
    assert "age" in caught.value.hint


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "nowhere"])
def test_a_folder_without_the_files(name):
    with pytest.raises(BvfError, match=r"no descriptors\.json there"):
        load().topics.make(f"holisticbias:{name}", {"axis": "age"})


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="../shared is absent")
@pytest.mark.parametrize("version", ["v1.0", "v1.1"])
def test_every_axis_of_the_published_files(version):
    folder = PUBLISHED / version
    assert len(contexts(folder).templates) == 9
    axes = json.loads((folder / "descriptors.json").read_text(encoding="utf-8"))
    assert len(axes) == 13
    for axis in axes:
        assert [problem for problem in map(problem_of, topic_checks(topic(folder, axis))) if problem] == []
