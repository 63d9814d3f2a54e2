"""Short names of models for tables, from the value of ``--model`` and the model's own files."""

import re

MODEL_FILES = (".gguf", ".safetensors", ".bin", ".pt", ".onnx")
"""Endings of files that are whole models."""
LONGEST = 100
GENERIC = {"model", "models", "gguf", "hf", "none", "unknown", "untitled", "default", "tmp"}
"""Names that programs write into a file when they do not know the name of a model."""
SCHEME = re.compile(r"([A-Za-z][\w.-]+):(.+)", re.DOTALL)
DIGEST = re.compile(r"[0-9a-f]{32,64}", re.IGNORECASE)
IN_CACHE = "models--"
"""Prefix of the folder ``models--ORGANIZATION--NAME`` of a model in the cache of the Hugging Face hub."""


def model_name(path: str, of_itself: str = "") -> str:
    """Return the short name of a model.

    It is the name in its files (``of_itself``) if that is informative, else from its path.

    >>> model_name("facebook/opt-1.3b"), model_name("/models/tuned/"), model_name("llama:models/Qwen.Q4_1.gguf")
    ('opt-1.3b', 'tuned', 'Qwen.Q4_1')
    >>> model_name("bundled:en-causal"), model_name("weights.gguf", "Qwen2.5 0.5B Instruct")
    ('bundled:en-causal', 'Qwen2.5 0.5B Instruct')
    """
    own = last_part(of_itself.strip())
    if own and not what_is_wrong_with(own) and own.casefold() not in GENERIC and not DIGEST.fullmatch(own):
        return own
    return last_part(path) or path


def last_part(path: str) -> str:
    """Return the last part of a path or a hub id, without file extension. A plain BACKEND:NAME is returned whole."""
    scheme = SCHEME.fullmatch(path)
    if scheme and not ("/" in scheme[2] or "\\" in scheme[2] or scheme[2].endswith(MODEL_FILES)):
        return path
    parts = parts_of_path(path)
    return parts[-1] if parts else ""


def parts_of_path(path: str) -> list[str]:
    """Return the parts of a path that can name a model. Extensions and the folders of the hub's cache are left out.

    >>> parts_of_path("hub/models--openai--gpt2/snapshots/607a30d783dfa663caf39e06633721c8d4cfcd7e")
    ['hub', 'openai', '607a30d7', 'gpt2']
    """
    scheme = SCHEME.fullmatch(path)
    *folders, last = re.split(r"[/\\]+", (scheme[2] if scheme else path).rstrip("/\\"))
    last = next((last.removesuffix(ending) for ending in MODEL_FILES if last.endswith(ending)), last)
    if folders[-1:] == ["snapshots"] and folders[-2:-1] and folders[-2].startswith(IN_CACHE):
        *organization, name = folders[-2].removeprefix(IN_CACHE).split("--")
        folders, last = [*folders[:-2], *organization, last[:8]], name  # the beginning of the commit
    return [part for part in (*folders, last) if part not in ("", ".")]


def what_is_wrong_with(name: str) -> str:
    """Return why a text cannot be a model's name in tables and file names; empty if it can."""
    if len(name.splitlines()) > 1:
        return "a name is one line"
    if not name.isprintable():
        return "a name has no control characters and none that cannot be seen"
    if not any(character.isalnum() for character in name):
        return "a name has at least one letter or digit"
    return f"a name has at most {LONGEST} characters" if len(name) > LONGEST else ""


def checked_name(text: str) -> str:
    """Return the name that a user gives a model, stripped of white space. It may be empty.

    Raises:
        ValueError: The text cannot be the name of a model; the message says why.
    """
    if text and (wrong := what_is_wrong_with(text.strip())):
        raise ValueError(wrong)
    return text.strip()
