"""Runs that ask little: topics as they are draw contexts that were mined, or openings before written ones."""

from typing import Any

ELSEWHERE = {"contexts", "topic", "cross", "lang"}


def in_ten_contexts(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of a run in bare contexts: the ten heaviest of gender, unless they name others."""
    bare = {"openings": "none", **settings}
    return bare if ELSEWHERE & settings.keys() else {**bare, "contexts": "gender"}
