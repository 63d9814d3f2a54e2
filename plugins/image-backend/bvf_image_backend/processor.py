"""A model's own processor: what stands for a picture in a text, and the numbers that the model sees of it.

Pictures are cut and resized by Pillow, whatever else is installed, so that a model sees the same on every machine.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from bvf_transformers.tokens.word_tree import Ids
from torch import Tensor
from transformers import PreTrainedConfig, PreTrainedTokenizerBase

from bvf import BvfError, Media, Prompt
from bvf.files import picture_in

SAMPLE = "a b c"
NOT_FOR_THE_MODEL = ("input_ids", "attention_mask", "rows", "cols", "labels")
"""Outputs of a processor that are not given to the model with the pictures."""


@dataclass(frozen=True)
class Shown:
    """How pictures stand in a text.

    Args:
        texts: What stands for each picture, with a single image token for each row of them.
        rows: The number of image tokens in each row, in order.
        marks: For each of the model's inputs that say of every token what it is: whether image tokens are marked there.
    """

    texts: tuple[str, ...]
    rows: tuple[int, ...]
    marks: Mapping[str, bool]


class Processor:
    """The processor of a model."""

    def __init__(self, processor: Any, config: PreTrainedConfig, model: str) -> None:
        self.tokenizer: PreTrainedTokenizerBase = processor.tokenizer
        self.image_id = int(config.image_token_id)
        self.own = processor
        self._config = config
        self._model = model
        self._shown: dict[tuple[Media, ...], Shown] = {}

    @cached_property
    def mark(self) -> str:
        """The text of a picture in a context without a chat: the image token, between those that begin and end it."""
        ends = (getattr(self._config, f"vision_{each}_token_id", None) for each in ("start", "end"))
        start, end = ("" if each is None else str(self.tokenizer.convert_ids_to_tokens(each)) for each in ends)
        return f"{start}{self.own.image_token}{end}"

    @cached_property
    def _row(self) -> str:
        """The image token that is repeated for each part of a picture."""
        return str(self.tokenizer.convert_ids_to_tokens(self.image_id))

    def written(self, prompt: Prompt) -> Prompt:
        """Return a prompt with its left text as the processor writes it, which holds a mark for each picture.

        Without a chat, the pictures stand before the text.
        """
        text, spaced, media = prompt.left, prompt.spaced, prompt.media
        if prompt.chat is None and media:
            text, spaced = self.mark * len(media) + text, spaced and text != ""
        count = text.count(self.own.image_token)
        if count != len(media):
            raise BvfError(
                f'{self._model}: "{self.own.image_token}" stands {count} times in the text of a context with '
                f"{len(media)} pictures",
                "this text stands for a picture: take it out of the template",
            )
        if not media:
            return prompt
        whole, last = self._whole(text, tuple(media)), text.rpartition(self.own.image_token)[2]
        return replace(prompt, left=whole, spaced=spaced if whole.endswith(last) else whole.endswith(" "))

    def expanded(self, ids: Ids, media: Sequence[Media]) -> Ids:
        """Return token ids with as many image tokens as the pictures have parts."""
        if not media:
            return ids
        rows = iter(self.shown(tuple(media)).rows)
        whole: list[int] = []
        for token in ids:
            whole += [token] * (next(rows) if token == self.image_id else 1)
        return tuple(whole)

    def shown(self, media: tuple[Media, ...]) -> Shown:
        """Return how pictures stand in a text. It is found out once per picture, and compared with a whole text."""
        if media not in self._shown:
            self._shown[media] = self._find_out(media)
        return self._shown[media]

    def inputs(self, media: Sequence[Media], device: torch.device, dtype: torch.dtype) -> dict[str, Tensor]:
        """Return the numbers that the model sees of pictures, by the name of its input."""
        output, marks = self._output(media)[0], self.shown(tuple(media)).marks
        seen = {name: value for name, value in output.items() if name not in (*NOT_FOR_THE_MODEL, *marks)}
        return {
            name: value.to(device, dtype if value.is_floating_point() else value.dtype) for name, value in seen.items()
        }

    def marks(self, ids: Tensor, media: Sequence[Media]) -> dict[str, Tensor]:
        """Return the model's inputs that say of every token what it is, each of the shape of ``ids``."""
        marked = (ids == self.image_id).long()
        return {name: marked if on else torch.zeros_like(ids) for name, on in self.shown(tuple(media)).marks.items()}

    def _output(self, media: Sequence[Media]) -> tuple[dict[str, Tensor], list[str]]:
        """What the processor makes of pictures and a sample text, and what stands for each picture in it."""
        pictures = [picture_in(each.file, each.digest) for each in media]
        text = self._sample(media)
        try:
            made = self.own(images=pictures, text=[text], return_tensors="np", return_text_replacement_offsets=True)
            tensors = {name: torch.from_numpy(each) for name, each in made.items() if isinstance(each, np.ndarray)}
            return tensors, [each["replacement"] for each in made["text_replacement_offsets"][0]]
        except (ValueError, TypeError, RuntimeError, AttributeError, KeyError, IndexError) as error:
            names = ", ".join(each.file for each in media)
            raise BvfError(
                f"{self._model}: the model's processor does not take {names}: {error}", "--debug shows more"
            ) from error

    def _find_out(self, media: tuple[Media, ...]) -> Shown:
        output, whole = self._output(media)
        ids = output["input_ids"]
        marked = (ids == self.image_id).long()
        marks = {}
        for name, value in output.items():
            if name not in NOT_FOR_THE_MODEL and value.shape == ids.shape:
                marks[name] = bool(value.any())
                if not torch.equal(value.long(), marked if marks[name] else torch.zeros_like(marked)):
                    raise self._unknown(f"marks other tokens than those of images in {name}")
        row = re.compile(f"(?:{re.escape(self._row)})+")
        rows = tuple(len(found) // len(self._row) for text in whole for found in row.findall(text))
        shown = Shown(tuple(row.sub(lambda _: self._row, text) for text in whole), rows, marks)
        self._shown[media] = shown
        text = self._whole(self._sample(media), media)
        special = self.adds_special_tokens(text)
        behind = self.tokenizer(text, add_special_tokens=special)["input_ids"]
        if list(self.expanded(tuple(behind), media)) != ids[0].tolist():
            del self._shown[media]
            raise self._unknown("writes other tokens than those of its text")
        return shown

    def adds_special_tokens(self, text: str) -> bool:
        """Whether the tokenizer adds special tokens to a text; not if the text begins with one, as chats do."""
        begin = self.tokenizer.bos_token
        return begin is None or not text.startswith(begin)

    def _sample(self, media: Sequence[Media]) -> str:
        return self.mark * len(media) + SAMPLE

    def _laid_out(self, text: str) -> str:
        """The text with what the processor puts around it, for a picture of any kind."""
        from PIL import Image

        pictures = [Image.new("RGB", (1, 1))] * text.count(self.own.image_token)
        return str(self.own.prepare_inputs_layout(images=pictures, text=[text])[1][0])

    def _whole(self, text: str, media: tuple[Media, ...]) -> str:
        """The text with what the processor writes around and for each picture, a single image token for each row."""
        first, *others = self._laid_out(text).split(self.own.image_token)
        return first + "".join(f"{each}{part}" for each, part in zip(self.shown(media).texts, others, strict=True))

    def _unknown(self, what: str) -> BvfError:
        return BvfError(
            f"{self._model}: the model's processor {what}, which bvf does not know how to read",
            "name a model whose processor comes with the transformers library",
        )
