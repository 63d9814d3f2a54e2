"""llama.cpp by its own C functions, as llama-cpp-python has them: ``make build/llama-cpp/.installed`` compiles it."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import gguf
import llama_cpp
import numpy as np

TOKENS = 256
ROOM = 128
"""The most tokens of one of several sequences."""
F32, NO_FLASH_ATTENTION = 0, 0


@llama_cpp.llama_log_callback
def quiet(*_: object) -> None:
    """Say nothing."""


class Llama:
    """A model in a GGUF file. What a text has in common with the one before it is not read again.

    Attention has 16 bits as llama.cpp does it, unless asked for ``floats``. Several ``sequences`` can be continued
    together.
    """

    def __init__(self, file: str, threads: int, *, floats: bool = False, sequences: int = 1) -> None:
        llama_cpp.llama_log_set(quiet, None)
        model = llama_cpp.llama_model_load_from_file(file.encode(), llama_cpp.llama_model_default_params())
        settings = llama_cpp.llama_context_default_params()
        settings.n_ctx, settings.n_threads, settings.n_threads_batch = max(TOKENS, ROOM * sequences), threads, threads
        settings.n_seq_max = sequences
        if floats:
            settings.type_k, settings.type_v, settings.flash_attn_type = F32, F32, NO_FLASH_ATTENTION
        self._context = llama_cpp.llama_init_from_model(model, settings)
        self._vocabulary = llama_cpp.llama_model_get_vocab(model)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._read: list[int] = []
        self._batch = llama_cpp.llama_batch_init(max(TOKENS, ROOM * sequences), 0, 1)
        self._sampler = llama_cpp.llama_sampler_init_dist(0)

    def tokens(self, text: str, *, first: bool) -> list[int]:
        """Return the tokens of a text, with those that begin every text if they are its ``first``."""
        room, content = (llama_cpp.llama_token * TOKENS)(), text.encode()
        number = llama_cpp.llama_tokenize(self._vocabulary, content, len(content), room, TOKENS, first, False)
        return room[:number]

    def logp_after(self, ids: Sequence[int]) -> np.ndarray:
        """Return log p of every token of the vocabulary after a text."""
        common = 0
        while common < min(len(self._read), len(ids) - 1) and self._read[common] == ids[common]:
            common += 1
        llama_cpp.llama_memory_seq_rm(self._memory, 0, common, -1)
        self._decode([(token, common + place, 0) for place, token in enumerate(ids[common:])])
        self._read = list(ids)
        size = llama_cpp.llama_vocab_n_tokens(self._vocabulary)
        logits = np.ctypeslib.as_array(llama_cpp.llama_get_logits_ith(self._context, -1), (size,))
        above = logits.astype(np.float64) - logits.max()
        return above - np.log(np.exp(above).sum())

    def continued(self, texts: Sequence[Sequence[int]], samples: int, tokens: int) -> list[list[int]]:
        """Return at most ``tokens`` tokens after each text, drawn at temperature 1, for each of its samples.

        All texts and samples are read together, and the samples of a text share what was read of it.
        """
        llama_cpp.llama_memory_clear(self._memory, True)
        firsts = [number * samples for number in range(len(texts))]
        prompts = zip(texts, firsts, strict=True)
        self._decode([(token, place, first) for ids, first in prompts for place, token in enumerate(ids)])
        for first in firsts:
            for sequence in range(first + 1, first + samples):
                llama_cpp.llama_memory_seq_cp(self._memory, first, sequence, -1, -1)
        written: list[list[int]] = [[] for _ in range(len(texts) * samples)]
        alive, rows = list(range(len(written))), np.repeat(np.cumsum(list(map(len, texts))) - 1, samples).tolist()
        for step in range(tokens):
            drawn = [llama_cpp.llama_sampler_sample(self._sampler, self._context, row) for row in rows]
            went_on = [
                (token, sequence)
                for token, sequence in zip(drawn, alive, strict=True)
                if not llama_cpp.llama_vocab_is_eog(self._vocabulary, token)
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
        if llama_cpp.llama_decode(self._context, batch):
            raise RuntimeError("llama_decode failed")


def floats_of(file: str, threads: int, *, sequences: int = 1) -> Llama:
    """Return a model whose weights are unpacked to float32 beforehand, and whose attention is in float32."""
    with tempfile.TemporaryDirectory() as scratch:
        unpacked, read = Path(scratch, "unpacked.gguf"), gguf.GGUFReader(file)
        writer = gguf.GGUFWriter(unpacked, read.get_field("general.architecture").contents())
        for name, field in read.fields.items():
            if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
                writer.add_key_value(name, field.contents(), field.types[0], field.types[-1])
        for tensor in read.tensors:
            writer.add_tensor(tensor.name, gguf.dequantize(tensor.data, tensor.tensor_type))
        for write in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file):
            write()
        writer.close()
        return Llama(str(unpacked), threads, floats=True, sequences=sequences)
