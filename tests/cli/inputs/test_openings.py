"""``bvf openings`` lists the pools of a language and shows one in a form that ``--openings`` takes again."""

import csv
import io
import json

import pytest


@pytest.fixture
def pool(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("opening,count,source\nIt was cold.,2,a\nSnow fell.,1,b\nnone,1,\n")
    return tmp_path


def test_a_pool_says_what_it_is_and_how_it_is_cited(pool, command):
    shown = command("openings", "mine.csv")
    assert shown.code == 0, shown.err
    assert "mine.csv: 2 openings" in shown.out
    assert "bare: 25% of contexts have no opening" in shown.out
    assert "It was cold." in shown.out
    as_json = json.loads(command("openings", "mine.csv", "--format", "json").out)
    assert as_json["rows"][0] == {"opening": "It was cold.", "count": 2.0, "source": "a"}
    assert f"digest {as_json['digest']}" in as_json["cite"]


def test_what_it_writes_is_a_pool_again(pool, command):
    written = command("openings", "mine.csv", "--format", "csv").out
    (pool / "again.csv").write_text(written)
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [row["opening"] for row in rows] == ["It was cold.", "Snow fell.", "none"]
    one, other = (json.loads(command("openings", f"{name}.csv", "--format", "json").out) for name in ("mine", "again"))
    assert one["digest"] == other["digest"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_language_lists_its_pools(command, lang):
    listed = json.loads(command("openings", "--lang", lang, "--format", "json").out)
    (known,) = [each for each in listed if each["name"] == "no-person"]
    assert known["openings"] >= 300
    assert 0.0 < known["bare"] < 0.5
    assert known["card"]["language"] == lang
    assert known["card"]["licence"]


def test_none_and_unknown_pools_are_one_line(command):
    for name, message in (("none", "templates stand bare"), ("nothing-like-it", "en has no openings")):
        done = command("openings", name)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
