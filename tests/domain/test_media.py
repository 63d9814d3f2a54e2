"""Contexts that show an image: distinguished by it, asked with it, kept with it, and refused where it is not seen."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from bvf_testing.measurements import small_measurement
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import bvf
from bvf.domain.measurement import AskedTemplate
from bvf.files.digests import digest_of
from bvf.hooks.loader import load
from bvf.measuring.folder import read_record
from bvf.measuring.questions import digests_of
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


def test_without_media_the_key_is_the_text():
    assert bvf.Template(TEXT).key == TEXT


def test_the_same_image_under_two_names_is_one_context():
    one, other = bvf.Template(TEXT, images("ab")), bvf.Template(TEXT, (bvf.Media("image", "copy.png", "ab"),))
    with pytest.raises(bvf.BvfError, match="2 times"):
        bvf.ContextSet("set", (one, other), (1.0, 1.0))


def test_identities_and_records_of_contexts_without_media_are_as_they_were():
    asked = small_measurement().record.asked
    told = [[each.template, each.count] for each in asked.templates]
    assert digests_of(asked, 0.0, "groups")["contexts"] == digest_of(told)
    shown = AskedTemplate(template=TEXT, count=1.0, media=images("ab"))
    other = asked.model_copy(update={"templates": (shown,)})
    bare = asked.model_copy(update={"templates": (AskedTemplate(template=TEXT, count=1.0),)})
    assert digests_of(other, 0.0, "groups")["contexts"] != digests_of(bare, 0.0, "groups")["contexts"]


def test_a_record_from_before_media_and_labels_is_read(street, toy):
    (street / "plain.csv").write_text(f"template,count\n{TEXT},1\nThe [X] knew that [Y],2\n")
    words = {"male": ("he",), "female": ("her",)}  # of no unit, as there were none before
    bvf.run(plugin=(toy,), model="toy:fair", contexts="plain.csv", words=words, out="plain")
    record = street / "plain" / "measurement.json"
    written = json.loads(record.read_text())
    for template in written["asked"]["templates"]:
        del template["media"], template["chat"]
    for group in written["asked"]["groups"]:
        del group["features"]
    of_model = {"user", "package", "chat_variables", "chat_date", "read_as", "base", "start", "longer_words"}
    for name in of_model:
        del written["model"][name]
    del written["labels"], written["check"]["candidate_mass"]["by_format"]
    for name in ("selection", "generation", "thinking", "units", "kinds", "openings"):
        del written["asked"][name]
    del written["asked"]["sampling"]["capped_at"]
    asked = {
        "templates": {"__all__": {"media", "chat"}},
        "groups": {"__all__": {"features"}},
        **dict.fromkeys(("selection", "generation", "thinking", "units", "kinds", "openings"), True),
        "sampling": {"capped_at"},
    }
    check = {"candidate_mass": {"by_format"}}
    of_before = {"content": True, "labels": True, "model": of_model, "asked": asked, "check": check}
    assert written["content"] == digest_of(read_record(Path("plain")).model_dump(mode="json", exclude=of_before))
    record.write_text(json.dumps(written))
    assert bvf.read_measurement("plain").record.asked.templates[0].media == ()


def test_a_table_names_images_beside_itself(street):
    contexts = bvf.read_contexts(street / "street.csv")
    day, night, none = contexts.templates
    assert [each.file for each in (*day.media, *night.media)] == [
        str(street / "images" / "day.png"),
        str(street / "images" / "night.png"),
    ]
    assert none.media == ()
    assert contexts.counts == (2.0, 1.0, 3.0)
    assert dict(contexts.details[0]) == {"verb": "say"}


def test_an_image_that_is_not_there_is_one_line(street):
    (street / "images" / "night.png").unlink()
    with pytest.raises(bvf.BvfError, match=r"street\.csv:3: the image .*night\.png: cannot be read"):
        bvf.read_contexts(street / "street.csv")


def test_images_change_answers_and_are_kept(street):
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


def test_the_same_run_again_asks_nothing_and_another_image_is_another_measurement(street):
    measured()
    (street / "images").rename(street / "pictures")
    (street / "street.csv").write_text(ROWS.replace("images/", "pictures/"))
    measured()
    assert len(list((street / "out" / "invocations").iterdir())) == 1
    one_colour(street / "pictures" / "day.png", "grey")
    with pytest.raises(bvf.BvfError, match=r"holds another measurement .*contexts"):
        measured()


def test_images_reach_the_processes_of_an_engine(street):
    here, elsewhere = measured(), measured(engine="processes:2", out="elsewhere")
    assert elsewhere.R == here.R


def test_a_backend_that_takes_no_images_is_refused_before_it_is_loaded(street, command, toy):
    done = command("run", "--plugin", toy, "--model", "toy:fair", "--contexts", "street.csv", "--out", "out")
    assert done.code == 2
    assert "media of the kind image, which the backend toy does not take" in " ".join(done.err.split())
    assert not (street / "out").exists()


def test_merging_and_comparing_keep_images(street, command):
    (street / "more.csv").write_text(ROWS)
    (street / "sets").mkdir()
    done = command("contexts", "merge", "street.csv", "more.csv", "-o", "sets/all.csv")
    assert (done.code, "would be outside its folder" in done.err, list((street / "sets").iterdir())) == (2, True, [])
    assert command("contexts", "merge", "street.csv", "more.csv", "-o", "all.csv").code == 0
    one, both = bvf.read_contexts(Path("street.csv")), bvf.read_contexts(Path("all.csv"))
    assert {t.key: n for t, n in zip(both.templates, both.counts, strict=True)} == {
        t.key: 2 * n for t, n in zip(one.templates, one.counts, strict=True)
    }
    assert compared(one, both).shared == 3
    shown = json.loads(command("contexts", "show", "all.csv", "--format", "json").out)
    assert [row.get("image", "").rsplit("/", 1)[-1] for row in shown["templates"]] == ["", "day.png", "night.png"]


def test_merged_sets_have_what_either_has():
    text = bvf.Template(TEXT)
    with_image = replace(text, media=images("ab"))
    contexts = merged([bvf.ContextSet("a", (text,), (1.0,)), bvf.ContextSet("b", (with_image,), (2.0,))], "all")
    assert contexts.templates == (with_image, text)
