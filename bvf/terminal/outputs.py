"""The files that a command writes, checked against all that its arguments and options name."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from bvf.files.writing import IsOurs, Output, never
from bvf.terminal.options import flag

Force = Annotated[bool, flag("--force", help_text="Replace an existing file, whatever wrote it.")]


def output(
    context: typer.Context,
    option: str,
    file: Path,
    is_ours: IsOurs = never,
    *,
    force: bool = False,
    others: Iterable[tuple[str, Path]] = (),
) -> Output:
    """Return a file that the command of a context may write. Call it before the command reads or computes anything.

    ``others`` are files of the command that no option names. See `bvf.files.writing.Output.check` for the rules.

    Raises:
        BvfError: The file is read by the command, is a second output, lies in a run, or bvf did not write it.
    """
    made = Output(option, file, is_ours)
    made.check([*_named_beside(context, option), *others], force=force)
    return made


def _named_beside(context: typer.Context, option: str) -> Iterator[tuple[str, Path]]:
    """Every text that the other arguments and options of a command have: each may be the name of a file."""
    for parameter in context.command.params:
        if option in parameter.opts or parameter.name is None:
            continue
        value = context.params.get(parameter.name)
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, str | Path):
                is_option = parameter.param_type_name == "option"
                yield f"{parameter.opts[0]} {each}" if is_option else f"{each}, which is read", Path(each)
