"""Plugins that are good, broken in every way, clashing, misspelt, too new, and empty: the others go on."""

import json
import os
import random
import sys
from importlib.metadata import entry_points

import pytest

from bvf.errors import BvfError, PluginError
from bvf.hooks.failure import place_in_plugin
from bvf.hooks.loader import load, module_of

TEMPLATE = """
from bvf import Provider, hookimpl
from bvf.builtin.criteria import Linf

@hookimpl
def bvf_criteria():
    return [Provider("{name}", Linf, "as linf")]
"""
GOOD = TEMPLATE.format(name="excess")
OFFER = 'Provider("excess", Linf, "as linf")'
BROKEN = {
    "a module that is not there": ("import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
    "a hook that is misspelt": (GOOD.replace("bvf_criteria", "bvf_criterias"), "did you mean bvf_criteria?"),
    "an earlier API": (
        "BVF_API = 0\n" + GOOD,
        "asks for hook version 0; this bvf takes 1 or later: upgrade the plugin",
    ),
    "a later API": ("BVF_API = 2\n" + GOOD, "asks for hook version 2; this bvf has version 1"),
    "no hook": ("x = 1", "implements no hook"),
    "no mark": (GOOD.replace("@hookimpl", ""), "bvf_criteria is not marked with @bvf.hookimpl"),
    "nothing returned": (GOOD.replace("return [", "["), "bvf_criteria: it returned NoneType, not a list of"),
    "a text for a provider": (GOOD.replace(OFFER, '"x"'), "returned a str"),
    "a hook that wants an argument": (
        GOOD.replace("bvf_criteria()", "bvf_criteria(config)"),
        "takes the argument config",
    ),
    "an API that is text": ('BVF_API = "2"\n' + GOOD, "BVF_API is '2'; it must be a whole number"),
    "sys.exit at import": ("import sys\nsys.exit(0)", "SystemExit: 0"),
    "an error without a message": ("class E(Exception):\n def __str__(self): raise E\nraise E", "cannot be read"),
    "sys.exit in a hook": (GOOD.replace("return [", "raise SystemExit(0); ["), "bvf_criteria: SystemExit: 0"),
    "a name that is a number": (GOOD.replace('"excess"', "5"), "5 cannot be the name"),
    "a name with a colon": (GOOD.replace('"excess"', '"a:b"'), "'a:b' cannot be the name"),
    "what cannot be called": (GOOD.replace("Linf,", "7,"), "make is 7, which cannot be called"),
    "a string without a colon": (GOOD.replace("Linf,", '"bvf.builtin.criteria",'), 'make is "bvf.builtin.criteria"'),
    "a summary that is none": (GOOD.replace('"as linf"', "None"), "summary is None"),
    "needs that are text": (GOOD.replace('"as linf"', '"", "torch"'), "needs is 'torch'"),
    "needs without commands": (GOOD.replace('"as linf"', '"", ("torch", "it")'), "needs is ('torch', 'it')"),
    "a name twice": (GOOD.replace(OFFER, f"{OFFER}, {OFFER}"), 'offers "excess" twice'),
    "nothing to loop over": (GOOD.replace(f"return [{OFFER}]", "return 3"), "returned int, not a list"),
}


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
        monkeypatch.delitem(sys.modules, f"{name}_module", raising=False)
        return folder

    return write


@pytest.fixture
def installed(plugin):
    """Install a plugin called ``bad``, beside one called ``excess`` that is good."""

    def call(source):
        plugin("excess", GOOD)
        return plugin("bad", source)

    return call


def test_what_is_installed_is_found_with_its_distribution():
    plugins = load()
    assert {"core", "en", "transformers"} <= set(plugins.owners)
    assert plugins.owners["en"].distribution == "bvf"
    assert plugins.broken == {}


def test_an_outside_plugin_is_found(plugin):
    plugin("excess", GOOD)
    entry = load().criteria.find("excess")
    assert (entry.owner.plugin, entry.owner.version) == ("excess", "1.2")
    assert entry.make()([0.3, -0.3]) == 0.3


def test_two_plugins_of_one_name_are_reached_by_their_distributions(plugin):
    for number in ("one", "two"):
        folder = plugin("excess", GOOD, distribution=f"bvf-{number}")
        (folder / f"of_{number}.py").write_text(GOOD)
        next(folder.glob("*/entry_points.txt")).write_text(f"[bvf]\nexcess = of_{number}\n")
    plugins = load()
    assert plugins.owners["excess@bvf-one"].distribution == "bvf-one"
    with pytest.raises(PluginError) as error:
        plugins.criteria.find("excess")
    assert error.value.hint == "choose one: excess@bvf-one, excess@bvf-two"
    assert plugins.criteria.find("excess@bvf-two").provider.make.__name__ == "Linf"
    assert plugins.criteria.find("excess@bvf-two").owner.plugin == "excess@bvf-two"
    assert load(without=["excess@bvf-two"]).criteria.find("excess").owner.distribution == "bvf-one"


def test_two_plugins_with_one_module_are_one(plugin):
    plugin("excess", GOOD, distribution="bvf-one")
    plugin("excess", GOOD, distribution="bvf-two")
    plugins = load()
    assert plugins.broken == {"excess@bvf-two": "its module excess_module is that of the plugin excess@bvf-one"}
    assert plugins.criteria.find("excess").owner.distribution == "bvf-one"


def test_a_distribution_that_is_being_written_has_no_name_yet_and_takes_no_other_down(plugin, tmp_path):
    plugin("excess", GOOD, distribution="bvf-one")
    plugin("excess", GOOD, distribution="bvf-two")
    plugin("alone", TEMPLATE.format(name="alone"))
    for name in ("bvf-two", "alone"):
        (metadata,) = (tmp_path / name).glob("*/METADATA")
        metadata.unlink()
    plugins = load()
    assert plugins.broken == {
        "excess@bvf-one": "its module excess_module is that of the plugin excess@a distribution without metadata"
    }
    assert plugins.owners["alone"].distribution == "a distribution without metadata"
    assert plugins.owners["alone"].version == ""
    assert plugins.criteria.find("alone").owner.plugin == "alone"


def test_two_owners_of_one_name_are_an_error_only_when_used(plugin):
    plugin("one", GOOD)
    plugin("two", GOOD)
    plugins = load()
    with pytest.raises(PluginError, match="two plugins offer") as error:
        plugins.criteria.find("excess")
    assert error.value.hint == "choose one: excess@one, excess@two"
    assert plugins.criteria.find("excess@two").owner.plugin == "two"


def test_order_of_registration_does_not_matter(plugin):
    for name in ("one", "two", "three"):
        plugin(name, TEMPLATE.format(name=name))
    points = list(entry_points(group="bvf"))
    expected = [entry.provider.name for entry in load(points).criteria]
    for seed in range(5):
        shuffled = random.Random(seed).sample(points, len(points))
        assert [entry.provider.name for entry in load(shuffled).criteria] == expected


def test_a_module_or_a_file_is_a_plugin(toy):
    assert load(extra=[toy]).backends.find("toy").owner.plugin == toy
    with pytest.raises(PluginError, match="--plugin nowhere"):
        load(extra=["nowhere"])


def test_without_leaves_a_plugin_out():
    assert "en" not in load(without=["en"]).owners


def test_a_missing_module_says_the_command_that_installs_it(plugin):
    needs = 'needs=(("absent_module", "pip install absent"),)'
    plugin("needy", TEMPLATE.format(name="needy").replace('"as linf"', f'"as linf", {needs}'))
    with pytest.raises(PluginError, match="needs absent_module") as error:
        load().criteria.make("needy")
    assert error.value.hint == "pip install absent"


def test_a_plugin_that_is_named_brings_the_defaults(plugin, tmp_path):
    plugin("excess", GOOD)
    import bvf

    def measured(**options):
        out = str(tmp_path / f"out{len(options)}")
        return bvf.run(bvf.RunConfig(model="baseline:random", plugin=("excess",), limit_groups=3, out=out, **options))

    assert measured().criterion == "excess"
    assert measured(criterion="lk:2").criterion == "lk:2"


def topics(make):
    return f"""
from bvf import Provider, hookimpl
def make(): {make}
@hookimpl
def bvf_topics():
    return [Provider("strange", make, language="en")]
"""


@pytest.mark.parametrize(("source", "why"), BROKEN.values(), ids=BROKEN)
def test_a_broken_plugin_is_kept_apart_and_named_with_the_reason(installed, source, why):
    installed(source)
    plugins = load()
    assert why in plugins.broken["bad"]
    assert "bad" not in plugins.owners
    assert plugins.criteria.find("excess").owner.plugin == "excess"
    with pytest.raises(PluginError, match="plugin bad could not be loaded"):
        plugins.of("bad")


def test_every_command_goes_on_beside_a_broken_plugin(installed, command):
    source, why = BROKEN["sys.exit at import"]
    installed(source)
    assert command("criteria").code == 0
    rows = {row["name"]: row["problem"] for row in json.loads(command("plugins", "--format", "json").out)}
    assert (why in rows["bad"], rows["excess"]) == (True, "")
    assert "broken" in command("plugins").out
    checked = command("check", "bad")
    assert (checked.code, why in checked.err, len(checked.err.splitlines()) <= 2) == (2, True, True)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("return None", "it made a NoneType, not a bvf Topic"),
        ("raise ValueError('two\\nlines [/x] \\x1b[31m')", r"two lines [/x] \x1b[31m"),
    ],
)
def test_what_cannot_be_made_is_marked_in_the_listing_and_fails_its_check(installed, command, make, why):
    installed(topics(make))
    rows = {row["name"]: row["usable"] for row in json.loads(command("topics", "--format", "json").out)}
    assert rows["strange"].startswith('broken: plugin bad, "strange"')
    assert why in rows["strange"]
    assert rows["gender"] == ""
    listed = command("topics")
    assert listed.code == 0
    assert "\x1b" not in listed.out
    checked = command("check", "bad")
    assert checked.code == 2
    assert 'can_be_made: plugin bad, "strange": ' in checked.out
    assert why in checked.out
    for arguments in (("topics", "show", "strange"), ("run", "--topic", "strange", "--model", "baseline:random")):
        done = command(*arguments)
        assert done.code == 2
        assert why in done.err
        assert done.err.startswith("error: ")
        assert len(done.err.splitlines()) <= 2


def test_only_the_signature_says_that_a_parameter_is_missing():
    criteria = load().criteria
    with pytest.raises(PluginError, match='"lk" needs a parameter after a colon'):
        criteria.make("lk")
    with pytest.raises(PluginError, match='"linf" takes no parameter'):
        criteria.make("linf:2")
    with pytest.raises(PluginError, match='"gender" takes no parameter'):
        load().contexts.in_language("en").make("gender:x")


def test_a_plugin_that_offers_nothing_passes_no_check(installed, command):
    installed("from bvf import hookimpl\n@hookimpl\ndef bvf_topics():\n    return []")
    assert "bad offers nothing" in command("check", "bad").err


@pytest.mark.parametrize(
    ("make", "why"),
    [
        ("bvf.interfaces.backend:Backend", "Backend has no method"),
        ("bvf.interfaces.backend:Backand", "cannot import"),
        ("bad_module:none", "made with the request"),
    ],
)
def test_a_backend_that_can_never_be_made_fails_its_check(installed, command, make, why):
    source = (
        f'from bvf import Provider, hookimpl\n@hookimpl\ndef bvf_backends():\n    return [Provider("b", "{make}")]\n'
    )
    installed(source + "def none(): pass\n")
    checked = command("check", "bad")
    assert checked.code == 2
    assert why in checked.out


def test_an_analysis_is_made_and_tried(installed, command):
    installed(
        "from bvf import Provider, hookimpl\nfrom bvf.analyses.risk.analysis import RiskAnalysis\n"
        "class Noisy(RiskAnalysis):\n    def rows(self, results, view):\n        return []\n"
        "class Half(Noisy.__base__.__base__):\n    pass\n"
        "@hookimpl\ndef bvf_analyses():\n"
        "    return [Provider('good', RiskAnalysis), Provider('noisy', Noisy), Provider('half', Half)]\n"
    )
    checked = command("check", "bad")
    assert checked.code == 2
    assert "ok    analysis good: " in checked.out
    assert "wrong analysis noisy: " in checked.out
    assert "there_is_a_table_of_all_and_one_of_each: rows gave 0 tables of 1 results" in checked.out
    assert 'can_be_made: plugin bad, "half": TypeError: Can\'t instantiate abstract class Half' in checked.out


def test_what_describes_a_backend_is_looked_for(installed, command):
    source = (
        "from bvf import Provider, hookimpl\ndef make(request): pass\n@hookimpl\ndef bvf_backends():\n"
        "    return [Provider('b', make, describe='bad_module:nothing')]\n"
    )
    installed(source)
    checked = command("check", "bad")
    assert checked.code == 2
    assert "b: cannot import bad_module:nothing" in checked.out


def test_a_module_that_is_needed_may_lie_in_a_package_that_is_absent(installed, command):
    needs = 'needs=(("absent_package.module", "pip install absent"),)'
    installed(GOOD.replace('"as linf"', f'"as linf", {needs}').replace('"excess"', '"needy"'))
    rows = {row["name"]: row["usable"] for row in json.loads(command("criteria", "--format", "json").out)}
    assert rows["needy"] == "not usable: pip install absent"


def test_contexts_without_a_source_are_marked_and_say_what_to_write(installed, command):
    folder = installed(
        "from pathlib import Path\nfrom bvf import contexts_in, hookimpl\n@hookimpl\n"
        "def bvf_contexts():\n    return contexts_in(Path(__file__).parent / 'sets', 'en')\n"
    )
    (folder / "sets").mkdir()
    (folder / "sets" / "mine.csv").write_text("template,count\nThe [X] said that [Y],1\n")
    (folder / "sets" / "sources.toml").write_text("[other]\nsource = 'a'")
    why = "does not say where mine"
    rows = {row["name"]: row["usable"] for row in json.loads(command("contexts", "--format", "json").out)}
    assert why in rows["mine"]
    assert rows["gender"] == ""
    for arguments in (("contexts", "show", "mine"), ("run", "--contexts", "mine", "--model", "baseline:random")):
        done = command(*arguments)
        assert (done.code, len(done.err.splitlines())) in {(2, 1), (2, 2)}
        assert why in done.err
    checked = command("check", "bad")
    assert checked.code == 2
    assert why in checked.out


def test_what_a_plugin_raises_in_a_run_is_said_as_that_plugins(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boom.py").write_text(
        "from bvf import Criterion, Provider, hookimpl\n"
        "class Boom(Criterion):\n    curvature = 'convex'\n"
        "    def risk(self, s):\n        raise SystemExit(0)\n"
        "@hookimpl\ndef bvf_criteria():\n    return [Provider('boom', Boom)]\n"
    )
    done = command("run", "--plugin", "./boom.py", "--model", "baseline:random", "--quiet", "--limit-groups", 3)
    assert done.code == 2
    assert done.err.startswith("error: plugin ./boom.py: SystemExit: 0")
    assert "boom.py, line 5" in done.err
    checked = command("check", "./boom.py")
    assert "zero_at_the_reference and 7 more: SystemExit: 0 (" in checked.out
    assert "boom.py, line 5)" in checked.out


def test_a_method_with_other_parameters_than_its_interface_is_said_as_that_plugins(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bare.py").write_text(
        "from bvf import Backend, Provider, hookimpl\n"
        "class Bare(Backend):\n    def __init__(self, request): ...\n"
        "    def score(self, prompts, words): ...\n"
        "@hookimpl\ndef bvf_backends():\n    return [Provider('bare', Bare)]\n"
    )
    done = command("run", "--plugin", "./bare.py", "--model", "bare:x", "--quiet", "--limit-groups", 3)
    assert done.code == 2
    assert done.err.startswith("error: plugin ./bare.py: TypeError: Bare.score() got an unexpected keyword argument")
    assert "bare.py, line 4" in done.err
    checked = command("check", "./bare.py", "--model", "bare:x")
    assert checked.out.startswith("wrong backend bare with bare:x: ")
    assert "bare.py, line 4)" in checked.out


def test_an_attribute_that_a_class_of_a_plugin_lacks_is_said_as_that_plugins(tmp_path):
    file = tmp_path / "lacks.py"
    file.write_text(GOOD + "class Lacks: ...\n")
    with pytest.raises(AttributeError) as error:
        _ = module_of(str(file)).Lacks().results
    assert place_in_plugin(error.value) == (str(file), f"{file}, class Lacks")


def test_an_error_of_a_plugin_that_explains_itself_passes_as_it_is(installed):
    installed(topics("from bvf import BvfError; raise BvfError('what', 'hint')"))
    with pytest.raises(BvfError) as error:
        load().topics.find("strange").make()
    assert error.value.message == "what"
    assert error.value.hint == "hint"


def test_a_file_may_have_data_classes_with_annotations_that_are_text(tmp_path):
    file = tmp_path / "my plugin.py"
    file.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass(frozen=True)\nclass Setting:\n    number: int = 3\n" + GOOD
    )
    assert load(extra=[str(file)]).criteria.find("excess").make()([0.3, -0.3]) == 0.3


def test_two_files_of_one_name_are_two_plugins(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "json.py").write_text(GOOD.replace("excess", name))
    plugins = load(extra=[str(tmp_path / name / "json.py") for name in ("one", "two")])
    assert {"one", "two"} <= set(plugins.criteria.names())
    assert sys.modules["json"] is json


def test_a_name_of_another_language_is_pointed_at():
    with pytest.raises(PluginError) as error:
        load().topics.in_language("en").find("region")
    assert error.value.hint == "region is there in zh: add --lang zh"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (None, "there is no such file", ""),
        ("one, two", "NameError: name 'one' is not defined", ""),
    ],
)
def test_a_file_that_is_not_a_plugin_is_refused_with_what_is_wrong_in_it(tmp_path, monkeypatch, text, message, hint):
    monkeypatch.chdir(tmp_path)
    if text:
        (tmp_path / "p.py").write_text(text)
    with pytest.raises(PluginError) as error:
        load(extra=["./p.py"])
    assert (error.value.message, error.value.hint) == (f"--plugin ./p.py: {message}", hint)


def test_an_object_in_place_of_its_class_is_refused(tmp_path):
    (tmp_path / "p.py").write_text(GOOD.replace("Linf,", "Linf(),"))
    with pytest.raises(PluginError, match="make is an object, not its class\nhint: leave out the parentheses"):
        load(extra=[tmp_path / "p.py"]).criteria.make("excess")


def test_a_pipe_is_no_plugin(tmp_path):
    os.mkfifo(tmp_path / "p.py")
    with pytest.raises(ImportError, match="is not a file"):
        module_of(str(tmp_path / "p.py"))
