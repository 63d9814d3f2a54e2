"""Openings of a run: found or refused, drawn with templates or before each in turn, read as plain text."""

import pytest
from helpers.topic_text import topic_text

import bvf
from bvf.hooks.loader import load
from bvf.measuring.plan import plan_of

COLD, LATE, RAIN = "It was a cold day.", "The train was late again.", "Rain fell on the hills."
TEMPLATES = ("The [X] said that [Y]", "The [X] knew that [Y]", "Later the [X] wrote that [Y]")
WORDS = {"male": ("he", "his"), "female": ("she", "her")}
GROUPS = ("nurse", "captain")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pool.csv").write_text(f"opening,count,source\n{COLD},2,a\n{LATE},1,b\n{RAIN},1,c\nnone,1,\n")
    (tmp_path / "three.csv").write_text("template,count\n" + "".join(f"{each},1\n" for each in TEMPLATES))
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "post.txt").write_text("Kind regards\n[X]\n\nOur answer is [Y]")
    return tmp_path


def measured(model, out, **choices):
    bvf.run(model=model, words=WORDS, groups=GROUPS, out=out, **choices)
    return bvf.read_measurement(out)


@pytest.mark.parametrize("model", ["bundled:en-causal", "bundled:en-masked", "bundled:en-seq2seq"])
def test_a_model_reads_an_opening_as_it_would_read_the_whole_text(files, model):
    opened = measured(model, "opened", contexts="three.csv", openings="pool.csv", sample_contexts=9)
    texts = texts_of(opened)
    (files / "whole.csv").write_text("template,count\n" + "".join(f"{each},1\n" for each in texts))
    whole = measured(model, "whole", contexts="whole.csv")
    assert texts_of(whole) == texts
    assert opened.probabilities == pytest.approx(whole.probabilities, abs=2e-3)  # drawn: within the tolerance


def texts_of(measurement):
    return [each.template for each in measurement.record.asked.in_order]


def test_a_longer_run_asks_the_rest_and_parts_make_one_run(files, in_json):
    common = {"words": {"male": ("he",), "female": ("she",)}, "groups": GROUPS, "openings": "pool.csv"}
    few = bvf.measure(**common, sample_contexts=6, out="out")
    assert few.record.identity["openings"] == in_json("openings", "pool.csv")["digest"]
    more = {**common, "sample_contexts": 15}
    many = bvf.measure(**more, out="out")
    assert many.probabilities[:, : few.probabilities.shape[1]] == pytest.approx(few.probabilities, abs=1e-6)
    for part in ("1/2", "2/2"):
        bvf.run_part(**more, out="parts", part=part)
    parted = bvf.read_measurement("parts")
    assert texts_of(parted) == texts_of(many)
    assert parted.probabilities == pytest.approx(many.probabilities, abs=2e-3)
    with pytest.raises(bvf.BvfError, match="openings"):
        bvf.measure(**{**more, "openings": "none"}, out="out")


def test_formats_stand_around_openings(files):
    asked_alike = {"contexts": "three.csv", "openings": "pool.csv", "groups": GROUPS, "words": WORDS}
    plain = bvf.run(**asked_alike, out="plain")
    (files / "formats.toml").write_text('[as-is]\ntext = "[template]"\n[goes-on]\ntext = "It goes on: [template]"\n')
    formats = bvf.run(**asked_alike, formats="formats.toml", out="formats")
    texts = texts_of(bvf.read_measurement("plain"))
    asked = {*texts_of(bvf.read_measurement("formats"))}
    assert asked >= set(texts)
    assert all(text.startswith("It goes on: ") for text in asked - set(texts))
    assert len(asked) == 2 * len(texts)
    assert plain.uncertainty.draws == 80
    assert formats.number_of_contexts == 2 * len(texts)


def test_all_of_a_mined_set_are_asked_once_each(files):
    result = bvf.run(contexts="gender-balanced", openings="pool.csv", groups=GROUPS, words=WORDS, out="all")
    asked = bvf.read_measurement("all").record.asked
    assert len(asked.in_order) == len(asked.templates) == result.uncertainty.draws
    assert asked.context_weights == pytest.approx(asked.context_set().weights())
    assert (result.uncertainty.unit, result.uncertainty.estimand) == ("template", "templates")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("no-such-pool", '--openings: en has no openings "no-such-pool"'),
        ("gone.csv", "gone.csv"),
        ("one.txt", "1 openings"),
        ("slot.txt", "has a slot"),
        ("foreign.csv", "--openings: foreign.csv is in zh, and the contexts are in en"),
        ("chinese.txt", "--openings: chinese.txt is in another script than the groups of gender"),
        ("talks.json --backend llama", "the backend llama is not asked in a chat after them"),
        ("cut.json", "cut.json: conversation 2: it ends with the user"),
        ("pool.csv --contexts x.csv", 'error: --openings: pool.csv has a column "source", and so have its contexts'),
        ("--topic team.toml", 'error: topic team: en has no openings "no-persons"\n hint: did you mean no-person?'),
    ],
)
def test_openings_that_cannot_be_used_are_one_line(files, refused, choice, message):
    (files / "one.txt").write_text(f"{COLD}\n")
    (files / "slot.txt").write_text(f"{COLD}\nThe [X] slept.\n")
    (files / "foreign.csv").write_text("opening\n天气很冷。\n火车晚点了。\n")
    (files / "chinese.txt").write_text("天气很冷。\n火车晚点了。\n")
    (files / "sources.toml").write_text('[foreign]\nsource = "made up"\nlanguage = "zh"\n')
    (files / "x.csv").write_text("template,count,source\n" + "".join(f"{each},1,x\n" for each in TEMPLATES))
    nurse = '[{"role": "user", "content": "I am a nurse."}, {"role": "assistant", "content": "I see."}]'
    (files / "talks.json").write_text(f'[{nurse}, {{"opening": "It was cold."}}, []]')
    (files / "cut.json").write_text(f'[{nurse}, [{{"role": "user", "content": "Hello."}}], []]')
    text = topic_text(WORDS, name="team", contexts="gender-balanced", groups=GROUPS)
    (files / "team.toml").write_text(f'openings = "no-persons"\n{text}')
    chosen = choice if choice.startswith("--") else f"--openings {choice} --groups nurse"
    assert message in refused("run", *chosen.split(), "--out", "out")
    assert not (files / "out").exists()


def test_runs_after_other_openings_are_not_compared(files, refused, in_json):
    (files / "others.txt").write_text(f"{COLD}\n{LATE}\n")
    asked = {"contexts": "three.csv", "groups": GROUPS, "words": WORDS}
    for pool in ("pool.csv", "others.txt"):
        bvf.run(**asked, openings=pool, out=pool.partition(".")[0])
    assert "drew contexts from other templates or openings" in refused("compare", "pool", "others")
    bvf.run(**asked, model="bundled:en-masked", openings="pool.csv", out="m")
    topic = in_json("compare", "pool", "m")["topics"][0]
    risks = {each["figure"]: each for each in topic["differences"]}
    apart = bvf.read_result("pool").R - bvf.read_result("m").R
    assert risks["R"]["value"] == pytest.approx(apart, abs=1e-9)
    assert topic["population"] == "other openings of pool.csv"


@pytest.mark.parametrize(
    ("choices", "pool"),
    [
        ({}, "no-person"),
        ({"topic": "race"}, "no-person"),
        ({"contexts": "gender-balanced"}, "no-person"),
        ({"lang": "zh", "model": "bundled:zh-causal"}, "no-person"),
        ({"contexts": "three.csv"}, ""),
        ({"contexts": "documents:letters"}, ""),
        ({"openings": "none"}, ""),
        ({"cross": ("race", "gender")}, "no-person"),
        ({"topic": "gender-2026"}, ""),
        ({"topic": "race-paper"}, ""),
        ({"topic": "knowledge/capitals"}, ""),
        ({"contexts": "three.csv", "openings": "no-person"}, "no-person"),
        ({"topic": "gender-2026", "openings": "no-person"}, "no-person"),
    ],
)
def test_openings_are_those_of_the_topic_before_contexts_of_a_pack(files, choices, pool):
    plan = plan_of(bvf.MeasureConfig(limit_groups=2, **choices), load())
    asked = plan.asked.openings
    assert ("" if asked is None else asked.name) == pool
    assert plan.config.openings == (pool or "none")


def test_a_topic_of_ones_own_has_the_openings_that_it_names_before_its_own_file(files):
    text = topic_text(WORDS, contexts="three.csv", groups=GROUPS)
    for named, pool in (("", "none"), ('openings = "no-person"\n', "no-person")):
        (files / "mine.toml").write_text(named + text)
        assert plan_of(bvf.MeasureConfig(topic="mine.toml"), load()).config.openings == pool


def test_the_heaviest_contexts_of_a_mined_set_are_each_asked_once_and_are_no_sample(files):
    plan = plan_of(bvf.MeasureConfig(limit_contexts=40), load())
    assert {each.drawn for each in plan.asked.templates} == {1}
    result = bvf.run(model="baseline:random", limit_contexts=40, limit_groups=4, out="heaviest")
    assert (result.uncertainty.estimand, result.uncertainty.intervals) == ("set", {})
    assert "of their source, not a random sample" in result.uncertainty.undefined
    written = bvf.run(model="baseline:random", topic="race", limit_contexts=5, limit_groups=4, out="written")
    assert written.uncertainty.draws == 5
    assert "after one opening" in written.uncertainty.undefined


def test_controls_are_asked_after_the_same_openings_and_verified(files, command):
    result = bvf.run(model="baseline:random", limit_groups=4, controls=True, out="run")
    assert {each.topic for each in result.controls} == {"weekday", "hair-colour", "ordinal"}
    for control in result.controls:
        record = bvf.read_measurement(f"run/controls/{control.topic}").record
        assert record.asked.openings == bvf.read_measurement("run").record.asked.openings
        assert control.intervals["R"]
    assert command("verify", "run").code == 0


def test_columns_of_openings_are_columns_of_contexts(files):
    asked = measured("bundled:en-causal", "out", contexts="three.csv", openings="pool.csv").record.asked
    of_pool = {each.columns["opening"]: each.columns.get("source") for each in asked.in_order}
    assert of_pool == {COLD: "a", LATE: "b", RAIN: "c", "none": ""}
