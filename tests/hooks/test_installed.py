"""Commands of plugins: found without importing any other plugin, listed in help, called as a process."""

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points

import pytest
from helpers.made_packages import install_plugins

from bvf.hooks.installed import offered_by
from bvf.hooks.loader import load

HOOK = """
from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl

@hookimpl
def bvf_commands():
    return [Provider("{name}", "{module}_work:{name}", "Greet {name}.")]
"""
WORK = """
from bvf.errors import BvfError

def {name}(whom: str = "you") -> None:
    \"\"\"Greet {name}.\"\"\"
    if whom == "nobody":
        raise BvfError("there is nobody to greet", "name somebody")
    print(f"hello {{whom}}, this is {module}")
"""
QUIET = "raise SystemExit('imported, although it offers no command')"


def installed(folder, module, text):
    """Lay a distribution with one plugin into a folder, as pip does."""
    entries = f"[other]\nx = y\n\n[bvf]\n{module} = {module}\n"
    install_plugins(folder, module, entries, {module: text})


def with_command(folder, module, name):
    installed(folder, module, HOOK.format(name=name, module=module))
    (folder / f"{module}_work.py").write_text(WORK.format(name=name, module=module))


@pytest.fixture
def bvf(tmp_path):
    """``bvf`` as a process that finds the packages in a folder besides those that are installed."""

    def call(*arguments, code=""):
        path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
        command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "bvf", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
        )

    return call


def test_the_quick_search_finds_what_loading_every_plugin_finds():
    loaded = load()
    by_plugin = {
        owner: tuple(each.provider.name for each in loaded.commands.of_plugin(owner)) for owner in loaded.owners
    }
    offered = offered_by("bvf_commands")
    quick = {plugin: tuple(sorted(each.name for each in providers)) for plugin, providers in offered.items()}
    assert quick == {plugin: names for plugin, names in by_plugin.items() if names}
    assert set(quick) <= {point.name for point in entry_points(group="bvf")}


def test_help_lists_a_command_below_its_plugin_and_imports_no_other_plugin(bvf, tmp_path):
    with_command(tmp_path, "greeter", "greet")
    installed(tmp_path, "quiet", QUIET)
    shown = bvf("--help")
    assert shown.returncode == 0
    head, _, tail = shown.stdout.partition("Commands of the plugin greeter")
    assert re.search(r"greet +Greet greet\.", tail)
    assert "greet" not in head
    listed = bvf(
        code="import sys; sys.argv = ['bvf', '--help']\nfrom bvf.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    print('greeter' in sys.modules, 'greeter_work' in sys.modules)"
    )
    assert listed.stdout.splitlines()[-1] == "True False"


def test_a_command_is_called_and_its_mistakes_are_one_line(bvf, tmp_path):
    with_command(tmp_path, "greeter", "greet")
    assert bvf("greet", "--whom", "Ada").stdout == "hello Ada, this is greeter\n"
    refused = bvf("greet", "--whom", "nobody")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "error: there is nobody to greet\n hint: name somebody\n"
    assert "no such option" in bvf("greet", "--who", "Ada").stderr.lower()


def test_a_plugin_in_a_package_is_found(bvf, tmp_path):
    with_command(tmp_path, "greeter", "greet")
    inner = tmp_path / "pack" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "pack" / "__init__.py").write_text("")
    (inner / "__init__.py").write_text((tmp_path / "greeter.py").read_text())
    (tmp_path / "greeter-1.0.dist-info" / "entry_points.txt").write_text("[bvf]\ninside = pack.inner\n")
    assert "Commands of the plugin inside" in bvf("--help").stdout


def test_two_plugins_with_one_command_are_named_and_a_name_of_bvf_stays_with_bvf(bvf, tmp_path):
    with_command(tmp_path, "greeter", "greet")
    with_command(tmp_path, "other", "greet")
    with_command(tmp_path, "taker", "engines")
    both = bvf("greet")
    assert (both.returncode, both.stderr) == (
        2,
        "error: two plugins have a command greet\n hint: write bvf greet@greeter or bvf greet@other\n",
    )
    assert bvf("greet@other").stdout == "hello you, this is other\n"
    assert "this is taker" not in bvf("engines").stdout
    assert bvf("engines@taker").stdout == "hello you, this is taker\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bvf_commands = 1/0  # 'greet'", "error: there is no command greet\n hint: plugin broken offers this, "),
        ("def bvf_commands(): return ['greet']", "error: No such command 'greet'"),
    ],
)
def test_a_broken_plugin_takes_no_other_command_away(bvf, tmp_path, text, said):
    installed(tmp_path, "broken", text)
    shown = bvf("--help")
    assert (shown.returncode, "broken" in shown.stdout) == (0, False)
    assert bvf("greet").stderr.startswith(said)
