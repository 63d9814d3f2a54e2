"""The wheel: what is in it, and that it runs where it is installed."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(out.glob("*.whl"))


def test_the_wheel_has_the_models_the_data_and_the_licences(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for model in ("en-causal", "en-masked", "en-seq2seq", "zh-causal", "zh-masked"):
        for file in ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json", "README.md"):
            assert f"bvf_{model[:2]}/models/{model}/{file}" in names
    assert "bvf_en/topics/gender.toml" in names
    assert "bvf_en/contexts/gender.csv" in names
    for name in ("bvf_en/contexts/gender-all", "bvf_en/contexts/predicate-mined", "bvf_zh/contexts/gender-all"):
        assert f"{name}.replicates.parquet" in names
    assert "bvf_en/mining/lexicon.toml" in names
    assert "bvf_en/models/stanza/en/depparse/tiny.pt" in names
    assert "bvf_zh/models/stanza/resources.json" in names
    assert "bvf_en/statistics/employment-2022.csv" in names
    for file in ("bvf_zh/topics/gender.toml", "bvf_zh/contexts/gender.csv", "bvf/__init__.pyi", "bvf/py.typed"):
        assert file in names
    for file in ("topics/en/knowledge/capitals.toml", "contexts/en/knowledge/capitals.csv"):
        assert f"bvf_knowledge/{file}" in names
    assert {"bvf_paper/printed/tables.toml", "bvf_paper/printed/table1.csv"} <= {*names}
    for plugin in (
        "bvf_transformers",
        "bvf_llama_backend",
        "bvf_image_backend",
        "bvf_openai_backend",
        "bvf_knowledge",
        "bvf_factors",
        "bvf_bias_benchmarks",
        "bvf_paper",
        "bvf_stanza",
        "bvf_inspect",
    ):
        assert f"{plugin}/__init__.py" in names
    for kind in ("topic", "criterion", "analysis", "backend", "engine", "language"):
        assert f"plugins/testing/bvf_testing/scaffold/templates/{kind}/tests/test_PACKAGE.py.jinja" in names
    assert "plugins/testing/bvf_testing/scaffold/templates/knowledge/PACKAGE/topics/NAME.toml.jinja" in names
    assert any(name.endswith("licenses/NOTICE") for name in names)
    assert not [
        name
        for name in names
        if ("/tests/" in name and "/templates/" not in name) or "/recipes/" in name or name.startswith("tests/")
    ]


def test_the_wheel_runs_away_from_the_checkout(wheel, tmp_path):
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--quiet",
        "--target",
        str(tmp_path / "site"),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    code = (
        "import sys; sys.path[:] = [p for p in sys.path if 'main' not in p or 'site-packages' in p];"
        "import bvf, bvf_en; assert bvf.__file__.startswith(sys.argv[1]), bvf.__file__;"
        "assert bvf_en.__file__.startswith(sys.argv[1]);"
        "print(bvf.run(bvf.RunConfig(limit_groups=3)).model)"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", code, str(tmp_path / "site")]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.stdout == "bundled:en-causal\n", ran.stderr
