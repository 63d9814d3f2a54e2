"""What lies beside a context set, or stands in sources.toml, tells how its counts came about, or is one line."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bvf import BvfError, ContextSet, Template, read_contexts
from bvf.domain.context import Sampling
from bvf.files.contexts.replicates import Replicates, read_replicates
from bvf.files.contexts.sampling import merging_record, merging_record_of, record_of, replicates_of
from bvf.files.contexts.sets import contexts_in

SAID, KNEW, LEFT = "The [X] said that [Y]", "The [X] knew [Y]", "The [X] left [Y]"
REDRAWN = np.array([[4, 2], [1, 3], [0, 2]], dtype=np.uint16)


@pytest.fixture
def file(tmp_path):
    Replicates((SAID, KNEW, LEFT), np.array([3.0, 2, 1]), REDRAWN).write(tmp_path / "s.replicates.parquet")
    return written(tmp_path / "s.csv", (SAID, 3), (KNEW, 2), (LEFT, 1))


def written(file, *rows):
    file.write_text("template,count\n" + "".join(f"{template},{count}\n" for template, count in rows))
    return file


def sampled_as(sampling):
    """A set that was merged, of which only the sampling matters."""
    return ContextSet("merged", (Template(SAID),), (3.0,), sampling=sampling)


def recorded(file, **counts):
    record_of(file).write_text(json.dumps({"corpus": {}, "counts": counts}))


def test_replicates_beside_a_set_are_read_by_template_and_a_set_whose_rows_were_deleted_is_cut(file):
    contexts = read_contexts(written(file, (LEFT, 1), (SAID, 3), (KNEW, 2)))
    assert contexts.sampling.replicates.tolist() == [[0, 2], [4, 2], [1, 3]]
    assert (contexts.occurrences, contexts.share) == (6, 1)
    contexts = read_contexts(written(file, (LEFT, 1), (SAID, 3)))
    assert contexts.sampling.replicates.tolist() == [[0, 2], [4, 2]]
    assert (contexts.occurrences, contexts.share) == (6, pytest.approx(4 / 6))


def test_counts_of_a_template_that_stands_there_twice_add_up_with_their_replicates(file, tmp_path):
    written(file, (SAID, 1), (KNEW, 2), (SAID, 2), (LEFT, 1))
    assert read_contexts(file).sampling.replicates.tolist() == [[4, 2], [1, 3], [0, 2]]
    twice = Replicates((SAID, SAID, KNEW), np.array([1.0, 2, 2]), REDRAWN)
    twice.write(tmp_path / "s.replicates.parquet")
    assert read_contexts(written(file, (SAID, 3), (KNEW, 2))).sampling.replicates.tolist() == [[5, 5], [0, 2]]


def test_the_record_of_mining_knows_the_whole_source(tmp_path):
    file = written(tmp_path / "s.csv", (SAID, 3), (KNEW, 2))
    recorded(file, kept=10, documents=4)
    assert read_contexts(file).sampling == Sampling(occurrences=10, documents=4)
    recorded(file, kept=10)
    assert read_contexts(file).sampling == Sampling(occurrences=10)


@pytest.mark.parametrize("counts", [{"kept": "many"}, {"kept": -1}, {"kept": 9, "documents": 0.5}, {"kept": None}])
def test_a_record_that_is_wrong_tells_nothing(tmp_path, counts):
    file = written(tmp_path / "s.csv", (SAID, 3), (KNEW, 2))
    recorded(file, **counts)
    assert read_contexts(file).sampling == Sampling(written=True)


def test_counts_that_grew_since_they_were_mined_are_refused(tmp_path):
    file = written(tmp_path / "s.csv", (SAID, 3), (KNEW, 2))
    recorded(file, kept=4)
    with pytest.raises(BvfError, match=r"s\.csv: the counts add up to 5, and there are 4 occurrences in its source"):
        read_contexts(file)


@pytest.mark.parametrize("counts", [(2, 2), (40, 25), (0.4, 0.25), (61.5, 38.5)])
def test_counts_without_a_record_are_weights_and_no_sample(tmp_path, counts):
    file = written(tmp_path / "s.csv", *zip((SAID, KNEW), counts, strict=True))
    assert read_contexts(file).sampling == Sampling(written=True)
    recorded(file, kept=1000, documents=3)
    assert read_contexts(file).sampling == Sampling(occurrences=1000, documents=3)


@pytest.mark.parametrize(
    "sampling", [Sampling(written=True), Sampling(cut=True), Sampling(False, False, 9, 2), Sampling(capped_at=3.0)]
)
def test_the_record_of_merging_reads_back(tmp_path, sampling):
    file = written(tmp_path / "s.csv", (SAID, 3), (KNEW, 2))
    merging_record_of(file).write_text(merging_record(["a.csv", "b.csv"], sampled_as(sampling)))
    assert read_contexts(file).sampling == sampling


def test_no_replicates_of_a_source_whose_rest_is_unknown_make_it_known(file):
    merging_record_of(file).write_text(merging_record(["a.csv"], sampled_as(Sampling(cut=True))))
    contexts = read_contexts(file)
    assert (contexts.occurrences, contexts.sampling.replicates.tolist()) == (None, REDRAWN.tolist())


def redrawn(*lists, counts=(3.0,)):
    """A table of replicates of one template."""
    templates, rows = [SAID] * len(lists), pa.array(lists, pa.list_(pa.int64(), 2))
    return pa.table([pa.array(templates, pa.string()), pa.array(counts), rows], ["template", "count", "redrawn"])


DAMAGES = {
    "other columns": pa.table({"template": [SAID], "count": [3.0]}),
    "no list": pa.table({"template": [SAID], "count": [3.0], "redrawn": [1]}),
    "negative": redrawn([-1, 2]),
    "missing": redrawn([1, None]),
    "a row without a list": redrawn(None),
    "words for counts": redrawn([1, 2], counts=("x",)),
    "no row": redrawn(counts=np.array([])),
}


@pytest.mark.parametrize("damage", [*DAMAGES, "no table", "cut off"])
def test_damaged_replicates_are_one_line(file, damage):
    at = replicates_of(file)
    if damage in DAMAGES:
        pq.write_table(DAMAGES[damage], at)
    else:
        at.write_bytes(at.read_bytes()[:-20] if damage == "cut off" else b"no table")
    with pytest.raises(BvfError, match=r"s\.replicates\.parquet: not the replicates of a context set") as caught:
        read_contexts(file)
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_any_byte_that_flips_is_read_as_it_was_or_refused_in_one_line(file):
    content = replicates_of(file).read_bytes()
    for place in range(0, len(content), 7):
        replicates_of(file).write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        assert "\n" not in said_of(file)


def said_of(file):
    try:
        read_contexts(file)
    except BvfError as error:
        return error.message
    return ""


def test_replicates_of_other_counts_are_one_line_and_replicates_are_no_context_set(file):
    for rows, message in (
        (((SAID, 3), (KNEW, 1)), r'parquet: the count of "The \[X\] knew \[Y\]" is 2 there, and 1 in the set'),
        (((SAID, 3), ("The [X] felt [Y]", 2)), r'parquet: has no replicates of "The \[X\] felt \[Y\]"'),
    ):
        with pytest.raises(BvfError, match=message):
            read_contexts(written(file, *rows))
    with pytest.raises(BvfError, match="has the replicates of a context set, and is not one"):
        read_contexts(replicates_of(file))


@pytest.mark.parametrize("largest", [7, 65_535, 65_536, 2**33])
def test_replicates_read_back(tmp_path, largest):
    redrawn = np.array([[0, largest]], dtype=np.min_scalar_type(largest))
    Replicates((SAID,), np.array([0.5]), redrawn).write(tmp_path / "r.replicates.parquet")
    stored = read_replicates(tmp_path / "r.replicates.parquet")
    assert (stored.templates, stored.counts.tolist(), stored.redrawn.tolist()) == ((SAID,), [0.5], [[0, largest]])


@pytest.fixture
def of_pack(tmp_path):
    """Load a set of a pack for which ``sources.toml`` states these keys."""

    def load(keys):
        written(tmp_path / "age.csv", (SAID, 3), (KNEW, 2))
        (tmp_path / "sources.toml").write_text(f'[age]\nsource = "a corpus"\n{keys}')
        (provider,) = contexts_in(tmp_path, "en")
        return provider.load()()

    return load


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("written = true", Sampling(written=True)),
        ("cut = true", Sampling(cut=True)),
        ("occurrences = 100\ndocuments = 7", Sampling(occurrences=100, documents=7)),
        ("documents = 7", Sampling(documents=7)),
        ("occurrences = 5\ncapped_at = 3", Sampling(occurrences=5, capped_at=3)),
        ("", Sampling(written=True)),
    ],
)
def test_sources_of_a_pack_tell_how_counts_came_about(of_pack, keys, expected):
    assert of_pack(keys).sampling == expected


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ('occurrences = "many"', r"\[age\]: occurrences is 'many'"),
        ("documents = true", r"\[age\]: documents is True"),
        ("occurrences = nan", r"\[age\]: occurrences is nan"),
        ('written = "yes"', r"\[age\]: written is 'yes'"),
    ],
)
def test_sources_that_tell_something_else_are_one_line(of_pack, keys, message):
    with pytest.raises(BvfError, match=message) as caught:
        of_pack(keys)
    assert "\n" not in caught.value.message


def test_replicates_in_a_pack_are_read_and_are_no_set_of_their_own(file):
    (file.parent / "sources.toml").write_text('[s]\nsource = "a corpus"\ndocuments = 5')
    (provider,) = contexts_in(file.parent, "en")
    sampling = provider.load()().sampling
    assert (sampling.occurrences, sampling.documents, sampling.replicates.tolist()) == (6, 5, REDRAWN.tolist())


def test_a_set_of_a_pack_is_read_once_until_a_file_of_it_changes(file):
    """All models of a run share it, and its replicates with it."""
    stated = '[s]\nsource = "a corpus"\ndocuments = 5'
    (file.parent / "sources.toml").write_text(stated)
    (provider,) = contexts_in(file.parent, "en")
    first = provider.make()
    assert provider.make() is first
    (file.parent / "sources.toml").write_text(f'{stated}\ncitation = "Doe 2020"')
    assert provider.make().card.citation == "Doe 2020"
    replicates_of(file).unlink()
    assert provider.make().sampling.replicates is None
    written(file, (SAID, 30), (KNEW, 20), (LEFT, 10))
    assert provider.make().counts == (30, 20, 10)
