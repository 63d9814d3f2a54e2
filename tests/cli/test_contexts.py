"""What ``bvf contexts`` writes and prints has every digit of the counts, and takes the place of nothing by halves."""

import csv
import json
import os

import numpy as np
import pytest
import typer

from bvf import BvfError
from bvf.cli.contexts import compare_contexts, contexts, show_contexts
from bvf.files.contexts import read_contexts
from bvf.files.replicates import Replicates, write_replicates

SAID, KNEW, LEFT = "The [X] said that [Y]", "The [X] knew [Y]", "The [X] left [Y]"


@pytest.fixture
def sets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(f"template,count\n{SAID},12345678\n{KNEW},0.123456789\n")
    (tmp_path / "b.csv").write_text(f'template,count\n{SAID},1\n"{LEFT}",1e+300\n')
    return tmp_path


def merge_contexts(names, out, *options):
    """``bvf contexts merge``, whose errors are raised."""
    merge = typer.main.get_command(contexts).commands["merge"]
    merge.main([*names, "-o", str(out), *options], standalone_mode=False)


def test_merged_counts_have_every_digit(sets):
    merge_contexts(["a.csv", "b.csv"], sets / "all.csv")
    with (sets / "all.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["template", "count"],
            [LEFT, "1e+300"],
            [SAID, "12345679"],
            [KNEW, "0.123456789"],
        ]
    assert read_contexts(sets / "all.csv").counts == (1e300, 12345679.0, 0.123456789)


def test_shown_counts_have_every_digit(sets, capsys):
    show_contexts("a.csv")
    shown = capsys.readouterr().out
    assert "12345678" in shown
    assert "0.123456789" in shown
    show_contexts("a.csv", form="json")
    assert [row["count"] for row in json.loads(capsys.readouterr().out)["templates"]] == [12345678, 0.123456789]


def test_a_disk_that_is_full_leaves_the_set_that_was_there(sets, monkeypatch):
    (sets / "all.csv").write_text("before")

    def full(descriptor):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BvfError, match=r"all\.csv: the disk is full"):
        merge_contexts(["a.csv", "b.csv"], sets / "all.csv", "--force")
    assert (sets / "all.csv").read_text() == "before"
    assert sorted(file.name for file in sets.iterdir()) == ["a.csv", "all.csv", "b.csv"]


def test_merging_does_not_overwrite_what_it_reads(sets):
    os.link(sets / "a.csv", sets / "link.csv")
    for out in ("a.csv", "link.csv"):
        with pytest.raises(BvfError, match=rf"{out}: is also a\.csv, which is read"):
            merge_contexts(["a.csv", "b.csv"], sets / out, "--force")
    assert "0.123456789" in (sets / "a.csv").read_text()


def test_merging_does_not_overwrite_a_set_whose_record_would_tell_of_another(sets):
    (sets / "mined.csv").write_text("mined")
    (sets / "mined.mining.json").write_text("{}")
    with pytest.raises(BvfError, match=r"mined\.mining\.json says of it what was mined"):
        merge_contexts(["a.csv", "b.csv"], sets / "mined.csv")
    assert (sets / "mined.csv").read_text() == "mined"


def test_merging_does_not_overwrite_what_lies_beside_a_set_that_it_reads(sets):
    (sets / "c.jsonl").write_text(json.dumps({"template": SAID, "count": 1}))
    write_replicates(
        sets / "c.replicates.parquet", Replicates((SAID,), np.ones(1), np.array([[1, 2]], dtype=np.uint16))
    )
    before = (sets / "c.replicates.parquet").read_bytes()
    with pytest.raises(BvfError, match=r"c\.replicates\.parquet: is also c\.replicates\.parquet, which is read"):
        merge_contexts(["a.csv", "c.jsonl"], sets / "c.csv")
    assert (sets / "c.replicates.parquet").read_bytes() == before
    assert not (sets / "c.csv").exists()


def test_merging_again_leaves_no_replicates_of_what_lay_there(sets, capsys):
    for name, count in (("c", 3), ("d", 4)):
        (sets / f"{name}.csv").write_text(f"template,count\n{SAID},{count}\n{KNEW},1\n")
        redrawn = np.array([[count, 2], [0, 1]], dtype=np.uint16)
        write_replicates(sets / f"{name}.replicates.parquet", Replicates((SAID, KNEW), np.array([count, 1.0]), redrawn))
    merge_contexts(["c.csv", "d.csv"], sets / "all.csv")
    together = read_contexts(sets / "all.csv")
    assert (together.occurrences, together.sampling.replicates.tolist()) == (9, [[7, 4], [0, 2]])
    assert capsys.readouterr().err == ""
    merge_contexts(["c.csv", "a.csv"], sets / "all.csv")
    assert capsys.readouterr().err == "a.csv: no replicates, so the merged set has none\n"
    assert read_contexts(sets / "all.csv").sampling.replicates is None


@pytest.mark.parametrize("out", ["x" * 300 + ".csv", "folder.csv"])
def test_what_cannot_be_written_is_one_line(sets, out):
    (sets / "folder.csv").mkdir()
    with pytest.raises(BvfError) as caught:
        merge_contexts(["a.csv", "b.csv"], sets / out)
    assert "\n" not in caught.value.message


def test_sets_are_compared_though_their_counts_are_far_apart(sets, capsys):
    compare_contexts("a.csv", "b.csv", form="json")
    assert json.loads(capsys.readouterr().out)["jensen_shannon"] == pytest.approx(1, abs=1e-6)
