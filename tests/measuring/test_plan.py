"""What a topic says of the words that its groups are reaches the wording rules of the language."""

import pickle
from functools import reduce

import pytest
from bvf_testing import language_checks
from helpers.made_language import language_plugin
from helpers.topic_text import topic_text

import bvf
from bvf import BvfError, Group, RunConfig, read_topic
from bvf.domain.topic import features_together
from bvf.files.topics import topic_text as written
from bvf.hooks.loader import load
from bvf.measuring.plan import plan_of

AGREE = """
    def agree(self, template, group, features):
        article = {"feminine": "die ", "masculine": "der "}.get(features.get("gender"), "")
        made = self.render(template, group)
        return Prompt(made.left.replace(group, article + group), made.right, group, template.text)
"""
FEATURES = """[group_features.gender]
Arzt = "masculine"
Krankenschwester = "feminine"
"""
GROUPS = ("Arzt", "Krankenschwester")
CONTEXTS = "template,count\nDa sagte [X] dass [Y],1\nWie [X] wusste [Y],1\n"


@pytest.fixture
def planned(tmp_path, toy):
    """Lay out a run of a topic with some features."""
    (tmp_path / "german.py").write_text(language_plugin("de", AGREE))
    (tmp_path / "said.csv").write_text(CONTEXTS)

    def of(features, **changes):
        words = {"male": ["er"], "female": ["sie"]}
        text = topic_text(words, name="t", contexts="said.csv", groups=GROUPS, tables=features)
        (tmp_path / "t.toml").write_text(text.replace('language = "en"', 'language = "de"'))
        plugin = (toy, str(tmp_path / "german.py"))
        values = {"model": "toy:hash", "out": str(tmp_path / "out"), **changes}
        config = RunConfig(**{"topic": str(tmp_path / "t.toml"), "plugin": plugin, **values})
        return plan_of(config, load(extra=plugin))

    return of


def lefts(questions, language):
    return [prompt.left for prompt in questions.prompts(range(4), language)]


def test_articles_agree_with_the_gender_that_the_topic_tells(planned):
    study = planned(FEATURES)
    right = ["Da sagte der Arzt dass", "Wie der Arzt wusste"]
    right += ["Da sagte die Krankenschwester dass", "Wie die Krankenschwester wusste"]
    assert lefts(study.questions, study.language) == right
    sent = pickle.loads(pickle.dumps(study.questions))  # as a worker of another process gets them
    assert lefts(sent, study.language) == right


@pytest.mark.parametrize("choices", [{}, {"lang": "de"}, {"topic": "", "cross": "t.toml,u.toml"}])
def test_a_topic_is_asked_in_its_own_language(planned, tmp_path, monkeypatch, choices):
    monkeypatch.chdir(tmp_path)
    planned(FEATURES)
    other = {'"t"': '"u"', '"er"': '"alt"', '"sie"': '"neu"', "female": "new", "male": "old"}
    text = (tmp_path / "t.toml").read_text()
    (tmp_path / "u.toml").write_text(reduce(lambda made, name: made.replace(name, other[name]), other, text))
    study = planned(FEATURES, **choices)
    assert lefts(study.questions, study.language)[0] == "Da sagte der Arzt dass"
    assert bvf.run(study.config).language == "de"
    assert bvf.read_measurement(tmp_path / "out").record.asked.language == "de"
    assert bvf.verify(tmp_path / "out") == []


def test_a_topic_of_python_is_asked_in_its_own_language_and_in_no_other(planned, tmp_path):
    planned(FEATURES)
    study = planned(FEATURES, topic=read_topic(tmp_path / "t.toml"), contexts=str(tmp_path / "said.csv"))
    assert (study.language.code, study.config.lang, study.asked.language) == ("de", "de", "de")
    for lang, says in (("en", "--lang en: the topic t is in de"), ("xx", "no language .xx")):
        with pytest.raises(BvfError, match=says):
            planned(FEATURES, lang=lang)


def test_run_and_check_refuse_a_topic_in_a_language_without_rules(planned, tmp_path, command, toy):
    planned("")
    for arguments in (("check", tmp_path / "t.toml"), ("run", "--plugin", toy, "--topic", tmp_path / "t.toml")):
        done = command(*arguments)
        assert done.code == 2
        assert 'the topic t is in "de", a language whose wording rules are not installed' in done.out + done.err


def test_a_run_with_other_features_is_another_and_one_without_is_as_it_was(planned, tmp_path):
    with_features, without = planned(FEATURES), planned("")
    assert "features" not in without.identity
    assert with_features.identity["features"] != planned(FEATURES.replace("feminine", "neuter")).identity["features"]
    assert lefts(without.questions, without.language)[0] == "Da sagte Arzt dass"
    bvf.run(planned(FEATURES).config)
    stored = bvf.read_measurement(tmp_path / "out").record.asked.groups
    assert [group.features for group in stored] == [{"gender": "masculine"}, {"gender": "feminine"}]


@pytest.mark.parametrize(("first", "start"), [("[Y] is what [X] is", "harness"), ("So [Y] is what [X] is", "")])
def test_the_token_before_a_word_with_nothing_left_of_it_is_part_of_the_identity_only_there(tmp_path, first, start):
    """A model of transformers has a rule for it; what never uses the rule stays the same measurement."""
    (tmp_path / "said.csv").write_text(f"template,count\n{first},1\nThe [X] said that [Y],1\n")
    config = {"contexts": str(tmp_path / "said.csv"), "limit_groups": 2}
    plan = plan_of(RunConfig(backend_options={"start": "harness"}, **config), load())
    assert (plan.measured_model.start, plan.identity.get("start", "")) == (start, start)
    assert (plan.identity == plan_of(RunConfig(**config), load()).identity) == (not start)
    assert "start" not in plan_of(RunConfig(model="bundled:en-masked", **config), load()).identity


def test_texts_go_on_from_contexts_of_their_own_where_the_topic_names_some(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "said.csv").write_text("template,count\n[X] said that [Y],1\n")
    (tmp_path / "after.csv").write_text("template,count\nIt rained when [X] left. So [Y],1\n")

    def asked(key, reading, contexts=""):
        text = topic_text({"male": ["he"], "female": ["she"]}, contexts="said.csv")
        (tmp_path / "t.toml").write_text(f"{key}\n{text}")
        plan = plan_of(RunConfig(model="baseline:random", topic="t.toml", reading=reading, contexts=contexts), load())
        return plan.contexts.templates[0].text.split()[0]

    found = [asked('texts = "after.csv"', *each) for each in (("generated",), ("probable",), ("generated", "said.csv"))]
    assert [*found, asked("", "generated")] == ["It", "[X]", "[X]", "[X]"]


def test_each_template_that_is_drawn_is_asked_in_each_format(tmp_path):
    (tmp_path / "mine.toml").write_text('[bare]\n[minutes]\ntext = "Minutes: [template]"\n')

    def asked(formats):
        config = RunConfig(model="baseline:random", contexts="gender", sample_contexts=10, seed=3, formats=formats)
        return plan_of(config, load()).asked

    drawn = {each.template: each.drawn for each in asked(()).in_order}
    found = asked(str(tmp_path / "mine.toml"))
    assert {each.template: each.count for each in found.in_order if each.columns["format"] == "bare"} == {
        template: times / 2 for template, times in drawn.items()
    }
    assert {each.columns["origin"] for each in found.in_order if each.template.startswith("Minutes: ")} == set(drawn)
    assert found.sampling.written


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"formats": ("bare", "user")}, "has contexts in chats, which the backend baseline does not read"),
        ({"formats": ("bare", "user"), "precision": 0.1}, "--formats bare,user and --precision exclude each other"),
    ],
)
def test_formats_that_cannot_be_asked_are_refused(choices, says):
    with pytest.raises(BvfError, match=says):
        plan_of(RunConfig(model="baseline:random", **choices), load())


def test_the_file_format_keeps_them_and_refuses_what_is_no_group(planned, tmp_path):
    topic = planned(FEATURES).topic
    (tmp_path / "again.toml").write_text(written(topic))
    assert read_topic(tmp_path / "again.toml").group_features == topic.group_features
    says = r'"group_features.gender" names the group "Maurer", which the topic does not have'
    with pytest.raises(BvfError, match=says):
        planned(FEATURES + 'Maurer = "masculine"\n')


def test_of_topics_that_know_a_group_the_first_is_believed(planned):
    one, other = planned(FEATURES).topic, planned(FEATURES.replace("feminine", "neuter")).topic
    assert features_together((one, other), GROUPS) == one.group_features
    assert features_together((other, one), ("Arzt",)) == {"gender": {"Arzt": "masculine"}}


def test_the_kit_tries_rules_with_features(planned):
    language = planned(FEATURES).language
    groups = [Group(name="Arzt", features={"gender": "masculine"}), "Ärztin"]
    for check in language_checks(language, ["Da sagte [X] dass [Y]"], groups):
        if check.name != "defaults_exist":  # the topic lies in a file
            check()


@pytest.mark.parametrize(
    ("source", "is_vague"), [("Example of bvf new (baker, welder)", True), ("Austen, Emma, 1815, chapter 3", False)]
)
def test_a_source_that_cannot_be_looked_up_is_noted(toy, tmp_path, source, is_vague):
    text = topic_text({"violent": ["violent"], "peaceful": ["peaceful"]})
    (tmp_path / "temper.toml").write_text(text.replace("written for this test", source))
    result = bvf.run(topic=tmp_path / "temper.toml", plugin=toy, model="toy:hash", out=tmp_path / "out")
    assert (f'the source "{source}" of temper cannot be looked up' in result.notes) == is_vague
