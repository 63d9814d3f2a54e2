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


class Passed(ctypes.Structure):
    """A structure that one function returns and another takes."""

    _fields_ = (("bytes", ctypes.c_byte * 512),)


class Llama:
    """A model in a GGUF file. What a text has in common with the one before it is not read again.

    Attention has 16 bits as llama.cpp does it, unless asked for ``floats``.
    """

    def __init__(self, file: str, threads: int, *, floats: bool = False) -> None:
        self._c = functions(Path(os.environ["LIBLLAMA"]))
        model = self._c.llama_model_load_from_file(file.encode(), self._c.llama_model_default_params())
        settings = self._c.llama_context_default_params()
        if (settings.type_k, settings.type_v, settings.flash_attn_type) != (F16, F16, -1):
            raise SystemExit("LIBLLAMA holds another version of llama.cpp, with other settings")
        settings.n_ctx, settings.n_threads, settings.n_threads_batch = TOKENS, threads, threads
        if floats:
            settings.type_k, settings.type_v, settings.flash_attn_type = F32, F32, 0
        self._context = self._c.llama_init_from_model(model, settings)
        self._vocabulary = self._c.llama_model_get_vocab(model)
        self._memory = self._c.llama_get_memory(self._context)
        self._size = self._c.llama_vocab_n_tokens(self._vocabulary)
        self._read: list[int] = []

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


def floats_of(file: Path, threads: int) -> Llama:
    """Return a model whose weights are unpacked to float32 beforehand, and whose attention is in float32."""
    with tempfile.TemporaryDirectory() as scratch:
        unpacked = Path(scratch, "unpacked.gguf")
        unpack(file, unpacked)
        return Llama(str(unpacked), threads, floats=True)


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
        "llama_batch_get_one": (Passed, pointer, number),
        "llama_decode": (number, pointer, Passed),
        "llama_get_logits_ith": (ctypes.POINTER(ctypes.c_float), pointer, number),
    }
    for name, (returned, *taken) in signatures.items():
        function = getattr(llama, name)
        function.restype, function.argtypes = returned, taken
    llama.llama_log_set(_quiet, None)
    return llama


_quiet = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
