"""The wheel: what is in it, and that it runs where it is installed."""

import json
import zipfile
from pathlib import Path

import pytest
from helpers.fresh import built

ROOT = Path(__file__).resolve().parents[2]


LIBRARIES_OF_MODELS = ("torch", "transformers", "safetensors", "tokenizers", "huggingface_hub", "accelerate")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The wheels of the bundled models and parsers, by language."""
    of = {code: ROOT / "languages" / code / "models-wheel" for code in ("en", "zh")}
    return {code: built(source, tmp_path_factory.mktemp(code)) for code, source in of.items()}


def test_wheels_of_models_have_the_models_the_parsers_and_nothing_else(models):
    names = {code: zipfile.ZipFile(each).namelist() for code, each in models.items()}
    for model in ("en-causal", "en-masked", "en-seq2seq", "zh-causal", "zh-masked"):
        for file in ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json", "README.md"):
            assert f"bvf_{model[:2]}/models/{model}/{file}" in names[model[:2]]
    assert "bvf_en/models/stanza/en/depparse/tiny.pt" in names["en"]
    assert "bvf_zh/models/stanza/resources.json" in names["zh"]
    assert all(
        name.startswith((f"bvf_{code}/models/", f"bvf_{code}_models-")) for code in names for name in names[code]
    )


def test_the_wheel_has_the_data_and_the_licences_and_no_model(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if name.endswith((".safetensors", ".pt")) or "/models/stanza" in name]
    assert "bvf_en/topics/gender.toml" in names
    assert "bvf_en/contexts/gender.csv" in names
    for name in ("bvf_en/contexts/gender-all", "bvf_en/contexts/predicate-mined", "bvf_zh/contexts/gender-all"):
        assert f"{name}.replicates.parquet" in names
    assert "bvf_en/mining/lexicon.toml" in names
    assert "bvf_en/statistics/employment-2022.csv" in names
    for file in ("bvf_zh/topics/gender.toml", "bvf_zh/contexts/gender.csv", "bvf/core.pyi", "bvf/py.typed"):
        assert file in names
    for file in ("topics/en/knowledge/capitals.toml", "contexts/en/knowledge/capitals.csv"):
        assert f"bvf_knowledge/{file}" in names
    assert {"bvf_paper/printed/tables.toml", "bvf_paper/printed/table1.csv"} <= {*names}
    plugins = {
        *("transformers", "llama_backend", "image_backend", "openai_backend", "knowledge", "factors"),
        *("bias_benchmarks", "decisions", "paper", "stanza", "inspect", "report", "insights", "mining", "testing"),
    }
    assert {*names} >= {f"bvf_{plugin}/__init__.py" for plugin in plugins}
    for kind in ("topic", "criterion", "analysis", "backend", "engine", "language"):
        assert f"bvf_testing/scaffold/templates/{kind}/tests/test_PACKAGE.py.jinja" in names
    assert "bvf_testing/scaffold/templates/knowledge/PACKAGE/topics/NAME.toml.jinja" in names
    assert any(name.endswith("licenses/NOTICE") for name in names)
    assert not [
        name
        for name in names
        if ("/tests/" in name and "/templates/" not in name) or "/recipes/" in name or name.startswith("tests/")
    ]


WITHOUT = """
import json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in LIBRARIES:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

sys.meta_path.insert(0, Missing())
from bvf.cli import main
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["bvf", *arguments]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
""".replace("LIBRARIES", repr(LIBRARIES_OF_MODELS))
"""Commands of ``bvf``, in one process, where the libraries of models are not installed."""


def test_installed_from_wheels_it_runs_or_says_what_to_install(wheel, models, fresh, tmp_path):
    """Core alone, with the bundled models, and with libraries of models."""

    def bvf(*arguments):
        return fresh.run("-P", "-m", "bvf", *arguments)

    def without_libraries(*commands):
        return fresh.run("-P", "-c", WITHOUT, json.dumps(commands, default=str))

    fresh.install(wheel)
    where = fresh.run("-P", "-c", "import bvf, bvf_en; print(bvf.__file__, bvf_en.__file__)").stdout.split()
    assert [str(fresh.packages) in each for each in where] == [True, True]
    no_models = bvf("run", "--limit-groups", "3")
    assert (no_models.returncode, no_models.stdout) == (2, "")
    assert "en-causal needs bvf_en.models, which is not installed" in no_models.stderr
    assert "bvf_en_models-0.1.0-py3-none-any.whl" in no_models.stderr

    fresh.install(*models.values())
    no_libraries = without_libraries(("run", "--limit-groups", "3"))
    assert (no_libraries.returncode, no_libraries.stdout) == (2, "")
    assert "needs torch, which is not installed" in no_libraries.stderr
    assert "pip install 'bvf[models]'" in no_libraries.stderr

    run = tmp_path / "run"
    few = ("--limit-groups", "3", "--limit-contexts", "4", "--quiet")
    assert bvf("run", *few, "--out", run).returncode == 0
    done = without_libraries(
        ("show", run),
        ("analyse", run, "--criterion", "tv"),
        ("verify", run),
        ("explain", run),
        ("report", run, "-o", tmp_path / "page.html", "--light"),
        ("plot", run, "--kind", "lean", "-o", tmp_path / "lean.svg"),
        ("export", run, "--to", "csv", "-o", tmp_path / "table.csv"),
        ("gate", run, "--max", "R=0.9", "--as-is"),
        ("run", "--model", "baseline:random", *few, "--out", tmp_path / "baseline"),
        ("compare", run, tmp_path / "baseline"),
    )
    assert done.returncode == 0, done.stderr
