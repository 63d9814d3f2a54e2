"""What is there, and one of it by its name; a plugin that fails takes no listing down."""

import json
import re
import sys

import pytest
from helpers.topic_text import topic_text

from bvf.cli.plugins.listings import KINDS

BROKEN = """
from bvf import Provider, hookimpl

def broken(*arguments):
    raise ValueError("the file of weights is gone")

def offered(name):
    return [Provider(name, broken, f"a {name} that fails", options="no.such.module:Options")]

@hookimpl
def bvf_topics():
    return [Provider("xx", broken, language="en")]

@hookimpl
def bvf_contexts():
    return [Provider("xx", broken, language="en", describe=broken)]
"""
BROKEN += "".join(f"@hookimpl\ndef bvf_{kind.name}():\n    return offered('xx')\n" for kind in KINDS)
FAIR = """
import numpy as np
from bvf import Backend, Provider, hookimpl

class Fair(Backend):
    def __init__(self, request):
        pass

    def score(self, prompts, words, *, absolute):
        return np.array([[-1.0 - len(prompt.left) / 100 - len(word) for word in words] for prompt in prompts])

@hookimpl
def bvf_backends():
    return [Provider("fair", Fair, "counts letters")]
"""
OFFERS_TOPICS = """
from pathlib import Path
from bvf import hookimpl, topics_in

@hookimpl
def bvf_topics():
    return topics_in(Path(__file__).parent, language="en")
"""
SHOWN = {
    "languages": ("en", "bundled:en-causal"),
    "backends": ("llama", "-B dtype=auto"),
    "engines": ("processes", "it has no options"),
    "miners": ("zh", "of the plugin zh"),
    "criteria": ("linf", "convex"),
    "analyses": ("risk", "bvf.result/3"),
    "benchmarks": ("bbq", "CC BY 4.0"),
    "models": ("bundled:en-causal", "MB"),
    "readers": ("share", "most words"),
}


@pytest.fixture
def plugin_xx(tmp_path, monkeypatch):
    """Install a plugin ``xx``, whose module is given."""

    def install(module):
        (tmp_path / "bvf_xx.py").write_text(module)
        metadata = tmp_path / "bvf_xx-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: bvf-xx\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text("[bvf]\nxx = bvf_xx\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "bvf_xx", raising=False)

    return install


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_listing_shows_one_of_its_things(command, kind):
    name, said = SHOWN[kind.name]
    listed = command(kind.name, "--format", "json")
    assert name.removeprefix("bundled:") in {line["name"] for line in json.loads(listed.out)}
    shown = command(kind.name, "show", name)
    assert shown.code == 0, shown.err
    assert said in shown.out
    as_json = json.loads(command(kind.name, "show", name, "--format", "json").out)
    assert as_json["name"] == name.removeprefix("bundled:")
    assert {"summary", "plugin", "distribution", "version", "usable", "facts", "options"} <= set(as_json)
    missing = command(kind.name, "show", "nothing-of-the-kind")
    assert missing.code == 2
    assert "there is no" in missing.err


def test_a_plugin_is_shown_with_what_it_offers(command):
    shown = json.loads(command("plugins", "show", "zh", "--format", "json").out)
    assert shown["distribution"] == "bvf"
    assert shown["languages"] == ["zh"]
    assert "zh-causal" in shown["models"]
    wrong = command("plugins", "show", "zhh")
    assert (wrong.code, "did you mean zh?" in wrong.err) == (2, True)


def test_a_topic_is_shown_with_features_of_its_groups(command, plugin_xx, tmp_path):
    features = """[group_features.gender]
baker = "masculine"
nurse = "feminine"
welder = "masculine"
"""
    words = {"calm": ["calm"], "cross": ["cross"]}
    (tmp_path / "temper.toml").write_text(topic_text(words, groups=("baker", "nurse", "welder"), tables=features))
    plugin_xx(OFFERS_TOPICS)
    shown = command("topics", "show", "temper")
    assert re.search(r"feature gender +masculine: baker, welder; feminine: nurse\n", shown.out), shown


def test_one_broken_plugin_takes_no_listing_down(command, plugin_xx):
    plugin_xx(BROKEN)
    for kind in ("topics", "contexts", *(kind.name for kind in KINDS)):
        listed = command(kind, "--format", "json")
        assert listed.code == 0, listed.err
        assert "xx" in {line["name"] for line in json.loads(listed.out)}
    for kind in KINDS:
        shown = command(kind.name, "show", "xx")
        assert shown.code in {0, 2}
        assert "Traceback" not in shown.err
        assert ("the file of weights is gone" in shown.out) or ("no.such.module" in shown.err)
    check = command("check", "bvf_xx")
    assert (check.code, "Traceback" in check.err) == (2, False)
    assert "bvf_xx is a distribution, not a plugin" in check.err
    assert "bvf check xx" in check.err


def test_a_backend_is_checked_on_a_model(command, toy, tmp_path):
    fair = tmp_path / "fair.py"
    fair.write_text(FAIR)
    shown = command("check", fair, "--model", "fair:any")
    assert shown.code == 0, shown.err
    assert shown.out.strip() == "ok    backend fair with fair:any: 12 checks"
    assert "--model fair:NAME checks it on a model" in command("check", fair).out
    wrong = command("check", toy, "--model", "toy:constant")
    assert wrong.code == 2
    assert "wrong backend toy with toy:constant" in wrong.out
    other = command("check", toy, "--model", "baseline:random")
    assert "--model baseline:random is read by the backend baseline of core" in other.err


def test_the_listing_of_contexts_has_their_sizes_in_json_too(command):
    sizes = {
        (row["name"], row["language"]): row["size"] for row in json.loads(command("contexts", "--format", "json").out)
    }
    assert sizes["gender-all", "en"] == 6103
    assert sizes["gender", "en"] == 10
