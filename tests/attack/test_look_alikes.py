"""Every reader on text that looks equal and is not: the figures of the clean file, or one line that says where."""

import json
import re
import unicodedata

import pytest
from bvf_bias_benchmarks.reading import rows_of as rows_of_benchmark
from bvf_factors.benchmarks.scoring import read_wordings
from bvf_factors.run import read_declaration, read_table
from bvf_mining.corpus import Corpus
from helpers.topic_text import topic_text

from bvf import BvfError
from bvf.files.contexts.sets import read_contexts
from bvf.files.table_files import read_group_values, read_group_weights, read_reference
from bvf.files.topics import read_topic

TOPIC = topic_text(
    {"calm": ["calm", "très calm"], "wild": ["wild"]},
    groups=("café owner", "old man"),
    tables='[glosses]\n"café owner" = "g"',
)
DECLARATION = """outcome = { column = "off", number = true }
factors = { who = { reference = "café owner" } }
"""
CLEAN = {
    "contexts.csv": "template,count\nIn the café the [X] said [Y],1.5\nThe old [X] is [Y],2\n",
    "sentences.txt": "In the café the [X] said [Y]\nThe old [X] is [Y]\n",
    "topic.toml": TOPIC,
    "weights.csv": "group,weight\ncafé owner,1.5\nold man,2\n",
    "values.csv": "group,value\ncafé owner,1.5\nold man,2\n",
    "reference.csv": "group,calm,wild\ncafé owner,0.25,0.75\nold man,0.5,0.5\n",
    "answers.csv": "who,off\ncafé owner,1.5\nold man,2\ncafé owner,0.5\n",
    "answers.jsonl": """{"who": "café owner", "off": 1.5}
{"who": "old man", "off": 2}
{"who": "café owner", "off": 0.5}
""",
    "wordings.txt": "café owner: {left}\nold man: {left} then\n",
    "corpus.txt": "The café owner left.\n\nThe old man stayed.\n",
    "corpus.csv": "text,source\nThe café owner left.,1.5\nThe old man stayed.,2\n",
    "corpus.jsonl": '{"text": "The café owner left."}\n{"text": "The old man stayed."}\n',
    "benchmark.csv": "sentence,kind\nThe café owner left.,1.5\nThe old man stayed.,2\n",
}


def _weights(file):
    found = read_contexts(file)
    total = sum(found.counts)
    return {template.text: count / total for template, count in zip(found.templates, found.counts, strict=True)}


def _topic(file):
    topic = read_topic(file)
    return topic.groups, topic.glosses, topic.counted_words()


def _answers(file):
    declaration = file.with_name("factors.toml")
    declaration.write_text(DECLARATION, "utf-8")
    table = read_table([file], read_declaration(declaration))
    (who,) = table.factors
    return who.levels, who.reference, who.codes.tolist(), table.outcome.tolist()


READ = {
    "contexts": _weights,
    "sentences": _weights,
    "topic": _topic,
    "weights": read_group_weights,
    "values": read_group_values,
    "reference": lambda file: {group: p.tolist() for group, p in read_reference(file, ("calm", "wild")).items()},
    "answers": _answers,
    "wordings": lambda file: [each.text for each in read_wordings(file)],
    "corpus": lambda file: sorted({document.text for document in Corpus((str(file),)).documents()}),
    "benchmark": lambda file: [(row.text("sentence"), row.number("kind")) for row in rows_of_benchmark(file, ())],
}


def _delimited_by(delimiter):
    return lambda text: text.replace(".,", ".|").replace(",", delimiter).replace(".|", f".{delimiter}")


def _doubled(text):
    header, *rows = text.splitlines(keepends=True)
    return "".join([header, *rows, *rows])


LETTERS = {
    "no-break": lambda text: re.sub("(?<=é) (?=owner|the)|(?<=e) (?=old)", "\u00a0", text),
    "zero-width": lambda text: text.replace("café", "ca\u200bfé"),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "full-width": lambda text: text.replace("café", "\uff43afé"),
}  # fmt: skip
FILES = {
    "as it is": lambda text: text.encode(),
    "mark": lambda text: text.encode("utf-8-sig"),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "cp1252": lambda text: text.encode("cp1252"),
    "mac": lambda text: text.encode("mac_roman"),
}
TABLES = {
    "semicolons": _delimited_by(";"),
    "tabs": _delimited_by("\t"),
    "decimal commas": lambda text: _delimited_by(";")(text).replace("1.5", "1,5").replace("0.", "0,"),
    "sep": lambda text: "sep=,\n" + text,
}
REFUSED = {
    "zero-width": ("contexts", "sentences", "topic", "weights", "values", "reference", "wordings"),
    "full-width": ("contexts", "sentences", "topic", "weights", "values", "reference", "wordings"),
    "utf-16": ("corpus", "benchmark"),
    "cp1252": READ,
    "mac": READ,
    "doubled": ("sentences", "weights", "values", "reference", "wordings"),
}
"""Where a disturbance is refused by name; everywhere else the figures are those of the clean file."""
AS_PUBLISHED = {("benchmark", kind) for kind in LETTERS}
"""A model is asked the sentences of a benchmark letter by letter as their authors published them."""
ROWS_ARE_ANSWERS = {("answers", "doubled"), ("benchmark", "doubled")}
"""Equal rows without an id may be answers to different prompts: a table of answers counts every row."""
CASES = [
    (name, kind)
    for name in CLEAN
    for kind in (*LETTERS, *FILES, *(TABLES if name.endswith(".csv") else ()), "doubled")
    if (name.partition(".")[0], kind) not in AS_PUBLISHED | ROWS_ARE_ANSWERS | {("topic", "doubled")}
]


def disturbed(text: str, name: str, kind: str) -> bytes:
    if kind == "doubled":
        return (_doubled(text) if name.endswith(".csv") else f"{text}\n{text}").encode()
    if kind in FILES:
        return FILES[kind](text)
    return {**LETTERS, **TABLES}[kind](text).encode()


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_figures_are_those_of_the_clean_file_or_one_line_says_where(tmp_path, name, kind):
    reader = name.partition(".")[0]
    clean, other = tmp_path / "clean" / name, tmp_path / "other" / name
    for file, content in ((clean, CLEAN[name].encode()), (other, disturbed(CLEAN[name], name, kind))):
        file.parent.mkdir()
        file.write_bytes(content)
    assert kind == "as it is" or clean.read_bytes() != other.read_bytes()
    if reader not in REFUSED.get(kind, ()):
        assert READ[reader](other) == READ[reader](clean)
        return
    with pytest.raises(BvfError) as refused:
        READ[reader](other)
    assert name in refused.value.message
    assert "\n" not in refused.value.message


def test_the_clean_files_hold_what_stands_in_them(tmp_path):
    for name, text in CLEAN.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert READ["contexts"](tmp_path / "contexts.csv") == {
        "In the café the [X] said [Y]": 1.5 / 3.5, "The old [X] is [Y]": 2 / 3.5}  # fmt: skip
    assert READ["weights"](tmp_path / "weights.csv") == {"café owner": 1.5, "old man": 2.0}
    assert READ["reference"](tmp_path / "reference.csv") == {"café owner": [0.25, 0.75], "old man": [0.5, 0.5]}
    assert READ["answers"](tmp_path / "answers.csv") == (("café owner", "old man"), 0, [0, 1, 0], [1.5, 2.0, 0.5])
    assert READ["corpus"](tmp_path / "corpus.csv") == ["The café owner left.", "The old man stayed."]


@pytest.mark.parametrize("kind", LETTERS)
def test_sentences_of_a_benchmark_stay_as_published(tmp_path, kind):
    file = tmp_path / "benchmark.csv"
    file.write_text(LETTERS[kind](CLEAN["benchmark.csv"]), "utf-8")
    assert READ["benchmark"](file)[0] == (LETTERS[kind]("The café owner left."), 1.5)


def test_sentences_in_the_two_letters_are_two_rows_of_one_template(tmp_path):
    file = tmp_path / "contexts.jsonl"
    texts = ["In the café the [X] is [Y]", "In the cafe\u0301 the\u00a0[X] is [Y]", "The [X] is [Y]"]
    file.write_text("".join(json.dumps({"template": text, "count": 1}) + "\n" for text in texts))
    found = read_contexts(file)
    assert ([each.text for each in found.templates], found.counts) == ([texts[0], texts[2]], (2.0, 1.0))


def test_other_words_and_groups_on_the_command_line_are_read_in_one_spelling():
    from bvf.domain.config import parse_words
    from bvf.domain.groups import named_groups

    assert named_groups(["cafe\u0301\u00a0owner"], ["café owner", "old man"], "of it") == ("café owner",)
    assert parse_words("ma\u200ble=he,\uff48\uff49\uff4d") == ("male", ("he", "him"))
