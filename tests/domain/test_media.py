"""Contexts that show an image: distinguished by it, asked with it, kept with it, and refused where it is not seen."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import bvf
from bvf.hooks.loader import load
from bvf.running.verify import problems_in
from bvf.stats.figures.context_sets import compared, merged

SEEING = str(Path(__file__).parents[1] / "data" / "seeing_plugin.py")
TEXT = "The [X] in this street said that [Y]"
ROWS = f"template,count,image,verb\n{TEXT},2,images/day.png,say\n{TEXT},1,images/night.png,say\n{TEXT},3,,say\n"
COLOURS = {"day": "yellow", "night": "black"}
IMAGES = st.lists(st.binary(min_size=1, max_size=3).map(bytes.hex), unique=True, max_size=3)


@pytest.fixture
def street(tmp_path, monkeypatch):
    """A table of one text with two images and with none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "images").mkdir()
    for name in ("day", "night"):
        one_colour(tmp_path / "images" / f"{name}.png", COLOURS[name])
    (tmp_path / "street.csv").write_text(ROWS)
    return tmp_path


def one_colour(file, colour):
    Image.new("RGB", (2, 2), colour).save(file)


def images(*digests):
    return tuple(bvf.Media("image", f"{digest}.png", digest) for digest in digests)


def measured(**choices):
    given = {"plugin": (SEEING,), "model": "seeing:any", "contexts": "street.csv", "limit_groups": 3, "out": "out"}
    return bvf.run(**{**given, **choices})


@given(st.lists(IMAGES.map(tuple), min_size=2, max_size=4, unique=True))
def test_the_same_text_with_other_images_is_another_context(shown):
    templates = tuple(bvf.Template(TEXT, images(*digests)) for digests in shown)
    assert len({template.key for template in templates}) == len(templates)
    assert len(bvf.ContextSet("set", templates, (1.0,) * len(templates)).templates) == len(templates)


def test_the_same_image_under_two_names_is_one_context_and_merged_sets_have_what_either_has():
    text, one, other = (bvf.Template(TEXT, shown) for shown in ((), images("ab"), (bvf.Media("image", "b.png", "ab"),)))
    with pytest.raises(bvf.BvfError, match="2 times"):
        bvf.ContextSet("set", (one, other), (1.0, 1.0))
    contexts = merged([bvf.ContextSet("a", (text,), (1.0,)), bvf.ContextSet("b", (one,), (2.0,))], "all")
    assert contexts.templates == (one, text)


def test_a_table_names_images_beside_itself_and_one_that_is_not_there_is_one_line(street):
    contexts = bvf.read_contexts(street / "street.csv")
    shown = [[each.file for each in template.media] for template in contexts.templates]
    assert shown == [[str(street / "images" / f"{name}.png")] for name in COLOURS] + [[]]
    assert contexts.counts == (2.0, 1.0, 3.0)
    assert dict(contexts.details[0]) == {"verb": "say"}
    (street / "images" / "night.png").unlink()
    with pytest.raises(bvf.BvfError, match=r"street\.csv:3: the image .*night\.png: cannot be read"):
        bvf.read_contexts(street / "street.csv")


def test_images_change_answers_are_kept_and_reach_the_processes_of_an_engine(street):
    result = measured()
    long = result.stereotypes()
    keys = [template.key for template in bvf.read_contexts(Path("street.csv")).templates]
    assert list(dict.fromkeys(long["context"])) == keys
    by_context = [long[long["context"] == key]["probability"].tolist() for key in keys]
    assert by_context[0] != by_context[1] != by_context[2]
    shard = next((street / "out" / "probabilities").iterdir())
    assert pq.read_table(shard)["context"].to_pylist() == keys * 3
    stored = bvf.read_measurement("out").record.asked.templates
    assert [[each.file for each in template.media] for template in stored] == [["day.png"], ["night.png"], []]
    assert bvf.analyse("out", criterion="tv", scale="raw").R >= 0
    assert list(problems_in(street / "out", load())) == []
    assert measured(engine="processes:2", out="elsewhere").R == result.R


def test_the_same_run_again_asks_nothing_and_another_image_is_another_measurement(street):
    measured()
    (street / "images").rename(street / "pictures")
    (street / "street.csv").write_text(ROWS.replace("images/", "pictures/"))
    measured()
    assert len(list((street / "out" / "invocations").iterdir())) == 1
    one_colour(street / "pictures" / "day.png", "grey")
    with pytest.raises(bvf.BvfError, match=r"holds another measurement .*contexts"):
        measured()


def test_a_backend_that_takes_no_images_is_refused_before_it_is_loaded(street, command, toy):
    done = command("run", "--plugin", toy, "--model", "toy:fair", "--contexts", "street.csv", "--out", "out")
    assert "media of the kind image, which the backend toy does not take" in " ".join(done.refusal.split())
    assert not (street / "out").exists()


def test_merging_and_comparing_keep_images(street, command):
    (street / "more.csv").write_text(ROWS)
    (street / "sets").mkdir()
    merge = ("contexts", "merge", "street.csv", "more.csv", "-o")
    assert "would be outside its folder" in command(*merge, "sets/all.csv").refusal
    assert list((street / "sets").iterdir()) == []
    assert command(*merge, "all.csv").code == 0
    one, both = bvf.read_contexts(Path("street.csv")), bvf.read_contexts(Path("all.csv"))
    of_one, of_both = ({t.key: n for t, n in zip(s.templates, s.counts, strict=True)} for s in (one, both))
    assert of_both == {key: 2 * n for key, n in of_one.items()}
    assert compared(one, both).shared == 3
    shown = command("contexts", "show", "all.csv", "--format", "json").json
    assert [row.get("image", "").rsplit("/", 1)[-1] for row in shown["templates"]] == ["", "day.png", "night.png"]
