"""Fixtures shared with the tests of bvf: the toy model, in-process commands, and ../shared; and files of rows."""

import json

import pytest
from helpers.fixtures import command, shared, toy

__all__ = ["command", "shared", "toy", "written"]


@pytest.fixture
def written(tmp_path):
    """Write a text, an object as JSON, or a list of objects as JSON lines, and return the file."""

    def write(name, content):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        objects = content if isinstance(content, list) else [content]
        file.write_text(content if isinstance(content, str) else "".join(json.dumps(each) + "\n" for each in objects))
        return file

    return write
