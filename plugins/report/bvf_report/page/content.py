"""The content of a page before it becomes HTML: sections of sentences, tables, facts and pictures."""

from dataclasses import dataclass
from typing import TypeAlias

from bvf import Picture, Section, Verdict
from bvf.results import Part


@dataclass(frozen=True)
class Facts:
    """A list of facts: pairs of name and value."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Code:
    """A block of commands to be typed in a shell."""

    text: str


@dataclass(frozen=True)
class Links:
    """A list of links: pairs of text and relative address."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ModelVerdict:
    """The verdicts on the figures of one model in plain words, and the reasons to doubt them."""

    model: str
    verdicts: tuple[Verdict, ...]
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownPicture:
    """A small picture as a data URL (empty: it is not known), the name of its file, and what is said of it."""

    image: str
    name: str
    said: str


@dataclass(frozen=True)
class Gallery:
    """Pictures that a model was shown."""

    rows: tuple[ShownPicture, ...]


Block: TypeAlias = Section | Gallery | Facts | Links | Picture | Code | ModelVerdict | str
"""A ``str`` is a paragraph."""


@dataclass(frozen=True)
class Page:
    """The content of a page: its titles and its sections."""

    title: str
    subtitle: str
    parts: tuple[Part, ...]
