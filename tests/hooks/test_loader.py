"""Plugins that are good, broken in every way, clashing, misspelt, too new, and empty: the others go on."""

import json
import os
import random
import re
import sys
from importlib.metadata import entry_points

import pytest
from helpers.made_packages import install_plugins

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
        of, module = distribution or name, f"{name}_module"
        folder = install_plugins(tmp_path / of, of, f"[bvf]\n{name} = {module}\n", {module: source}, "1.2")
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


def test_what_is_installed_is_found_with_its_distribution_unless_it_is_left_out():
    plugins = load()
    assert {"core", "en", "transformers"} <= set(plugins.owners)
    assert plugins.owners["en"].distribution == "bvf"
    assert plugins.broken == {}
    assert "en" not in load(without=["en"]).owners


def test_an_outside_plugin_is_found(plugin):
    for name in ("one", "excess", "two"):
        plugin(name, GOOD.replace('"excess"', f'"{"excess" if name == "excess" else "both"}"'))
    plugins = load()
    entry = plugins.criteria.find("excess")
    assert (entry.owner.plugin, entry.owner.version) == ("excess", "1.2")
    assert entry.make()([0.3, -0.3]) == 0.3
    with pytest.raises(PluginError, match="two plugins offer") as error:
        plugins.criteria.find("both")
    assert error.value.hint == "choose one: both@one, both@two"
    assert plugins.criteria.find("both@two").owner.plugin == "two"


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


@pytest.mark.parametrize("module", ["absent_module", "absent_package.module"])
def test_a_missing_module_says_the_command_that_installs_it(plugin, in_json, module):
    needs = f'needs=(("{module}", "pip install absent"),)'
    plugin("needy", TEMPLATE.format(name="needy").replace('"as linf"', f'"as linf", {needs}'))
    with pytest.raises(PluginError, match=f"needs {module}") as error:
        load().criteria.make("needy")
    assert error.value.hint == "pip install absent"
    rows = {row["name"]: row["usable"] for row in in_json("criteria")}
    assert rows["needy"] == "not usable: pip install absent"


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


def test_every_command_goes_on_beside_a_broken_plugin(installed, command, in_json):
    source, why = BROKEN["sys.exit at import"]
    installed(source)
    assert command("criteria").code == 0
    rows = {row["name"]: row["problem"] for row in in_json("plugins")}
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
def test_what_cannot_be_made_is_marked_in_the_listing_and_fails_its_check(installed, command, in_json, make, why):
    installed(topics(make))
    rows = {row["name"]: row["usable"] for row in in_json("topics")}
    assert rows["strange"].startswith('broken: plugin bad, "strange"')
    assert why in rows["strange"]
    assert rows["gender"] == ""
    listed = command("topics")
    assert (listed.code, "\x1b" in listed.out) == (0, False)
    checked = command("check", "bad")
    assert checked.code == 2
    assert 'can_be_made: plugin bad, "strange": ' in checked.out
    assert why in checked.out
    for arguments in (("topics", "show", "strange"), ("run", "--topic", "strange", "--model", "baseline:random")):
        line, *hint = command(*arguments).err.splitlines()
        assert line.startswith("error: ")
        assert why in line
        assert len(hint) <= 1


def test_only_the_signature_says_that_a_parameter_is_missing():
    criteria = load().criteria
    with pytest.raises(PluginError, match='"lk" needs a parameter after a colon'):
        criteria.make("lk")
    with pytest.raises(PluginError, match='"linf" takes no parameter'):
        criteria.make("linf:2")
    with pytest.raises(PluginError, match='"gender" takes no parameter'):
        load().contexts.in_language("en").make("gender:x")


OFFERS_BACKEND = """
from bvf import Provider, hookimpl
def none(): pass
def made(request): pass
@hookimpl
def bvf_backends():
    return [Provider("b", {})]
"""
ANALYSES = """
from bvf import Provider, hookimpl
from bvf.analyses.risk.analysis import RiskAnalysis
class Noisy(RiskAnalysis):
    def rows(self, results, view): return []
class Half(Noisy.__base__.__base__): pass
@hookimpl
def bvf_analyses():
    return [Provider("good", RiskAnalysis), Provider("noisy", Noisy), Provider("half", Half)]
"""


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("from bvf import hookimpl\n@hookimpl\ndef bvf_topics():\n    return []", ["bad offers nothing"]),
        (OFFERS_BACKEND.format('"bvf.interfaces.backend:Backend"'), ["Backend has no method"]),
        (OFFERS_BACKEND.format('"bvf.interfaces.backend:Backand"'), ["cannot import"]),
        (OFFERS_BACKEND.format('"bad_module:none"'), ["made with the request"]),
        (OFFERS_BACKEND.format('made, describe="bad_module:nothing"'), ["b: cannot import bad_module:nothing"]),
        (OFFERS_BACKEND.format('made, describe="1bad:nothing"'), ["b: cannot import 1bad:nothing"]),
        (
            ANALYSES,
            [
                "ok    analysis good: ",
                "wrong analysis noisy: ",
                "there_is_a_table_of_all_and_one_of_each: rows gave 0 tables of 1 results",
                'can_be_made: plugin bad, "half": TypeError: Can\'t instantiate abstract class Half',
            ],
        ),
    ],
)
def test_a_check_makes_and_tries_what_is_offered(installed, command, source, says):
    installed(source)
    checked = command("check", "bad")
    assert checked.code == 2
    assert all(each in checked.out + checked.err for each in says)


def test_contexts_without_a_source_are_marked_and_say_what_to_write(installed, command, in_json):
    folder = installed(
        "from pathlib import Path\nfrom bvf import contexts_in, hookimpl\n@hookimpl\n"
        "def bvf_contexts():\n    return contexts_in(Path(__file__).parent / 'sets', 'en')\n"
    )
    (folder / "sets").mkdir()
    (folder / "sets" / "mine.csv").write_text("template,count\nThe [X] said that [Y],1\n")
    (folder / "sets" / "sources.toml").write_text("[other]\nsource = 'a'")
    why = "does not say where mine"
    rows = {row["name"]: row["usable"] for row in in_json("contexts")}
    assert (why in rows["mine"], rows["gender"]) == (True, "")
    asked = ("run", "--contexts", "mine", "--model", "baseline:random")
    for arguments in (("contexts", "show", "mine"), asked, ("check", "bad")):
        done = command(*arguments)
        assert (done.code, why in done.out + done.err, len(done.err.splitlines()) <= 2) == (2, True, True)


BOOM = """from bvf import Criterion, Provider, hookimpl
class Boom(Criterion):
    curvature = "convex"
    def risk(self, s):
        raise SystemExit(0)
@hookimpl
def bvf_criteria(): return [Provider("boom", Boom)]
"""
BARE = """from bvf import Backend, Provider, hookimpl
class Bare(Backend):
    def __init__(self, request): ...
    def score(self, prompts, words): ...
@hookimpl
def bvf_backends(): return [Provider("bare", Bare)]
"""


@pytest.mark.parametrize(
    ("text", "model", "error", "line", "checked"),
    [
        (BOOM, "baseline:random", "SystemExit: 0", 5, r"zero_at_the_reference and 7 more: SystemExit: 0 \("),
        (
            BARE,
            "bare:x",
            "TypeError: Bare.score() got an unexpected keyword argument",
            4,
            r"\Awrong backend bare with bare:x: ",
        ),
    ],
    ids=["an error", "other parameters than those of the interface"],
)
def test_what_a_plugin_raises_is_said_as_that_plugins(
    command, tmp_path, monkeypatch, text, model, error, line, checked
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.py").write_text(text)
    done = command("run", "--plugin", "./p.py", "--model", model, "--quiet", "--limit-groups", 3)
    assert done.code == 2
    assert done.err.startswith(f"error: plugin ./p.py: {error}")
    assert f"p.py, line {line}" in done.err
    of_check = command("check", "./p.py", *(("--model", model) if text == BARE else ())).out
    assert re.search(checked, of_check)
    assert f"p.py, line {line})" in of_check


def test_an_attribute_that_a_class_of_a_plugin_lacks_is_said_as_that_plugins(tmp_path):
    file = tmp_path / "lacks.py"
    file.write_text(GOOD + "class Lacks: ...\n")
    with pytest.raises(AttributeError) as error:
        _ = module_of(str(file)).Lacks().results
    assert place_in_plugin(error.value) == (str(file), f"{file}, class Lacks")


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
    ("text", "message"), [(None, "there is no such file"), ("one, two", "NameError: name 'one' is not defined")]
)
def test_a_file_that_is_not_a_plugin_is_refused_with_what_is_wrong_in_it(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    if text:
        (tmp_path / "p.py").write_text(text)
    with pytest.raises(PluginError) as error:
        load(extra=["./p.py"])
    assert (error.value.message, error.value.hint) == (f"--plugin ./p.py: {message}", "")
    with pytest.raises(PluginError, match="hint: it is a folder: bvf verify checks that of a run"):
        load(extra=[tmp_path])
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(ImportError, match="is not a file"):
        module_of(str(tmp_path / "pipe.py"))


def test_an_object_in_place_of_its_class_is_refused_and_an_error_that_explains_itself_passes(tmp_path):
    (tmp_path / "p.py").write_text(GOOD.replace("Linf,", "Linf(),"))
    with pytest.raises(PluginError, match="make is an object, not its class\nhint: leave out the parentheses"):
        load(extra=[tmp_path / "p.py"]).criteria.make("excess")
    (tmp_path / "q.py").write_text(topics("from bvf import BvfError; raise BvfError('what', 'hint')"))
    with pytest.raises(BvfError) as error:
        load(extra=[tmp_path / "q.py"]).topics.find("strange").make()
    assert (error.value.message, error.value.hint) == ("what", "hint")
