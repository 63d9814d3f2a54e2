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


def log_p_of_words(folder):
    """What the shards have of each word, shape (W, X, C)."""
    return np.moveaxis(read_measurement(folder, words=True).word_logprobs, -1, 0)


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
    done = command(
        *("run", "--cross", "many.toml,gender.toml", "--model", "toy:constant", "--plugin", toy, "--out", "out")
    )
    assert done.code == 2  # the answers of this model are all equal, which is seen once it is loaded
    assert 'many-gender: 4 classes, 183 phrases in each prompt, as "a0 man"' in done.err.splitlines()[0]


def test_a_margin_is_the_sum_of_its_classes(crossed, command):
    p, weights = stored(crossed)
    male = p[..., 0] + p[..., 2]
    done = command("analyse", crossed, "--margin", "gender", "--format", "json")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert result["margin"] == "gender"
    assert result["R"] == pytest.approx((np.abs(2 * male - 1) @ weights).mean(), abs=1e-12)
    assert result["groups"][0]["mean_probabilities"]["male"] == pytest.approx(male[0] @ weights, abs=1e-12)
    assert result["groups"][0]["reference_probabilities"] == {"male": 0.5, "female": 0.5}
    frame = bvf.analyse(crossed, margin="gender").stereotypes()
    assert set(frame["attribute"]) == {"male", "female"}
    np.testing.assert_allclose(frame.query("attribute == 'male'")["probability"], male.ravel())
    assert command("verify", crossed).code == 0


def test_p_star_of_a_margin_is_the_margin_of_p_star(crossed, here, command):
    (here / "p.csv").write_text(f"group,{','.join(CLASSES)}\nbaker,0.1,0.2,0.3,0.4\nwelder,0.4,0.3,0.2,0.1\n")
    done = command("analyse", crossed, "--margin", "race", "--reference", "p.csv", "--format", "json")
    assert done.code == 0, done.err
    p_star = [group["reference_probabilities"] for group in json.loads(done.out)["groups"]]
    assert p_star[0] == {"white": pytest.approx(0.3), "black": pytest.approx(0.7)}
    assert p_star[1] == {"white": pytest.approx(0.7), "black": pytest.approx(0.3)}
    assert command("verify", crossed).code == 0


def test_only_some_phrases_count_before_they_are_summed_up(crossed, command):
    done = command(
        *("analyse", crossed, "--margin", "gender", "--format", "json"),
        *("--words", "white & female=white woman", "--words", "black & female=black woman"),
    )
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert result["words"]["black & female"] == ["black woman"]
    white_man, white_woman, _, black_man, black_woman, _ = np.exp(log_p_of_words(crossed))
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
    done = command("topics", "cross", "race.toml", "gender.toml", "-o", "both.toml")
    assert done.code == 0, done.err
    assert "race-gender: 4 classes, 6 phrases in each prompt" in done.out
    topic = checked_topic(parse_toml((here / "both.toml").read_text(), "both.toml"), "both.toml")
    assert topic.attributes[0].factors == {"race": "white", "gender": "male"}
    done = command(
        "run", "--topic", "both.toml", "--model", "toy:hash", "--plugin", toy, "--out", "file", "--format", "json"
    )
    assert done.code == 0, done.err
    first, second = (json.loads((folder / "measurement.json").read_text()) for folder in (crossed, here / "file"))
    assert first["identity"] == second["identity"]
    assert command("topics", "cross", "race.toml", "gender.toml", "-o", "both.toml").code == 2
    assert command("topics", "cross", "race.toml", "gender.toml", "-o", "both.toml", "--force").code == 0


def test_words_and_phrase_say_how_words_are_joined_and_a_file_names_the_topics(here, command):
    (here / "run.toml").write_text('cross = ["race.toml", "gender.toml"]\n')
    done = command(
        *("run", "--config", "run.toml", "--phrase", "an [race] [gender]", "--words", "female=girl"),
        *("--model", "baseline:random", "--out", "out", "--format", "json"),
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["words"]["black & female"] == ["a black girl"]


def test_groups_that_are_products_keep_their_factors_to_the_table(here, command):
    cross = '[[cross]]\nphrase = "[race] [job]"\n[cross.levels]\nrace = ["Black", "white"]\njob = ["nurse"]'
    (here / "t.toml").write_text(topic_text(GENDER, tables=cross))
    done = command("run", "--topic", "t.toml", "--model", "baseline:random", "--out", "out", "--format", "json")
    assert done.code == 0, done.err
    asked = json.loads((here / "out" / "measurement.json").read_text())["asked"]
    factors = {"race": "Black", "job": "nurse"}
    assert asked["groups"][2] == {"name": "Black nurse", "gloss": "", "factors": factors, "features": {}}
    assert json.loads(done.out)["groups"][3]["factors"] == {"race": "white", "job": "nurse"}
    frame = bvf.read_result(here / "out").to_frame().set_index("group")
    assert frame.loc["white nurse", ["factor_race", "factor_job"]].tolist() == ["white", "nurse"]


def test_files_are_crossed_in_their_own_language(here, command):
    for file in (here / "race.toml", here / "gender.toml"):
        file.write_text(file.read_text().replace('language = "en"', 'language = "es"'))
    assert command("topics", "cross", "race.toml", "gender.toml", "-o", "both.toml").code == 0
    assert 'language = "es"' in (here / "both.toml").read_text()
    done = command("topics", "cross", "race.toml", "gender.toml", "--lang", "en", "-o", "other.toml")
    assert "--lang en: the topic race is in es" in done.err


BOTH = ("--cross", "race.toml,gender.toml")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--cross", ","), 'cross is ",": there is no name in it'),
        ((*BOTH, "--topic", "race"), "--topic race and --cross race.toml,gender.toml"),
        ((*BOTH, "--words", "femal=girl"), 'none of the crossed topics has the class "fe'),
        (("--topic", "race.toml", "--phrase", "[race]"), "no topics are crossed"),
        (("--topic", "race.toml", "--margin", "race"), "the classes of race have no factors"),
        ((*BOTH, "--margin", "gendr"), 'have no factor "gendr"'),
    ],
)
def test_what_cannot_be_crossed_is_one_line(here, command, options, message):
    done = command("run", *options, "--model", "baseline:random", "--out", "out")
    assert done.code == 2, done.out
    assert message in done.err.replace("\n", " ")
    assert "Traceback" not in done.err


def test_a_margin_needs_two_levels(here, command):
    one = topic_text({"a": ["a"], "b": ["b"]}, name="one")
    one += 'factors = { sort = "x" }\n'
    (here / "one.toml").write_text(one.replace('words = ["a"]\n', 'words = ["a"]\nfactors = { sort = "x" }\n'))
    done = command("run", "--topic", "one.toml", "--model", "baseline:random", "--out", "out", "--margin", "sort")
    assert done.code == 2
    assert "every class of one is x" in done.err
