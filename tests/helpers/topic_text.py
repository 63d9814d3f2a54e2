"""Topic files that tests write."""

from collections.abc import Mapping, Sequence


def topic_text(
    attributes: Mapping[str, Sequence[str]],
    *,
    name: str = "temper",
    summary: str = "s",
    contexts: str = "gender",
    groups: Sequence[str] = ("baker", "welder"),
    tables: str = "",
) -> str:
    """Return a topic file with these words by attribute; texts stand in it as they are given, escapes too.

    Args:
        attributes: Words by the name of each attribute.
        name: Of the topic.
        summary: Of the topic.
        contexts: A set or a file.
        groups: X.
        tables: More tables, as they are written, such as ``[truth]``.
    """
    head = {"schema": "bvf.topic/1", "name": name, "language": "en", "summary": summary, "contexts": contexts}
    measurement = {"construct": "c", "harm": "h", "chosen_by": "w", "reference": "uniform"}
    lines = [
        *(f'{key} = "{value}"' for key, value in head.items()),
        'sources = ["written for this test"]',
        f"groups = {_array(groups)}",
        "[measurement]",
        *(f'{key} = "{value}"' for key, value in measurement.items()),
        *([tables] if tables else []),
    ]
    for attribute, words in attributes.items():
        lines += ["[[attributes]]", f'name = "{attribute}"', f"words = {_array(words)}"]
    return "\n".join(lines) + "\n"


def _array(texts: Sequence[str]) -> str:
    quoted = [f'"{text}"' for text in texts]
    return f"[{', '.join(quoted)}]"
