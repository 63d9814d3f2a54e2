"""Reads JSON files of plugins for reports, pictures, gates and comparisons. The schema determines the plugin."""

from pathlib import Path

from bvf.errors import BvfError
from bvf.files.folder import KEPT, OF_RUN, Folder, is_run
from bvf.files.parsing import is_file, parse_json, read_text
from bvf.hooks.loader import Plugins
from bvf.interfaces.reported_file import ReportedFile

ENDING = ".json"


def read_reported(file: Path, plugins: Plugins) -> ReportedFile:
    """Read a JSON file of a plugin, which is found by the file's ``schema``.

    Raises:
        BvfError: There is no such file, it is not JSON, no plugin declares its schema, or a value is wrong.
    """
    taken = "; ".join(f"it takes {entry.provider.summary}" for entry in plugins.files)
    if not is_file(file):
        raise BvfError(f"{file}: no file", taken)
    values = parse_json(read_text(file), str(file))
    schema = values.get("schema") if isinstance(values, dict) else None
    if schema not in plugins.files.names():
        raise BvfError(f"{file}: a file with a schema that no plugin reads", taken)
    try:
        made: ReportedFile = plugins.files.find(schema).make(values, file.stem)
    except BvfError as error:
        raise BvfError(f"{file}: {error.message}", error.hint or taken) from error
    return made


def reported_in(source: Path, plugins: Plugins) -> Path | None:
    """Return the file of a plugin that a source is, or has in its folder; None: it is something else, such as a run.

    A name that ends in ``.json`` is that of a file, whether there is one or not.
    """
    if is_file(source) or (source.suffix == ENDING and not source.is_dir()):
        return source
    folder = Folder(source, OF_RUN[KEPT])
    files = [source / name for name in folder.names()] if folder.is_there() and not is_run(source) else []
    return next((file for file in files if schema_of(file, folder) in plugins.files.names()), None)


def schema_of(file: Path, folder: Folder | None = None) -> str:
    """Return the schema that a JSON file, found in a ``folder``, names; empty if it names none, or is no such file."""
    try:
        values = folder.read_json(file.name) if folder else parse_json(read_text(file), str(file))
    except BvfError:
        return ""
    return str(values.get("schema")) if isinstance(values, dict) else ""
