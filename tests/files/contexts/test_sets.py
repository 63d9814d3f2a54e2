"""Files of contexts: four formats that say the same, and one line that names what is wrong."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError, read_contexts
from bvf.domain.context import Card, Sampling, Texts
from bvf.files.contexts import sets


@pytest.mark.parametrize("column", ["count", "frequency", "proportion", "distribution"])
@pytest.mark.parametrize("template_column", ["template", "T"])
def test_csv_under_every_name_of_the_columns(tmp_path, template_column, column):
    file = tmp_path / "c.csv"
    file.write_text(f'{template_column},{column}\n"The [X], who came, is [Y]",3\nThe [X] said that [Y],1\n')
    contexts = read_contexts(file)
    assert [t.text for t in contexts.templates] == ["The [X], who came, is [Y]", "The [X] said that [Y]"]
    assert contexts.counts == (3.0, 1.0)


def test_a_text_has_a_sentence_per_line_written_and_counted_once(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_bytes("\ufeffThe [X] is [Y].\r\n\r\n  [X] 说 [Y]\u2028了\r\n".encode())
    contexts = read_contexts(file)
    assert [template.text for template in contexts.templates] == ["The [X] is [Y].", "[X] 说 [Y]\u2028了"]
    assert (contexts.counts, contexts.sampling, contexts.source) == ((1.0, 1.0), Sampling(written=True), str(file))
    record = '{"counts": {"kept": 9}, "corpus": {"source": "x", "documents": 1}}'  # of another file of the name
    (tmp_path / "notes.mining.json").write_text(record)
    assert read_contexts(file).sampling.written


def test_a_template_may_be_the_slots_alone(tmp_path):
    file = tmp_path / "c.csv"
    file.write_text("template,count\n[X] [Y],2\nThe [X] is [Y],3\n")
    assert read_contexts(file).counts == (2.0, 3.0)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.csv", "template,count\nThe [X] is [Y],1\nThe nurse is [Y],1\n", r"c\.csv:3: a template needs"),
        ("c.csv", "template,count\nThe [X] is [Y],-1\n", r"c\.csv:2: the count .* is -1"),
        ("c.csv", "template,count\nThe [X] is [Y],many\n", r'c\.csv:2: "many" in column "count" is not a number'),
        ("c.csv", "template,count\nThe [X] is [Y],0\n", "all counts are zero"),
        ("c.csv", "text,count\nThe [X] is [Y],1\n", r'c\.csv:2: no column "template"'),
        ("c.csv", "template,number\nThe [X] is [Y],1\n", r'c\.csv:2: no column "count"'),
        ("c.csv", "template,count\nThe [X], who came, is [Y],1\n", r"c\.csv:2: more fields"),
        ("c.jsonl", '{"template": "The [X] is [Y]", "count": 1}\n{"template"\n', r"c\.jsonl:2: not JSON"),
        ("c.parquet", "not parquet", "not a Parquet file"),
        ("c.ods", "The [X] is [Y]", "cannot read a table"),
        ("c.txt", "The [X] is [Y]\n\nThe nurse is [Y]\n", r"c\.txt:3: a template needs \[X\], and \[Y\] once"),
        ("c.txt", "The [X] is [Y]\nThe [X] was [Y]\n The [X] is [Y]\n", r'c\.txt:3: "The .*" is in line 1 already'),
        ("c.txt", "\n \n", r"c\.txt: no sentences"),
    ],
)
def test_wrong_files_name_the_line(tmp_path, name, content, message):
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(BvfError, match=message):
        read_contexts(file)


@pytest.mark.parametrize(
    ("name", "templates"),
    [("TemplatesForGender.csv", 10), ("web_TemplateForGender.csv", 528), ("template_mining_n2n_10000.csv", 32_494)],
)
def test_the_files_of_the_paper_are_understood(shared, name, templates):
    assert len(read_contexts(shared / "data" / "pvf" / "template" / name).templates) == templates


OF_PAIR = "The [X1] saw the [X2], who is [Y]"
CELLS = st.sampled_from(
    ["The [X] is [Y]", " The [X], he, is [Y] ", 'A "[X]" was\n[Y]', "Die [X]\u00a0ist\u0065\u0301 [Y]", OF_PAIR]
)


@given(
    st.lists(st.tuples(CELLS, st.sampled_from(["1", " 2.5", "3e0"]), st.sampled_from(["", "say", " be"])), min_size=1)
)
def test_the_four_formats_say_the_same_read_in_columns_or_row_by_row(tmp_path_factory, rows):
    folder, names = tmp_path_factory.mktemp("set"), ("template", "count", "verb")
    for ending, delimiter in (("csv", ","), ("tsv", "\t")):
        with (folder / f"c.{ending}").open("w", newline="") as out:
            csv.writer(out, delimiter=delimiter).writerows([names, *rows])
    (folder / "c.jsonl").write_text("\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows))
    columns = [
        pa.array(column) for column in zip(*((text, float(n), verb or None) for text, n, verb in rows), strict=True)
    ]
    pq.write_table(pa.table(columns, names), folder / "c.parquet")
    quick, plain = ([read(file, "c", "", Card()) for file in folder.iterdir()] for read in (sets._texts, sets._table))
    assert quick == plain == plain[:1] * 4


ROWS_OF_MORE = (
    "template,count\n[X] [Y],1\n[X] is,1\n",
    "template,count\n[X] met [X1]: [Y],1\n",
    "template,count\n[X] [Y],x\n",
    "template;count\n[X] [Y];1\n",
    "",
)


def test_a_table_whose_rows_are_not_alike_is_read_row_by_row(tmp_path):
    file = tmp_path / "c.jsonl"
    for other in ('{"count": 2, "template": "[X] was [Y]"}', '{"template": "[X] was [Y]", "count": 2, "tags": ["a"]}'):
        file.write_text('{"template": "[X] is [Y]", "count": 1}\n' + other)
        assert sets._texts(file, "c", "source", Card()) is None
        assert read_contexts(file).counts == (1.0, 2.0)
    for text in ROWS_OF_MORE:
        (tmp_path / "c.csv").write_text(text)
        assert sets._texts(tmp_path / "c.csv", "c", "source", Card()) is None


def test_templates_of_a_large_set_are_made_when_they_are_asked_for(tmp_path, monkeypatch):
    rows = [f"The [X] {row} [Y],{row + 1}\n" for row in range(5)]
    (tmp_path / "c.csv").write_text("template,count\n" + "".join(rows))
    small = read_contexts(tmp_path / "c.csv")
    monkeypatch.setattr(sets, "LARGE", 4)
    large = read_contexts(tmp_path / "c.csv")
    assert isinstance(large.templates, Texts)
    assert (*large.templates,) == (large.templates[:]) == small.templates
    assert large.rows == small.rows
    assert large.only([3, 1]).rows == small.only([3, 1]).rows
    assert sets.contexts_digest(large) == sets.contexts_digest(small)
