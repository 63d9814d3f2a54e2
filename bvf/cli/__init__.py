"""The command line: parse, call the API, show."""

import atexit
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from signal import SIGINT

from bvf.cli.interrupt import SIGNAL_EXIT, Interrupts, farewell
from bvf.cli.output import OutputError, guarded_stdout, settle_stderr
from bvf.errors import BvfError, LostError, NotAllDoneError, PluginError, harmless, in_one_line

USERS_FAULT, OUR_FAULT, NOT_ALL_DONE = 2, 70, 1
"""Exit codes of errors. Verdicts have others: 1 and 3 for ``bvf gate``, 1 for ``bvf verify``. 70 is EX_SOFTWARE."""
INTERRUPTED = SIGNAL_EXIT + SIGINT
BROKEN_PIPE = 141
"""What a shell reports of a program whose output pipe was closed: 128 plus the number of SIGPIPE."""
OBJECTS_BETWEEN_SEARCHES = 50_000
"""After so many new objects Python searches for garbage: imports make many, and hardly any garbage."""
COMPLETION_VARIABLE = "_BVF_COMPLETE"
"""A shell sets it to ask for completions of a command line; typer answers, and ends the program."""


def main() -> None:
    """Run the command line. A mistake of the user's is one line on stderr and exit code 2."""
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    atexit.register(gc.freeze)  # a last search for garbage would take 0.1 s, and the system gets all memory back anyway
    interrupts = Interrupts()
    try:
        with interrupts.watched(), guarded_stdout():
            code = _run()
    except BaseException as error:  # noqa: BLE001 - whatever it is, the exit code says whose fault it was
        stopped = interrupts.number or isinstance(error, KeyboardInterrupt)
        if debug and not stopped:
            _write_stderr("".join(traceback.format_exception(error)))
        code = INTERRUPTED if stopped else _report(error)
        if isinstance(error, LostError):
            _write_stderr(in_one_line(farewell(sys.argv[1:])))
    if interrupts.number or code == INTERRUPTED:
        _write_stderr(in_one_line(farewell(sys.argv[1:])))
        code = interrupts.exit_code
    settle_stderr()
    raise SystemExit(code)


def _run() -> int:
    """Run the command. Slow modules are imported here, where an interrupt is caught."""
    _settle_environment(sys.argv)
    import typer

    from bvf.cli.app import command

    try:
        return int(command()(prog_name="bvf", standalone_mode=False) or 0)
    except typer.Abort:
        return INTERRUPTED
    except SystemExit as end:
        if COMPLETION_VARIABLE not in os.environ:
            raise
        return int(end.code or 0)
    except Exception as error:
        if not hasattr(error, "format_message"):  # typer has no public name for what it raises for wrong arguments
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()  # type: ignore[attr-defined]
            return USERS_FAULT
        command_path = getattr(getattr(error, "ctx", None), "command_path", "bvf")
        raise BvfError(error.format_message(), f"{command_path} --help-all shows what there is") from error


def _settle_environment(arguments: Sequence[str]) -> None:
    """Refuse arguments that are not text, and a date that is none; let matplotlib draw into files alone."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            raise BvfError(
                f"an argument is not text in UTF-8: {argument!r}", "rename the file, or set LC_ALL=C.UTF-8"
            ) from error
    os.environ["MPLBACKEND"] = "agg"
    if not (seconds := os.environ.get("SOURCE_DATE_EPOCH") or "0").isdecimal():
        raise BvfError(f'SOURCE_DATE_EPOCH is "{seconds}"', "a number of seconds; or unset it")


def _report(error: BaseException) -> int:
    """Print the error that ended the command, and return the exit code."""
    from bvf.hooks.failure import explained, is_long_name
    from bvf.terminal.console import complain, note

    if isinstance(error, OutputError) and error.closed:
        return BROKEN_PIPE
    line = error if isinstance(error, BvfError) else explained(error)
    for failure in line.failures if isinstance(line, NotAllDoneError) else ():
        note(f"failed: {failure}")
    complain(line)
    if isinstance(line, LostError | NotAllDoneError):
        return NOT_ALL_DONE
    return USERS_FAULT if line is error or isinstance(line, PluginError) or is_long_name(error) else OUR_FAULT


def _write_stderr(text: str) -> None:
    """Print a text to stderr without importing further modules."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(f"{harmless(text.rstrip())}\n")
