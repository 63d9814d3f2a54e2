"""Which model --model names, before it is loaded, and the folder below runs where its answers lie."""

import pytest

from bvf import BvfError, MeasureConfig, load
from bvf.asking.model import LONGEST_SLUG, choose_model, folder_in_runs, slug


@pytest.fixture(scope="module")
def choose():
    plugins = load()
    topic = plugins.topics.in_language("en").make("gender")
    return lambda model, **choices: choose_model(MeasureConfig(model=model, **choices), topic, plugins)


def test_a_backend_before_the_colon_reads_what_stands_after_it_and_a_name_of_the_user_is_that_of_the_tables(choose):
    chosen = choose("baseline:random")
    assert (chosen.backend, chosen.path, chosen.request.model) == ("baseline", "baseline:random", "random")
    assert chosen.backend_spec == "baseline@core"
    assert choose("baseline:random", name="dice").name == "dice"


@pytest.mark.parametrize(
    ("model", "choices", "message", "hint"),
    [
        ("baselin:random", {}, 'there is no backend "baselin"', "baseline"),
        ("baseline:random", {"dtype": "float16"}, "has no option", "--backend causal or --backend "),
    ],
)
def test_what_names_no_model_that_can_be_read_is_refused(choose, model, choices, message, hint):
    with pytest.raises(BvfError, match=message) as refused:
        choose(model, **choices)
    assert hint in refused.value.hint


def test_another_model_on_this_machine_is_refused(choose):
    chosen = choose("baseline:random")
    chosen.refuse_other(chosen.identity())
    with pytest.raises(BvfError, match="other model") as refused:
        chosen.refuse_other({**chosen.identity(), "model": "another"})
    assert "same files" in refused.value.hint


def test_a_folder_is_named_after_what_is_asked_and_answers_under_another_name_are_found_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = folder_in_runs(["gender", "en"], "bundled:en-causal", "0123456789", lambda _: False)
    assert str(folder) == "runs/gender-en-en-causal-01234567"
    for name in ("runs/gender-a-01234567", "runs/gender-b-01234567", "runs/gender-b-89abcdef"):
        (tmp_path / name).mkdir(parents=True)
    found = folder_in_runs(["gender"], "c", "0123456789", lambda folder: "-b-" in folder.name)
    assert str(found) == "runs/gender-b-01234567"
    assert str(folder_in_runs(["gender"], "c", "0123456789", lambda _: False)) == "runs/gender-c-01234567"


def test_a_part_of_a_name_fits_every_disk():
    assert slug("org/Model v1.5:Q4_K") == "org-Model-v1.5-Q4-K"
    assert slug("../..") == ""
    assert len(slug("x" * 300)) == LONGEST_SLUG
