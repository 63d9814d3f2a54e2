"""The table of a context set as Parquet has it, and the meaning of its columns."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bvf import ContextSet, Media
from bvf.domain import CHAT_COLUMNS as COLUMNS_OF_CHATS
from bvf.stats import WHOLE_AS_FLOATS

if TYPE_CHECKING:
    import pyarrow as pa

WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
COLUMNS = {
    "template": "The context: a text in which a group is put for [X] and a word for [Y]",
    "count": "How often it was seen, or its weight; divided by the sum of the column, P(c)",
    "image": "The picture that is shown with it, as seen from the folder of the table",
    "chat_turn": "Whose turn of a chat it is, user or assistant; null: it is in no chat",
    "chat_user": "What the user says before the assistant's turn",
    "chat_system": "What the system's turn of the chat says",
    "documents": "In how many documents it was seen",
    "verb": "Its verb, base form",
    "family": "The family of its verb: reporting, thinking, being, having, moving, doing, other",
    "tense": "The tense that the text has most often",
    "origin": "The template of which it is a variant",
    "format": "The name of its format: the bare text, or a chat around it",
    "placebo": "What was changed in it that should not matter; null: nothing",
    "redrawn": "Its counts in bootstrap resamples of the documents (Poisson weights of mean 1)",
}


def table_of(contexts: ContextSet, names: Mapping[Media, str]) -> "pa.Table":
    """Return a row per template: text, count, names of media, and the further columns. ``names`` are those of media."""
    import pyarrow as pa

    whole = all(count.is_integer() and count < WHOLE_AS_FLOATS for count in map(float, contexts.counts))
    counts = pa.array([int(count) if whole else float(count) for count in contexts.counts])
    columns = {"template": pa.array([template.text for template in contexts.templates]), "count": counts}
    kinds = sorted({media.kind for media in names})
    for kind in kinds:
        shown = [{media.kind: names[media] for media in template.media}.get(kind) for template in contexts.templates]
        columns[kind] = pa.array(shown)
    chats = [template.chat.columns if template.chat else {} for template in contexts.templates]
    for column in COLUMNS_OF_CHATS.values():
        if any(column in said for said in chats):
            columns[column] = pa.array([said.get(column) for said in chats])
    for name in dict.fromkeys(name for row in contexts.details for name, value in row.items() if value):
        columns[name] = pa.array(_typed([row.get(name) or None for row in contexts.details]))
    return pa.table(columns)


def meaning_of(column: str) -> str:
    """Return what a column of a context set has."""
    return COLUMNS.get(column, "A further column of the set")


def _typed(values: Sequence[str | None]) -> list[Any]:
    """Texts; as numbers if all of them are whole numbers."""
    whole = all(value is None or WHOLE_NUMBER.fullmatch(value) for value in values)
    return [int(value) if whole and value is not None else value for value in values]
