"""A Python in which a package is not installed, as far as ``find_spec`` says."""

import importlib.util


def without_package(monkeypatch, name):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda each, *of: None if each == name else found(each, *of))
