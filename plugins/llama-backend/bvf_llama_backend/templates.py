"""Renders chats with a model's own template, in a separate process (`template_process`, which finds its variables)."""

import json
import os
import re
import subprocess
import sys
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from bvf.interfaces import Thought

PROGRAM = (sys.executable, "-P", str(Path(__file__).with_name("template_process.py")))
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
Messages = Sequence[Mapping[str, Any]]
BEGIN, END = "<think>", "</think>"
SWITCH = "enable_thinking"
"""The variable by which templates let a model think, or not."""
NOT_THOUGHT = re.compile(rf"{BEGIN}(\s*){END}(\s*)$")
"""An empty thought at the end of a chat: so templates begin an answer without a thought."""
LINE = "\n"
AT_THE_END = re.compile(r"<((?:\w+:)?(?:think|thinking|thought|reasoning))>\s*(?P<end></\1>\s*)?$")
"""A thought at the end of a chat, begun or empty: so some templates begin an answer."""


class TemplateError(Exception):
    """A template failed, or took too much memory or time."""


class Template:
    """A model's chat template."""

    def __init__(self, template: object) -> None:
        self._process = subprocess.Popen(
            PROGRAM,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **ONE_THREAD, "TZ": "UTC"},
        )
        weakref.finalize(self, _end, self._process)
        self._send(template)

    def texts(self, chats: Sequence[Messages], names: Mapping[str, Any], day: date) -> list[str]:
        """Return the text that the template writes for each chat.

        Args:
            chats: The messages of each chat.
            names: The values of the variables that the template uses besides the messages.
            day: The day that the template takes for today.

        Raises:
            TemplateError: The template refuses a chat, or takes too much memory or time.
        """
        return self._answer("texts", {"chats": list(chats), "names": dict(names), "day": day.isoformat()})

    def variables(self) -> list[str]:
        """Return the names of the variables that the template uses besides the messages. Errors are as in `texts`."""
        return self._answer("variables", {})

    def _answer(self, key: str, request: dict[str, Any]) -> list[str]:
        self._send(request)
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise TemplateError("it takes too long, or too much memory")
        answer = json.loads(line)
        if "error" in answer:
            raise TemplateError(answer["error"])
        return list(answer[key])

    def _send(self, content: object) -> None:
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):  # then there will be no answer
                self._process.stdin.write(json.dumps(content, default=str) + "\n")
                self._process.stdin.flush()


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()


@dataclass(frozen=True)
class Marks:
    """What stands around a thought.

    Args:
        opening: What begins a thought after the beginning of the assistant's turn.
        line: What a template writes between a thought and the mark of its end; the model writes it itself.
        closing: The mark of its end, and what separates it from the answer.
    """

    opening: str = BEGIN + LINE
    line: str = LINE
    closing: str = END + LINE + LINE


def marks_in(template: str, begun: str, without: str) -> Marks | None:
    r"""Return the marks of a template; None: it has none.

    Args:
        template: The template itself.
        begun: A chat up to the assistant's turn, in which the model thinks.
        without: The same chat where the model is told not to think.

    >>> marks_in("... <think> ... </think> ...", "assistant: ", "assistant: <think>\n\n</think>\n")
    Marks(opening='<think>\n', line='\n', closing='</think>\n')
    """
    if BEGIN not in template or END not in template:
        return None
    empty = NOT_THOUGHT.search(without)
    marks = Marks()
    if empty is not None:
        line = LINE if LINE in empty[1] else ""
        marks = Marks(BEGIN + line, line, END + empty[2])
    return Marks("", marks.line, marks.closing) if begun.rstrip().endswith(BEGIN) else marks


def thought_begun(begun: str, without: str) -> tuple[str, str]:
    r"""Return the thought with which a template begins an answer, and the empty one that takes its place before words.

    Both are empty if it begins with none. ``begun`` and ``without`` are as in `marks_in`.

    >>> thought_begun("assistant: <think>\n", "assistant: <think>\n")
    ('<think>\n', '<think>\n\n</think>\n\n')
    """
    opening, empty = AT_THE_END.search(begun), AT_THE_END.search(without)
    if opening is None or opening["end"]:
        return (opening[0], opening[0]) if opening else ("", "")
    closed = f"{opening[0]}{LINE}</{opening[1]}>{LINE}{LINE}"
    return opening[0], empty[0] if empty and empty["end"] else closed


def thought_of(text: str, marks: Marks, *, ended: bool) -> Thought:
    r"""Return the thought in a text, up to the mark of its end.

    If there is no mark, and the model has not ``ended`` the thought otherwise, it has behind it what the template
    writes before the mark.

    >>> thought_of("So.</think>He", Marks(), ended=False)
    Thought(text='So.', ended=True)
    >>> thought_of("And", Marks(), ended=False)
    Thought(text='And\n', ended=False)
    """
    thought, mark, _ = text.partition(END)
    if mark or ended:
        return Thought(thought, ended=True)
    return Thought(thought.removesuffix(marks.line) + marks.line, ended=False)
