"""An installed package with one thing of its files changed: its models are as installed or refused, others stay."""

import hashlib
import importlib.metadata
import re
import shutil
from contextlib import suppress
from functools import partial

from helpers.changes import FILES, cases, change_file
from helpers.made_packages import install, install_in_parts
from hypothesis import given
from hypothesis import strategies as st

from bvf.errors import BvfError
from bvf.files.packages import distributions, models
from bvf.files.packages.content import files_of_model

LINES = ("digits", "field", "lines", "turned")
RIGHT = {"GGUF good", "GGUF one", "GGUF in parts"}


def changed(site, data):
    file = data.draw(st.sampled_from(sorted(each for each in site.glob("[!g]*/**/*") if each.is_file())))
    how = data.draw(st.sampled_from(FILES + LINES))
    if how not in LINES:
        return file.name, how, change_file(file, how, data, site.parent / "secret")
    lines = file.read_text().splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    long = {"digits": re.sub(r"[0-9]+", "9" * 5000, lines[at]), "field": "n" * 200_000 + lines[at]}
    lines[at : at + 1] = [long[how]] if how in long else [lines[at]] * 2
    file.write_text("\n".join(lines[:: -1 if how == "turned" else 1]))
    return file.name, how, at


@cases(200, 4000)
def test_a_package_with_one_thing_changed(tmp_path, monkeypatch, command, of):
    site = tmp_path / "site"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found, none = partial(importlib.metadata.distributions, path=[str(site)]), importlib.metadata.distribution
    monkeypatch.setattr(models, "distributions", found)
    monkeypatch.setattr(distributions, "distribution", lambda name: next(iter(found(name=name)), None) or none("none"))

    @of
    @given(st.data())
    def each(data):
        for folder in (site, tmp_path / "cache"):
            shutil.rmtree(folder, ignore_errors=True)
        (tmp_path / "secret").write_text("SECRET")
        install(site, "good", {"good/m.gguf": b"GGUF good"})
        install(site, "single", {"single/m.gguf": b"GGUF one"}, requires=["good (>=1)"])
        install_in_parts(site, "whole", "w.gguf", (b"GGUF in ", b"parts"))
        told = changed(site, data)
        there = {carrier.name: model for carrier in models.carriers() for model in carrier.models}
        assert "good" in there, told
        for name, model in there.items():
            with suppress(*([] if name == "good" else [BvfError])):
                path, package = files_of_model(model)
                assert path.read_text("latin-1") in RIGHT or not model.digest, told
                assert package.digest == hashlib.sha256(path.read_bytes()).hexdigest(), told
        if data.draw(st.integers(0, 9)) == 0:
            done = command("models")
            assert (done.code, "Traceback" in done.err, "good" in done.out) == (0, False, True), (told, done)

    each()
