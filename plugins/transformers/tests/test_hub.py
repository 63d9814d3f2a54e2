"""Hub ids: models in the cache, missing models, and the error messages."""

from types import SimpleNamespace

import pytest
import transformers as tf
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError
from tiny_models import COMMIT

from bvf import BvfError, Prompt

PROMPT = Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]")


@pytest.fixture
def cached(folder_of, in_hub_cache, monkeypatch):
    """Put a family's folder into a hub cache."""
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # between the tries to reach the hub
    return lambda model, family: in_hub_cache(model, folder_of(family))


def test_a_model_in_the_cache_is_found_whatever_dots_its_name_has(cached, folder_of, load_model, describe):
    cached(model := "Qwen/Qwen2.5-0.5B", "gpt2")
    here, there = load_model(folder_of("gpt2")), load_model(model)
    assert there.word_logprobs([PROMPT], ["he", "grandson"]) == pytest.approx(
        here.word_logprobs([PROMPT], ["he", "grandson"]), abs=1e-6
    )
    said = describe(model)
    assert (said.weights, said.settings) == (describe(folder_of("gpt2")).weights, COMMIT)


@pytest.mark.parametrize(
    ("error", "says", "hint"),
    [
        (GatedRepoError, "accept their licence", "hf auth login"),
        (RepositoryNotFoundError, "no such model on the hub, or it is private", "check the name"),
        (RevisionNotFoundError, 'no revision "v9"', "--revision"),
        (None, "nobody/nothing: not a folder here, and it cannot be fetched from the hub", ""),
    ],
)
def test_why_a_model_is_not_to_be_had_from_the_hub(cached, load_model, monkeypatch, error, says, hint):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)

    def refused(*args, **kwargs):
        answer = SimpleNamespace(headers={}, request=None)
        raise OSError("We couldn't connect to 'https://hub.co'") from error and error("401 Error", response=answer)

    monkeypatch.setattr("transformers.AutoConfig.from_pretrained", refused)
    with pytest.raises(BvfError, match=says) as raised:
        load_model("nobody/nothing", revision="v9")
    assert hint in raised.value.hint


def test_weights_that_are_not_in_the_cache(cached, load_model):
    (cached("some/model", "gpt2") / "model.safetensors").unlink()
    with pytest.raises(BvfError, match="some/model: not in the cache, and HF_HUB_OFFLINE is set"):
        load_model("some/model")


def test_pickled_weights_on_the_hub_are_refused_unless_allowed(cached, load_model, monkeypatch):
    (cached("some/model", "gpt2") / "model.safetensors").unlink()
    for part in ("AutoConfig", "AutoTokenizer"):  # as if the hub had answered
        _read_locally(monkeypatch, part)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)

    def only_pickled(*args, **kwargs):
        raise OSError("some/model does not appear to have ... and thus cannot be loaded with `safetensors`. ...")

    monkeypatch.setattr("transformers.AutoModelForCausalLM.from_pretrained", only_pickled)
    with pytest.raises(BvfError, match="some/model: no safetensors on the hub") as error:
        load_model("some/model")
    assert "--allow-pickle" in error.value.hint


def _read_locally(monkeypatch, part):
    original = getattr(tf, part).from_pretrained
    monkeypatch.setattr(
        f"transformers.{part}.from_pretrained",
        lambda model, **given: original(model, **{**given, "local_files_only": True}),
    )
