"""What somebody hands over, with one thing of it changed: the right outcome or one line, and nothing else happens."""

import json
import shutil
from contextlib import chdir
from itertools import cycle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.changes import FILES, cases, change_file, change_value, places, put
from helpers.contents import everything_in
from helpers.fixtures import TOY
from helpers.watched import watched
from hypothesis import given
from hypothesis import strategies as st

import bvf
from bvf.files.digests import digest_of_bytes

SAID = [f"In {year} the [X] said that [Y]" for year in range(1900, 1905)]
TABLE = "template,count,verb\n" + "".join(f"{text},{n + 1},said\n" for n, text in enumerate(SAID))
SMALL = ("--model", "toy:hash", "--limit-groups", "3", "--contexts", "set.csv", "--plugin", TOY, "--quiet")
SECRET = "victim/secret"
ROWS = ("turned", "doubled", "column", "texts", "one")
COMMANDS = {
    "verify": ("verify", "theirs"),
    "report": ("report", "theirs", "--light", "-o", "page.html"),
    "analyse": ("analyse", "theirs", "--criterion", "lk:2", "--format", "json"),
    "merge": ("merge", "theirs"),
    "gate": ("gate", "theirs", "--max-risk", "0.9"),
    "show": ("show", "theirs"),
    "compare": ("compare", "theirs", "mine", "--criterion", "lk:2"),
    "site": ("report", "theirs", "mine", "--site", "site", "--light"),
    "export": ("export", "theirs", "--to", "csv"),
}
NAMED = ("victim/named.csv", "./victim/plugin.py", "judge:victim/judge.toml", "openai:http://127.0.0.1:9/v1")
NAMES = {
    "analyses/linf*": "reference group_weights reader criterion margin model_path contexts topic",
    "measurement.json": "model.path model.backend asked.contexts asked.criterion name order",
    "invocations/*": "config.plugin config.backend config.contexts config.reference config.out backend",
}
OF_SETS = {
    "show": ("contexts", "show", "theirs/set.csv"),
    "merge": ("contexts", "merge", "theirs/set.csv", "set.csv", "-o", "all.csv"),
    "export": ("contexts", "export", "theirs/set.csv", "--licence", "CC0-1.0", "-o", "exported"),
    "run": ("run", *SMALL[:4], "--contexts", "theirs/set.csv", *SMALL[6:], "--out", "out"),
}


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """A run with everything, a context set with its record, and a package, as somebody would hand them over."""
    values = {"model": "toy:hash", "limit_groups": 3, "contexts": "set.csv", "plugin": (str(TOY),), "out": "run"}
    with chdir(folder := tmp_path_factory.mktemp("right")):
        for file in (Path("set.csv"), Path("sets/set.csv")):
            file.parent.mkdir(exist_ok=True)
            file.write_text(TABLE)
        Path("sets/sources.toml").write_text('[set]\nsource = "letters"\nlicence = "CC0-1.0"\nlanguage = "en"\n')
        for reference in ("uniform", "prior", "uniform"):
            bvf.run(**values, reference=reference)
        bvf.analyse("run", criterion="tv", save_as="other")
    return folder


@pytest.fixture
def place(right, tmp_path, monkeypatch, command):
    """Change one thing of a copy, run a command on it, and assert what must hold in any case."""
    monkeypatch.chdir(tmp_path)

    def check(source, called, arguments, change):
        for name in list(tmp_path.iterdir()):
            shutil.rmtree(name) if name.is_dir() else name.unlink()
        for name in ("theirs", "mine"):
            shutil.copytree(right / source, name)
        Path("set.csv").write_text(TABLE)
        Path("victim").mkdir()
        for name in ("secret", "plugin.py", "judge.toml", "named.csv"):
            Path("victim", name).write_text("SECRET" if name == "secret" else "raise SystemExit('ran')")
        what = change(Path("theirs"))
        before = everything_in(tmp_path / "victim")
        with watched(tmp_path / "victim") as watch:
            done = command(*arguments)
        told = (what, called, done)
        assert done.code in (0, 1 if called == "verify" else 0, 2, *((1, 3) if called == "gate" else ())), told
        assert "Traceback" not in done.err + done.out, told
        assert "SECRET" not in done.err + done.out, told
        assert done.code != 2 or (done.err.count("error: ") == 1 and len(done.err.splitlines()) < 9), told
        assert everything_in(tmp_path / "victim") == before, told
        assert not watch.seen, (told, watch.seen)
        assert not watch.foreign(), (told, watch.foreign())
        return done, told

    return check


def changed(folder, data):
    """Change one thing in a folder, and say what."""
    file = data.draw(st.sampled_from(sorted(each for each in folder.rglob("*") if each.is_file())), label="file")
    how = "text"
    if file.suffix == ".json" and data.draw(st.integers(0, 3)):
        value = json.loads(file.read_text())
        if place := data.draw(st.sampled_from(sorted(places(value), key=repr)), label="place"):
            text, how, mark = change_value(value, place, data)
            write_json(file, text)
            return file, place, how, mark
    if file.suffix == ".parquet" and data.draw(st.booleans()):
        how = data.draw(st.sampled_from(ROWS), label="rows")
        pq.write_table(other_rows(pq.read_table(file), how), file)
    else:
        how = data.draw(st.sampled_from(FILES), label="file is")
        change_file(file, how, data, Path(SECRET))
    return f"{file}: {how}"


def write_json(file, text):
    """Write JSON; of a result also the copy beside it, with its digest, as its author could."""
    if file.parent.name in ("analyses", "kept"):
        result = file.parents[1] / "result.json"
        name = f"{file.name.split('.')[0]}.{digest_of_bytes(text.encode())}.json"
        if result.read_bytes() == file.read_bytes():
            result.write_text(text)
        file.unlink()
        file = file.with_name(name)
    file.write_text(text)


def other_rows(table, how):
    if how == "one":
        return table.slice(0, 1)
    if how == "column":
        return table.drop_columns(table.column_names[-1:])
    if how == "texts":
        return table.set_column(0, table.column_names[0], pa.array(["../victim/secret"] * len(table)))
    return table.take(list(range(len(table)))[::-1]) if how == "turned" else pa.concat_tables([table, table])


@cases(25, 2000)
def test_a_run_with_one_thing_changed(place, right, command, of):
    @of
    @given(st.data())
    def each(data):
        called = data.draw(st.sampled_from(list(COMMANDS)))
        done, told = place("run", called, COMMANDS[called], lambda folder: changed(folder, data))
        if called == "analyse" and done.code == 0 and command("verify", "theirs").code == 0:
            R = json.loads(done.out)["R"]
            assert pytest.approx(bvf.analyse(right / "run", criterion="lk:2").R) == R, told

    each()


@cases(60, 2000)
def test_a_context_set_with_one_thing_changed(place, of):
    @of
    @given(st.data())
    def each(data):
        called = data.draw(st.sampled_from(list(OF_SETS)))
        place("sets", called, OF_SETS[called], lambda folder: changed(folder, data))

    each()


@pytest.mark.parametrize(("file", "field"), [(file, field) for file, names in NAMES.items() for field in names.split()])
def test_nothing_that_a_folder_names_is_opened(place, attacks, file, field):
    def named(folder, value):
        found, keys = next(folder.glob(file)), field.split(".")
        content = there = json.loads(found.read_text())
        for key in keys:
            there = there.get(key)
        write_json(found, json.dumps(put(content, keys, [value] * len(there) if isinstance(there, list) else value)))
        return file, field, value

    for (called, arguments), value in zip(attacks(field, COMMANDS), cycle(NAMED), strict=False):
        place("run", called, arguments, lambda folder, value=value: named(folder, value))
