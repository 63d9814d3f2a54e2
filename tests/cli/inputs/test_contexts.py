"""What ``bvf contexts`` writes and prints has every digit of the counts, and takes the place of nothing by halves."""

import csv
import json

import numpy as np
import pytest
import typer

from bvf.cli.inputs.contexts import contexts, show_contexts
from bvf.files.contexts.replicates import Replicates
from bvf.files.contexts.sets import read_contexts

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


def test_merged_and_shown_counts_have_every_digit(sets, capsys, described):
    merge_contexts(["a.csv", "b.csv"], sets / "all.csv")
    with (sets / "all.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["template", "count"],
            [LEFT, "1e+300"],
            [SAID, "12345679"],
            [KNEW, "0.123456789"],
        ]
    assert read_contexts(sets / "all.csv").counts == (1e300, 12345679.0, 0.123456789)
    show_contexts("a.csv")
    shown = capsys.readouterr().out
    assert [number in shown for number in ("12345678", "0.123456789")] == [True, True]
    assert [row["count"] for row in described("a.csv")["templates"]] == [12345678, 0.123456789]


def test_merging_does_not_overwrite_what_lies_beside_a_set(sets, mined, command, refused):
    (sets / "c.jsonl").write_text(json.dumps({"template": SAID, "count": 1}))
    of_set = Replicates((SAID,), np.ones(1), np.array([[1, 2]], dtype=np.uint16))
    of_set.write(sets / "c.replicates.parquet")
    command("contexts", "export", mined, "-o", "data", "--licence", "MIT")
    before = {file: file.read_bytes() for file in sets.rglob("*") if file.is_file()}
    for other, out, why in (
        ("b.csv", "mined.csv", "mined.mining.json says of it what was mined"),
        ("c.jsonl", "c.csv", "c.replicates.parquet: is also c.replicates.parquet, which is read"),
        ("b.csv", "data/mined.csv", "sources.toml in its folder states the source of mined"),
    ):
        assert why in refused("contexts", "merge", "a.csv", other, "-o", out)
    assert {file: file.read_bytes() for file in sets.rglob("*") if file.is_file()} == before


def test_merging_again_leaves_no_replicates_of_what_lay_there(sets, capsys):
    for name, count in (("c", 3), ("d", 4)):
        (sets / f"{name}.csv").write_text(f"template,count\n{SAID},{count}\n{KNEW},1\n")
        redrawn = np.array([[count, 2], [0, 1]], dtype=np.uint16)
        Replicates((SAID, KNEW), np.array([count, 1.0]), redrawn).write(sets / f"{name}.replicates.parquet")
    merge_contexts(["c.csv", "d.csv"], sets / "all.csv")
    together = read_contexts(sets / "all.csv")
    assert (together.occurrences, together.sampling.replicates.tolist()) == (9, [[7, 4], [0, 2]])
    assert capsys.readouterr().err == ""
    (sets / "sources.toml").write_text('[a]\nsource = "letters"\noccurrences = 20000000\n')
    merge_contexts(["c.csv", "a.csv"], sets / "all.csv")
    assert capsys.readouterr().err == "a.csv: no replicates, so the merged set has none\n"
    assert read_contexts(sets / "all.csv").sampling.replicates is None


def test_a_set_that_is_there_has_its_record(sets, monkeypatch):
    """Written first, the record is without a set for a moment; the other way round the set would count as a sample."""

    class Killed(BaseException):
        pass

    def killed(*_):
        raise Killed

    monkeypatch.setattr("bvf.files.writing.write_text", killed)
    with pytest.raises(Killed):
        merge_contexts(["a.csv", "b.csv"], sets / "all.csv")
    assert ((sets / "all.csv").exists(), (sets / "all.merged.json").exists()) == (False, True)


MINED = {
    "language": "zh",
    "models": "stanza/zh",
    "min_confidence": 0.96,
    "versions": {"bvf": "0.1.0"},
    "corpus": {"source": "letters", "documents": 3, "digest": "0123456789abcdef"},
    "counts": {"kept": 5, "documents": 3},
}


@pytest.fixture
def mined(sets):
    """A set with the record of a miner, by the name of its file."""
    (sets / "mined.csv").write_text(f"template,count\n{SAID},3\n{KNEW},2\n")
    (sets / "mined.mining.json").write_text(json.dumps(MINED))
    return "mined.csv"


@pytest.fixture
def described(in_json):
    """What is said of a context set."""
    return lambda name: in_json("contexts", "show", name)


def test_a_bundled_set_is_exported_with_the_licence_and_the_citation_of_its_pack(sets, command, described):
    done = command("contexts", "export", "gender-table8", "-o", "data")
    assert (done.code, done.out) == (0, "10 templates (en), Apache-2.0: data/gender-table8.parquet\n")
    of_pack, read = described("gender-table8"), described("data/gender-table8.parquet")
    assert read["digest"] == of_pack["digest"]
    assert read["sample"] == of_pack["sample"]
    assert "NeurIPS 2024" in read["card"]["citation"]
    assert read["card"] == {**of_pack["card"], "language": "en"}


def test_a_users_set_needs_a_licence_and_no_option_changes_the_one_that_a_set_states(mined, sets, command, refused):
    for name, options, message in (
        (mined, (), "error: mined.csv: its licence is not stated\n hint: --licence ID: "),
        (mined, ("--licence", "free"), 'error: --licence is "free", which names no known licence\n hint: '),
        ("gender", ("--licence", "MIT"), 'error: --licence "MIT": gender states "CC-BY-SA-4.0"\n'),
    ):
        assert refused("contexts", "export", name, "-o", "data", *options).startswith(message)
    assert not (sets / "data").exists()
    assert command("contexts", "export", "gender", "-o", "data", "--licence", "cc-by-sa-4.0").code == 0
    for each in (mined, "gender"):  # as a run
        assert "bvf contexts export" in refused("export", each, "--to", "datasets", "-o", "data")


def test_a_users_set_keeps_what_its_miner_recorded_and_is_cited_as_the_user_says(mined, sets, command, described):
    options = ("--license", "cc-by-4.0", "--citation", "Doe (2026): Wards")
    assert command("contexts", "export", mined, "-o", "data", *options).code == 0
    read, before = described("data/mined.parquet"), described(mined)
    assert (read["digest"], read["sample"]) == (before["digest"], before["sample"])
    assert read["source"] == "mined.csv, mined from letters: 3 documents, digest 01234567"
    assert read["card"] == {
        "licence": "CC-BY-4.0",
        "citation": f"mined: a context set of 2 templates, digest {before['digest']}. Doe (2026): Wards.",
        "language": "zh",
        "miner": "zh, stanza/zh, bvf 0.1.0",
        "min_confidence": 0.96,
    }
    shown = command("contexts", "show", "data/mined.parquet").said
    assert "licence: CC-BY-4.0 cite as: mined: a context set of 2 templates" in shown


def test_a_data_set_is_not_written_over_others(mined, sets, command):
    (sets / "data").mkdir()
    (sets / "data" / "notes.txt").write_text("mine")
    options = ("--licence", "MIT")
    assert "is there already" in command("contexts", "export", mined, "-o", "data", *options).err
    assert command("contexts", "export", mined, "-o", "data", "--force", *options).code == 0
    assert (sets / "data" / "notes.txt").read_text() == "mine"
    done = command("contexts", "export", "data/mined.parquet", "-o", "data", "--force")
    assert "is the folder of data/mined.parquet, which is read" in done.err


def test_what_was_merged_is_under_the_licences_of_all_its_sets_and_cites_them(mined, sets, command, described):
    command("contexts", "export", mined, "-o", "data", "--licence", "CC-BY-4.0", "--citation", "Doe (2026)")
    command("contexts", "merge", "gender-table8", "data/mined.parquet", "-o", "all.csv")
    card = described("all.csv")["card"]
    assert card["licence"] == "Apache-2.0 AND CC-BY-4.0"
    assert "NeurIPS 2024" in card["citation"]
    assert "Doe (2026)" in card["citation"]
    assert command("contexts", "export", "all.csv", "-o", "together").code == 0
    command("contexts", "merge", "gender-table8", "a.csv", "-o", "some.csv")
    assert json.loads((sets / "some.merged.json").read_text())["card"].get("licence") is None
    assert command("contexts", "export", "some.csv", "-o", "some").code == 2


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ('licence = "free"', 'licence is "free", which names no known licence'),
        ("citation = 3", "citation is 3: "),
        ("min_confidence = 2", "min_confidence is 2: "),
    ],
)
def test_a_wrong_entry_beside_a_set_is_one_line(sets, refused, entry, problem):
    (sets / "sources.toml").write_text(f'[a]\nsource = "here"\n{entry}\n')
    assert refused("contexts", "show", "a.csv").startswith(f"error: sources.toml: [a]: {problem}")


@pytest.mark.parametrize("changed", [("placebo",), ("frame", "--by", "year", "--sample-contexts", "0")])
def test_a_set_with_variants_keeps_licence_and_citation(sets, command, changed, described):
    assert command("contexts", changed[0], "gender", *changed[1:], "-o", "changed.csv").code == 0
    card, before = (described(name)["card"] for name in ("changed.csv", "gender"))
    assert card["licence"] == "CC-BY-SA-4.0"
    assert card["citation"].partition(". ")[2] == before["citation"].partition(". ")[2]
