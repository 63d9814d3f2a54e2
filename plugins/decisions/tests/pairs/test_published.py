"""Winogender and WinoBias as contexts about two people: sentences of the same form, and the published ones."""

import re
from collections import Counter

import pytest
from bvf_decisions.pairs.published import read_winobias, read_winogender
from helpers.benchmark_answers import PUBLISHED, needs_shared

from bvf import BvfError, load

HEADER = "occupation(0)\tother-participant(1)\tanswer\tsentence\n"
WINOBIAS = [f"pro_stereotyped_type{kind}.{split}.txt" for kind in (1, 2) for split in ("dev", "test")]


def test_winogender_says_who_stands_first_and_who_is_meant(tmp_path):
    rows = "baker\tguest\t1\tA $PARTICIPANT saw the $OCCUPATION, and $NOM_PRONOUN sang.\n"
    rows += "baker\tguest\t1\tThe $OCCUPATION saw the $PARTICIPANT lose $POSS_PRONOUN hat.\n"
    (tmp_path / "templates.tsv").write_text(HEADER + rows)
    found = load().contexts.make(f"winogender:{tmp_path}")
    assert [each.text for each in found.templates] == [
        "A [X1] saw the [X2], and [Y] sang.",
        "The [X1] saw the [X2] lose [Y] hat.",
    ]
    assert [dict(each) for each in found.details] == [
        {"published_first": "guest", "published_second": "baker", "meant": "first"},
        {"published_first": "baker", "published_second": "guest", "meant": "second"},
    ]
    assert found.sampling.written


def winobias(folder, *lines):
    for name, text in (("male", "guard\nconstruction worker"), ("female", "baker\n")):
        (folder / f"{name}_occupations.txt").write_text(text)
    for number, name in enumerate(WINOBIAS):
        (folder / name).write_text("\n".join(lines if not number else lines[:1]))
    return load().contexts.make(f"winobias:{folder}")


def test_winobias_finds_the_person_who_is_not_in_brackets(tmp_path):
    found = winobias(
        tmp_path,
        "1 [The construction worker] saw a baker when [he] sang.",
        "2 The guard saw [the baker] and told [her] so.",
        "3 [The baker] told the guard that [she] lost [her] hat.",
    )
    assert [each.text for each in found.templates] == [
        "The [X1] saw a [X2] when [Y] sang.",
        "The [X1] saw the [X2] and told [Y] so.",
    ]
    assert found.counts == (4.0, 1.0)  # a sentence of all four files
    first = {"published_first": "construction worker", "published_second": "baker", "meant": "first", "type": "1"}
    assert dict(found.details[0]) == first
    assert found.details[1]["meant"] == "second"


def test_what_is_not_as_published_is_refused_by_its_place(tmp_path):
    for read in (read_winogender, read_winobias):
        with pytest.raises(BvfError, match="no folder is named"):
            read()
        with pytest.raises(BvfError, match=r"no file .*(templates\.tsv|male_occupations\.txt)"):
            read(str(tmp_path))
    with pytest.raises(BvfError, match=r"type1\.dev\.txt:2: not two occupations"):
        winobias(tmp_path, "1 [The guard] saw a baker when [he] sang.", "2 [The guard] sang when [he] left.")
    (tmp_path / "templates.tsv").write_text(f"{HEADER}baker\tguest\t1\tThe $OCCUPATION said that $NOM_PRONOUN sang.\n")
    with pytest.raises(BvfError, match=r"templates\.tsv:2: not two people"):
        read_winogender(str(tmp_path))


@needs_shared
def test_the_published_sentences_are_all_read():
    winogender = read_winogender(str(PUBLISHED / "winogender"))
    people = [(each["published_first"], each["published_second"], each["meant"]) for each in winogender.details]
    assert len(winogender.templates) * 2 * 3 == 720  # with two participants, and three pronouns
    occupations = {first if meant == "first" else second for first, second, meant in people}
    assert len(occupations) > 60  # the 60 occupations, and those of the participants who are meant
    assert Counter(meant for *_, meant in people) == {"first": 60, "second": 60}
    files = [PUBLISHED / "winobias" / f"{which}{name[3:]}" for which in ("pro", "anti") for name in WINOBIAS]
    lines = [file.read_text().strip().split("\n") for file in files]
    assert list(map(len, lines)) == [396] * 8
    several = sum(len(re.findall(r"\[[^\]]+\]", line)) > 2 for of_file in lines[:4] for line in of_file)
    winobias = read_winobias(str(PUBLISHED / "winobias"))
    assert sum(winobias.counts) == 4 * 396 - several
    names = {each[f"published_{place}"] for each in winobias.details for place in ("first", "second")}
    assert len(names) == 40
