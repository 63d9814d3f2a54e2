"""What a block of code opened, ran and connected to, of what it must not: see `Watch`."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = tuple(path for path in sys.path if Path(path).is_absolute())
_begun: list["Watch"] = []
_hooked: list[bool] = []


class Watch:
    """Notes connections, processes, and opened paths below a folder; `foreign` names modules of unknown places."""

    def __init__(self, planted: Path):
        self.planted, self.seen, self.before = str(planted), [], set(sys.modules)

    def note(self, event: str, arguments: tuple) -> None:
        if event in ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec"):
            self.seen.append((event, str(arguments[1:])))
        elif event in ("open", "os.listdir", "os.remove", "os.rename") and isinstance(arguments[0], str | Path):
            path = os.path.abspath(arguments[0])
            self.seen += [(event, path)] if path.startswith(self.planted) else []

    def foreign(self) -> list[str]:
        """Modules imported meanwhile that are neither of the environment nor of the project."""
        own = (sys.base_prefix, str(ROOT), *ENVIRONMENT)
        files = {name: getattr(sys.modules[name], "__file__", None) for name in set(sys.modules) - self.before}
        return [name for name, file in files.items() if file and not file.startswith(own)]


def _hook(event: str, arguments: tuple) -> None:
    for watch in _begun:
        watch.note(event, arguments)


@contextmanager
def watched(planted: Path) -> Iterator[Watch]:
    """Watch a block; nothing in it may touch what is below ``planted``."""
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked.append(True)
    watch = Watch(planted)
    _begun.append(watch)
    try:
        yield watch
    finally:
        _begun.remove(watch)
