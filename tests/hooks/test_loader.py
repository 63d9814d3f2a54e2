"""Plugins that are good, broken, clashing, misspelt, too new, and empty."""

import random
import sys
from importlib.metadata import EntryPoint, entry_points

import pytest

from bvf.errors import PluginError
from bvf.hooks.loader import load

GOOD = """
from bvf import Provider, hookimpl
from bvf.builtin.criteria import Linf

@hookimpl
def bvf_criteria():
    return [Provider("{name}", Linf, "as linf")]
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Write a distribution with one module and return its entry point."""

    def write(name, source, distribution=""):
        folder = tmp_path / (distribution or name)
        info = folder / f"{(distribution or name).replace('-', '_')}-1.2.dist-info"
        info.mkdir(parents=True)
        (folder / f"{name}_module.py").write_text(source)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution or name}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[bvf]\n{name} = {name}_module\n")
        monkeypatch.syspath_prepend(str(folder))
        sys.modules.pop(f"{name}_module", None)

    return write


def test_what_is_installed_is_found_with_its_distribution():
    plugins = load()
    assert {"core", "en", "transformers"} <= set(plugins.owners)
    assert plugins.owners["en"].distribution == "bvf"
    assert plugins.broken == {}


def test_an_outside_plugin_is_found(plugin):
    plugin("excess", GOOD.format(name="excess"))
    entry = load().criteria.find("excess")
    assert (entry.owner.plugin, entry.owner.version) == ("excess", "1.2")
    assert entry.make()([0.3, -0.3]) == 0.3


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
        ("1 / 0", "ZeroDivisionError"),
        (GOOD.format(name="x").replace("bvf_criteria", "bvf_criterias"), "did you mean bvf_criteria?"),
        ("BVF_API = 2\n" + GOOD.format(name="x"), "asks for hook version 2; this bvf has version 1"),
        ("x = 1", "implements no hook"),
        (GOOD.format(name="x").replace("@hookimpl", ""), "bvf_criteria is not marked with @bvf.hookimpl"),
        (GOOD.format(name="x").replace("return [", "["), "bvf_criteria: it returned NoneType, not a list of"),
        (GOOD.format(name="x").replace("return [", "raise KeyError(1); ["), "bvf_criteria: KeyError"),
        (GOOD.format(name="x").replace('Provider("x", Linf, "as linf")', '"x"'), "returned a str"),
    ],
)
def test_a_broken_plugin_is_kept_apart(plugin, source, why):
    plugin("bad", source)
    plugin("excess", GOOD.format(name="excess"))
    plugins = load()
    assert why in plugins.broken["bad"]
    assert "bad" not in plugins.owners
    assert plugins.criteria.find("excess").owner.plugin == "excess"
    with pytest.raises(PluginError, match="plugin bad could not be loaded"):
        plugins.of("bad")


def test_two_entry_points_of_one_name_load_neither(plugin):
    plugin("excess", GOOD.format(name="excess"), distribution="bvf-one")
    plugin("excess", GOOD.format(name="excess"), distribution="bvf-two")
    plugins = load()
    assert "bvf-one and bvf-two" in plugins.broken["excess"]
    with pytest.raises(PluginError):
        plugins.criteria.find("excess")


def test_a_distribution_that_is_being_written_has_no_name_yet_and_takes_no_other_down(plugin, tmp_path):
    plugin("excess", GOOD.format(name="excess"), distribution="bvf-one")
    plugin("excess", GOOD.format(name="excess"), distribution="bvf-two")
    plugin("alone", GOOD.format(name="alone"))
    for name in ("bvf-two", "alone"):
        (metadata,) = (tmp_path / name).glob("*/METADATA")
        metadata.unlink()
    plugins = load()
    assert plugins.broken["excess"].endswith("a distribution without metadata and bvf-one")
    assert plugins.owners["alone"].distribution == "a distribution without metadata"
    assert plugins.owners["alone"].version == ""
    assert plugins.criteria.find("alone").owner.plugin == "alone"


def test_two_owners_of_one_name_are_an_error_only_when_used(plugin):
    plugin("one", GOOD.format(name="excess"))
    plugin("two", GOOD.format(name="excess"))
    plugins = load()
    with pytest.raises(PluginError, match="two plugins offer") as error:
        plugins.criteria.find("excess")
    assert error.value.hint == "choose one: excess@one, excess@two"
    assert plugins.criteria.find("excess@two").owner.plugin == "two"


def test_order_of_registration_does_not_matter(plugin):
    for name in ("one", "two", "three"):
        plugin(name, GOOD.format(name=name))
    points = list(entry_points(group="bvf"))
    expected = [entry.provider.name for entry in load(points).criteria]
    for seed in range(5):
        shuffled = random.Random(seed).sample(points, len(points))
        assert [entry.provider.name for entry in load(shuffled).criteria] == expected


def test_a_mistyped_name_gets_the_nearest():
    with pytest.raises(PluginError) as error:
        load().criteria.find("lnf")
    assert "linf" in error.value.hint


def test_a_module_or_a_file_is_a_plugin(toy):
    assert load(extra=[toy]).backends.find("toy").owner.plugin == toy
    with pytest.raises(PluginError, match="--plugin nowhere"):
        load(extra=["nowhere"])


def test_without_leaves_a_plugin_out():
    assert "en" not in load(without=["en"]).owners


def test_a_missing_module_says_the_command_that_installs_it(plugin):
    needs = 'needs=(("absent_module", "pip install absent"),)'
    plugin("needy", GOOD.format(name="needy").replace('"as linf"', f'"as linf", {needs}'))
    with pytest.raises(PluginError, match="needs absent_module") as error:
        load().criteria.make("needy")
    assert error.value.hint == "pip install absent"


def test_an_entry_point_of_no_module_is_broken():
    plugins = load([EntryPoint("gone", "module_that_is_gone", "bvf")])
    assert "module_that_is_gone" in plugins.broken["gone"]


def test_a_plugin_that_is_named_brings_the_defaults(plugin, tmp_path):
    plugin("excess", GOOD.format(name="excess"))
    import bvf

    def measured(**options):
        out = str(tmp_path / f"out{len(options)}")
        return bvf.run(bvf.RunConfig(model="baseline:random", plugin=("excess",), limit_groups=3, out=out, **options))

    assert measured().criterion == "excess"
    assert measured(criterion="lk:2").criterion == "lk:2"
