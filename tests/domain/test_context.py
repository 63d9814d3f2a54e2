"""Templates, weights, and the files they come from."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bvf import BvfError, ContextSet, Template, read_contexts
from bvf.domain.context import Sampling

VERBS = ("said", "felt", "knew", "saw")
ALL = Sampling()


@pytest.mark.parametrize(
    "text", ["The nurse said that [Y]", "The [X] said that", "[X] told [X] that [Y]", "The [X] is [Y] or [Y]"]
)
def test_a_template_needs_each_slot_once(text):
    with pytest.raises(BvfError, match=r"\[X\] once and \[Y\] once"):
        Template(text)


def test_weights_are_counts_over_their_sum():
    contexts = ContextSet("c", (Template("The [X] said [Y]"), Template("The [X] is [Y]")), (3, 1))
    assert contexts.weights().tolist() == [0.75, 0.25]


def test_heaviest_keeps_the_order_of_the_set():
    templates = tuple(Template(f"The [X] {verb} that [Y]") for verb in ("said", "felt", "knew", "saw"))
    kept = ContextSet("c", templates, (1, 5, 2, 9)).heaviest(2)
    assert [t.text for t in kept.templates] == ["The [X] felt that [Y]", "The [X] saw that [Y]"]


def four(sampling=ALL):
    return ContextSet(
        "c", tuple(Template(f"The [X] {verb} that [Y]") for verb in VERBS), (1, 5, 2, 9), "", (), sampling
    )


REDRAWN = np.arange(12, dtype=np.uint16).reshape(4, 3)


def test_a_set_is_all_of_its_source_unless_something_else_is_known():
    assert (four().occurrences, four().share) == (17, 1)
    assert (four(Sampling(occurrences=34)).occurrences, four(Sampling(occurrences=34)).share) == (34, 0.5)
    for nobody_knows in (Sampling(written=True), Sampling(cut=True)):
        assert (four(nobody_knows).occurrences, four(nobody_knows).share) == (None, None)


@pytest.mark.parametrize("occurrences", [None, 17, 34])
def test_the_heaviest_know_how_much_of_the_source_they_are(occurrences):
    kept = four(Sampling(occurrences=occurrences, documents=3, replicates=REDRAWN)).heaviest(2)
    assert kept.counts == (5, 9)
    assert kept.sampling.occurrences == (occurrences or 17)
    assert kept.share == pytest.approx(14 / (occurrences or 17))
    assert kept.sampling.documents == 3
    assert kept.sampling.replicates.tolist() == [[3, 4, 5], [9, 10, 11]]
    assert kept.only([1]).share == pytest.approx(9 / (occurrences or 17))


def test_replicates_follow_their_templates():
    turned = four(Sampling(replicates=REDRAWN)).only([3, 1, 2, 0])
    assert turned.sampling.replicates[:, 0].tolist() == [9, 3, 6, 0]
    assert turned.share == 1
    assert turned.sampling.occurrences is None


@pytest.mark.parametrize("sampling", [Sampling(written=True), Sampling(cut=True)])
def test_a_part_of_what_is_no_sample_is_none(sampling):
    assert four(sampling).heaviest(2).sampling == sampling


def test_sets_are_equal_whatever_their_replicates():
    assert four(Sampling(replicates=REDRAWN)) == four(Sampling(replicates=REDRAWN + np.uint16(1)))


@pytest.mark.parametrize(
    ("sampling", "message"),
    [
        ({"written": True, "occurrences": 20}, "counts that were written have no occurrences"),
        ({"written": True, "replicates": REDRAWN}, "counts that were written have no occurrences"),
        ({"written": True, "cut": True}, "counts that were written have no occurrences"),
        ({"cut": True, "occurrences": 20}, "cut says that the occurrences of the source are not known"),
        ({"occurrences": 16}, "c: the counts add up to 17, and there are 16 occurrences in its source"),
        ({"occurrences": float("nan")}, "c: the counts add up to 17, and there are nan"),
        ({"documents": 0}, "c: 0 documents have a match"),
        ({"replicates": REDRAWN[:3]}, r"c: replicates have shape \(3, 3\)"),
        ({"replicates": REDRAWN[:, 0]}, r"c: replicates have shape \(4,\)"),
        ({"replicates": REDRAWN.astype(float)}, "c: replicates have shape .* and type float64"),
    ],
)
def test_a_sampling_of_other_counts_is_refused(sampling, message):
    with pytest.raises(BvfError, match=message):
        four(Sampling(**sampling))


@pytest.mark.parametrize("column", ["count", "frequency", "proportion", "distribution"])
@pytest.mark.parametrize("template_column", ["template", "T"])
def test_csv_under_every_name_of_the_columns(tmp_path, template_column, column):
    file = tmp_path / "c.csv"
    file.write_text(f'{template_column},{column}\n"The [X], who came, is [Y]",3\nThe [X] said that [Y],1\n')
    contexts = read_contexts(file)
    assert [t.text for t in contexts.templates] == ["The [X], who came, is [Y]", "The [X] said that [Y]"]
    assert contexts.counts == (3.0, 1.0)


def test_the_four_formats_say_the_same(tmp_path):
    rows = [{"template": "The [X] said that [Y]", "count": 2}, {"template": "The [X] is [Y]", "count": 1}]
    (tmp_path / "c.csv").write_text("template,count\n" + "".join(f"{r['template']},{r['count']}\n" for r in rows))
    (tmp_path / "c.tsv").write_text("template\tcount\n" + "".join(f"{r['template']}\t{r['count']}\n" for r in rows))
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "c.parquet")
    read = [read_contexts(tmp_path / f"c.{ending}") for ending in ("csv", "tsv", "jsonl", "parquet")]
    assert len({(c.templates, c.counts) for c in read}) == 1


def test_a_template_that_is_there_twice_counts_with_the_sum(tmp_path):
    file = tmp_path / "c.csv"
    file.write_text("template,count\nThe [X] is [Y],2\nThe [X] is [Y],3\n")
    assert read_contexts(file).counts == (5.0,)


def test_a_template_may_be_the_slots_alone(tmp_path):
    file = tmp_path / "c.csv"
    file.write_text("template,count\n[X] [Y],2\nThe [X] is [Y],3\n")
    assert read_contexts(file).counts == (2.0, 3.0)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.csv", "template,count\nThe [X] is [Y],1\nThe nurse is [Y],1\n", r"c\.csv:3: a template needs"),
        ("c.csv", "template,count\nThe [X] is [Y],-1\n", r"c\.csv:2: the count .* is -1"),
        ("c.csv", "template,count\nThe [X] is [Y],nan\n", r"c\.csv:2: the count .* is nan"),
        ("c.csv", "template,count\nThe [X] is [Y],many\n", r'c\.csv:2: "many" in column "count" is not a number'),
        ("c.csv", "template,count\nThe [X] is [Y],0\n", "all counts are zero"),
        ("c.csv", "template,count\n", "no rows"),
        ("c.csv", "text,count\nThe [X] is [Y],1\n", r'c\.csv:2: no column "template"'),
        ("c.csv", "template,number\nThe [X] is [Y],1\n", r'c\.csv:2: no column "count"'),
        ("c.csv", "template,count\nThe [X], who came, is [Y],1\n", r"c\.csv:2: more fields"),
        ("c.jsonl", '{"template": "The [X] is [Y]", "count": 1}\n{"template"\n', r"c\.jsonl:2: not JSON"),
        ("c.parquet", "not parquet", "not a Parquet file"),
        ("c.txt", "The [X] is [Y]", "cannot read a table"),
    ],
)
def test_wrong_files_name_the_line(tmp_path, name, content, message):
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(BvfError, match=message):
        read_contexts(file)


def test_files_that_are_not_there_or_not_utf_8(tmp_path):
    with pytest.raises(BvfError, match="cannot be read"):
        read_contexts(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("template,count\nThe [X] café [Y],1\n".encode("latin-1"))
    with pytest.raises(BvfError, match="not UTF-8 at byte"):
        read_contexts(tmp_path / "latin.csv")


@pytest.mark.parametrize(
    ("name", "templates"),
    [("TemplatesForGender.csv", 10), ("web_TemplateForGender.csv", 528), ("template_mining_n2n_10000.csv", 32_494)],
)
def test_the_files_of_the_paper_are_understood(shared, name, templates):
    assert len(read_contexts(shared / "data" / "pvf" / "template" / name).templates) == templates
