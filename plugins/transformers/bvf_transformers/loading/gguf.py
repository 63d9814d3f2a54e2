"""GGUF files, each with configuration, tokenizer and weights: parses them once, and splits text as they say.

A byte-level vocabulary is learned on pieces of text. Where a text is cut otherwise, its numbers, quotes and line breaks
become other tokens. The names are those of llama.cpp, and the patterns those of the models' own tokenizers. The library
knows some of these rules, by version, and splits by GPT-2's where it does not know one. So all are here.
"""

import io
import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import gguf
import numpy as np
from transformers import AutoConfig, PreTrainedConfig

from bvf import BvfError, ModelRequest
from bvf_transformers.loading.checkpoint import GGUF

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

LENGTH = struct.Struct("=Q")
LONGEST = 1024
"""The longest list of numbers that can be a setting; a longer one belongs to the vocabulary."""
TOKENS = "tokenizer.ggml.tokens"
ALWAYS_READ, BYTES_PER_ELEMENT = 2_000_000, 64
"""The elements of lists that the library may read, and the bytes of the file for each further one.

It takes 6 seconds for a million.
"""
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
    (
        r"\p{N}{1,3}",
        HAN_AND_KANA,
        DEEPSEEK3,
    ): "deepseek-v3 hunyuan-dense joyai-llm hy_v4",
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


class Reader(gguf.GGUFReader):
    """The library's reader, but on a plain array, and with the vocabulary as one piece.

    The library's makes several objects of each token, score and merge, and whoever asks it for a configuration or for
    weights converts them all once more. The library itself reads the vocabulary in another way.
    """

    elements = 0

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, np.asarray(value) if name == "data" else value)

    def _get_field_parts(self, orig_offs: int, raw_type: int) -> Any:
        """Return size, parts, places of the values among them, and types of a field. A vocabulary has no places."""
        if raw_type == gguf.GGUFValueType.ARRAY and self.byte_order == "I":
            kind, count = self._get(orig_offs, np.uint32), self._get(orig_offs + 4, np.uint64)
            size = self._bytes_of_vocabulary(orig_offs + 12, gguf.GGUFValueType(kind[0]), int(count[0]))
            if size:
                content = self._get(orig_offs + 12, np.uint8, size)
                return 12 + size, [kind, count, content], [], [raw_type, gguf.GGUFValueType(kind[0])]
        if raw_type == gguf.GGUFValueType.ARRAY:
            self._refuse_too_many(int(self._get(orig_offs + 4, np.uint64)[0]))
        return super()._get_field_parts(orig_offs, raw_type)

    def _refuse_too_many(self, more: int) -> None:
        """Count the elements that the library is about to read one by one, as a header says any number."""
        self.elements += more
        if self.elements > ALWAYS_READ + len(self.data) // BYTES_PER_ELEMENT:
            raise ValueError(f"its {len(self.data):,} bytes say that lists have {self.elements:,} entries")

    def _bytes_of_vocabulary(self, start: int, kind: Any, count: int) -> int:
        """The bytes of a list of texts, or of a long list of numbers. 0 for another list."""
        end = start
        if kind == gguf.GGUFValueType.STRING:
            content: Any = self.data
            for _ in range(count):
                end += LENGTH.size + LENGTH.unpack_from(content, end)[0]
        elif count > LONGEST and kind in self.gguf_scalar_to_np:
            end += count * np.dtype(self.gguf_scalar_to_np[kind]).itemsize
        if end > len(self.data):
            raise ValueError(f"it says that a list has {count:,} entries, and the file is too short for them")
        return end - start

    def texts_of(self, name: str) -> list[str]:
        """Return a field that is a list of texts, such as the tokens of the vocabulary."""
        content = self.fields[name].parts[-1].tobytes()
        texts, start = [], 0
        while start < len(content):
            first = start + LENGTH.size
            start = first + LENGTH.unpack_from(content, start)[0]
            texts.append(content[first:start].decode())
        return texts

    def number_of_tokens(self) -> int:
        """Return the size of the vocabulary."""
        return int(self.fields[TOKENS].parts[-2][0]) if TOKENS in self.fields else 0


def reader_of(path: Path) -> Reader:
    """Return a parsed GGUF file, cached while the file is unchanged. A damaged file may raise any error."""
    status = path.stat()
    return _parsed(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1)
def _parsed(path: Path, _size: int, _changed: int) -> Reader:
    return Reader(path)


def config_of(path: Path) -> PreTrainedConfig:
    """Return a copy of the configuration in a GGUF file, cached while the file is unchanged."""
    status = path.stat()
    return deepcopy(_config(path, status.st_size, status.st_mtime_ns))


@lru_cache(maxsize=1)
def _config(path: Path, _size: int, _changed: int) -> PreTrainedConfig:
    config: PreTrainedConfig = AutoConfig.from_pretrained(str(path.parent), gguf_file=path.name)
    if not config.get_text_config().vocab_size:  # the library counts the tokens, which `Reader` leaves out
        config.get_text_config().vocab_size = reader_of(path).number_of_tokens()
    return config


@contextmanager
def parsed_once() -> Iterator[None]:
    """Let the transformers library reuse the parsed file and one table of tensor names in the block.

    It builds that table once per part of a model, which takes as long as loading a layer.
    """
    library: Any = gguf
    of_library = library.GGUFReader, library.get_tensor_name_map
    library.GGUFReader = lambda path: reader_of(Path(path))
    library.get_tensor_name_map = lru_cache(maxsize=1)(library.get_tensor_name_map)
    try:
        yield
    finally:
        library.GGUFReader, library.get_tensor_name_map = of_library


class Contents(NamedTuple):
    """The contents of a GGUF file's header.

    Args:
        settings: The numeric settings, by the last part of their names.
        texts: The settings that are texts, by their whole names.
        shapes: Shape of every tensor, by name.
        name: The model name in the file; empty if it has none.
        parts: Into how many files the model was split.
    """

    settings: dict[str, float]
    texts: dict[str, str]
    shapes: dict[str, tuple[int, ...]]
    name: str
    parts: int = 1


def gguf_file(request: ModelRequest) -> Path | None:
    """Return the GGUF file that a request names; None if it names a folder or hub id."""
    path = Path(request.model)
    return path if path.suffix == GGUF else None


def contents_of(path: Path) -> Contents:
    """Return the header of a GGUF file, cached while the file is unchanged. Refuses a damaged file."""
    status = path.stat()
    return _contents(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4)
def _contents(path: Path, _size: int, _changed: int) -> Contents:

    try:
        reader = reader_of(path)
        values = {name: field.contents() for name, field in reader.fields.items() if len(field.types) == 1}
        shapes = {str(tensor.name): tuple(map(int, tensor.shape)) for tensor in reader.tensors}
    except Exception as error:  # on a truncated file the reader may raise many kinds of errors
        raise BvfError(f"{path}: damaged or cut off: {error}", "copy or download the file again") from error
    numbers = {name.rpartition(".")[2]: value for name, value in values.items() if isinstance(value, int | float)}
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    return Contents(numbers, texts, shapes, texts.get("general.name", ""), int(values.get("split.count", 1)))


@contextmanager
def reading(request: ModelRequest) -> Iterator[None]:
    """In the block, let the library parse the request's GGUF file only once. It shows no progress bar."""
    if gguf_file(request) is None:
        yield
        return

    with parsed_once(), redirect_stderr(io.StringIO()):
        yield


def forget(request: ModelRequest) -> None:
    """Free the memory of the parsed GGUF file, once its model is loaded."""
    if gguf_file(request):
        _parsed.cache_clear()


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
