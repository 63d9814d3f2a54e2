"""GGUF files split text by the rule that they name, and a file without a known rule needs another tokenizer."""

import json
import shutil

import pytest
from bvf_transformers.loading.splitting import RULES, WORDS_WHOLE
from gguf import GGUFWriter
from gguf_files import write_gguf
from tokenizers import Regex, Tokenizer, pre_tokenizers
from transformers.integrations.gguf.gguf_tokenizer_mapping import GGUF_PRE_TOKENIZER_SPLITS

import bvf
from bvf.errors import BvfError

TEXT = 'On 17 March 1987 the nurse\'s "friend"\n\nsaid that'
PROMPT = bvf.Prompt(TEXT, "", "nurse", "c")
QWEN2 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def ids_of(backend):
    return backend.token_ids(PROMPT, "she")


@pytest.fixture
def folder(write_model):
    """A model whose tokenizer splits as Qwen2's does."""
    made = write_model("llama")
    inner = Tokenizer.from_file(str(made / "tokenizer.json"))
    as_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(QWEN2), "isolated"), as_bytes])
    inner.save(str(made / "tokenizer.json"))
    return made


@pytest.mark.parametrize("rule", ["qwen2", "stablelm2"])
def test_a_file_splits_by_the_rule_that_it_names(read, folder, tmp_path, rule):
    named, otherwise = (write_gguf(folder, tmp_path / f"{name}.gguf", "F32", split_by=name) for name in (rule, "gpt-2"))
    assert ids_of(read(named)) == ids_of(read(folder)) != ids_of(read(otherwise))


@pytest.mark.parametrize(
    ("rule", "says"), [("", "is missing"), ("default", "names no rule"), ("of-tomorrow", '"of-tomorrow", which bvf')]
)
def test_a_file_without_a_known_rule_takes_the_tokenizer_of_its_model(read, describe, folder, file, rule, says):
    write_gguf(folder, file, "F32", split_by=rule)
    with pytest.raises(BvfError, match=says) as error:
        describe(file)
    assert "-B tokenizer=" in error.value.hint
    assert ids_of(read(file, tokenizer=str(folder))) == ids_of(read(folder))


def test_another_tokenizer_is_another_measurement_and_one_with_other_tokens_is_refused(describe, folder, file):
    write_gguf(folder, file, "F32", split_by="")
    other = shutil.copytree(folder, file.with_name("other"))
    stored = json.loads((other / "tokenizer.json").read_text())
    (other / "tokenizer.json").write_text(json.dumps({**stored, "pre_tokenizer": None}))
    one, two = (describe(file, tokenizer=str(each)).settings for each in (folder, other))
    assert one != two
    assert describe(write_gguf(folder, file.with_name("known.gguf"), "F32")).settings == ""
    vocabulary = stored["model"]["vocab"]
    first, second = list(vocabulary)[-2:]
    vocabulary[first], vocabulary[second] = vocabulary[second], vocabulary[first]
    (other / "tokenizer.json").write_text(json.dumps(stored))
    with pytest.raises(BvfError, match=r"not the tokenizer of .*tiny\.gguf: token"):
        describe(file, tokenizer=str(other))


def test_a_folder_takes_no_other_tokenizer(describe, folder):
    with pytest.raises(BvfError, match="goes with a GGUF file"):
        describe(folder, tokenizer=str(folder))


def test_rules_that_the_library_knows_are_the_same():
    assert {name: RULES[name] for name in GGUF_PRE_TOKENIZER_SPLITS} == {
        name: (pattern,) for name, pattern in GGUF_PRE_TOKENIZER_SPLITS.items()
    }


def test_every_rule_keeps_every_letter():
    for rule, patterns in RULES.items():
        cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
        assert "".join(piece for piece, _ in pre_tokenizers.Sequence(cuts).pre_tokenize_str(TEXT)) == TEXT, rule


def test_a_rule_with_a_token_before_texts_writes_it_where_the_file_says_nothing(read, folder, tmp_path, monkeypatch):
    monkeypatch.setattr(GGUFWriter, "add_add_bos_token", lambda writer, value: None)
    begins = {}
    for rule in ("llama-bpe", "qwen2"):
        backend = read(write_gguf(folder, tmp_path / f"{rule}.gguf", "F32", split_by=rule))
        begins[rule] = ids_of(backend)[0] == backend.tokenizer.bos_token_id
        assert backend.tokenizer.backend_tokenizer.model.ignore_merges == (rule in WORDS_WHOLE.split())
    assert begins == {"llama-bpe": True, "qwen2": False}
