"""The column ``image`` of a context set leads nowhere but into the folder of the set."""

import pytest

from bvf.errors import BvfError
from bvf.files.contexts.sets import read_contexts


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "set" / "pictures").mkdir(parents=True)
    (tmp_path / "set" / "pictures" / "a.png").write_bytes(b"a")
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "set" / "link.png").symlink_to(tmp_path / "secret")
    (tmp_path / "set" / "away").symlink_to(tmp_path)
    (tmp_path / "set" / "alias.png").symlink_to("pictures/a.png")
    return tmp_path / "set"


def read(folder, image):
    (folder / "set.csv").write_text(f"template,count,image\nThe [X] said that [Y],1,{image}\n")
    return read_contexts(folder / "set.csv")


@pytest.mark.parametrize("image", ["pictures/a.png", "./pictures/../pictures/a.png", "alias.png"])
def test_a_picture_in_the_folder_is_read(folder, image):
    (template,) = read(folder, image).templates
    assert [media.kind for media in template.media] == ["image"]


@pytest.mark.parametrize("image", ["/etc/hostname", "../secret", "link.png", "away/secret", "pictures/../../secret"])
def test_a_path_or_link_out_of_the_folder_is_refused(folder, image):
    with pytest.raises(BvfError, match=rf"set.csv:2: the image {image} is outside the folder of this table"):
        read(folder, image)
