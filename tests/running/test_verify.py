"""Every figure of a finished folder is computed again, and what was changed is found."""

import hashlib
import json
import shutil
from functools import partial

import pytest
from helpers.fixtures import TOY
from helpers.toy_runs import copied, small_config

import bvf


@pytest.fixture
def config(tmp_path, toy):
    return partial(small_config, copied(toy, tmp_path), tmp_path / "out")


@pytest.fixture
def contexts(tmp_path):
    (tmp_path / "c.csv").write_text("template,count\nThe [X] said that [Y],2\nThe [X] knew that [Y],1\n")
    return tmp_path / "c.csv"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = bvf.run(small_config(TOY, tmp_path_factory.mktemp("finished") / "out")).folder
    assert bvf.verify(folder) == []
    return folder


def changed(*keys):
    def tamper(folder):
        file = folder / "measurement.json"
        record = json.loads(file.read_text())
        inner = record
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] += 1
        file.write_text(json.dumps(record))

    return tamper


def kept(folder, content):
    """Write an analysis in the place of the only one, with its digest, as its author could."""
    (file,) = (folder / "analyses").iterdir()
    file.unlink()
    digest = hashlib.sha256(content).hexdigest()[:16]
    (folder / "analyses" / f"{file.name.partition('.')[0]}.{digest}.json").write_bytes(content)
    (folder / "result.json").write_bytes(content)


def rewritten(old, new):
    def tamper(folder):
        content = (folder / "result.json").read_bytes()
        assert old in content
        kept(folder, content.replace(old, new, 1))

    return tamper


def one_byte(pattern):
    def tamper(folder):
        file = sorted(folder.glob(pattern))[0]
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)

    return tamper


def rename_analysis(folder):
    file = sorted(folder.glob("analyses/*"))[0]
    file.rename(file.with_name(file.name.replace("linf.", "tv.")))


def gone(pattern):
    return lambda folder: sorted(folder.glob(pattern))[0].unlink()


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (one_byte("probabilities/*"), "is not as it was written"),
        (gone("probabilities/*"), "unfinished, shard 0 is not there"),
        (gone("result.json"), "result.json: not there"),
        (one_byte("invocations/*"), "invocations/"),
        (lambda folder: (folder / "analyses" / "thesis.doc").write_text("x"), "analyses/thesis.doc: no file of"),
        (rename_analysis, "renamed"),
        (one_byte("analyses/*"), "not as it was written"),
        (one_byte("result.json"), "result.json: is not one of the analyses beside it"),
        (changed("asked", "templates", 0, "count"), "measurement.json is damaged"),
        (changed("asked", "group_weights", "employment", "weights", "nurse"), "measurement.json is damaged"),
        (changed("check", "batch_deviation"), "measurement.json is damaged"),
        (rewritten(b'"r_bias": 0.', b'"r_bias": 1.'), "when it is computed again"),
    ],
)
def test_verify_finds_what_was_changed(finished, tmp_path, tamper, said, command):
    folder = shutil.copytree(finished, tmp_path / "copy")
    tamper(folder)
    done = command("verify", folder)
    assert done.code == 1
    assert said in done.said
    assert bvf.verify(folder) == done.out.splitlines()


def test_verify_takes_another_wording_of_why_there_is_no_interval_and_not_its_absence(contexts, config, command):
    folder = bvf.run(config(contexts=str(contexts), sample_contexts=0, limit_contexts=1)).folder
    rewritten(b'"undefined": "there is one context"', b'"undefined": "only one was asked"')(folder)
    done = command("verify", folder)
    assert (done.code, done.err) == (0, "")
    rewritten(b'"undefined": "only one was asked"', b'"undefined": ""')(folder)
    done = command("verify", folder)
    assert (done.code, "uncertainty.undefined" in done.out) == (1, True)


def test_verify_computes_knowledge_again_and_passes_over_figures_that_an_older_version_did_not_have(config, command):
    asked = {"topic": "knowledge/capitals", "limit_groups": 12, "distractors": 3}
    folder = bvf.run(config(**asked)).folder
    assert command("verify", folder).code == 0
    result = json.loads((folder / "result.json").read_bytes())

    def without(value):
        if isinstance(value, dict):
            return {key: without(each) for key, each in value.items() if key != "corrected_mastery"}
        return [without(each) for each in value] if isinstance(value, list) else value

    assert result["corrected_mastery"] is not None
    kept(folder, json.dumps(without(result)).encode())
    assert command("verify", folder).code == 0
    kept(folder, json.dumps({**without(result), "mastery": result["mastery"] + 0.01}).encode())
    assert "mastery is" in command("verify", folder).out
    kept(folder, json.dumps(result).encode())
    assert bvf.analyse(folder, distractors=5, seed=7).distractors == 5
    assert command("verify", folder).code == 0


def test_verify_takes_names_that_changed_since_for_what_they_are(config, contexts, command):
    folder = bvf.run(config(contexts=str(contexts))).folder
    renamed = contexts.rename(contexts.with_name("renamed.csv"))
    bvf.run(config(contexts=str(renamed), criterion="lk:2"))
    assert command("verify", folder).code == 0
