"""The weights of a GGUF file in llama.cpp: reads tokens of several sequences at once, and returns logits.

llama.cpp keeps the keys and values of what it has read, and knows for each token to which sequences it belongs. So a
beginning that several sequences share is one token of all of them, and is read once.
"""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import finalize

import llama_cpp
import numpy as np
from numpy.typing import NDArray
from torch import nn
from transformers import GenerationConfig, PreTrainedConfig

from bvf import BvfError
from bvf.stats import BoolArray, IntArray

Logits = NDArray[np.float32]
"""Logits of N next tokens, shape (N, V)."""
SEQUENCES = 128
"""The most sequences at a time. For each, llama.cpp reserves logits of the whole vocabulary."""
AT_ONCE = 512
"""The most tokens in one forward pass; like `FEWEST_KEPT`, it was not tuned."""
FEWEST_KEPT = 1024
"""There is room for the keys and values of at least so many tokens."""
FLOAT32 = 0
"""ggml's number of this type."""
ALWAYS_OFF = 0
"""llama.cpp's number for attention without its fast kernel, which would round keys and values to 16 bits."""
WAY_OUT = "leave -B library out: the transformers library may read it, if it fits when unpacked"
ERROR = 4
"""llama.cpp's number for errors in its log."""
_heard: list[str] = []


def _keep_errors(level: int, text: bytes, _: object) -> None:
    """Keep the errors that llama.cpp logs, so that the first can be shown, and write nothing."""
    if level == ERROR:
        _heard.append(text.decode(errors="replace").strip())


_hear = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(_keep_errors)
"""What llama.cpp calls; it has to stay as long as the library is loaded."""


@dataclass(frozen=True)
class Tokens:
    """N tokens to read, each after those that it follows.

    Args:
        ids: Token ids, shape (N,).
        positions: Their positions in their sequences, shape (N,).
        sequences: The sequences to which each belongs, N lists.
        wanted: Whether logits of the next token are wanted, shape (N,); for at most `SEQUENCES`.
    """

    ids: IntArray
    positions: IntArray
    sequences: Sequence[Sequence[int]]
    wanted: BoolArray


class PackedWeights(nn.Module):
    """Weights that stay as they are in their file, and what has been read with them.

    To the kinds of models it is a model of the transformers library: it has that library's configuration, and a row of
    embeddings per token, if an empty one.
    """

    def __init__(self, file: Path, config: PreTrainedConfig, threads: int, *, on_cpu: bool) -> None:
        super().__init__()
        self.config = config
        self.generation_config = GenerationConfig.from_model_config(config)
        llama_cpp.llama_log_set(_hear, None)
        _heard.clear()
        settings = llama_cpp.llama_model_default_params()
        settings.n_gpu_layers = 0 if on_cpu else -1
        self._model = llama_cpp.llama_model_load_from_file(str(file).encode(), settings)
        if self._model is None:
            raise BvfError(f"{file}: llama.cpp cannot read it: {' '.join(_heard[:1]) or 'it says no more'}", WAY_OUT)
        finalize(self, llama_cpp.llama_model_free, self._model)
        if llama_cpp.llama_model_is_recurrent(self._model) or llama_cpp.llama_model_is_hybrid(self._model):
            raise BvfError(f"{file}: llama.cpp keeps no keys and values of a recurrent model", WAY_OUT)
        self._threads = threads
        self._rows = int(llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self._model)))
        self._batch = llama_cpp.llama_batch_init(AT_ONCE, 0, SEQUENCES)
        finalize(self, llama_cpp.llama_batch_free, self._batch)
        self._context: Any = None
        self._free_context: Callable[[], Any] | None = None
        self._room = 0

    def get_input_embeddings(self) -> nn.Embedding:
        """Return embeddings of no numbers, one for each token of the vocabulary."""
        return nn.Embedding(self._rows, 0)

    def forget(self, room: int) -> None:
        """Forget what was read. Then there is room for ``room`` tokens."""
        if room > self._room:
            self._begin(max(room, FEWEST_KEPT))
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self._context), True)

    def _begin(self, room: int) -> None:
        if self._free_context:
            self._free_context()
        settings = llama_cpp.llama_context_default_params()
        settings.n_ctx, settings.n_batch, settings.n_ubatch = room, AT_ONCE, AT_ONCE
        settings.n_seq_max = settings.n_outputs_max = SEQUENCES
        settings.kv_unified = True
        settings.n_threads = settings.n_threads_batch = self._threads
        settings.type_k = settings.type_v = FLOAT32
        settings.flash_attn_type = ALWAYS_OFF
        self._context = llama_cpp.llama_init_from_model(self._model, settings)
        if self._context is None:
            raise MemoryError(f"llama.cpp has no memory for {room} tokens")
        self._free_context = finalize(self, llama_cpp.llama_free, self._context)
        self._room = room

    def branch(self, source: int, target: int) -> None:
        """Let a sequence begin with all that another one has."""
        memory = llama_cpp.llama_get_memory(self._context)
        llama_cpp.llama_memory_seq_cp(memory, source, target, -1, -1)

    def drop(self, sequences: Sequence[int]) -> None:
        """Forget sequences. What others share with them stays."""
        memory = llama_cpp.llama_get_memory(self._context)
        for each in sequences:
            llama_cpp.llama_memory_seq_rm(memory, each, -1, -1)

    def forward(self, tokens: Tokens) -> Logits:
        """Read tokens after what was read before. Returns the logits that are wanted, shape (M, V).

        Raises:
            RuntimeError: llama.cpp failed.
        """
        logits = [
            self._read(tokens, start, min(start + AT_ONCE, len(tokens.ids)))
            for start in range(0, len(tokens.ids), AT_ONCE)
        ]
        return np.concatenate(logits)

    def _read(self, tokens: Tokens, start: int, stop: int) -> Logits:
        batch = self._batch
        batch.n_tokens = stop - start
        for place, index in enumerate(range(start, stop)):
            batch.token[place] = int(tokens.ids[index])
            batch.pos[place] = int(tokens.positions[index])
            batch.logits[place] = bool(tokens.wanted[index])
            batch.n_seq_id[place] = len(tokens.sequences[index])
            for number, sequence in enumerate(tokens.sequences[index]):
                batch.seq_id[place][number] = sequence
        failed = llama_cpp.llama_decode(self._context, batch)
        if failed:
            raise RuntimeError(f"llama.cpp could not read {stop - start} tokens (error {failed})")
        logits = np.empty((int(tokens.wanted[start:stop].sum()), self._rows), dtype=np.float32)
        for row, place in enumerate(np.flatnonzero(tokens.wanted[start:stop]).tolist()):
            of_token = llama_cpp.llama_get_logits_ith(self._context, place)
            logits[row] = np.ctypeslib.as_array(of_token, (self._rows,))
        return logits
