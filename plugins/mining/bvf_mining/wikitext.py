"""Extracts plain text from MediaWiki markup. It needs one pass even if markup was never closed."""

import re
from collections.abc import Callable, Iterator
from html import unescape

DEEPEST = 40
"""Deeper markup is left as text, so that the time grows only with the length of the page."""
DROPPED_TAGS = ("ref", "gallery", "table", "imagemap", "style", "script", "includeonly")
LITERAL_TAGS = (
    *("math", "chem", "ce", "nowiki", "pre", "source"),
    *("syntaxhighlight", "score", "timeline", "hiero", "code"),
)
BLOCK_TAGS = ("p", "div", "blockquote", "center", "li", "dd", "hr")
MARKUP = re.compile(
    rf"""
      (?P<comment><!--)
    | (?P<line><br\b[^<>]*+>)
    | (?P<block></?(?:{"|".join(BLOCK_TAGS)})\b[^<>]*+>)
    | <[a-z][^<>]*+(?<=/)>
    | <(?P<literal>{"|".join(LITERAL_TAGS)})\b[^<>]*+>
    | <(?P<tag>{"|".join(DROPPED_TAGS)})\b[^<>]*+>
    | </(?P<end>{"|".join(DROPPED_TAGS)})\b[^<>]*+>
    | </?[a-z][^<>]*+>
    | (?P<template>\{{\{{) | (?P<template_end>\}}\}})
    | (?P<table>^[ \t:]*+\{{\|) | (?P<table_end>^[ \t]*+\|\}}(?!\}}))
    | (?P<link>\[\[) | (?P<link_end>\]\])
    | \[(?:https?:|ftp:)?//[^\s\[\]<>]*+\s?(?P<outside>[^\[\]<>{{}}\n]*+)\]
    | '{{2,}}
    | (?-i:__[A-Z]+__)
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
"""No alternative goes back over what it has read, so that the time grows only with the length of the page."""
SEEN_AS = {"line": " ", "block": "\n\n"}
NO_SENTENCE = re.compile(r"=.*=\s*|[|!].*|-{4,}.*", re.DOTALL)
LIST_ITEM = re.compile(r"[*#:;]+\s*")
LANGUAGE_LINK = re.compile(r"[a-z]{2,3}(-[a-z]+)*:\S")
EMPTY_BRACKETS = re.compile(r" ?[(（][ ,;:、，；]*[)）]")  # noqa: RUF001 - Chinese brackets are meant
BEGUN_BY_A_HOLE = re.compile(r"([(（]) ?[,;，；] ?")  # noqa: RUF001 - Chinese commas are meant
VARIANTS = re.compile(r"-\{(?:(?P<flag>[^{}|]*+)\|)?(?P<words>[^{}|]*+)\}-")
OF_A_VARIANT = re.compile(r"\s*[a-z-]+:([^;]*)")
UNSEEN_FLAGS = ("H", "T", "-")
SPACES = re.compile(r"[ \t\xa0]+")
BLANK_LINES = re.compile(r"\n\s*\n")


def plain(markup: str, namespaces: frozenset[str] = frozenset()) -> str:
    """Return the running text of a page: its paragraphs and list items, separated by blank lines.

    Templates, tables, notes, files, categories, formulas, headings and comments are left out; links keep the words that
    a reader sees. Of markup that is never closed, only the opening sign is left out.

    Args:
        markup: The page as its authors wrote it.
        namespaces: Names of namespaces, in lower case; a link into one of them is left out.

    >>> plain("A [[nurse|'''nurse''']]{{cn}} said<ref>p. 3</ref> that [[she]] left. [[File:Ward.jpg|thumb|A ward]]")
    'A nurse said that she left.'
    """
    text = _Stripper(markup, namespaces).text()
    text = unescape(VARIANTS.sub(_first_variant, text))
    lines = BLANK_LINES.sub("\n\n", "\n".join(_lines(SPACES.sub(" ", text))))
    return BEGUN_BY_A_HOLE.sub(r"\1", EMPTY_BRACKETS.sub("", lines)).strip()


class _Stripper:
    """The state of the extraction: the plain text so far, and all markup that is still open."""

    def __init__(self, markup: str, namespaces: frozenset[str]) -> None:
        self.markup, self.namespaces = markup, namespaces
        self.left: list[str] = []
        self.opened: list[tuple[str, int]] = []
        self.never_ended: set[str] = set()

    def text(self) -> str:
        place = 0
        while match := MARKUP.search(self.markup, place):
            self.left.append(self.markup[place : match.start()])
            place = self._after(match)
        self.left.append(self.markup[place:])
        return "".join(self.left)

    def _after(self, match: re.Match[str]) -> int:
        """Process matched markup, and return the index at which to read on."""
        kind = match.lastgroup
        if kind == "comment":
            return self._end_of("-->", match.end())
        if kind == "literal":
            return self._end_of(f"</{match['literal'].lower()}", match.end())
        if kind in ("template", "table", "link"):
            self._open(kind)
        elif kind == "tag":
            self._open(match["tag"].lower())
        elif kind in ("template_end", "table_end"):
            self._close(kind.removesuffix("_end"), lambda _: "")
        elif kind == "end":
            self._close(match["end"].lower(), lambda _: "")
        elif kind == "link_end":
            self._close("link", self._seen)
        elif kind in SEEN_AS:
            self.left.append(SEEN_AS[kind])
        elif kind == "outside":
            self.left.append(match["outside"])
        return match.end()

    def _end_of(self, sign: str, start: int) -> int:
        """The index after raw text that ends with ``sign``; ``start`` if the sign is missing."""
        if sign in self.never_ended:
            return start
        end = self.markup.find(sign, start)
        if end < 0:
            self.never_ended.add(sign)
            return start
        return end + len(sign) if sign == "-->" else self.markup.find(">", end) + 1 or end

    def _open(self, kind: str) -> None:
        if len(self.opened) < DEEPEST:
            self.opened.append((kind, len(self.left)))

    def _close(self, kind: str, seen: Callable[[str], str]) -> None:
        """Close the last open markup of a kind. The text since its opening is replaced by what a reader sees of it."""
        depth = next((depth for depth in reversed(range(len(self.opened))) if self.opened[depth][0] == kind), None)
        if depth is not None:
            start = self.opened[depth][1]
            inside = "".join(self.left[start:])
            del self.opened[depth:], self.left[start:]
            self.left.append(seen(inside))

    def _seen(self, inside: str) -> str:
        """The words of a link that a reader sees. Empty for a file, a category, or a link to another language."""
        target, bar, words = inside.partition("|")
        prefix, colon, _ = target.partition(":")
        if (colon and prefix.strip().lower() in self.namespaces) or "|" in words:
            return ""
        if not bar and LANGUAGE_LINK.match(target):
            return ""
        return words if bar else target.lstrip(":")


def _first_variant(match: re.Match[str]) -> str:
    """The first of several script variants: A of ``-{zh-hans:A;zh-hant:B}-``."""
    if match["flag"] in UNSEEN_FLAGS:
        return ""
    variant = OF_A_VARIANT.match(match["words"])
    return variant[1] if variant else match["words"]


def _lines(text: str) -> Iterator[str]:
    """Yield the lines that may have sentences. Blank lines separate list items from other lines."""
    for line in text.split("\n"):
        stripped = line.strip()
        if NO_SENTENCE.fullmatch(stripped):
            yield ""
        elif item := LIST_ITEM.match(stripped):
            yield from ("", stripped[item.end() :], "")
        else:
            yield stripped
