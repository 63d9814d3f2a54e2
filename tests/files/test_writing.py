"""Files that are there as a whole or not at all."""

import errno
import os

import pytest

from bvf import BvfError
from bvf.files.writing import disk_errors_explained, replacing, write_text


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("old")

    def interrupted():
        with replacing(file) as out:
            out.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    file, synced = tmp_path / "a.txt", []

    def fsync(descriptor):
        synced.append(os.fstat(descriptor).st_size)
        assert not file.exists()

    monkeypatch.setattr("os.fsync", fsync)
    write_text(file, "four")
    assert synced == [4]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "target").write_text("old")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_pipes_and_folders_are_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "folder", "link"):
        with pytest.raises(BvfError, match="is not a file that can be replaced"):
            write_text(tmp_path / name, "x")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "x"), "runs/a: the disk is full"),
        (OSError(errno.EACCES, "x"), "runs/a: cannot be written: Permission denied"),
        (OSError("odd"), "runs/a: cannot be written: odd"),
    ],
)
def test_errors_of_the_disk_are_one_line(error, message):
    with pytest.raises(BvfError, match=message), disk_errors_explained("runs/a", "choose another"):
        raise error


def test_a_name_that_no_file_can_have_is_one_line_and_other_mistakes_pass(tmp_path):
    for name in ("a\0b", "n" * 256):
        with pytest.raises(BvfError) as error, disk_errors_explained(name, "choose another"):
            write_text(tmp_path / name, "x")
        assert error.value.hint == "choose another"
        assert "\0" not in str(error.value)
    with pytest.raises(ValueError, match="mine"), disk_errors_explained("a", "b"):
        raise ValueError("mine")
