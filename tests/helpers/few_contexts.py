"""Runs that ask little: the topic gender as it is draws from all contexts that were mined."""

from typing import Any

ELSEWHERE = {"contexts", "topic", "cross", "lang"}


def in_ten_contexts(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of a run with the ten heaviest contexts of gender, unless they name others."""
    return settings if ELSEWHERE & settings.keys() else {**settings, "contexts": "gender"}
