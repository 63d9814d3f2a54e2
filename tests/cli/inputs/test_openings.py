"""``bvf openings`` lists the pools of a language and shows one in a form that ``--openings`` takes again."""

import csv
import io

import pytest


@pytest.fixture
def pool(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("opening,count,source\nIt was cold.,2,a\nSnow fell.,1,b\nnone,1,\n")
    return tmp_path


def test_a_pool_says_what_it_is_and_how_it_is_cited_and_what_is_written_is_a_pool_again(pool, command, in_json):
    shown = command("openings", "mine.csv").out
    assert [line in shown for line in ("mine.csv: 2 openings", "It was cold.")] == [True, True]
    assert "bare: 25% of contexts have no opening" in shown
    described = in_json("openings", "mine.csv")
    assert described["rows"][0] == {"opening": "It was cold.", "count": 2.0, "source": "a"}
    assert f"digest {described['digest']}" in described["cite"]
    written = command("openings", "mine.csv", "--format", "csv").out
    (pool / "again.csv").write_text(written)
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [row["opening"] for row in rows] == ["It was cold.", "Snow fell.", "none"]
    assert in_json("openings", "again.csv")["digest"] == described["digest"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_language_lists_its_pools(in_json, lang):
    (known,) = [each for each in in_json("openings", "--lang", lang) if each["name"] == "no-person"]
    assert known["openings"] >= 300
    assert 0.0 < known["bare"] < 0.5
    assert known["card"]["language"] == lang
    assert known["card"]["licence"]


def test_none_and_unknown_pools_are_one_line(refused):
    for name, message in (("none", "templates stand bare"), ("nothing-like-it", "en has no openings")):
        assert message in refused("openings", name)
