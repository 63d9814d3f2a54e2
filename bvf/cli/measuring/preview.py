"""The tables of ``bvf run --dry-run``: a prompt as the model reads it, and its tokens."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bvf.cli.listing import fact_section
from bvf.tables.columns import Column, table

if TYPE_CHECKING:
    import pandas as pd

    from bvf.interfaces.section import Section
    from bvf.measuring.preview import Preview

COLUMNS = (
    Column[Any]("token", lambda each: str(each.id)),
    Column[Any]("text", lambda each: _quoted(each.text) if each.text else "", optional=True),
)


def preview_sections(preview: "Preview") -> "list[Section]":
    """Return a table of facts on a prompt, and one of its tokens if the backend knows them."""
    facts = [
        ("group", preview.group),
        ("context", preview.template),
        ("the model reads", _quoted(preview.text)),
        *([("with a thought in it", preview.thinks)] if preview.thinks else []),
        ("and is asked for", preview.generated or f"{preview.word}, and the other words of the topic"),
        ("prompts of the run", f"{preview.prompts:,}"),
    ]
    tokens = table(f"{preview.model}: tokens that it reads", COLUMNS, preview.tokens, last="text")
    return [fact_section(f"{preview.model}: the first prompt", facts), *([tokens] if preview.tokens else [])]


def preview_frame(previews: "Sequence[Preview]") -> "pd.DataFrame":
    """Return a row per token of each prompt."""
    import pandas as pd

    rows = [
        {"model": preview.model, "group": preview.group, "context": preview.template, **token.model_dump()}
        for preview in previews
        for token in preview.tokens
    ]
    return pd.DataFrame(rows, columns=["model", "group", "context", "id", "text"])


def _quoted(text: str) -> str:
    """A text in quotation marks, which show its spaces and ends of lines."""
    return json.dumps(text, ensure_ascii=False)
