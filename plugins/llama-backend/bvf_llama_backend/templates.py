"""Renders chats with a model's own template, in a separate process with limited memory and time."""

import json
import os
import subprocess
import sys
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

PROGRAM = (sys.executable, "-P", str(Path(__file__).with_name("template_process.py")))
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
Messages = Sequence[Mapping[str, Any]]


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
