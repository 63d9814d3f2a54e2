"""Scores of Chinese words, which have several tokens, equal a plain computation with any tokenizer.

The plain computation takes one prompt, word and softmax over the vocabulary at a time; it shares no code with `bvf`.
"""

import numpy as np
import pytest
import torch
import transformers as tf
from bvf_zh import bvf_topics
from bvf_zh.rules import Chinese
from helpers.plain_models import logprob_of_rest
from tokenizers import Tokenizer, models, pre_tokenizers

import bvf
from bvf.hooks.loader import load

WORDS = ["他", "她", "父亲", "母亲", "小姑娘"]
LEFTS = ["医生说", "护士笑着说，", "那位建筑工人告诉我", "据老师说，"]
SENTENCES = [
    "医生说他来了，护士说她走了。",
    "父亲说母亲很忙，母亲说父亲很忙。",
    "老师告诉我，那位建筑工人笑着说，小姑娘也来了。",
    "他的父亲和她的母亲都是老师。",
    "他们说，小姑娘的父亲走了。",
]


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    torch.set_num_threads(1)


def backend_of(folder, longer_words=()):
    topic = load().topics.in_language("zh").find("gender").make()
    return load().backends.find("transformers").make(bvf.ModelRequest(str(folder), topic, longer_words=longer_words))


def prompts_of(lefts, right=""):
    return [bvf.Prompt(left, right, "医生", "[X]说[Y]", spaced=False) for left in lefts]


def plain_causal(folder):
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64).eval()
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)

    def logprob(left, word):
        start, ids = (tokenizer(text)["input_ids"] for text in (left, left + word))
        assert ids[: len(start)] == start
        return logprob_of_rest(model, ids, len(start))

    return logprob


def plain_masked(folder):
    model = tf.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float64).eval()
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    mask, end = tokenizer.mask_token_id, [tokenizer.sep_token_id]

    def logprob(left, word, right=""):
        start = tokenizer(left)["input_ids"][:-1]
        ids = tokenizer(left + word)["input_ids"][:-1]
        behind = tokenizer(right, add_special_tokens=False)["input_ids"] + end
        assert ids[: len(start)] == start

        def predict(place):
            masks = [mask] * (len(ids) - place)
            return model(torch.tensor([ids[:place] + masks + behind])).logits[0, place].log_softmax(-1)

        with torch.no_grad():
            return sum(float(predict(place)[ids[place]]) for place in range(len(start), len(ids)))

    return logprob


@pytest.fixture(scope="module")
def bundled():
    return {name: load().models.find(name).make().path for name in ("zh-causal", "zh-masked")}


def test_the_bundled_causal_model_continues_exactly(bundled):
    plain = plain_causal(bundled["zh-causal"])
    logprobs = backend_of(bundled["zh-causal"]).word_logprobs(prompts_of(LEFTS), WORDS)
    for row, left in zip(logprobs, LEFTS, strict=True):
        assert row == pytest.approx([plain(left, word) for word in WORDS], rel=2e-6, abs=1e-5)


LONGER = Chinese().longer_than(WORDS)


def alone(plain, left, word):
    """Log p of the texts that begin with the word and with none of the longer words."""
    longer = [each for each in LONGER if each.startswith(word)]
    return np.log(np.exp(plain(left, word)) - sum(np.exp(plain(left, each)) for each in longer))


def test_what_goes_on_to_a_longer_word_is_left_out_exactly(bundled):
    plain, backend = plain_causal(bundled["zh-causal"]), backend_of(bundled["zh-causal"], LONGER)
    expected = np.array([[alone(plain, left, word) for word in WORDS] for left in LEFTS])
    logprobs = backend.word_logprobs(prompts_of(LEFTS), WORDS)
    assert logprobs == pytest.approx(expected, rel=2e-6, abs=1e-5)


def test_a_masked_model_gives_a_word_no_longer_one(bundled):
    whole, without = (backend_of(bundled["zh-masked"], longer) for longer in ((), LONGER))
    prompts = prompts_of(LEFTS, "来了。")
    assert (whole.word_logprobs(prompts, WORDS) == without.word_logprobs(prompts, WORDS)).all()


def test_where_a_token_is_the_longer_word_nothing_is_left_out(tmp_path):
    letters = sorted({letter for text in (*SENTENCES, *LEFTS) for letter in text})
    vocabulary = {token: index for index, token in enumerate(["[UNK]", *letters, "他们"])}
    tokenizer = Tokenizer(models.BPE(vocabulary, [("他", "们")], unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("，", "isolated")
    write_gpt2(tmp_path, tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]", bos_token="[UNK]"))
    assert [len(tokenizer.encode(text).ids) for text in ("他", "他们", "她们")] == [1, 1, 2]
    plain, backend = plain_causal(tmp_path), backend_of(tmp_path, ("他们", "她们", "他乡"))
    for row, left in zip(backend.word_logprobs(prompts_of(LEFTS), ["他", "她"]), LEFTS, strict=True):
        she = np.log(np.exp(plain(left, "她")) - np.exp(plain(left, "她们")))
        assert row == pytest.approx([plain(left, "他"), she], abs=1e-5)


@pytest.mark.parametrize("right", ["", "来了。"])
def test_the_bundled_masked_model_fills_exactly(bundled, right):
    plain = plain_masked(bundled["zh-masked"])
    logprobs = backend_of(bundled["zh-masked"]).word_logprobs(prompts_of(LEFTS, right), WORDS)
    for row, left in zip(logprobs, LEFTS, strict=True):
        assert row == pytest.approx([plain(left, word, right) for word in WORDS], rel=2e-6, abs=1e-5)


@pytest.mark.parametrize("name", ["zh-causal", "zh-masked"])
def test_the_bundled_models_can_write_every_group_and_word(bundled, name):
    tokenizer = tf.AutoTokenizer.from_pretrained(bundled[name])
    for provider in bvf_topics():
        topic = provider.load()()
        words = [] if topic.words_are_people else [word for words in topic.counted_words().values() for word in words]
        texts = [*topic.groups, *words]
        assert [text for text in texts if tokenizer.tokenize(text) != list(text)] == []


def write_gpt2(folder, tokenizer):
    torch.manual_seed(5)
    small = {"n_positions": 64, "n_embd": 32, "n_layer": 2, "n_head": 2, "initializer_range": 0.4}
    tf.GPT2LMHeadModel(tf.GPT2Config(vocab_size=len(tokenizer), **small)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
