"""Changes of one thing in what somebody hands over: a value of JSON, or a file."""

import json
import os
from copy import deepcopy

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

VALUES = (
    *(None, True, -1, 0, 5, 2.5, 10**30, "", "x", "\x1b]0;x\x07\u202e", [], {}, [[]], {"a": 1}, "lk:2", "judge:x.toml"),
    *("../victim/secret", ".", "toy:hash", "./victim/plugin.py", "http://127.0.0.1:9/v1", "0123456789abcdef"),
)
RAW = ("1e999", "NaN", "-0.0", "9" * 5000, "[" * 3000 + "]" * 3000, '{"a":' * 900 + "1" + "}" * 900)
FILES = ("nothing", "half", "bit", "more", "link", "pipe", "folder", "gone", "large", "twice", "text")


def cases(in_ci, long):
    """A number of examples in CI, and another in ``make long``."""

    def decorate(test):
        of = {
            number: settings(max_examples=number, deadline=None, suppress_health_check=list(HealthCheck))
            for number in (in_ci, long)
        }
        marks = [(in_ci, ()), (long, pytest.mark.long)]
        numbers = pytest.mark.parametrize("of", [pytest.param(of[n], marks=mark, id=str(n)) for n, mark in marks])
        return numbers(test)

    return decorate


def places(value, at=()):
    """The paths of all values within a value of JSON, but at most two of each list."""
    items = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    return [at, *(place for key, each in items for place in places(each, (*at, key)))]


def put(value, place, new):
    """Return a copy of JSON with a new value at a place, or as a new field."""
    if not place:
        return new
    copy = value.copy()
    copy[place[0]] = put(value[place[0]], place[1:], new) if place[1:] else new
    return copy


def change_value(value, place, data, values=VALUES, raw=RAW):
    """Return JSON with one value of it changed, and how."""
    whole, (*before, last) = {0: deepcopy(value)}, (0, *place)
    holder, mark = whole, "@here@"
    for key in before:
        holder = holder[key]
    how = data.draw(st.sampled_from(["value", "raw", "gone", "more", "turned", "doubled"]), label="how")
    there = holder[last]
    if how == "gone":
        del holder[last]
    elif how == "more" and isinstance(there, dict):
        there["more"] = 1
    elif how in ("turned", "doubled") and isinstance(there, list):
        holder[last] = there[::-1] if how == "turned" else there * 2
    elif how == "raw":
        holder[last], mark = mark, data.draw(st.sampled_from(raw))
    else:
        how, holder[last] = "value", data.draw(st.sampled_from(values), label="value")
    return json.dumps(whole.get(0)).replace('"@here@"', mark), how, mark[:9]


def change_file(file, how, data, leads_to):
    content = file.read_bytes() or b"x"
    if how in ("link", "pipe", "folder", "gone"):
        file.unlink()
    if how == "link":
        file.symlink_to(leads_to.resolve())
    elif how == "pipe":
        os.mkfifo(file)
    elif how == "folder":
        file.mkdir()
    elif how == "large":
        os.truncate(file, 20_000_000_000)
    elif how == "twice":
        file.with_name(f"{file.stem}-2{file.suffix}").write_bytes(content)
    elif how != "gone":
        at = data.draw(st.integers(0, max(0, len(content) - 1)), label="at")
        made = {
            "nothing": b"",
            "half": content[:at],
            "more": content * 2,
            "text": content[:at] + b'"\x00\xff' + content[at:],
        }
        file.write_bytes(made.get(how, content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]))
