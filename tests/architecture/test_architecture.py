"""Start-up, size and layering."""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module

import pytest

import bvf
from bvf import __all__ as public_names
from bvf.hooks.installed import offered_by

ROOT = __import__("pathlib").Path(__file__).resolve().parents[2]
SOURCES = [*ROOT.glob("bvf/**/*.py"), *ROOT.glob("languages/*/bvf_*/**/*.py"), *ROOT.glob("plugins/*/bvf_*/**/*.py")]
HEAVY = {"torch", "transformers", "numpy", "pandas", "pyarrow"}


PLUGINS = {
    *("bvf_en", "bvf_es", "bvf_zh", "bvf_transformers", "bvf_llama_backend", "bvf_image_backend", "bvf_openai_backend"),
    "bvf_knowledge",
}
MANY = {"scipy", "sklearn", "jinja2", "pluggy", "datasets", "stanza", "safetensors", "tokenizers", "huggingface_hub"}


def modules_of(*commands):
    """The modules that ``bvf`` imports for commands in one process."""
    code = (
        f"import sys\nfrom bvf.cli import main\nfor arguments in {commands}:\n    sys.argv = ['bvf', *arguments]\n"
        "    try:\n        main()\n    except SystemExit:\n        pass\nprint('LOADED', *sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(shown.split("LOADED")[1].split())


def imported_by(*commands):
    """Their packages."""
    return {name.partition(".")[0] for name in modules_of(*commands)}


HOMES = {each.name: each.make.partition(":")[0] for each in offered_by("bvf_commands", ours=True)["core"]}
COMMANDS = set(HOMES.values())


def test_the_list_of_commands_needs_none_of_them_and_no_model_of_pydantic():
    modules = modules_of(("--help",))
    ours = {name for name in modules if name.startswith("bvf")}
    parts = ("app", "interrupt", "lazy", "output", "help_page")
    hooks = {"bvf.hooks", *map("bvf.hooks.{}".format, ("installed", "moved", "provider", "specs"))}
    plugins = {"bvf_decisions", "bvf_factors", "bvf_insights", "bvf_mining", "bvf_paper", "bvf_report", "bvf_testing"}
    own = {"bvf", *map("bvf.{}".format, ("builtin", "cli", "door", "errors"))}
    assert ours == {*own, *map("bvf.cli.{}".format, parts), *hooks, *plugins}
    assert not modules & {"pydantic", "typer.rich_utils", "rich.markdown", "rich.traceback"}


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("run", "--help"), ("mine", "--help"), ("new", "--help"), ("run", "--no-such-option"), ("rnu",)],
    ids=" ".join,
)
def test_help_imports_the_command_that_is_named_no_plugin_and_nothing_that_takes_long(arguments):
    modules = modules_of(arguments)
    assert modules & COMMANDS == {each for each in COMMANDS if each.endswith(f".{arguments[0]}")}
    assert not (HEAVY | PLUGINS | MANY - {"pluggy"}) & {name.partition(".")[0] for name in modules}


def test_listings_import_plugins_but_no_library_of_models_or_tables():
    listings = ("topics", "contexts", "languages", "backends", "criteria", "models", "plugins")
    imported = imported_by(*((each,) for each in listings))
    assert imported >= PLUGINS
    assert not imported & ((HEAVY | MANY) - {"numpy", "pluggy"})


def test_a_run_and_the_same_again_import_only_what_they_need(tmp_path):
    few = ("--model", "baseline:random", "--limit-groups", "2", "--limit-contexts", "2", "--quiet")
    run = ("run", *few, "--out", str(tmp_path / "run"))
    assert not imported_by(run) & {"torch", "transformers", "pandas", "httpx2", "jinja2", "sklearn"}
    assert not modules_of(run) & {"pandas", "pyarrow.compute", "pyarrow.dataset", "scipy.stats", "rich.markdown"}
    assert "scipy.special" not in modules_of(("show", str(tmp_path / "run")))


@cache
def tree_of(file):
    return ast.parse(file.read_text())


def test_the_core_imports_no_library_of_models():
    """``bvf doctor`` asks torch which devices there are."""
    for file in set(ROOT.glob("bvf/**/*.py")) - {ROOT / "bvf" / "cli" / "plugins" / "doctor.py"}:
        for node in ast.walk(tree_of(file)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.partition(".")[0] for name in names} & {"torch", "transformers", "stanza"}, file


def test_functions_are_small():
    for file in SOURCES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, (file, node.name)


def test_public_functions_and_classes_are_documented():
    for file in SOURCES:
        tree = tree_of(file)
        assert ast.get_docstring(tree), file
        for node in tree.body:
            decorators = {getattr(d, "id", "") for d in getattr(node, "decorator_list", [])}
            if decorators & {"hookimpl", "overload"}:
                continue
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), (file, node.name)


def test_every_public_name_is_there():
    for name in public_names:
        assert getattr(bvf, name) is not None
    with pytest.raises(AttributeError):
        bvf.nothing  # noqa: B018 - the access is what is tested


def test_a_public_name_stays_what_it_is_when_a_package_of_its_name_is_imported():
    import_module("bvf.measuring.run")
    import_module("bvf.running.run")
    assert [callable(getattr(bvf, name)) for name in ("measure", "analyse", "measure", "analyse")] == [True] * 4
    from bvf.analyses.risk.result import Result

    assert bvf.Result is Result


OF_PLUGINS = re.compile(rf"\b(torch|transformers|stanza|pararel|llama-backend|knowledge/[a-z]+|{'|'.join(PLUGINS)})\b")
MAY_NAME_LIBRARIES = {"bvf/cli/plugins/doctor.py", "bvf/hooks/contained.py", "bvf/hooks/moved.py"}
"""What looks whether libraries are installed, or imported by a plugin."""


def strings_of(file):
    """The texts in a file but for docstrings."""
    tree = tree_of(file)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    with_one = [node for node in ast.walk(tree) if isinstance(node, documented) and ast.get_docstring(node)]
    docstrings = {id(node.body[0].value) for node in with_one}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings]
    return [node.value for node in constants if isinstance(node.value, str)]


def test_the_core_names_no_plugin_and_no_library_of_models_in_a_string():
    for file in sorted(ROOT.glob("bvf/**/*.py")):
        if str(file.relative_to(ROOT)) not in MAY_NAME_LIBRARIES:
            assert [text for text in strings_of(file) if OF_PLUGINS.search(text)] == [], file
