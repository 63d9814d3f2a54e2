"""What is there, and one of it by its name; a plugin that fails takes no listing down."""

import re
import sys

import pytest
from helpers.made_packages import install_plugins
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
        install_plugins(tmp_path, "bvf-xx", "[bvf]\nxx = bvf_xx\n", {"bvf_xx": module})
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "bvf_xx", raising=False)

    return install


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_listing_shows_one_of_its_things(command, in_json, refused, kind):
    name, said = SHOWN[kind.name]
    plain = name.removeprefix("bundled:")
    assert plain in {line["name"] for line in in_json(kind.name)}
    shown = command(kind.name, "show", name)
    assert shown.code == 0, shown.err
    assert said in shown.out
    as_json = in_json(kind.name, "show", name)
    assert as_json["name"] == plain
    assert {"summary", "plugin", "distribution", "version", "usable", "facts", "options"} <= set(as_json)
    assert "there is no" in refused(kind.name, "show", "nothing-of-the-kind")


def test_a_plugin_is_shown_with_what_it_offers(in_json, refused):
    shown = in_json("plugins", "show", "zh")
    assert (shown["distribution"], shown["languages"], "zh-causal" in shown["models"]) == ("bvf", ["zh"], True)
    assert "did you mean zh?" in refused("plugins", "show", "zhh")


def test_a_topic_is_shown_with_features_of_its_groups(command, plugin_xx, tmp_path):
    features = '[group_features.gender]\nbaker = "masculine"\nnurse = "feminine"\nwelder = "masculine"'
    words = {"calm": ["calm"], "cross": ["cross"]}
    (tmp_path / "temper.toml").write_text(topic_text(words, groups=("baker", "nurse", "welder"), tables=features))
    plugin_xx(OFFERS_TOPICS)
    shown = command("topics", "show", "temper")
    assert re.search(r"feature gender +masculine: baker, welder; feminine: nurse\n", shown.out), shown


def test_one_broken_plugin_takes_no_listing_down(command, in_json, refused, plugin_xx):
    plugin_xx(BROKEN)
    for kind in ("topics", "contexts", *(kind.name for kind in KINDS)):
        assert "xx" in {line["name"] for line in in_json(kind)}
        assert command(kind).code == 0
    for kind in KINDS:
        shown = command(kind.name, "show", "xx")
        assert shown.code in {0, 2}
        assert "Traceback" not in shown.err
        assert ("the file of weights is gone" in shown.out) or ("no.such.module" in shown.err)
    check = refused("check", "bvf_xx")
    assert [each in check for each in ("bvf_xx is a distribution, not a plugin", "bvf check xx")] == [True, True]


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


def test_the_listing_of_contexts_has_their_sizes_in_json_too(in_json):
    sizes = {(row["name"], row["language"]): row["size"] for row in in_json("contexts")}
    assert (sizes["gender-all", "en"], sizes["gender", "en"]) == (6103, 10)
