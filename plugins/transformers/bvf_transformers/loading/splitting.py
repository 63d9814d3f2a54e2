"""How the vocabulary of a GGUF file splits text: the file gives the name of a rule (`tokenizer.ggml.pre`).

A byte-level vocabulary is learned on pieces of text. Where a text is cut otherwise, its numbers, quotes and line breaks
become other tokens. The names are those of llama.cpp, and the patterns those of the models' own tokenizers. The library
knows some of these rules, by version, and splits by GPT-2's where it does not know one. So all are here.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bvf import BvfError
from bvf_transformers.loading.gguf import Contents

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

MODEL, RULE = "tokenizer.ggml.model", "tokenizer.ggml.pre"
BYTE_LEVEL, SENTENCEPIECE = "gpt2", "llama"
"""The kinds of vocabularies: pieces of bytes, which have a rule, and pieces of letters, which need none."""
SHORT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LINES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
QWEN2 = rf"{SHORT}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{LINES}"
LLAMA3 = QWEN2.replace(r"|\p{N}|", r"|\p{N}{1,3}|")
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
CASED = rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+END|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*END"
PUNCTUATION = r" ?[^\s\p{L}\p{N}]+[\r\n/]*"
TEKKEN = rf"{CASED.replace('END', '')}|\p{{N}}|{PUNCTUATION}|{LINES}"
GPT4O = rf"{CASED.replace('END', f'{SHORT}?')}|\p{{N}}{{1,3}}|{PUNCTUATION}|{LINES}"
DEEPSEEK3 = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"
    rf"|[^\r\n\p{{L}}\p{{P}}\p{{S}}]?[\p{{L}}\p{{M}}]+| ?[\p{{P}}\p{{S}}]+[\r\n]*|{LINES}"
)
HAN_AND_KANA = "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"
BLOOM = " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+"
BAILING = QWEN2.replace(r"\s*[\r\n]+", r"\s*[\r\n]").replace(SHORT, r"'(?i:[sdmt]|ll|ve|re)")
WORDS_WHOLE = "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano tekken"
"""Rules of vocabularies that take a word whole if they have it, whatever its merges, and begin texts with a token."""
NAMES: dict[tuple[str, ...], str] = {
    (GPT2,): "gpt-2 phi-2 jina-es jina-de jina-v2-es jina-v2-de gigachat a.x-4.0 mellum mpt olmo jais trillion "
    "granite-docling exaone4",
    (r"\p{N}", GPT2): "starcoder refact command-r smollm codeshell exaone minerva-7b mellum2",
    (r"[\p{P}\$\+<=>\^~\|`]+", GPT2, "[0-9][0-9][0-9]"): "falcon",
    (LLAMA3,): "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano dbrx smaug-bpe glm4 "
    "chatglm-bpe",
    (QWEN2,): "qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2",
    (QWEN2.replace(r"\p{L}+", r"[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]", r"[^\s\p{L}\p{M}\p{N}]"),): "qwen35",
    (TEKKEN,): "tekken",
    (GPT4O,): "gpt-4o llama4 kanana2 talkie minimax-m2",
    (r"\p{N}{1,3}", HAN_AND_KANA, DEEPSEEK3): "deepseek-v3 hunyuan-dense joyai-llm hy_v4",
    (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", r"\p{N}"): "deepseek-coder",
    (BLOOM,): "bloom poro-chat gpt3-finnish",
    (BLOOM, r"\p{N}"): "viking",
    (BAILING,): "bailingmoe bailingmoe2 llada-moe",
}
RULES = {name: patterns for patterns, names in NAMES.items() for name in names.split()}
"""The patterns of each rule, applied one after another: each cuts out what it matches."""
FILLER = re.compile(r"(\[PAD\d+\]|<unused\d+>)?")
"""Names that a file gives to rows of the model that stand for no token."""
WAY_OUT = "give the tokenizer of the model that the file was made from: -B tokenizer=FOLDER, or a hub id"


def check_splitting(contents: Contents, path: str) -> None:
    """Refuse a file whose vocabulary is byte-level and whose rule of splitting is missing or not known."""
    rule = contents.texts.get(RULE, "")
    if contents.texts.get(MODEL) != BYTE_LEVEL or rule in RULES:
        return
    says = f'is "{rule}", which bvf does not know' if rule else "is missing"
    if rule == "default":
        says = 'is "default", which names no rule'
    raise BvfError(f"{path}: how its text is split into tokens is not known: {RULE} {says}", WAY_OUT)


def check_same_tokens(tokenizer: "PreTrainedTokenizerBase", name: str, tokens: Sequence[str], path: str) -> None:
    """Refuse a tokenizer that has another token than the file's vocabulary at any place."""
    own = [*tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))]
    own += [""] * (len(tokens) - len(own))
    for place, (theirs, token) in enumerate(zip(own, tokens, strict=False)):
        if not FILLER.fullmatch(token) and (theirs or "").replace("▁", " ") != token.replace("▁", " "):
            raise BvfError(
                f'{name}: not the tokenizer of {path}: token {place} is "{theirs}", and "{token}" in the file',
                "give that of the model that the file was made from",
            )


def split_as_named(tokenizer: "PreTrainedTokenizerBase", contents: Contents, path: str) -> None:
    """Make a tokenizer split, merge and begin texts as its GGUF file says."""
    from tokenizers import Regex, pre_tokenizers

    kind, rule = contents.texts.get(MODEL), contents.texts.get(RULE, "")
    inner = tokenizer.backend_tokenizer
    if kind == BYTE_LEVEL:
        cuts = [pre_tokenizers.Split(Regex(pattern), behavior="isolated") for pattern in RULES[rule]]
        as_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        inner.pre_tokenizer = pre_tokenizers.Sequence([*cuts, as_bytes])
        inner.model.ignore_merges = rule in WORDS_WHOLE.split()
    elif isinstance(inner.pre_tokenizer, pre_tokenizers.Metaspace) and not contents.settings.get("add_space_prefix", 1):
        inner.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="never", split=False)
    begins = kind == SENTENCEPIECE or (kind == BYTE_LEVEL and rule in WORDS_WHOLE.split())
    if kind in {BYTE_LEVEL, SENTENCEPIECE} and contents.settings.get("add_bos_token", begins):
        _begin_texts(tokenizer, path)


def _begin_texts(tokenizer: "PreTrainedTokenizerBase", path: str) -> None:
    """Let the tokenizer begin every text with its token for that. Refuses one that does not."""
    begin = tokenizer.bos_token_id
    if tokenizer("a")["input_ids"][0] != begin:
        tokenizer.add_bos_token = True
    if begin is None or tokenizer("a")["input_ids"][0] != begin:
        raise BvfError(
            f"{path}: the file says that texts begin with a token of their own, and transformers does not write it",
            "pip install 'bvf[gguf]' installs a version that does",
        )
