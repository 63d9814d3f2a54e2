"""``--cross``, ``bvf topics cross`` and ``--margin``, from the command line to what lies in the folder."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.fixtures import TOY
from helpers.topic_text import topic_text

import bvf
from bvf.domain.topic import checked_topic
from bvf.files.parsing import parse_toml
from bvf.measuring.folder import read_measurement

RACE = {"white": ["white"], "black": ["black"]}
GENDER = {"male": ["man"], "female": ["woman", "lady"]}
CLASSES = ["white & male", "white & female", "black & male", "black & female"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The files of two topics, and below ``out`` a crossed measurement."""
    place = tmp_path_factory.mktemp("crossed")
    for name, classes in (("race", RACE), ("gender", GENDER)):
        (place / f"{name}.toml").write_text(topic_text(classes, name=name))
    cross = tuple(str(place / f"{name}.toml") for name in ("race", "gender"))
    bvf.run(model="toy:hash", plugin=(str(TOY),), cross=cross, out=str(place / "out"))
    return place


@pytest.fixture
def here(finished, tmp_path, monkeypatch):
    """A folder with the files of two topics, in which commands run."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(finished, tmp_path, ignore=shutil.ignore_patterns("out"), dirs_exist_ok=True)


@pytest.fixture
def crossed(finished, here):
    """The folder of a crossed measurement."""
    return shutil.copytree(finished / "out", here / "out")


def stored(folder):
    """p of the classes as the shards have it, shape (X, C, Y), and the weights of the contexts."""
    table = pd.concat(pd.read_parquet(file) for file in sorted((folder / "probabilities").glob("*.parquet")))
    asked = json.loads((folder / "measurement.json").read_text())["asked"]
    p = table[[f"p_{name}" for name in CLASSES]].to_numpy().reshape(2, -1, 4)
    counts = np.array([each["count"] for each in asked["templates"]])
    return p, counts / counts.sum()


def test_crossed_classes_are_asked_as_phrases_and_keep_their_factors(crossed):
    asked = json.loads((crossed / "measurement.json").read_text())["asked"]
    assert asked["topic"] == "race-gender"
    assert asked["attributes"][3] == {
        "name": "black & female",
        "words": ["black woman", "black lady"],
        "factors": {"race": "black", "gender": "female"},
    }
    assert bvf.read_result(crossed).words["white & male"] == ("white man",)


def test_how_much_is_asked_is_said_before_the_model_is_loaded(here, command, toy):
    (here / "many.toml").write_text(topic_text({"a": [f"a{i}" for i in range(60)], "b": ["b"]}, name="many"))
    done = command("run", "--cross", "many.toml,gender.toml", "--model", "toy:constant", "--plugin", toy)
    assert done.code == 2  # the answers of this model are all equal, which is seen once it is loaded
    assert 'many-gender: 4 classes, 183 phrases in each prompt, as "a0 man"' in done.err.splitlines()[0]


def test_a_margin_is_the_sum_of_its_classes(crossed, command, in_json):
    p, weights = stored(crossed)
    male = p[..., 0] + p[..., 2]
    result = in_json("analyse", crossed, "--margin", "gender")
    assert result["margin"] == "gender"
    assert result["R"] == pytest.approx((np.abs(2 * male - 1) @ weights).mean(), abs=1e-12)
    assert result["groups"][0]["mean_probabilities"]["male"] == pytest.approx(male[0] @ weights, abs=1e-12)
    assert result["groups"][0]["reference_probabilities"] == {"male": 0.5, "female": 0.5}
    frame = bvf.analyse(crossed, margin="gender").stereotypes()
    assert set(frame["attribute"]) == {"male", "female"}
    np.testing.assert_allclose(frame.query("attribute == 'male'")["probability"], male.ravel())
    assert command("verify", crossed).code == 0


def test_p_star_of_a_margin_is_the_margin_of_p_star(crossed, here, command, in_json):
    (here / "p.csv").write_text(f"group,{','.join(CLASSES)}\nbaker,0.1,0.2,0.3,0.4\nwelder,0.4,0.3,0.2,0.1\n")
    groups = in_json("analyse", crossed, "--margin", "race", "--reference", "p.csv")["groups"]
    assert groups[0]["reference_probabilities"] == {"white": pytest.approx(0.3), "black": pytest.approx(0.7)}
    assert groups[1]["reference_probabilities"] == {"white": pytest.approx(0.7), "black": pytest.approx(0.3)}
    assert command("verify", crossed).code == 0


def test_only_some_phrases_count_before_they_are_summed_up(crossed, command, in_json):
    some = ("--words", "white & female=white woman", "--words", "black & female=black woman")
    result = in_json("analyse", crossed, "--margin", "gender", *some)
    assert result["words"]["black & female"] == ["black woman"]
    log_p = np.moveaxis(read_measurement(crossed, words=True).word_logprobs, -1, 0)
    white_man, white_woman, _, black_man, black_woman, _ = np.exp(log_p)
    male = (white_man + black_man) / (white_man + black_man + white_woman + black_woman)
    assert result["R"] == pytest.approx((np.abs(2 * male - 1) @ stored(crossed)[1]).mean(), abs=1e-6)
    assert command("verify", crossed).code == 0


def test_the_bound_of_a_margin_is_that_of_as_many_classes_as_it_sums_up(crossed):
    measurement = read_measurement(crossed)
    bounded = replace(measurement, bounds=np.full(measurement.bounds.shape, 0.01), folder=None)
    assert bvf.analyse(bounded).deviation_bound == 0.01
    assert bvf.analyse(bounded, margin="gender").deviation_bound == 0.02


def test_results_of_different_margins_stand_in_no_table(crossed, here, command, toy):
    options = ("--model", "toy:hash", "--plugin", toy, "--out", "other", "--margin", "race", "--format", "json")
    assert command("run", "--cross", "race.toml,gender.toml", *options).code == 0
    shown = command("show", crossed, "other")
    assert shown.code == 0
    assert "margin none: race-gender (en), toy:hash, criterion linf: which of 4 classes?" in shown.out.splitlines()
    assert "race-gender (en), margin race, toy:hash, criterion linf: white or black?" in shown.out.splitlines()


def test_the_file_that_is_written_asks_what_the_option_asks(crossed, here, command, toy):
    write = ("topics", "cross", "race.toml", "gender.toml", "-o", "both.toml")
    done = command(*write)
    assert done.code == 0, done.err
    assert "race-gender: 4 classes, 6 phrases in each prompt" in done.out
    topic = checked_topic(parse_toml((here / "both.toml").read_text(), "both.toml"), "both.toml")
    assert topic.attributes[0].factors == {"race": "white", "gender": "male"}
    bvf.run(topic="both.toml", model="toy:hash", plugin=toy, out="file")
    first, second = (json.loads((folder / "measurement.json").read_text()) for folder in (crossed, here / "file"))
    assert first["identity"] == second["identity"]
    assert (command(*write).code, command(*write, "--force").code) == (2, 0)


def test_words_and_phrase_say_how_words_are_joined_and_a_file_names_the_topics(here, in_json):
    (here / "run.toml").write_text('cross = ["race.toml", "gender.toml"]\n')
    joined = ("--phrase", "an [race] [gender]", "--words", "female=girl")
    result = in_json("run", "--config", "run.toml", *joined, "--model", "baseline:random", "--out", "out")
    assert result["words"]["black & female"] == ["a black girl"]


def test_groups_that_are_products_keep_their_factors_to_the_table(here, in_json):
    cross = '[[cross]]\nphrase = "[race] [job]"\n[cross.levels]\nrace = ["Black", "white"]\njob = ["nurse"]'
    (here / "t.toml").write_text(topic_text(GENDER, tables=cross))
    result = in_json("run", "--topic", "t.toml", "--model", "baseline:random", "--out", "out")
    assert result["groups"][3]["factors"] == {"race": "white", "job": "nurse"}
    asked = json.loads((here / "out" / "measurement.json").read_text())["asked"]
    factors = {"race": "Black", "job": "nurse"}
    assert asked["groups"][2] == {"name": "Black nurse", "gloss": "", "factors": factors, "features": {}}
    frame = bvf.read_result(here / "out").to_frame().set_index("group")
    assert frame.loc["white nurse", ["factor_race", "factor_job"]].tolist() == ["white", "nurse"]


def test_files_are_crossed_in_their_own_language(here, command, refused):
    for file in (here / "race.toml", here / "gender.toml"):
        file.write_text(file.read_text().replace('language = "en"', 'language = "es"'))
    cross = ("topics", "cross", "race.toml", "gender.toml", "-o")
    assert command(*cross, "both.toml").code == 0
    assert 'language = "es"' in (here / "both.toml").read_text()
    assert "--lang en: the topic race is in es" in refused(*cross, "other.toml", "--lang", "en")


def test_a_margin_is_a_factor_of_two_levels(here, command, refused):
    done = command("run", "--cross", "race.toml,gender.toml", "--margin", "gendr", "--model", "baseline:random")
    assert (done.code, 'have no factor "gendr"' in done.err, "Traceback" in done.err) == (2, True, False)
    one = topic_text({"a": ["a"], "b": ["b"]}, name="one").replace('["a"]\n', '["a"]\nfactors = { sort = "x" }\n')
    (here / "one.toml").write_text(f'{one}factors = {{ sort = "x" }}\n')
    run = ("run", "--topic", "one.toml", "--model", "baseline:random", "--out", "out")
    assert "every class of one is x" in refused(*run, "--margin", "sort")
