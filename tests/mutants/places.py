"""Where an expression is that a mutation changes: found by its function, so a file may move and be edited around it."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("places.toml")


@dataclass(frozen=True)
class Place:
    """One mutation: in a function (its name within the file, "" for none), an expression, and what replaces it.

    ``tests`` is the end of the name of a file of tests elsewhere that are about it, such as ``measuring/test_parts``.
    """

    function: str
    old: str
    new: str
    file: str = ""
    idea: str = ""
    tests: str = ""

    @property
    def name(self) -> str:
        return f"{self.function}: {self.old} -> {self.new}"


@dataclass(frozen=True)
class Found:
    """The expression in a file, as bytes from ``start`` to ``end``."""

    file: Path
    function: str
    start: int
    end: int

    def mutated(self, new: str) -> bytes:
        """Return the text of the file with the expression replaced."""
        text = self.file.read_bytes()
        return text[: self.start] + f"({new})".encode() + text[self.end :]


def listed() -> list[Place]:
    """Return the places of the list."""
    return [Place(**each) for each in tomllib.loads(LIST.read_text())["place"]]


@cache
def sources(root: Path = ROOT) -> tuple[Path, ...]:
    """Return the modules of the core, the plugins and the languages."""
    return tuple(sorted(file for pattern in ("bvf", "*/*/bvf_*") for file in root.glob(f"{pattern}/**/*.py")))


@cache
def expressions(file: Path) -> list[tuple[str, ast.expr]]:
    """Return the expressions of a file, each with the function or class that it is in."""
    found: list[tuple[str, ast.expr]] = []

    def visit(node: ast.AST, function: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                found.append((function, child))
            named = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            visit(child, f"{function}.{child.name}".lstrip(".") if named else function)

    visit(ast.parse(file.read_bytes()), "")
    return found


def everywhere(place: Place, root: Path = ROOT) -> Iterator[Found]:
    """Yield each place in the tree that has the expression, in whatever function."""
    wanted = ast.parse(place.old, mode="eval").body
    words = {node.id for node in ast.walk(wanted) if isinstance(node, ast.Name)}
    for file in sources(root):
        text = file.read_bytes()
        if not all(word.encode() in text for word in words):
            continue
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for function, node in expressions(file):
            if type(node) is type(wanted) and ast.dump(node) == ast.dump(wanted):
                start, end = (
                    starts[node.lineno - 1] + node.col_offset,
                    starts[node.end_lineno - 1] + node.end_col_offset,
                )
                yield Found(file, function, start, end)


def find(place: Place, root: Path = ROOT) -> Found | None:
    """Return where a place is: in the function of its name, or of the last part of it; None: it is gone, or unclear."""
    candidates = list(everywhere(place, root))
    rules = (
        lambda each: each.function == place.function,
        lambda each: each.function.split(".")[-1] == place.function.split(".")[-1],
    )
    for rule in rules:
        matching = [each for each in candidates if rule(each)]
        matching = [each for each in matching if each.file.name == Path(place.file).name] or matching
        matching = [each for each in matching if each.file == root / place.file] or matching
        if len(matching) == 1:
            return matching[0]
    return None


def mirror_of(module: Path, root: Path = ROOT) -> tuple[list[Path], Path]:
    """Return the files of tests that mirror a module, and the folder of tests of its package; paths below the root.

    bvf/PACKAGE/NAME.py has tests/PACKAGE/test_NAME*.py, plugins/PLUGIN/bvf_PLUGIN/NAME.py has
    plugins/PLUGIN/tests/test_NAME*.py; without them, the folder above has tests named after the package.
    """
    at = next(at for at, part in enumerate(module.parts) if part.startswith("bvf"))
    base, inner = root.joinpath(*module.parts[:at], "tests"), module.parts[at + 1 : -1]
    folders = [base.joinpath(*inner[:depth]) for depth in range(len(inner), -1, -1)]
    mirrors = (
        [each for each in sorted(folder.glob("test_*.py")) if f"{each.stem}_".startswith(f"test_{stem}_")]
        for folder, stem in zip(folders, (module.stem, *inner[::-1]), strict=True)
    )
    mirror = next(filter(None, mirrors), [])
    room = next(folder for folder in folders if any(folder.glob("test_*.py")))
    return [each.relative_to(root) for each in mirror], room.relative_to(root)
