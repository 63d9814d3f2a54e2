"""Words behind pictures are scored as the model's own forward pass scores them, with its own processor."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as tf
from bvf_testing import backend_checks, own_probabilities
from bvf_transformers.reading.steps import Rows
from image_models import KINDS
from PIL import Image

from bvf import BvfError, Prompt
from bvf.domain.chat import Chat
from bvf.files.digests import digest_of_bytes
from bvf.interfaces.backend import Tolerance

TEXTS = ["The nurse said that", "The engineer said that", "The engineer told us that he knew that"]
WORDS = ["he", "she", "stepmother", "himself", "grandfather", "policewoman"]
READ_WHOLE = "every text was read anew with its pictures"


def prompt(text, *media, chat=None):
    return Prompt(text, "", text.split()[1], f"{text} [Y]", media=media, chat=chat)


def prompts_of(pictures):
    """Each text with each picture, in turn with texts that have none."""
    shown = [prompt(text, picture) for text in TEXTS for picture in pictures]
    return [shown[0], prompt(TEXTS[0]), *shown[1:], prompt(TEXTS[1])]


class Plain:
    """One forward pass for each word behind each text, with all that the processor makes of the whole text."""

    def __init__(self, folder, processor):
        self.model = tf.AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32).eval()
        self.processor = processor
        self.tokenizer = tf.AutoTokenizer.from_pretrained(folder)
        self.both_ways = self.model.config.model_type == "paligemma"

    def logprobs(self, prompts, mark):
        rows = []
        for each in prompts:
            length = len(self.begun(each, mark))
            made = [self.inputs(each, mark, word, length) for word in WORDS]
            begun = [self.logprob(inputs, pieces) for inputs, pieces in made]
            rows.append(np.log(own_probabilities(np.exp(begun), [pieces for _, pieces in made])))
        return np.array(rows)

    def begun(self, each, mark):
        """The ids of a text and its pictures."""
        if not each.media:
            return self.tokenizer(each.left)["input_ids"]
        images = [Image.open(media.file) for media in each.media]
        return self.processor(images=images, text=[mark * len(images) + each.left], return_tensors="np")["input_ids"][0]

    def inputs(self, each, mark, word, length):
        """What the model reads of a text of so many ids with a word, and the ids of the word."""
        if not each.media:
            whole = self.tokenizer(f"{each.left} {word}")["input_ids"]
            return {"input_ids": torch.tensor([whole])}, whole[length:]
        images = [Image.open(media.file) for media in each.media]
        text = mark * len(images) + each.left
        with_word = {"text": [text], "suffix": [word]} if self.both_ways else {"text": [f"{text} {word}"]}
        read = self.processor(images=images, return_tensors="np", **with_word)
        made = {name: torch.from_numpy(each) for name, each in read.items() if name != "labels"}
        if self.both_ways:  # the token that ends a text stands behind a suffix
            for name in ("input_ids", "attention_mask", "token_type_ids"):
                made[name] = made[name][:, :-1]
        return made, made["input_ids"][0, length:].tolist()

    @torch.no_grad()
    def logprob(self, inputs, pieces):
        self.forget()
        if self.both_ways and "pixel_values" not in inputs:
            kinds = torch.zeros_like(inputs["input_ids"])
            kinds[0, -len(pieces) :] = 1
            inputs["token_type_ids"] = kinds
        logp = self.model(**inputs).logits[0].log_softmax(-1)
        return float(sum(logp[index - len(pieces) - 1, token] for index, token in enumerate(pieces)))

    def forget(self):
        """Let Qwen's positions begin anew."""
        if hasattr(self.model.model, "rope_deltas"):
            self.model.model.rope_deltas = None


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_scored_as_by_one_forward_pass_per_text(kind, folder_of, pictures, load_model, describe):
    if kind == "smolvlm" and importlib.util.find_spec("num2words") is None:
        pytest.skip("its processor needs num2words")
    folder, prompts = folder_of(kind), prompts_of(pictures)
    backend = load_model(folder)
    expected = Plain(folder, backend.processor.own).logprobs(prompts, backend.processor.mark)
    assert backend.word_logprobs(prompts, WORDS) == pytest.approx(expected, abs=1e-4)
    by_text = expected[[0, *range(2, 7)]].reshape(3, 2, -1)
    assert np.abs(by_text[:, 0] - by_text[:, 1]).max() > 0.01  # the picture matters
    assert backend.shares_pictures == (kind != "paligemma")
    assert (READ_WHOLE in backend.score(prompts, WORDS, absolute=True).remarks) == (kind == "paligemma")
    backend.shares_pictures = False
    check_words_left_out(backend, prompts)
    assert backend.word_logprobs(prompts, WORDS) == pytest.approx(expected, abs=1e-4)
    assert describe(folder).capabilities == backend.capabilities


def check_words_left_out(backend, prompts):
    """Check that words that are left out change no class by more than the tolerance, and that all have their mass."""
    classes, tolerance = np.array([0, 1, 1, 0, 0, 1]), 3e-4
    within = backend.score_within(prompts, WORDS, classes, Tolerance.on_each(tolerance, len(prompts)))
    exactly, left_out = (np.exp(logp) for logp in (backend.word_logprobs(prompts, WORDS), within.logp))
    shares = [p[:, classes == 0].sum(axis=1) / p.sum(axis=1) for p in (exactly, left_out)]
    assert np.abs(shares[0] - shares[1]).max() <= tolerance
    assert within.bounds.max() > 0
    assert backend.word_mass(prompts, WORDS, classes, 0.0) == pytest.approx(exactly.sum(axis=1))


@pytest.fixture(scope="module")
def llava(folder_of, load_model):
    return load_model(folder_of("llava"))


def test_it_keeps_the_contract_of_backends(llava, pictures, describe, folder_of):
    check_words_left_out(llava, prompts_of(pictures))
    for check in backend_checks(llava, prompts_of(pictures), WORDS, description=describe(folder_of("llava"))):
        check()


def test_a_picture_is_read_once_for_all_texts_words_and_calls(llava, pictures, monkeypatch):
    looked, prompts = [], prompts_of(pictures)
    llava.word_logprobs(prompts, WORDS)  # the first text is also read whole
    llava._seen.clear()
    hook = llava.model.model.vision_tower.register_forward_hook(lambda *_: looked.append(1))
    once = [llava.word_logprobs(prompts, WORDS), llava.word_logprobs(prompts[::-1], WORDS)[::-1]]
    assert len(looked) == len(pictures)
    llava._seen.clear()
    monkeypatch.setattr("bvf_image_backend.model.BYTES_OF_PICTURES", 0)
    forgotten = llava.word_logprobs(prompts, WORDS)
    assert len(looked) > 2 * len(pictures)
    monkeypatch.setattr(llava, "shares_pictures", False)
    monkeypatch.setattr(llava, "has_cache", False)
    for other in (once[1], forgotten, llava.word_logprobs(prompts, WORDS)):
        assert other == pytest.approx(once[0], abs=1e-4)
    hook.remove()


@pytest.mark.parametrize("turn", ["user", "assistant"])
def test_a_picture_stands_in_the_users_turn_of_a_chat(turn, folder_of, load_model, pictures):
    folder = folder_of("llava", chat=True)
    backend = load_model(folder, chat_turn=turn)
    shown = [prompt(TEXTS[0], pictures[0]), prompt(TEXTS[0])]
    plain = Plain(folder, backend.processor.own)
    expected = []
    for each in shown:
        said = ["Continue the text.", TEXTS[0]] if turn == "assistant" else [TEXTS[0], ""]
        parts = [[*({"type": "image"} for _ in each.media), {"type": "text", "text": said[0]}]]
        parts.append([{"type": "text", "text": said[1]}])
        chat = [{"role": role, "content": part} for role, part in zip(("user", "assistant"), parts, strict=True)]
        text = plain.processor.apply_chat_template(chat, tokenize=False).rstrip()
        images = [Image.open(media.file) for media in each.media] or None
        ids = [
            plain.processor(images=images, text=[whole], return_tensors="pt", text_kwargs={"add_special_tokens": False})
            for whole in (text, *(f"{text} {word}" for word in WORDS))
        ]
        length = ids[0]["input_ids"].shape[1]
        assert backend.token_ids(each, "he") == ids[0]["input_ids"][0].tolist()
        expected.append([plain.logprob(dict(made), made["input_ids"][0, length:].tolist()) for made in ids[1:]])
    assert backend.word_logprobs(shown, WORDS) == pytest.approx(np.array(expected), abs=1e-4)
    if turn == "user":
        bare = load_model(folder)
        own = [replace(each, chat=Chat("user")) for each in shown]
        assert bare.word_logprobs(own, WORDS) == pytest.approx(np.array(expected), abs=1e-4)


def test_what_stands_for_a_picture_may_not_stand_in_a_template(llava, pictures):
    with pytest.raises(BvfError, match='"<image>" stands 2 times in the text of a context with 1 pictures'):
        llava.check_tokens([prompt("The <image> said that", pictures[0])], WORDS)


def test_a_picture_that_was_cut_off_or_changed_is_one_line(llava, tmp_path, pictures):
    whole = Path(pictures[0].file).read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[:-60])
    for content, said in ((whole[:-60], "damaged or cut off"), (whole, "has changed since")):
        media = replace(pictures[0], file=str(tmp_path / "cut.png"), digest=digest_of_bytes(content))
        with pytest.raises(BvfError, match=rf"cut.png: .*{said}"):
            llava.check_tokens([prompt(TEXTS[0], media)], WORDS)


def test_texts_that_were_read_whole_are_continued_by_any_number_of_words(folder_of, load_model, pictures):
    """Qwen remembers how far positions are shifted behind the pictures of each text."""
    backend = load_model(folder_of("qwen2_vl"))
    cuts = backend.cut([prompt(text, pictures[0]) for text in TEXTS[:2]], WORDS)
    run, parents, tokens = backend._whole(pictures[:1]), torch.tensor([0, 1, 1]), torch.tensor([300, 301, 302])
    with torch.inference_mode():
        rows = Rows(lambda _: run, torch.arange(2), backend.tensor([cut.left for cut in cuts]), with_cache=True)
        rows.run()
        continued = rows.continued(parents, tokens).run()[:, -1]
        for row, parent, token in zip(continued, parents, tokens, strict=True):
            plain = run(backend.tensor([[*cuts[parent].left, int(token)]]), None, False).logits[0, -1]
            assert row.numpy() == pytest.approx(plain.numpy(), abs=1e-3)
