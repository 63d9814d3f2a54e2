"""A context set that is written as a data set reads back as the same contexts, and states how it is cited."""

import importlib.util
import json
import subprocess
import sys
from dataclasses import replace

import datasets
import numpy as np
import pandas as pd
import pytest
import yaml
from bvf_report.export import write_contexts_dataset
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from PIL import Image

from bvf import BvfError, ContextSet, Media, Template, contexts_in, read_contexts
from bvf.domain.context import Card, Sampling
from bvf.files.contexts.sets import NO_DETAILS, contexts_digest
from bvf.files.digests import digest_of_bytes, sha256_of

datasets.disable_progress_bars()
SAID, KNEW = "The [X] said that [Y]", "The [X] knew [Y]"
SET = ContextSet(
    "/home/me/wards.csv",
    (Template(SAID), Template(KNEW)),
    (3.0, 2.0),
    "letters, mined from /home/me/letters.txt: 4 documents",
    ({"verb": "say", "documents": "3", "note": "007"}, {"verb": "know", "documents": "2"}),
    Sampling(occurrences=5, documents=4, replicates=np.array([[4, 2, 3], [1, 3, 2]], dtype=np.uint16)),
    Card("CC-BY-4.0", "Doe (2026): Wards", miner="en", min_confidence=0.93),
)
SPDX = "https://spdx.org/licenses"
WORDS = st.text("abcdeé知识 ,;\t\"'|<\\\n", max_size=12)


def templates(texts):
    slots = st.sampled_from([("[X]", "[Y]"), ("[Y]", "[X]")])
    return st.tuples(texts, texts, texts, slots).map(
        lambda parts: f"a{parts[0]}{parts[3][0]}{parts[1]}{parts[3][1]}{parts[2]}b"
    )


@st.composite
def context_sets(draw):
    texts = draw(st.lists(templates(WORDS), min_size=1, max_size=6, unique_by=lambda text: Template(text).text))
    number = len(texts)
    count = st.integers(0, 2**60) if draw(st.booleans()) else st.floats(0, 1e300)
    counts = tuple(map(float, draw(st.lists(count, min_size=number, max_size=number))))
    assume(sum(counts) > 0)
    columns = draw(st.lists(WORDS.filter(lambda name: name and name not in NO_DETAILS), max_size=3, unique=True))
    cell = st.one_of(WORDS, st.integers(0, 10**20).map(str), st.sampled_from(["null", "NaN", "007", "1.0", "true", ""]))
    details = tuple({name: draw(cell) for name in columns} for _ in texts)
    draws = draw(st.integers(1, 4))
    redrawn = draw(st.lists(st.integers(0, 2**32), min_size=number * draws, max_size=number * draws))
    replicates = draw(st.sampled_from([None, np.array(redrawn, dtype=np.uint64).reshape(number, draws)]))
    samplings = [
        Sampling(written=True),
        Sampling(cut=True, documents=3, replicates=replicates),
        Sampling(occurrences=sum(counts) * 2 + 1, documents=7, replicates=replicates),
        Sampling(replicates=replicates),
    ]
    said = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20)
    card = Card("MIT", draw(said), "en", draw(said), draw(st.sampled_from([None, 0.0, 0.93])))
    sampling = draw(st.sampled_from(samplings))
    return ContextSet("any", tuple(map(Template, texts)), counts, "a source", details, sampling, card)


def assert_same(read, contexts):
    assert contexts_digest(read) == contexts_digest(contexts)
    assert [template.key for template in read.templates] == [template.key for template in contexts.templates]
    assert read.counts == contexts.counts
    assert (read.occurrences, read.share) == (contexts.occurrences, contexts.share)
    assert (read.sampling.written, read.sampling.cut) == (contexts.sampling.written, contexts.sampling.cut)
    assert read.sampling.documents == contexts.sampling.documents
    assert read.card == contexts.card
    written = contexts.details or ({},) * len(contexts.templates)
    assert list(read.details) == [{name: value for name, value in row.items() if value} for row in written]
    if contexts.sampling.replicates is None:
        assert read.sampling.replicates is None
    else:
        np.testing.assert_array_equal(read.sampling.replicates, contexts.sampling.replicates)


@given(contexts=context_sets())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_set_reads_back_the_same_and_is_written_again_byte_for_byte(tmp_path_factory, contexts):
    folder = tmp_path_factory.mktemp("data")
    table = write_contexts_dataset(contexts, folder / "first")
    assert_same(read_contexts(table), contexts)
    again = write_contexts_dataset(read_contexts(table), folder / "second")
    for file in table.parent.iterdir():
        assert (again.parent / file.name).read_bytes() == file.read_bytes(), file.name


@pytest.fixture
def folder(tmp_path):
    return write_contexts_dataset(SET, tmp_path / "wards").parent


def one_colour(file, colour):
    """Write a picture, and return its bytes."""
    Image.new("RGB", (2, 2), colour).save(file)
    return file.read_bytes()


def test_pictures_are_copied_and_read_back_though_texts_are_equal(tmp_path):
    street, ward = one_colour(tmp_path / "a.PNG", "red"), one_colour(tmp_path / "b.png", "blue")
    rows = [("a.PNG", SAID, 3), ("b.png", SAID, 2), ("", KNEW, 1)]
    (tmp_path / "set.csv").write_text("image,template,count\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    read = read_contexts(tmp_path / "set.csv")
    replicates = np.array([[3, 1], [2, 5], [0, 1]], dtype=np.uint8)
    contexts = replace(read, sampling=Sampling(documents=2, replicates=replicates), card=Card("MIT", language="en"))
    table = write_contexts_dataset(contexts, tmp_path / "data")
    assert_same(read_contexts(table), contexts)
    assert sorted(file.read_bytes() for file in (tmp_path / "data" / "images").iterdir()) == sorted((street, ward))
    of_images = json.loads((tmp_path / "data" / "croissant.json").read_text())["distribution"][-2:]
    assert {each["encodingFormat"] for each in of_images} == {"image/png"}
    names = {f"images/{digest_of_bytes(each)}.png" for each in (street, ward)}
    assert {each["contentUrl"] for each in of_images} == names
    one_colour(tmp_path / "b.png", "grey")
    with pytest.raises(BvfError, match=r"b\.png: has changed since the context set was read"):
        write_contexts_dataset(contexts, tmp_path / "later")
    assert not (tmp_path / "later").exists()


def test_the_library_of_the_hub_and_pandas_read_the_tables(folder, tmp_path):
    rows = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))["test"]
    assert rows["template"] == [SAID, KNEW]
    assert rows["count"] == [3, 2]
    assert rows["documents"] == [3, 2]
    assert rows["note"] == ["007", None]
    redrawn = datasets.load_dataset(str(folder), "replicates", cache_dir=str(tmp_path / "cache"))["test"]["redrawn"]
    assert [list(each) for each in redrawn] == [[4, 2, 3], [1, 3, 2]]
    assert pd.read_parquet(folder / "wards.parquet")["count"].sum() == 5


def test_the_card_states_licence_citation_source_and_sample(folder):
    text = (folder / "README.md").read_text()
    _, header, card = text.split("---\n", 2)
    read = yaml.safe_load(header)
    assert (read["license"], read["language"], read["size_categories"]) == ("cc-by-4.0", ["en"], ["n<1K"])
    assert [each["config_name"] for each in read["configs"]] == ["contexts", "replicates"]
    shown = MarkdownIt("commonmark").enable("table").render(card)
    digest = contexts_digest(SET)
    assert f"wards: a context set of 2 templates, digest {digest}. Doe (2026): Wards." in shown
    for fact in ("mined from letters.txt: 4 documents", "all 5 occurrences in 4 documents", "0.93", "3 resamples"):
        assert fact in shown, fact
    for column in ("template", "count", "verb", "documents", "note", "redrawn"):
        assert f"| {column} | " in card, column
    for file in folder.iterdir():
        assert b"/home/me" not in file.read_bytes(), file.name


@pytest.mark.parametrize(
    ("licence", "header"),
    [
        ("CC-BY-SA-4.0", {"license": "cc-by-sa-4.0"}),
        ("PDDL-1.0", {"license": "pddl"}),
        ("OGL-UK-3.0", {"license": "other", "license_name": "ogl-uk-3.0", "license_link": f"{SPDX}/OGL-UK-3.0.html"}),
        ("MIT AND CC-BY-4.0", {"license": "other", "license_name": "mit-and-cc-by-4.0"}),
    ],
)
def test_the_header_names_licences_as_the_hub_does(tmp_path, licence, header):
    write_contexts_dataset(replace(SET, card=Card(licence)), tmp_path)
    read = yaml.safe_load((tmp_path / "README.md").read_text().split("---\n")[1])
    assert {name: value for name, value in read.items() if name.startswith("license")} == header


def test_names_of_strangers_are_text_in_the_card(tmp_path):
    hostile = "<script>alert(1)</script>\n---\nlicense: mit"
    named = replace(SET, name=hostile, source=hostile, card=Card("MIT", hostile, miner=hostile))
    write_contexts_dataset(named, tmp_path)
    _, header, card = (tmp_path / "README.md").read_text().split("---\n", 2)
    assert yaml.safe_load(header)["license"] == "mit"
    assert "<script" not in MarkdownIt("commonmark").enable("table").render(card)


def test_a_pack_may_ship_the_folder_as_it_is_and_replicates_of_an_earlier_set_do_not_stay(folder):
    (provider,) = contexts_in(folder, "en")
    assert provider.name == "wards"
    assert_same(provider.make(), replace(SET, card=replace(SET.card, language="en")))
    write_contexts_dataset(replace(SET, sampling=Sampling(occurrences=5)), folder)
    assert read_contexts(folder / "wards.parquet").sampling.replicates is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"card": Card()}, "its licence is not stated"),
        ({"details": ({"count": "1"}, {})}, '"count" cannot be a further column'),
        ({"templates": (Template(f"{SAID} "), Template(KNEW))}, "blanks around"),
        ({"templates": (Template(SAID, (Media("audio", "a.wav", "0"),)), Template(KNEW))}, "is shown with audio"),
    ],
)
def test_what_would_not_read_back_is_refused_before_anything_is_written(tmp_path, changes, message):
    with pytest.raises(BvfError, match=message) as caught:
        write_contexts_dataset(replace(SET, **changes), tmp_path / "data")
    assert "\n" not in caught.value.message
    assert not (tmp_path / "data").exists()


def test_croissant_metadata_name_every_file_with_its_digest(folder):
    metadata = json.loads((folder / "croissant.json").read_text())
    assert metadata["license"] == f"{SPDX}/CC-BY-4.0.html"
    assert "Doe (2026)" in metadata["citeAs"]
    assert {each["contentUrl"]: each["sha256"] for each in metadata["distribution"]} == {
        file.name: sha256_of(file) for file in folder.glob("*.parquet")
    }
    columns = {each["name"]: [field["name"] for field in each["field"]] for each in metadata["recordSet"]}
    assert columns["contexts"] == ["template", "count", "verb", "documents", "note"]
    assert columns["replicates"] == ["template", "count", "redrawn"]


READ_WITH_MLCROISSANT = """
import json, sys, warnings
import mlcroissant

read = mlcroissant.Dataset(jsonld=sys.argv[1])
issues = read.metadata.ctx.issues
rows = {each.uuid: [dict(row) for row in read.records(each.uuid)] for each in read.metadata.record_sets}
as_text = lambda value: value.decode() if isinstance(value, bytes) else str(value)
rows = {name: [{key: as_text(cell) for key, cell in row.items()} for row in rows[name]] for name in rows}
print(json.dumps({"errors": sorted(issues.errors), "warnings": sorted(issues.warnings), "rows": rows}))
"""


@pytest.mark.skipif(importlib.util.find_spec("mlcroissant") is None, reason="mlcroissant is not installed")
def test_mlcroissant_finds_no_error_and_reads_the_rows(folder):
    command = [sys.executable, "-c", READ_WITH_MLCROISSANT, str(folder / "croissant.json")]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert said["errors"] == []
    missing = {"datePublished", "version"}
    assert all(any(name in each for name in missing) for each in said["warnings"])
    assert [row["contexts/template"] for row in said["rows"]["contexts"]] == [SAID, KNEW]
    assert [row["contexts/count"] for row in said["rows"]["contexts"]] == ["3", "2"]
    assert said["rows"]["replicates"][0]["replicates/redrawn"].strip("[]").replace(",", "").split() == ["4", "2", "3"]
