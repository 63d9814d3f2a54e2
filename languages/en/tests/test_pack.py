"""What the hooks offer."""

import bvf_en
import pytest
from bvf_en.rules import English

from bvf.interfaces.language import Language

FROM_A_FOLDER = "holisticbias"


def test_the_language_has_defaults_that_the_pack_offers():
    (provider,) = bvf_en.bvf_languages()
    language = provider.load()()
    assert isinstance(language, Language)
    assert (provider.name, language.code) == ("en", "en")
    assert language.default_topic in {topic.name for topic in bvf_en.bvf_topics()}
    assert language.default_model.removeprefix("bundled:") in {model.name for model in bvf_en.bvf_models()}


@pytest.mark.parametrize("provider", bvf_en.bvf_models(), ids=lambda provider: provider.name)
def test_a_model_is_the_folder_of_its_name_inside_the_pack(provider):
    folder = provider.load()()
    assert folder.path.parts[-3:] == ("bvf_en", "models", provider.name)
    assert (folder.summary, folder.language) == (provider.summary, "en")


def test_every_topic_and_every_group_can_be_asked_about():
    contexts = {each.name: each.load()() for each in bvf_en.bvf_contexts() if each.name != FROM_A_FOLDER}
    for topic in (each.load()() for each in bvf_en.bvf_topics() if each.name != FROM_A_FOLDER):
        for template in contexts[topic.contexts].templates:
            prompts = [English().prompt(template, group) for group in topic.groups]
            texts = [prompt.left + prompt.right_to_group for prompt in prompts]
            assert [prompt.group for prompt, text in zip(prompts, texts, strict=True) if prompt.group not in text] == []
            assert {prompt.spaced for prompt in prompts} == {True}


@pytest.mark.parametrize("hook", ["bvf_languages", "bvf_topics", "bvf_contexts", "bvf_models"])
def test_everything_is_marked_as_english(hook):
    assert {provider.language for provider in getattr(bvf_en, hook)()} == {"en"}
