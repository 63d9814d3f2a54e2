"""Write what stands between markers of the pages, from the code: ``python docs/reference/write.py``.

A part of a page begins with ``<!-- python -->``, or another name of `PARTS`, and ends with ``<!-- end -->``.
"""

import ast
import inspect
import re
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import bvf_testing

import bvf
from bvf.hooks import specs
from bvf.hooks.installed import functions_of_plugins

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("api", "hooks", "cli", "../design/architecture", "../design/modules")
PAGES = [ROOT / "docs" / "reference" / f"{name}.md" for name in NAMES]
TEMPLATES = sorted(ROOT.glob("plugins/testing/bvf_testing/scaffold/templates/**/*.py.jinja"))
EXPORTS = (
    *("csv_text", "latex_text", "markdown_text", "model_table", "group_table", "write_dataset"),
    *("eee_record", "Provenance", "eval_results", "write_tasks"),
)
IMPORT = re.compile(r"^ *from (bvf\S*) import \(?([^()\n]*(?:\n    [^()]*)?)", re.MULTILINE)
PART = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
HEAD = re.compile(r"(Args|Attributes|Raises|Returns|Yields):")
MODULES = re.compile(r"\b[a-z_][\w.]*\.(?=\w)|<class '|'>|(?<=\W)~")
COMMENT = re.compile(r"  # .*$", re.MULTILINE)


def python() -> str:
    """The names of `bvf`, and the figures of `bvf.plot`."""
    names = sorted({*bvf.__all__, *functions_of_plugins()})
    things = {name: getattr(bvf, name) for name in names}
    described = [_described("bvf", name, each) for name, each in things.items() if not isinstance(each, ModuleType)]
    figures = [_described("bvf.plot", name, getattr(bvf.plot, name)) for name in bvf.plot.__all__]
    return "\n\n".join([*described, "## Figures", *figures])


def hooks() -> str:
    """The hooks."""
    return "\n\n".join(_described("", name, each) for name, each in vars(specs).items() if name.startswith("bvf_"))


def templates() -> str:
    """What templates of `bvf new` import, but for the names of `bvf` and of the conformance kit."""
    names = sorted(pair for pair in imports_of_templates() if pair[0] not in ("bvf", "bvf_testing"))
    return "\n\n".join(_described(module, name, getattr(import_module(module), name)) for module, name in names)


def imports_of_templates() -> set[tuple[str, str]]:
    """Every name that a template imports from a package of this project, after its module."""
    found = [each for file in TEMPLATES for each in IMPORT.findall(file.read_text("utf-8"))]
    return {(module, name.strip()) for module, names in found for name in names.split(",") if name.strip()}


def testing() -> str:
    """The conformance kit, and the checks of each kind."""
    parts = []
    for name in bvf_testing.__all__:
        thing = getattr(bvf_testing, name)
        lists = [each for key, each in vars(import_module(thing.__module__)).items() if key.endswith("_CHECKS")]
        items = ["\n".join(f"- `{check.__name__}`: {inspect.getdoc(check)}" for check in checks) for checks in lists]
        parts += [_described("bvf_testing", name, thing), *items]
    return "\n\n".join(parts)


def export() -> str:
    """What `bvf.export` has."""
    return "\n\n".join(_described("bvf.export", name, getattr(bvf.export, name)) for name in EXPORTS)


def cli() -> str:
    """The help of every command."""
    command = [sys.executable, "-m", "typer", "bvf.cli.whole", "utils", "docs", "--name", "bvf"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def packages() -> str:
    """Each package with the first line of its docstring: of the core in the order of its layers, then of plugins."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["name"] == "layers of the core")
    names = [name for layer in layers for name in layer.split(" : ")]
    bundled = sorted([*ROOT.glob("languages/*/bvf_*"), *ROOT.glob("plugins/*/bvf_*")])
    core, plugins = [_item(ROOT / "bvf" / name) for name in names], [_item(folder) for folder in bundled]
    return "\n".join(["### The core", "", *core, "", "### Languages and plugins", "", *plugins])


def modules() -> str:
    """Each module with the first line of its docstring, below the folder that it is in."""
    packages = [ROOT / "bvf", *sorted([*ROOT.glob("languages/*/bvf_*"), *ROOT.glob("plugins/*/bvf_*")])]
    lines = []
    for folder in [each.parent for package in packages for each in sorted(package.rglob("__init__.py"))]:
        inside = [each.with_suffix("") for each in sorted(folder.glob("*.py")) if each.name != "__init__.py"]
        if "templates" not in folder.parts:
            lines += [f"**`{folder.relative_to(ROOT)}`**: {_first_line(folder)}", ""]
            lines += [*(f"- `{each.name}`: {_first_line(each)}" for each in inside), *([""] if inside else [])]
    return "\n".join(lines[:-1])


def _item(package: Path) -> str:
    """A package, or a module, as an item of a list."""
    name = package.name if package.parent.name == "bvf" else package.relative_to(ROOT)
    return f"- `{name}`: {_first_line(package)}"


def _first_line(package: Path) -> str:
    """The first line of the docstring of a package or a module."""
    marked = package / "__init__.py"
    text = (marked if marked.exists() else package.with_suffix(".py")).read_text("utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]


PARTS: dict[str, Callable[[], str]] = {
    each.__name__: each for each in (python, hooks, templates, testing, export, cli, packages, modules)
}


def written(page: str) -> str:
    """Return a page with its parts as the code is now."""
    return PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]()}\n\n{part[3]}", page)


def _described(module: str, name: str, thing: Any) -> str:
    """The heading, the definition and the docstring of a public name; of a class, its fields and methods too."""
    heading = f"### `{module}.{name}`" if module else f"### `{name}`"
    if not (inspect.isclass(thing) or inspect.isroutine(thing)):
        return "\n\n".join([heading, *_assigned(module, name)])
    members: list[str] = []
    if module == "bvf.plot":  # made from a kind of picture, so that no source has its definition
        given = [f"    {MODULES.sub('', str(each))}," for each in inspect.signature(thing).parameters.values()]
        lines = [f"def {name}(", *given, ")"]
    else:
        source = textwrap.dedent(inspect.getsource(thing))
        (node,) = ast.parse(source).body
        lines, members = list(_definition(node, source)), list(_members(thing, node))
    called, said = "\n".join(["```text", *lines, "```"]), _text(inspect.getdoc(thing))
    return "\n\n".join(filter(None, (heading, called, said, "Members:" * bool(members), "\n".join(members))))


def _definition(node: ast.AST, source: str) -> Iterator[str]:
    """The head of a function as its source has it; of a class, with the fields of a data class, or ``__init__``."""
    lines = source.splitlines()
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield COMMENT.sub("", textwrap.dedent("\n".join(lines[node.lineno - 1 : node.body[0].lineno - 1])).strip())
    if isinstance(node, ast.ClassDef):
        is_data = any("dataclass" in ast.unparse(each) for each in node.decorator_list)
        for each in node.body:
            if is_data and isinstance(each, ast.AnnAssign):
                yield f"    {ast.get_source_segment(source, each)}"
            elif isinstance(each, ast.FunctionDef) and each.name == "__init__":
                yield textwrap.indent("\n".join(_definition(each, source)), "    ")


def _members(thing: Any, owner: ast.AST) -> Iterator[str]:
    """An item per described field of a record, and per public method and property of a class."""
    for name, field in getattr(thing, "model_fields", {}).items():
        if field.description:
            yield f"- `{name}`: {field.description}"
    for node in owner.body if isinstance(owner, ast.ClassDef) else ():
        doc = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else ""
        if doc and not node.name.startswith("_"):
            is_property = any("property" in ast.unparse(each) for each in node.decorator_list)
            returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            called = returned if is_property else f"({ast.unparse(node.args)}){returned}"
            yield f"- `{node.name}{called}`: {_code(doc.partition(chr(10) * 2)[0])}"


def _assigned(module: str, name: str) -> Iterator[str]:
    """The assignment of a constant or a type, and the text below it, from the file that a stub names."""
    stubs = "".join(each.read_text("utf-8") for each in Path(str(import_module(module).__file__)).parent.glob("*.pyi"))
    match = re.search(rf"from (\S+) import {name} as {name}$", stubs, re.MULTILINE)
    source = inspect.getsource(import_module(match[1] if match else module))
    body = ast.parse(source).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        if name in [getattr(each, "id", None) for each in targets]:
            yield f"```text\n{ast.get_source_segment(source, node)}\n```"
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                yield _code(str(after.value.value))


def _text(docstring: str | None) -> str:
    """A docstring as Markdown: its sections of arguments and errors are lists."""
    lines: list[str] = []
    in_section = False
    for line in (docstring or "").splitlines():
        if head := HEAD.fullmatch(line):
            in_section = True
            lines += [f"{head[1]}:", ""]
        elif in_section and (item := re.match(r"    (\*{0,2}\w+): (.*)", line)):
            lines.append(f"- `{item[1]}`: {item[2]}")
        elif in_section and line:
            lines.append(f"  {line.strip()}" if lines[-1] else line.strip())
        else:
            in_section = in_section and not line
            lines.append(line)
    return _code(re.sub(r"(^>>> (?:.+\n?)+)", r"```text\n\1\n```", "\n".join(lines), flags=re.MULTILINE))


def _code(text: str) -> str:
    """A text with code between single backticks; fences stay."""
    return re.sub(r"(?<!`)``(?!`)", "`", text).strip()


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(written(page.read_text("utf-8")), "utf-8")
