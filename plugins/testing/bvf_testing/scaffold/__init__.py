"""Packages that `bvf new` writes: a plugin that installs, works, and passes its own tests."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory

from bvf import BvfError
from bvf.hooks import Plugins

PLURALS = {"contexts": "contexts", "criterion": "criteria", "analysis": "analyses"}
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
CODE = re.compile(r"[a-z]{2,3}")


@dataclass(frozen=True)
class Names:
    """The kind of a new plugin, such as ``topic``, and the names used in it.

    ``language`` is that of a topic, a context set or a miner. A topic with ``knowledge`` has true answers.
    """

    kind: str
    name: str
    language: str = "en"
    knowledge: bool = False

    @property
    def templates(self) -> tuple[str, ...]:
        """The folders of the templates. Files of a later folder replace those of an earlier one."""
        return ("common", self.kind, *(("knowledge",) if self.knowledge else ()))

    @property
    def distribution(self) -> str:
        return f"bvf-{self.name}"

    @property
    def package(self) -> str:
        return f"bvf_{self.name.replace('-', '_')}"

    @property
    def class_name(self) -> str:
        return "".join(part.capitalize() for part in self.name.split("-"))


def refuse_unfit(names: Names, plugins: Plugins) -> None:
    """Raise `BvfError` if the name of a new plugin is unfit or already installed, or its language is not."""
    kind, name = names.kind, names.name
    plugins.languages.find(names.language)
    pattern, right = (CODE, "two or three letters: de, sw") if kind == "language" else (NAME, "lower case: my-topic")
    if not pattern.fullmatch(name):
        raise BvfError(f'"{name}" cannot be the name of {_a(kind)}', right)
    registry = getattr(plugins, PLURALS.get(kind, f"{kind}s"))
    beside = registry if kind == "language" else registry.in_language(names.language)
    taken = [entry.owner.plugin for entry in beside if entry.provider.name == name]
    if taken or name in plugins.owners:
        owner = f"{_a(registry.kind)} of the plugin {taken[0]}" if taken else "a plugin"
        raise BvfError(f'"{name}" is the name of {owner} already', "choose another name")


def write_package(names: Names, into: Path) -> Path:
    """Write the package of a new plugin, all of it or nothing, and return its folder."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    folder = into / names.distribution
    if folder.exists():
        raise BvfError(f"{folder}: exists already", "take another name, or --into another folder")
    try:
        into.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=into, prefix=".") as beside:
            half = Path(beside) / names.distribution
            root = files(__package__) / "templates"
            for path, source in (template for kind in names.templates for template in _templates(root / kind)):
                file = half / path.replace("PACKAGE", names.package).replace("NAME", names.name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(environment.from_string(source.read_text("utf-8")).render(names=names), "utf-8")
            half.rename(folder)
    except OSError as error:
        raise BvfError(f"{folder}: cannot be written: {error.strerror}") from error
    return folder


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _templates(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    """Every template below a folder, and the path of the file made from it."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _templates(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".jinja"):
            yield prefix + entry.name.removesuffix(".jinja"), entry
