"""One door to a folder: names of its kind, files of a largest size, and no link below its root."""

import os
import pickle
from dataclasses import replace

import pytest

from bvf import BvfError
from bvf.files import folder as door
from bvf.files.folder import RUN, Folder, FolderKind

KIND = FolderKind({r"[a-z]+\.txt": 10, "a.json": 100}, {"below": FolderKind({r".*\.txt": 5})})
KIND.folders["again"] = KIND
ANYTHING = FolderKind({".*": 9}, {".*": KIND})


@pytest.fixture(params=["by descriptor", "by path"])
def folder(tmp_path, request, monkeypatch):
    """A folder that is not there yet; ``by path`` as on a platform that opens no name from an open folder."""
    if request.param == "by path":
        monkeypatch.setattr(door, "BY_DESCRIPTOR", False)
    return Folder(tmp_path / "root", KIND)


@pytest.fixture
def victim(tmp_path):
    """A folder of somebody, in which nothing may change."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.txt").write_text("mine")
    yield outside
    assert [(each.name, each.read_text()) for each in outside.iterdir()] == [("b.txt", "mine")]


OTHERS = [
    ("a link", lambda place, outside: place.symlink_to(outside / "b.txt")),
    ("a link", lambda place, outside: place.symlink_to(outside / "new.txt")),
    ("a pipe", lambda place, _: os.mkfifo(place)),
    ("a folder", lambda place, _: place.mkdir()),
]


def test_what_is_written_is_read_by_name(folder):
    assert not any((folder.entries(), folder.is_there(), folder.read_bytes("a.txt"), folder.exists("a.txt")))
    folder.write("a.txt", "ü")
    folder.sub("again").sub("below").write("b.txt", b"five!")
    folder.write("a.json", '{"a": 1}')
    folder.write("a.txt", "new")
    [(folder.root / name).write_text("not of the kind") for name in ("other", "below")]
    assert folder.entries() == ["a.json", "a.txt", "again", "below", "other"]
    assert (folder.names(), folder.folders()) == (["a.json", "a.txt"], [folder.sub("again")])
    assert (folder.read_bytes("a.txt"), folder.read_json("a.json")) == (b"new", {"a": 1})
    assert folder.sub("again").sub("below").read_bytes("b.txt") == b"five!"
    assert folder.sub("again").sub("below").path == folder.root / "again" / "below"
    assert [folder.exists("a.txt"), folder.check("a.txt")] == [True, True]


def test_what_is_deleted_is_gone_and_an_empty_folder_is_removed(folder):
    below = folder.sub("below")
    below.write("a.txt", "1")
    assert [below.delete("a.txt") for _ in range(2)] == [None, None]
    assert below.is_there()
    below.remove()
    folder.remove()
    assert not folder.root.exists()


def test_the_root_may_be_a_link_that_the_user_names(folder, tmp_path):
    folder.write("a.txt", "1")
    (tmp_path / "link").symlink_to(folder.root)
    assert Folder(tmp_path / "link", KIND).read_bytes("a.txt") == b"1"


@pytest.mark.parametrize(("what", "put"), OTHERS)
def test_only_a_file_is_read_written_or_deleted(folder, victim, what, put):
    folder.sub("below").make()
    for place, within in ((folder.root, folder), (folder.root / "below", folder.sub("below"))):
        put(place / "a.txt", victim)
        for use in (
            lambda at: at.read_bytes("a.txt"),
            lambda at: at.write("a.txt", "theirs"),
            lambda at: at.delete("a.txt"),
            lambda at: at.check("a.txt"),
        ):
            with pytest.raises(BvfError) as error:
                use(within)
            assert error.value.message == f"{place / 'a.txt'} is not a file but {what}"
            assert error.value.hint == "put the file itself in its place, or take it away"
        assert within.exists("a.txt")
        assert not within.write_new("a.txt", "theirs")
        assert os.path.lexists(place / "a.txt")
        assert [name for name in within.entries() if name.endswith(".tmp")] == []


@pytest.mark.parametrize("depth", [1, 2])
def test_no_folder_is_reached_by_a_link(folder, victim, depth):
    within = folder.sub("again").sub("below") if depth == 2 else folder.sub("below")
    (within.path.parent).mkdir(parents=True)
    within.path.symlink_to(victim)
    for use in (
        lambda: within.read_bytes("b.txt"),
        lambda: within.write("a.txt", "x"),
        lambda: within.write("b.txt", "theirs"),
        lambda: within.write_new("a.txt", "x"),
        lambda: within.delete("b.txt"),
        lambda: within.exists("b.txt"),
        *(within.entries, within.make, within.own_path),
    ):
        with pytest.raises(BvfError, match="below is not a folder but a link"):
            use()
    folder.tidy()
    around = replace(within, kind=KIND, within=within.within[:-1])
    assert (folder.own_path(), around.folders()) == (folder.root, [within])


STRICT = [(KIND, name) for name in ("b.json", "A.txt", "a\0.txt", "a.txt\n")]
ESCAPES = [(ANYTHING, name) for name in ("..", ".", "", "a.txt/..", "../root/a.txt", "/a.txt")]


@pytest.mark.parametrize(("kind", "name"), STRICT + ESCAPES)
def test_names_of_another_form_are_one_line(folder, kind, name):
    folder.write("a.txt", "1")
    at = replace(folder, kind=kind)
    uses = (at.read_bytes, at.read_json, at.delete, at.exists, at.check, at.sub, at.path_of)
    for use in (*uses, lambda name: at.write(name, ""), lambda name: at.write_new(name, "")):
        with pytest.raises(BvfError, match="is not the name of a file that such a folder has"):
            use(name)
    assert folder.entries() == ["a.txt"]


def test_a_file_has_a_largest_size_and_none_of_a_larger_one_is_read(folder):
    folder.write("a.txt", "x" * 10)
    assert folder.read_bytes("a.txt") == b"x" * 10
    os.truncate(folder.root / "a.txt", 20_000_000_000)
    with pytest.raises(BvfError) as error:
        folder.read_bytes("a.txt")
    assert error.value.message == f"{folder.root / 'a.txt'}: 20,000,000,000 bytes, and such a file has 10 at most"
    assert error.value.hint == "restore the file that was written, or take it out of the folder"


def test_what_is_not_json_or_not_there_names_its_file(folder):
    with pytest.raises(BvfError, match=r"a\.json: cannot be read: no such file"):
        folder.read_json("a.json")
    folder.write("a.json", "{")
    with pytest.raises(BvfError, match=r"a\.json: not JSON"):
        folder.read_json("a.json")


def test_half_written_files_go_when_they_are_old_and_links_stay(folder, victim):
    folder.sub("below").write("a.txt", "1")
    folder.write("a.txt", "1")
    for at in (folder.root, folder.root / "below"):
        (at / "a.txt.0.tmp").write_text("half")
        (at / "b.txt.0.tmp").write_text("half")
        (at / "c.tmp").symlink_to(victim / "b.txt")
        [os.utime(at / name, (0, 0), follow_symlinks=False) for name in ("a.txt.0.tmp", "c.tmp")]
    folder.tidy()
    assert (folder.entries(), folder.sub("below").entries()) == (
        ["a.txt", "b.txt.0.tmp", "below", "c.tmp"], ["a.txt", "b.txt.0.tmp", "c.tmp"],
    )  # fmt: skip


def test_a_folder_goes_to_another_process(tmp_path):
    run = Folder(tmp_path, RUN).sub("prior").sub("probabilities")
    there = pickle.loads(pickle.dumps(run))
    assert (there, list(there.kind.files)) == (run, list(run.kind.files))
