"""Reads JSON files of plugins for reports and pictures. The schema of a file determines its plugin."""

from pathlib import Path

from bvf.errors import BvfError
from bvf.files.parsing import is_file, parse_json, read_text
from bvf.hooks.loader import Plugins
from bvf.interfaces.reported_file import ReportedFile


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
