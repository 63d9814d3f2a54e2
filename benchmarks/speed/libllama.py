"""llama.cpp by its own C functions, from libraries that others have compiled (llama.cpp v0.5.0, Linux).

    npm pack @node-llama-cpp/linux-x64@3.22.1 && tar -xzf node-llama-cpp-linux-x64-3.22.1.tgz
    export LIBLLAMA=$PWD/package/bins/linux-x64

They hold code for every kind of processor, and llama.cpp takes what suits this one.
"""

import ctypes
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import gguf
import numpy as np

TOKENS = 256
ROOM = 128
"""The most tokens of one of several sequences."""
F16, F32 = 1, 0
"""Types of ggml."""


class Settings(ctypes.Structure):
    """``llama_context_params``. What follows the types of keys and values is passed on as it came."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("n_ctx", "n_batch", "n_ubatch", "n_seq_max", "n_rs_seq")),
        *((name, ctypes.c_int32) for name in ("n_outputs_max", "outputs_per_text", "n_threads", "n_threads_batch")),
        *((name, ctypes.c_int32) for name in ("ctx_type", "rope", "pooling", "attention", "flash_attn_type")),
        ("floats", ctypes.c_float * 8), ("callbacks", ctypes.c_void_p * 2),
        ("type_k", ctypes.c_int32), ("type_v", ctypes.c_int32), ("rest", ctypes.c_byte * 256),
    )  # fmt: skip


class Batch(ctypes.Structure):
    """``llama_batch``: tokens, each with its place and its one sequence."""

    _fields_ = (
        ("n_tokens", ctypes.c_int32), ("token", ctypes.POINTER(ctypes.c_int32)), ("embd", ctypes.c_void_p),
        ("pos", ctypes.POINTER(ctypes.c_int32)), ("n_seq_id", ctypes.POINTER(ctypes.c_int32)),
        ("seq_id", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))), ("logits", ctypes.POINTER(ctypes.c_int8)),
    )  # fmt: skip


class Passed(ctypes.Structure):
    """A structure that one function returns and another takes."""

    _fields_ = (("bytes", ctypes.c_byte * 512),)


class Llama:
    """A model in a GGUF file. What a text has in common with the one before it is not read again.

    Attention has 16 bits as llama.cpp does it, unless asked for ``floats``. Several ``sequences`` can be continued
    together.
    """

    def __init__(self, file: str, threads: int, *, floats: bool = False, sequences: int = 1) -> None:
        self._c = functions(Path(os.environ["LIBLLAMA"]))
        model = self._c.llama_model_load_from_file(file.encode(), self._c.llama_model_default_params())
        settings = self._c.llama_context_default_params()
        if (settings.type_k, settings.type_v, settings.flash_attn_type) != (F16, F16, -1):
            raise SystemExit("LIBLLAMA holds another version of llama.cpp, with other settings")
        settings.n_ctx, settings.n_threads, settings.n_threads_batch = max(TOKENS, ROOM * sequences), threads, threads
        settings.n_seq_max = sequences
        if floats:
            settings.type_k, settings.type_v, settings.flash_attn_type = F32, F32, 0
        self._context = self._c.llama_init_from_model(model, settings)
        self._vocabulary = self._c.llama_model_get_vocab(model)
        self._memory = self._c.llama_get_memory(self._context)
        self._size = self._c.llama_vocab_n_tokens(self._vocabulary)
        self._read: list[int] = []
        self._batch = self._c.llama_batch_init(max(TOKENS, ROOM * sequences), 0, 1)
        self._sampler = self._c.llama_sampler_init_dist(0)

    def tokens(self, text: str, *, first: bool) -> list[int]:
        """Return the tokens of a text, with those that begin every text if they are its ``first``."""
        room, content = (ctypes.c_int32 * TOKENS)(), text.encode()
        number = self._c.llama_tokenize(self._vocabulary, content, len(content), room, TOKENS, first, False)
        return room[:number]

    def logp_after(self, ids: Sequence[int]) -> np.ndarray:
        """Return log p of every token of the vocabulary after a text."""
        common = 0
        while common < min(len(self._read), len(ids) - 1) and self._read[common] == ids[common]:
            common += 1
        self._c.llama_memory_seq_rm(self._memory, 0, common, -1)
        new = (ctypes.c_int32 * (len(ids) - common))(*ids[common:])
        if self._c.llama_decode(self._context, self._c.llama_batch_get_one(new, len(new))):
            raise RuntimeError("llama_decode failed")
        self._read = list(ids)
        logits = np.ctypeslib.as_array(self._c.llama_get_logits_ith(self._context, -1), (self._size,))
        above = logits.astype(np.float64) - logits.max()
        logp: np.ndarray = above - np.log(np.exp(above).sum())
        return logp

    def continued(self, texts: Sequence[Sequence[int]], samples: int, tokens: int) -> list[list[int]]:
        """Return at most ``tokens`` tokens after each text, drawn at temperature 1, for each of its samples.

        All texts and samples are read together, and the samples of a text share what was read of it.
        """
        self._c.llama_memory_clear(self._memory, True)
        firsts = [number * samples for number in range(len(texts))]
        prompts = zip(texts, firsts, strict=True)
        self._decode([(token, place, first) for ids, first in prompts for place, token in enumerate(ids)])
        for first in firsts:
            for sequence in range(first + 1, first + samples):
                self._c.llama_memory_seq_cp(self._memory, first, sequence, -1, -1)
        ends = np.cumsum([len(ids) for ids in texts]) - 1
        written: list[list[int]] = [[] for _ in range(len(texts) * samples)]
        alive, rows = list(range(len(written))), np.repeat(ends, samples).tolist()
        for step in range(tokens):
            drawn = [self._c.llama_sampler_sample(self._sampler, self._context, row) for row in rows]
            went_on = [
                (token, sequence)
                for token, sequence in zip(drawn, alive, strict=True)
                if not self._c.llama_vocab_is_eog(self._vocabulary, token)
            ]
            for token, sequence in went_on:
                written[sequence].append(token)
            alive = [sequence for _, sequence in went_on]
            if not alive or step == tokens - 1:
                break
            self._decode([(token, len(texts[sequence // samples]) + step, sequence) for token, sequence in went_on])
            rows = list(range(len(alive)))
        return written

    def _decode(self, tokens: Sequence[tuple[int, int, int]]) -> None:
        """Read tokens, each with its place and its sequence; there are logits after the last one of each sequence."""
        batch = self._batch
        batch.n_tokens = len(tokens)
        last = {sequence: row for row, (_, _, sequence) in enumerate(tokens)}
        for row, (token, place, sequence) in enumerate(tokens):
            batch.token[row], batch.pos[row], batch.n_seq_id[row] = token, place, 1
            batch.seq_id[row][0], batch.logits[row] = sequence, last[sequence] == row
        if self._c.llama_decode(self._context, batch):
            raise RuntimeError("llama_decode failed")


def floats_of(file: str | Path, threads: int, *, sequences: int = 1) -> Llama:
    """Return a model whose weights are unpacked to float32 beforehand, and whose attention is in float32."""
    with tempfile.TemporaryDirectory() as scratch:
        unpacked = Path(scratch, "unpacked.gguf")
        unpack(Path(file), unpacked)
        return Llama(str(unpacked), threads, floats=True, sequences=sequences)


def unpack(file: Path, unpacked: Path) -> None:
    """Write a GGUF file again, with all weights in float32."""
    read = gguf.GGUFReader(file)
    writer = gguf.GGUFWriter(unpacked, read.get_field("general.architecture").contents())
    for name, field in read.fields.items():
        if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
            writer.add_key_value(name, field.contents(), field.types[0], field.types[-1])
    for tensor in read.tensors:
        writer.add_tensor(tensor.name, gguf.dequantize(tensor.data, tensor.tensor_type))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def functions(folder: Path) -> ctypes.CDLL:
    """Return the functions that are used here, with what they take and return; ready to load a model."""
    ggml, llama = (ctypes.CDLL(str(next(folder.glob(f"lib{name}.*so*")))) for name in ("ggml", "llama"))
    ggml.ggml_backend_load_all_from_path(str(folder).encode())
    pointer, number = ctypes.c_void_p, ctypes.c_int32
    signatures: dict[str, tuple[object, ...]] = {
        "llama_log_set": (None, pointer, pointer),
        "llama_model_default_params": (Passed,),
        "llama_model_load_from_file": (pointer, ctypes.c_char_p, Passed),
        "llama_context_default_params": (Settings,),
        "llama_init_from_model": (pointer, pointer, Settings),
        "llama_model_get_vocab": (pointer, pointer),
        "llama_vocab_n_tokens": (number, pointer),
        "llama_get_memory": (pointer, pointer),
        "llama_memory_seq_rm": (ctypes.c_bool, pointer, number, number, number),
        "llama_tokenize": (number, pointer, ctypes.c_char_p, number, pointer, number, ctypes.c_bool, ctypes.c_bool),
        "llama_batch_get_one": (Batch, pointer, number),
        "llama_decode": (number, pointer, Batch),
        "llama_batch_init": (Batch, number, number, number),
        "llama_memory_clear": (None, pointer, ctypes.c_bool),
        "llama_memory_seq_cp": (None, pointer, number, number, number, number),
        "llama_vocab_is_eog": (ctypes.c_bool, pointer, number),
        "llama_sampler_init_dist": (pointer, ctypes.c_uint32),
        "llama_sampler_sample": (number, pointer, pointer, number),
        "llama_get_logits_ith": (ctypes.POINTER(ctypes.c_float), pointer, number),
    }
    for name, (returned, *taken) in signatures.items():
        function = getattr(llama, name)
        function.restype, function.argtypes = returned, taken
    llama.llama_log_set(_quiet, None)
    return llama


_quiet = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
