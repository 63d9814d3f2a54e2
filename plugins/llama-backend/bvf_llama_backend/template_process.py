"""The program that renders chats, as a separate process with limits. Templates come with models and are not trusted.

It reads a JSON line with the template, then lines of requests, each of chats, variables and the day that is today; it
writes a line with the texts for each, or with an error. A request without chats asks which variables the template uses.
It ends when its input ends, and the system kills it when it takes too long.
"""

import json
import random
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, tzinfo
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar, Self

from jinja2 import nodes
from transformers.utils import chat_template_utils

MEMORY = 2_000_000_000
"""Bytes that templates may use in addition to those of the program itself."""
SECONDS = 10
"""Seconds of CPU time per line of chats, not wall time: other busy programs do not use it up."""
CHATS_PER_SECOND = 100
"""One more second is allowed for this many chats."""
LONGEST = 1_000_000
"""The most characters of a rendered chat."""
OF_THE_CHAT = {"messages", *signature(chat_template_utils.render_jinja_template).parameters}
"""Names that a chat itself sets, so that no variable can have them."""


class Clock(datetime):
    """The clock of templates: it stands still at midnight of the day ``stands_at``."""

    stands_at: ClassVar[datetime] = datetime(2024, 7, 26)

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls(cls.stands_at.year, cls.stands_at.month, cls.stands_at.day, tzinfo=tz)


def main() -> None:
    """Render every chat in the input, line by line."""
    _limit_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt of the terminal ends the run, and that ends the input
    chat_template_utils.datetime = Clock  # type: ignore[attr-defined]  # its strftime_now asks this clock
    lines = iter(sys.stdin)
    template = json.loads(next(lines))
    for line in lines:
        sys.stdout.write(json.dumps(_answer(template, json.loads(line))) + "\n")
        sys.stdout.flush()


def _answer(template: Any, request: dict[str, Any]) -> dict[str, Any]:
    chats: list[Any] = request.get("chats", [])
    _limit_seconds(SECONDS + len(chats) // CHATS_PER_SECOND)
    try:
        if "chats" in request:
            answer: dict[str, Any] = {"texts": _texts(template, **request)}
        else:
            answer = {"variables": _variables(template)}
    except MemoryError:
        answer = {"error": f"it takes more than {MEMORY / 1e9:g} GB"}
    except Exception as error:  # noqa: BLE001, a template may raise anything
        answer = {"error": str(error).strip().partition("\n")[0] or type(error).__name__}
    _limit_seconds(0)
    return answer


def _texts(template: Any, chats: list[Any], names: dict[str, Any], day: str) -> list[str]:
    Clock.stands_at = datetime.fromisoformat(day)
    if _text("{{ strftime_now('%Y-%m-%d') }}", [], {}) != day:
        raise RuntimeError("this version of transformers tells templates the date in a way that cannot be fixed")
    return [_text(template, chat, names) for chat in chats]


def _text(template: Any, chat: list[dict[str, str]], names: dict[str, Any]) -> str:
    random.seed(0)  # templates may choose at random: the filter random, lipsum()
    rendered: Any = chat_template_utils.render_jinja_template([chat], chat_template=template, **names)
    text = str(rendered[0][0])
    if len(text) > LONGEST:
        raise ValueError(f"it writes {len(text):,} letters for one chat")
    return text


def _variables(template: Any) -> list[str]:
    """The names that the template looks up, but for those that the chat or the engine sets."""
    environment = chat_template_utils._compile_jinja_template(template).environment
    found = set[str]()
    _visit([environment.parse(template)], set(), found)
    return sorted(found - OF_THE_CHAT - set(environment.globals))


def _visit(parts: Iterable[nodes.Node | None], known: set[str], found: set[str]) -> set[str]:
    """Add to ``found`` the names that are read and not ``known``. Return the names that are known afterwards."""
    for node in parts:
        if isinstance(node, nodes.Name):
            if node.ctx == "load" and node.name not in known:
                found.add(node.name)
            known = known | ({node.name} if node.ctx != "load" else set())
        elif isinstance(node, nodes.If):
            known = _visit([node.test], known, found)
            otherwise = _rest(node) if node.elif_ else node.else_
            known = _visit(node.body, known, found) & _visit(otherwise, known, found)
        elif isinstance(node, nodes.For):
            inner = _visit([node.iter, node.target, node.test], known | {"loop"}, found)
            _visit(node.body, inner, found)
            _visit(node.else_, known, found)
        elif isinstance(node, nodes.Macro):
            known = known | {node.name}
            _visit([*node.defaults, *node.args, *node.body], known | {"caller", "varargs", "kwargs"}, found)
        elif isinstance(node, nodes.Assign):
            known = _visit([node.node, node.target], known, found)
        elif node is not None:
            known = _visit(node.iter_child_nodes(), known, found)
    return known


def _rest(node: nodes.If) -> list[nodes.Node]:
    """The branches of an ``if`` after its first one, as an ``if`` of its own."""
    first, *others = node.elif_
    return [nodes.If(first.test, first.body, others, node.else_)]


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
