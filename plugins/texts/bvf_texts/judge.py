"""The reader ``judge``: another model is asked which class a text says, and its error is measured on labelled texts."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, field_validator

from bvf import BvfError, ChosenModel, Language, Prompt, Topic, choose_model, load
from bvf.domain import Attribute, Config, Positive
from bvf.errors import nearest
from bvf.files import parse_toml, read_text
from bvf.stats import class_probabilities
from bvf_texts.kept import Readings
from bvf_texts.labelled import LabelledTexts
from bvf_texts.reader import Read, Reader, ReadText, Unread

TEXT = "[text]"
NONE = "none"
"""In ``[answers]``: the words that say that a text has no class."""
OF_NO_CLASS = "the judge finds no class"
AT_A_TIME, MOST_WORDS, LONGEST_WORD = 512, 1_000, 100
"""Texts that are judged at a time; the most words that answer a question, and the most characters of one."""


class JudgeFile(Config):
    """The file of a judge: the model, the question, the words of each answer, and the labelled texts."""

    model: str = Field(description="As for --model")
    backend: str = Field(default="", description="As for --backend")
    backend_options: dict[str, Any] = Field(default={}, description="As for -B")
    plugin: tuple[str, ...] = Field(default=(), description="As for --plugin")
    name: str = Field(default="", description="As for --name")
    threads: Positive | None = Field(default=None, description="As for --threads")
    question: str = Field(description="What the judge reads; [text] is the text")
    answers: dict[str, tuple[str, ...]] = Field(description="By class: the words that answer the question with it")
    labelled: str = Field(description="A table with the columns text and label, beside this file; group if you like")

    @field_validator("question")
    @classmethod
    def _has_the_text(cls, question: str) -> str:
        if question.count(TEXT) != 1:
            raise ValueError(f"it needs {TEXT} once")
        return question

    @field_validator("answers")
    @classmethod
    def _few_and_short(cls, answers: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        words = [word for listed in answers.values() for word in listed]
        if len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words):
            raise ValueError(f"{MOST_WORDS:,} words at most answer a question, of {LONGEST_WORD} letters at most")
        return answers


class Judge(Reader):
    """``judge:FILE.toml``: the class whose words another model gives the highest probability after a question.

    What it said is kept in the folder of the measurement, so that texts are judged once. Its error is counted in the
    labelled texts that the file names, and shares of classes are corrected for it.

    Raises:
        BvfError: The file is not that of a judge, or the labelled texts cannot be read.
    """

    labelled: LabelledTexts

    def __init__(self, file: str) -> None:
        path = Path(file)
        self.file = file
        self.chosen = JudgeFile.checked(parse_toml(read_text(path), file), file)
        self.labelled = LabelledTexts(path.parent / self.chosen.labelled)
        self._judged = dict[str, str]()
        self._chosen: ChosenModel | None = None

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        self._check_classes([each.name for each in classes])

        def read(text: str) -> Read:
            if text not in self._judged:
                self.prepare([text], classes, language, None)
            judged = self._judged[text]
            return Unread(OF_NO_CLASS) if judged == NONE else judged

        return read

    def prepare(
        self, texts: Sequence[str], classes: Sequence[Attribute], language: Language, folder: Path | None
    ) -> None:
        """Judge texts that were not judged yet, and the labelled ones, all together."""
        self._check_classes([each.name for each in classes])
        unknown = [text for text in dict.fromkeys([*texts, *self.labelled.texts]) if text not in self._judged]
        if unknown:
            self._judged |= zip(unknown, self._asked(unknown, classes, language), strict=True)

    def by(self, classes: Sequence[Attribute], language: Language) -> Mapping[str, Any]:
        """Return the question, the model with its weights and settings or its server, and the labelled texts."""
        asks = self.chosen.model_dump(mode="json", include={"question", "answers"})
        model = self._model(classes, language).identity()
        return {"judge": {**asks, "model": model}, **super().by(classes, language)}

    def remember(self, before: Readings, classes: Sequence[Attribute], language: Language) -> None:
        if before.by.get("judge") == self.by(classes, language)["judge"]:
            self._judged |= {**before.read, **dict.fromkeys(before.unread, NONE)}

    def _asked(self, texts: Sequence[str], classes: Sequence[Attribute], language: Language) -> list[str]:
        """The class that the judge finds in each text, or `NONE`."""
        words = [word for listed in self.chosen.answers.values() for word in listed]
        class_of_word = np.array([y for y, listed in enumerate(self.chosen.answers.values()) for _ in listed])
        backend = self._model(classes, language).load()
        names, judged, spaced = list(self.chosen.answers), list[str](), bool(language.between_words)
        before, _, after = self.chosen.question.rstrip().partition(TEXT)
        for start in range(0, len(texts), AT_A_TIME):
            prompts = [
                Prompt(f"{before}{text.strip()}{after}", "", "", f"{self.chosen.question} [Y]", spaced)
                for text in texts[start : start + AT_A_TIME]
            ]
            logp = backend.word_logprobs(prompts, words, absolute=False)
            p = class_probabilities(logp, class_of_word, len(names)).tolist()
            judged += [NONE if math.isnan(each[0]) else names[each.index(max(each))] for each in p]
        return judged

    def _check_classes(self, names: Sequence[str]) -> None:
        for name in self.chosen.answers:
            if name not in (*names, NONE):
                raise BvfError(f'{self.file}: answers: there is no class "{name}"', nearest(name, [*names, NONE]))
        for name in names:
            if name not in self.chosen.answers:
                raise BvfError(f"{self.file}: answers: no words for the class {name}", f'write {name} = ["..."]')

    def _model(self, classes: Sequence[Attribute], language: Language) -> ChosenModel:
        if self._chosen is None:
            plugins = load(extra=self.chosen.plugin)
            self._chosen = choose_model(self.chosen, _topic(classes, language), plugins)
        return self._chosen


def _topic(classes: Sequence[Attribute], language: Language) -> Topic:
    """The topic of the judge's questions, for backends that look at it."""
    about = dict.fromkeys(("construct", "harm", "chosen_by", "reference"), "which class a text says")
    return Topic.model_validate(
        {
            **{"schema": "bvf.topic/1", "name": "judge", "language": language.code, "summary": "", "contexts": "judge"},
            **{"sources": ("none",), "groups": ("text",), "attributes": tuple(classes), "measurement": about},
        }
    )
