"""JSON, TOML and files from outside: right, or one line."""

import json
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError
from bvf.builtin.criteria import Lk
from bvf.builtin.engines.processes import Processes
from bvf.files.parsing import DEEPEST, DOTS, LARGEST_TOML, is_file, parse_json, parse_toml, read_text, whole_number
from bvf.terminal.method import view_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.booleans())
def test_json_is_read_as_it_was_written(value, ascii_only):
    assert parse_json(json.dumps(value, ensure_ascii=ascii_only), "here") == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "nested too deeply"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested too deeply"),
        ('{"a":' * 500 + "1" + "}" * 500, "nested too deeply"),
        ("1" * 5000, "a number is too long"),
        (r'"\ud800"', r"half a character \(\\ud800\)"),
        (r'{"\udc00": 1}', r"half a character \(\\udc00\)"),
        ("", "Expecting value"),
        ("{", "Expecting property name"),
    ],
)
def test_json_that_is_none_is_one_line(text, why):
    with pytest.raises(BvfError, match=rf"^a\.json:3: not JSON: {why}") as error:
        parse_json(text, "a.json:3")
    assert len(error.value.message) < 120


def test_as_many_levels_as_are_allowed_are_read_and_a_key_that_is_there_twice_is_refused_by_name():
    assert json.dumps(parse_json("[" * DEEPEST + "]" * DEEPEST, "here")) == "[" * DEEPEST + "]" * DEEPEST
    for text in ('{"a": 1, "b": 2, "a": 1}', '[{"b": {"a": 1, "\\u0061": 2}}]'):
        with pytest.raises(BvfError, match=r'^a\.json:3: the key "a" occurs twice in one object'):
            parse_json(text, "a.json:3")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a=" + "[" * 100_000, "nested too deeply"),
        ("a." * 5000 + "a=1", "nested too deeply: a key has more than 32 dots"),
        ("a=" + "1" * 5000, "a number is too long"),
        ('a="\\ud800"', "Escaped character is not a Unicode scalar value"),
        ("a", "Expected '=' after a key"),
    ],
)
def test_toml_that_is_none_is_one_line(text, why):
    with pytest.raises(BvfError, match=f"^a.toml: not TOML: {why}") as error:
        parse_toml(text, "a.toml")
    assert len(error.value.message) < 120


PARTS = st.sampled_from(["a", '"a.b"', "'a\"'", r'"\""', " a\t", "1-_"])
BEFORE = [r'y = "\""', "y = '''\n..'' \"'''", r'y = """\"""."""', "# \"'''.", ""]
AROUND = ["{} = 1", "[{}]", "x = {{{} = 1}}", "[[{}]]", r"x = {{b = '\"', c = " '"""."""' ", {} = 1}}"]


@given(st.lists(PARTS, min_size=2, max_size=DOTS + 9), st.sampled_from(BEFORE), st.sampled_from(AROUND))
def test_a_key_of_toml_has_few_dots(parts, before, around):
    text = f"{before}\n{around.format('.'.join(parts))}"
    assert tomllib.loads(text)
    if len(parts) - 1 > DOTS:
        with pytest.raises(BvfError, match=r"^a\.toml: not TOML: nested too deeply: a key has more than 32 dots$"):
            parse_toml(text, "a.toml")
    else:
        assert parse_toml(text, "a.toml") == tomllib.loads(text)


def test_dots_that_are_in_no_key_are_read():
    texts = ["a.b " * 99, ".a" * 99, "..." * 99]
    text = "\n".join(f"a{n} = \"{each}\" # {each}\nb{n} = '''{each}\n'''" for n, each in enumerate(texts))
    text += f"\nc = {[1.5] * 99}"
    assert parse_toml(text, "a.toml") == tomllib.loads(text)
    with pytest.raises(BvfError, match=r"a\.toml: 10,000,001 characters, and 10,000,000 of TOML at most are read"):
        parse_toml("#" * (LARGEST_TOML + 1), "a.toml")


def test_a_file_is_read_without_the_mark_at_its_beginning_or_one_line_says_why_not(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 1")
    assert parse_toml(read_text(tmp_path / "a.toml"), "a") == {"a": 1}
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "latin").write_bytes("é".encode("latin-1"))
    for file, why in (
        (tmp_path / "pipe", "is not a file"),
        (tmp_path / "latin", "not UTF-8 at byte 0"),
        (tmp_path / "none", "cannot be read: No such file"),
        (tmp_path, "cannot be read: Is a directory"),
        (tmp_path / ("n" * 256), "cannot be read: File name too long"),
        (Path("a\0b"), "no file can have this name"),
    ):
        with pytest.raises(BvfError, match=why) as error:
            read_text(file)
        assert "\0" not in str(error.value)
        assert is_file(file) == (file.name == "latin")


LONG = ["9" * 5000, "1" + "0" * 400, "0", "-1", "1.5", "", "²", "٣"]


@pytest.mark.parametrize("text", LONG)
def test_a_number_out_of_range_is_refused_in_one_short_line(text):
    for read in (Lk, lambda show: view_of(None, show), *([Processes] if text else [])):
        with pytest.raises(BvfError) as error:
            read(text)
        assert len(error.value.message) < 120


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("007", 7), ("0" * 5000 + "12", 12), ("13", None), ("0", None)])
def test_a_whole_number_lies_between_two_others(text, number):
    assert whole_number(text, 1, 12) == number
