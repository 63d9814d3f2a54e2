"""The program that renders chats, as a separate process with limits. Templates come with models and are not trusted.

It reads a JSON line with the template and its variables, then lines of chats. For each line of chats it writes a line
with their texts, or with an error. It ends when its input ends, and the system kills it when it takes too long.
"""

import json
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from transformers.utils.chat_template_utils import render_jinja_template

MEMORY = 2_000_000_000
"""Bytes that templates may use in addition to those of the program itself."""
SECONDS = 10
"""Seconds of CPU time per line of chats, not wall time: other busy programs do not use it up."""
CHATS_PER_SECOND = 100
"""One more second is allowed for this many chats."""
LONGEST = 1_000_000
"""The most characters of a rendered chat."""


def main() -> None:
    """Render every chat in the input, line by line."""
    _limit_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt of the terminal ends the run, and that ends the input
    lines = iter(sys.stdin)
    template = json.loads(next(lines))
    for line in lines:
        answer = _answer(json.loads(line), template["template"], template["names"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _answer(chats: list[Any], template: Any, names: dict[str, Any]) -> dict[str, Any]:
    _limit_seconds(SECONDS + len(chats) // CHATS_PER_SECOND)
    try:
        answer: dict[str, Any] = {"texts": [_text(template, chat, names) for chat in chats]}
    except MemoryError:
        answer = {"error": f"it takes more than {MEMORY / 1e9:g} GB"}
    except Exception as error:  # noqa: BLE001, a template may raise anything
        answer = {"error": str(error).strip().partition("\n")[0] or type(error).__name__}
    _limit_seconds(0)
    return answer


def _text(template: Any, chat: list[dict[str, str]], names: dict[str, Any]) -> str:
    rendered: Any = render_jinja_template([chat], chat_template=template, **names)
    text = str(rendered[0][0])
    if len(text) > LONGEST:
        raise ValueError(f"it writes {len(text):,} letters for one chat")
    return text


def _limit_seconds(seconds: int) -> None:
    """Let the system kill this process after some seconds of CPU time. 0 removes the limit."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):  # not every system has such a limit
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main()
