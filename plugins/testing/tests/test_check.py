"""The kit itself: every check passes what is right, and refuses what is wrong in its way."""

import re
from contextlib import nullcontext

import pytest
from bvf_testing import assert_light_import, criterion_checks, topic_checks
from bvf_testing.check import problem_of
from helpers.made_language import language_plugin
from helpers.topic_text import topic_text
from helpers.wrong import AGREEING, J, good, positive, topic, wrong

from bvf import load

RIGHT = [(kind, check) for kind, checks in good().items() for check in checks]


def test_what_is_right_passes():
    assert [f"{kind}: {problem}" for kind, check in RIGHT if (problem := problem_of(check))] == []


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    return list(wrong(tmp_path_factory.mktemp("wrong")))


def test_every_check_refuses_what_is_wrong_in_its_way(faulty):
    passed = []
    for kind, name, checks in faulty:
        check = next(check for check in checks if check.name == name)
        said = problem_of(check)
        if len(said) < len(name) + 20:
            passed.append(f"{kind}: {name}: {said}")
    assert passed == []


def test_every_check_has_something_that_it_refuses(faulty):
    tried = {(kind, name) for kind, name, _ in faulty}
    assert {(kind, check.name) for kind, check in RIGHT} <= tried


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ('word + "o"', ""),
        ('" " + word', "it makes [' violento', "),
        ('word if word == "calmo" else ""', "it makes ['', '', 'calmo']"),
        ('"una" if word == "calmo" else word[:7]', "two of ['violento', 'violenta', 'calmo'] have one form"),
        ("word + str(len(vars(self).setdefault(word, [])) or vars(self)[word].append(0))", "other forms are made"),
    ],
)
def test_forms_of_words_are_checked_by_the_rules_of_the_language(tmp_path, form, says):
    method = f"    def word_form(self, word, features):\n        return {form}\n"
    (tmp_path / "made.py").write_text(language_plugin("md", method))
    checks = topic_checks(topic(**AGREEING, language="md"), load(extra=tmp_path / "made.py"))
    (check,) = (each for each in checks if each.name == "words_have_a_form_for_each_group")
    assert says in (problem := problem_of(check))
    assert bool(problem) == bool(says)


def test_a_curvature_that_does_not_exist_is_named():
    (check,) = (each for each in criterion_checks(J(positive, "convexe")) if each.name == "curvature_holds")
    assert problem_of(check) == 'curvature_holds: curvature is "convexe", none of convex, concave, neither'


IN_A_HOOK = "from bvf import hookimpl\n@hookimpl\ndef bvf_topics():\n    {}\n    return []"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("import json", ""),
        ("import torch", "imports torch"),
        ("import socket\nsocket.getaddrinfo('127.0.0.1', 80)", "uses the network"),
        (IN_A_HOOK.format("open('words.txt').read()"), "opens words.txt"),
        (IN_A_HOOK.format("import transformers"), "imports transformers"),
        ("1 / 0", "cannot be imported"),
    ],
)
def test_a_plugin_that_costs_something_is_refused(tmp_path, monkeypatch, body, says):
    (tmp_path / "some_plugin.py").write_text(body)
    for heavy in ("torch", "transformers"):  # their names tell them, and the libraries take seconds
        (tmp_path / f"{heavy}.py").write_text("")
    (tmp_path / "words.txt").write_text("a\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError, match=says) if says else nullcontext():
        assert_light_import("some_plugin")


FAIR = topic_text({"violent": ["violent", "aggressive"], "peaceful": ["peaceful", "calm"]})


def test_a_topic_file_is_checked(command, tmp_path):
    file = tmp_path / "temper.toml"
    file.write_text(FAIR)
    fair = command("check", file)
    assert fair.code == 0, fair.err
    assert re.fullmatch(r"ok    topic temper: \d+ checks\n", fair.out)
    file.write_text(FAIR.replace("written for this test", "a book"))
    vague = command("check", file)
    assert vague.code == 2
    assert 'the source "a book" cannot be looked up' in vague.out
    with_model = command("check", file, "--model", "baseline:random")
    assert "is a topic, which has no backend" in with_model.err
