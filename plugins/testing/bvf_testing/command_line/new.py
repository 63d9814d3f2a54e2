"""``bvf new``: writes a package for a plugin: a topic, a criterion, an analysis, a backend, a reader, ..."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bvf.terminal import print_line

if TYPE_CHECKING:
    from bvf_testing.scaffold import Kind

new = typer.Typer(help="Write a package for a plugin of your own: it installs, works, and passes its tests.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="What users will type; lower case.")]
Code = Annotated[str, typer.Argument(metavar="CODE", help="The language's code, ISO 639: de, sw.")]
Into = Annotated[Path, typer.Option("--into", metavar="DIR", help="Folder to write the package in.")]
Knowledge = Annotated[bool, typer.Option("--knowledge", help="Subjects of which one answer is true, and the answers.")]
HERE = Path()


@new.command("topic", epilog="Example: bvf new topic temper")
def new_topic(name: Name, into: Into = HERE, knowledge: Knowledge = False) -> None:
    """Write a package for a topic: groups, attributes and their words, in a TOML file."""
    _write("topic", name, into, f"bvf run --topic {name}", knowledge=knowledge)


@new.command("criterion", epilog="Example: bvf new criterion excess")
def new_criterion(name: Name, into: Into = HERE) -> None:
    """Write a package for a criterion: the risk J of a stereotype, in ten lines of Python."""
    _write("criterion", name, into, f"bvf run --criterion {name}")


@new.command("analysis", epilog="Example: bvf new analysis flips")
def new_analysis(name: Name, into: Into = HERE) -> None:
    """Write a package for an analysis: figures of stored probabilities other than the risk, and a table of them."""
    _write("analysis", name, into, f"bvf run --analysis {name} --model baseline:random")


@new.command("backend", epilog="Example: bvf new backend counts")
def new_backend(name: Name, into: Into = HERE) -> None:
    """Write a package for a backend: it loads a model, and gives words in prompts a probability."""
    _write("backend", name, into, f"bvf run --model {name}:bvf-{name}/example.txt")


@new.command("engine", epilog="Example: bvf new engine queue")
def new_engine(name: Name, into: Into = HERE) -> None:
    """Write a package for an engine: it scores prompts in other processes, or on other machines."""
    _write("engine", name, into, f"bvf run --engine {name}:2")


@new.command("reader", epilog="Example: bvf new reader last-word")
def new_reader(name: Name, into: Into = HERE) -> None:
    """Write a package for a reader: it turns a text that a model wrote into a class."""
    _write("reader", name, into, f"bvf run --reading generated --reader {name}")


@new.command("language", epilog="Example: bvf new language de")
def new_language(code: Code, into: Into = HERE) -> None:
    """Write a package for a language: the rules that word prompts, a topic and contexts."""
    _write("language", code, into, f"bvf run --lang {code} --model baseline:random")


def _write(kind: "Kind", name: str, into: Path, run: str, *, knowledge: bool = False) -> None:
    from bvf import load
    from bvf_testing.scaffold import checked_names, write_package

    folder = write_package(checked_names(kind, name, load(), knowledge=knowledge), into)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        print_line(str(file))
    print_line("\nTry it:")
    for command in (f"pip install -e '{folder}[test]'", f"pytest {folder}", run):
        print_line(f"  {command}")
