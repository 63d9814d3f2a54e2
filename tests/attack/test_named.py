"""A run that names a file, a plugin and a server wherever it can: none is opened, imported or asked."""

import json
import shutil
from itertools import cycle
from pathlib import Path

import pytest
from helpers.fixtures import TOY
from helpers.watched import watched

import bvf
from bvf.files.digests import digest_of_bytes

VALUES = {"model": "toy:hash", "limit_groups": 3, "contexts": "gender-mixed", "sample_contexts": 10}
NAMED = (
    "victim/named.csv",
    "victim/named.csv",
    "./victim/plugin.py",
    "judge:victim/judge.toml",
    "openai:http://127.0.0.1:9/v1",
)
TABLE = "group,weight,male,female\n" + "".join(f"{group},1,0.3,0.7\n" for group in ("nurse", "doctor", "teacher"))
FILES = {
    "result.json": ("reference", "group_weights", "reader", "criterion", "margin", "model_path", "contexts", "topic"),
    "measurement.json": ("model.path", "model.backend", "asked.contexts", "asked.criterion", "name", "order"),
    "invocations": ("config.plugin", "config.backend", "config.contexts", "config.reference", "config.out", "backend"),
}
COMMANDS = {
    "verify": ("verify", "theirs"),
    "analyse": ("analyse", "theirs", "--scale", "raw"),
    "report": ("report", "theirs", "--light", "-o", "page.html"),
    "compare": ("compare", "theirs", "mine", "--criterion", "lk:2"),
    "site": ("report", "theirs", "mine", "--site", "site"),
    "gate": ("gate", "theirs", "--max-risk", "0.9"),
    "export": ("export", "theirs", "--to", "csv"),
    "merge": ("merge", "theirs"),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "out"
    bvf.run(bvf.RunConfig(plugin=(str(TOY),), out=str(out), **VALUES))
    return out


def written(run, file, field, value):
    """Write a value into a field, as the author of the folder could: with the digests that belong to it."""
    place = next((run / file).iterdir()) if file == "invocations" else run / file
    content, keys = json.loads(place.read_text()), field.split(".")
    holder = content
    for key in keys[:-1]:
        holder = holder[key]
    holder[keys[-1]] = [value] * len(holder[keys[-1]]) if isinstance(holder.get(keys[-1]), list) else value
    place.write_text(json.dumps(content))
    if file == "result.json":
        shutil.rmtree(run / "analyses")
        (run / "analyses").mkdir()
        shutil.copy(place, run / "analyses" / f"linf.{digest_of_bytes(place.read_bytes())}.json")


@pytest.mark.parametrize(("file", "field"), [(file, field) for file, fields in FILES.items() for field in fields])
def test_nothing_that_a_folder_names_is_opened(attacks, command, finished, tmp_path, monkeypatch, file, field):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, "mine")
    Path("victim").mkdir()
    for name in ("named.csv", "judge.toml", "plugin.py"):
        Path("victim", name).write_text(TABLE if name == "named.csv" else "raise SystemExit")
    for (called, arguments), value in zip(attacks(field, COMMANDS), cycle(NAMED), strict=False):
        shutil.rmtree("theirs", ignore_errors=True)
        shutil.copytree(finished, "theirs")
        written(Path("theirs"), file, field, value)
        with watched(tmp_path / "victim") as watch:
            done = command(*arguments)
        assert not watch.seen, (called, value, watch.seen, done)
        assert not watch.foreign(), (called, value)
        assert done.code in (0, 1, 2, 3), (called, value, done)
        assert done.code != 2 or done.err.count("error: ") == 1, (called, value, done)
