"""Reads pools of openings: tables (an opening and its count per row), texts (one per line), JSON (conversations)."""

import json
import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from itertools import cycle
from pathlib import Path
from typing import get_args

from bvf.domain.chat import AS_JSON, Turn
from bvf.domain.openings import NONE, OPENING, Openings
from bvf.errors import BvfError
from bvf.files.contexts.origins import Origin, entry_of, stated
from bvf.files.contexts.sets import SENTENCES
from bvf.files.parsing import files_below, parse_json, read_text
from bvf.files.table_files import TABLE_ENDINGS, Row, read_rows

COUNT, MESSAGES, JSON = "count", "messages", (".json", ".jsonl")
NO_DETAIL = re.compile(rf"{OPENING}|{COUNT}|{MESSAGES}|turn_[0-9]+")
TURN = re.compile(r"turn_([0-9]{1,3})")
"""A column with one turn of a conversation: the user has the odd ones, the assistant the even ones."""
OPENING_ENDINGS = (*TABLE_ENDINGS, SENTENCES, JSON[0])
"""Endings of users' files with openings."""


def read_openings(file: Traversable | Path, name: str = "") -> Openings:
    """Read a pool of openings. ``sources.toml`` beside it may state source, licence, citation and language.

    A ``.txt`` has an opening per line, each counted once. A table has the columns ``opening`` and ``count`` (1 if there
    is none); others are kept as details. The opening ``none`` stands for a bare template. A conversation has a column
    per turn (``turn_1``, ...) or ``messages``; a ``.json`` is a list of such objects, or of lists of messages.

    Raises:
        BvfError: The file cannot be read, a row is wrong, or the pool is refused; the message names the file.
    """
    entry = entry_of(Path(str(file)).parent, Path(str(file)).stem)
    origin = Origin() if entry is None else stated(entry, f"{file}: its entry in sources.toml")
    name, source = name or str(file), origin.source or str(file)
    if str(file).endswith(SENTENCES):
        texts = [line.strip() for line in read_text(file).split("\n") if line.strip()]
        return Openings(name, tuple(texts), (1.0,) * len(texts), source, card=origin.card)
    if not str(file).endswith(OPENING_ENDINGS):
        raise BvfError(f"{file}: openings are in a table or a text", f"give a {', '.join(OPENING_ENDINGS)}")
    rows = _json_rows(file) if str(file).endswith(JSON) else list(read_rows(file))
    return Openings(
        name,
        tuple(map(_opening, rows)),
        tuple(row.number(COUNT) if COUNT in row.values else 1.0 for row in rows),
        source,
        tuple({key: str(value) for key, value in row.values.items() if not NO_DETAIL.fullmatch(key)} for row in rows),
        origin.card,
    )


def _json_rows(file: Traversable | Path) -> list[Row]:
    """The objects of a JSON list or of JSON lines. A list in place of one has the messages of a conversation."""
    name, text = str(file), read_text(file)
    lines = [(f"{name}:{number}", line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    listed = parse_json(text, name) if name.endswith(JSON[0]) else [parse_json(line, at) for at, line in lines]
    if not isinstance(listed, list):
        raise BvfError(f"{name}: it is not a list of conversations", AS_JSON)
    found = ((f"{name}: opening {number}", each) for number, each in enumerate(listed, start=1))
    return [Row(where, each if isinstance(each, dict) else {MESSAGES: each}) for where, each in found]


def _opening(row: Row) -> str:
    """The opening of a row: a text, or the messages of a conversation as JSON."""
    turns = [int(found[1]) for found in map(TURN.fullmatch, row.values) if found]
    said = row.values.get(MESSAGES)
    if 0 in turns:
        raise BvfError(f"{row.where}: there is a turn_0", "the first turn, of the user, is turn_1")
    if isinstance(said, str):
        said = parse_json(said, f"{row.where}: {MESSAGES}") if said.strip() else []
    if turns:
        cells = [str(row.values.get(f"turn_{number}") or "") for number in range(1, max(turns) + 1)]
        while cells and not cells[-1].strip():
            cells.pop()
        said = [{"role": role, "content": cell} for role, cell in zip(cycle(get_args(Turn)), cells, strict=False)]
    elif MESSAGES not in row.values:
        return row.text(OPENING)
    if not isinstance(said, list):
        raise BvfError(f"{row.where}: its messages are no list", AS_JSON)
    return json.dumps(said, ensure_ascii=False) if said else NONE


def openings_in(folder: Traversable) -> Mapping[str, Openings]:
    """Return the pools of openings in a folder by name, which is that of the file without its ending."""
    return {name: read_openings(file, name) for name, _, file in files_below(folder, TABLE_ENDINGS)}
