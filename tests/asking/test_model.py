"""Which model --model names, before it is loaded, and the folder below runs where its answers lie."""

import pytest

from bvf import BvfError, MeasureConfig, load
from bvf.asking.model import LONGEST_SLUG, choose_model, folder_in_runs, slug


@pytest.fixture(scope="module")
def plugins():
    return load()


@pytest.fixture(scope="module")
def topic(plugins):
    return plugins.topics.in_language("en").make("gender")


def test_a_backend_before_the_colon_reads_what_stands_after_it(plugins, topic):
    chosen = choose_model(MeasureConfig(model="baseline:random"), topic, plugins)
    assert (chosen.backend, chosen.path, chosen.request.model) == ("baseline", "baseline:random", "random")
    assert chosen.backend_spec == "baseline@core"


def test_a_name_of_the_user_is_that_of_the_tables(plugins, topic):
    assert choose_model(MeasureConfig(model="baseline:random", name="dice"), topic, plugins).name == "dice"


def test_a_scheme_that_no_backend_has_is_named_with_the_nearest(plugins, topic):
    with pytest.raises(BvfError, match='there is no backend "baselin"') as refused:
        choose_model(MeasureConfig(model="baselin:random"), topic, plugins)
    assert "baseline" in refused.value.hint


def test_an_option_of_another_backend_is_refused_with_the_backends_that_have_it(plugins, topic):
    with pytest.raises(BvfError, match="has no option") as refused:
        choose_model(MeasureConfig(model="baseline:random", dtype="float16"), topic, plugins)
    assert "--backend causal or --backend " in refused.value.hint


def test_another_model_on_this_machine_is_refused(plugins, topic):
    chosen = choose_model(MeasureConfig(model="baseline:random"), topic, plugins)
    chosen.refuse_other(chosen.identity())
    with pytest.raises(BvfError, match="other model") as refused:
        chosen.refuse_other({**chosen.identity(), "model": "another"})
    assert "same files" in refused.value.hint


def test_a_folder_is_named_after_what_is_asked_the_model_and_the_digest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = folder_in_runs(["gender", "en"], "bundled:en-causal", "0123456789", lambda _: False)
    assert str(folder) == "runs/gender-en-en-causal-01234567"


def test_answers_under_another_name_of_the_model_are_found_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("runs/gender-a-01234567", "runs/gender-b-01234567", "runs/gender-b-89abcdef"):
        (tmp_path / name).mkdir(parents=True)
    found = folder_in_runs(["gender"], "c", "0123456789", lambda folder: "-b-" in folder.name)
    assert str(found) == "runs/gender-b-01234567"
    assert str(folder_in_runs(["gender"], "c", "0123456789", lambda _: False)) == "runs/gender-c-01234567"


def test_a_part_of_a_name_fits_every_disk():
    assert slug("org/Model v1.5:Q4_K") == "org-Model-v1.5-Q4-K"
    assert slug("../..") == ""
    assert len(slug("x" * 300)) == LONGEST_SLUG
