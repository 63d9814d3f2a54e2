"""Every seq2seq family is shown missing words by the mark that it was trained with."""

import pytest
import torch
import transformers as tf
from plain import Plain
from tiny_models import Family, model_of, tokenizer_of

from bvf import Prompt
from bvf.errors import BvfError

PROMPT = Prompt("The nurse said that", " was late.", "nurse", "The [X] said that [Y] was late.")
T5 = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}


@pytest.fixture
def byt5(tmp_path):
    torch.manual_seed(0)
    tf.T5ForConditionalGeneration(tf.T5Config(vocab_size=384, **T5)).save_pretrained(tmp_path)
    tf.ByT5Tokenizer().save_pretrained(tmp_path)
    return tmp_path


def test_byt5_counts_its_masks_down_from_258(byt5, load_model):
    tokenizer, model = tf.ByT5Tokenizer(), tf.T5ForConditionalGeneration.from_pretrained(byt5).eval()
    left, right, word = (tokenizer(text, add_special_tokens=False).input_ids for text in (*PROMPT_SIDES, " she"))
    with torch.no_grad():
        encoder = torch.tensor([[*left, 258, *right, tokenizer.eos_token_id]])
        logits = model(input_ids=encoder, decoder_input_ids=torch.tensor([[0, 258, *word[:-1]]])).logits[0, 1:]
    expected = sum(float(row.log_softmax(-1)[piece]) for row, piece in zip(logits, word, strict=True))
    assert load_model(byt5).word_logprobs([PROMPT], ["she", "they"])[0, 0] == pytest.approx(expected, abs=1e-5)


PROMPT_SIDES = (PROMPT.left, PROMPT.right)


@pytest.mark.parametrize("model_type", ["mt5", "umt5"])
def test_the_families_of_t5_are_shown_its_first_sentinel(tmp_path, load_model, model_type):
    tokenizer = tokenizer_of("unigram-eos")
    tokenizer.save_pretrained(tmp_path)
    config = tf.AutoConfig.for_model(model_type, vocab_size=len(tokenizer), **T5)
    tf.AutoModelForSeq2SeqLM.from_config(config).save_pretrained(tmp_path)
    assert load_model(tmp_path).gap == tokenizer.convert_tokens_to_ids("<extra_id_0>")


def test_a_model_that_was_trained_with_modes_reads_the_one_for_short_gaps_first(tmp_path, load_model):
    tokenizer = tokenizer_of("unigram-eos")
    tokenizer.add_tokens(["[NLU]", "[NLG]", "[S2S]"])
    tokenizer.save_pretrained(tmp_path)
    model_of("t5", tokenizer).save_pretrained(tmp_path)
    with_mode = Plain(tmp_path, Family("t5", "sentinel", "unigram-eos", 0, 1))
    start, pieces, end = with_mode.split(PROMPT.left, "she", PROMPT.right)
    start = [tokenizer.convert_tokens_to_ids("[NLU]"), *start]
    with torch.no_grad():
        expected = sum(
            float(with_mode.sentinel(start, pieces[:index], len(pieces), end).log_softmax(-1)[piece])
            for index, piece in enumerate(pieces)
        )
    assert load_model(tmp_path).word_logprobs([PROMPT], ["she", "he"])[0, 0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("activation", "remarks"), [("gated-silu", 1), ("gated-gelu", 0)])
def test_a_model_that_may_be_ul2_says_that_it_was_read_without_a_mode(tmp_path, load_model, activation, remarks):
    tokenizer = tokenizer_of("unigram-eos")
    tokenizer.save_pretrained(tmp_path)
    config = tf.T5Config(vocab_size=len(tokenizer), feed_forward_proj=activation, **T5)
    tf.T5ForConditionalGeneration(config).save_pretrained(tmp_path)
    answers = load_model(tmp_path).score([PROMPT], ["she", "him"], absolute=False)
    assert ["UL2" in remark for remark in answers.remarks].count(True) == remarks


def test_the_decoder_of_mbart_begins_with_the_language_that_ends_the_text(folder_of, tmp_path, load_model):
    tokenizer = tokenizer_of("bytes-around")
    tokenizer.save_pretrained(tmp_path)
    small = {"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "max_position_embeddings": 64}
    heads = {"encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48}
    tf.MBartForConditionalGeneration(tf.MBartConfig(vocab_size=len(tokenizer), **small, **heads)).save_pretrained(
        tmp_path
    )
    assert load_model(tmp_path).start == tokenizer("a")["input_ids"][-1]


@pytest.mark.parametrize("model_type", ["longt5", "pegasus", "m2m_100", "mvp"])
def test_a_family_without_a_known_mark_is_refused(folder_of, tmp_path, load_model, model_type):
    tf.AutoConfig.for_model(model_type).save_pretrained(tmp_path)
    (tmp_path / "model.safetensors").write_bytes((folder_of("t5") / "model.safetensors").read_bytes())
    with pytest.raises(BvfError, match=f"of type {model_type} was trained with no mark for missing words"):
        load_model(tmp_path, backend="seq2seq")


@pytest.mark.parametrize("family", ["bert", "bart"])
def test_a_tokenizer_that_leaves_out_the_ends_of_texts_is_refused(folder_of, tmp_path, load_model, family):
    tokenizer = tf.AutoTokenizer.from_pretrained(folder_of(family))
    tokenizer.backend_tokenizer.post_processor = None
    tokenizer.cls_token = tokenizer.cls_token or "<cls>"
    tokenizer.sep_token = tokenizer.sep_token or "<sep>"
    for file in folder_of(family).iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(BvfError, match=rf"transformers {tf.__version__} writes neither"):
        load_model(tmp_path)
