"""Reads the articles of MediaWiki dumps, one page at a time, and takes plain text from their markup."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any
from xml.parsers import expat

from bvf import BvfError
from bvf_mining.corpora import COPY_AGAIN, Bounded

DEEPEST_MARKUP = 40
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
CHUNK = 1 << 16
LONGEST_PAGE = 20_000_000
"""Bytes of XML; MediaWiki refuses pages of more than two million."""
DEEPEST = 32
ARTICLES = "0"
WIKITEXT = "wikitext"
FILES_AND_CATEGORIES = ("file", "image", "media", "category")
PAGE, REVISION = ["mediawiki", "page"], ["mediawiki", "page", "revision"]
NAMESPACE = ["mediawiki", "siteinfo", "namespaces", "namespace"]
FIELDS = {
    (*PAGE, "title"): "title",
    (*PAGE, "ns"): "namespace",
    (*REVISION, "model"): "model",
    (*REVISION, "text"): "markup",
}
"""The fields of a `Page` by the elements that hold them."""


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
        if len(self.opened) < DEEPEST_MARKUP:
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


@dataclass
class Page:
    """A page of a wiki, including its markup."""

    line: int  # line of the dump in which the page begins
    title: str = ""  # title, unique in the wiki
    namespace: str = ARTICLES  # ``0`` for articles
    model: str = WIKITEXT  # content model, the kind of its markup
    markup: str = ""  # markup of its last revision in the dump
    redirect: bool = False  # whether the page only leads to another page


class Dump:
    """A decompressed dump, read by an XML parser: it holds the open elements, the innermost text and the current page.

    ``namespaces`` are those that the dump has declared so far (lower case), but that of articles.
    """

    def __init__(self, content: Bounded) -> None:
        self.content = content
        self.namespaces = set(FILES_AND_CATEGORIES)
        self._path: list[str] = []
        self._text: list[str] = []
        self._key = ""
        self._page = Page(1)
        self._complete: list[Page] = []
        self._parser: Any = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.buffer_size = CHUNK
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse_declarations

    def articles(self) -> Iterator[Page]:
        """Yield the articles, without redirects. Refuses what is no dump, cut off, too long, or has entities."""
        while True:
            data = self.content.read1(CHUNK)
            try:
                self._parser.Parse(data, not data)
            except expat.ExpatError as error:
                raise BvfError(f"{self.content.name}: damaged or cut off: {error}", COPY_AGAIN) from error
            yield from self._complete
            self._complete.clear()
            if not data:
                return

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        if self._path[0] != PAGE[0] or len(self._path) > DEEPEST:
            raise BvfError(
                f"{self.content.name}: is XML, but not a MediaWiki dump: <{name[:40]}> is not part of one",
                "dumps of Wikipedia are called enwiki-DATE-pages-articles.xml.bz2",
            )
        self._text = []
        self._key = FIELDS.get(tuple(self._path), "")
        if self._path == NAMESPACE:
            self._key = "" if attributes.get("key") == ARTICLES else "name"
        elif self._path in (PAGE, REVISION):
            self.content.begin(self._parser.CurrentLineNumber)
            if self._path == PAGE:
                self._page = Page(self._parser.CurrentLineNumber)
        elif self._path == [*PAGE, "redirect"]:
            self._page.redirect = True

    def _end(self, _: str) -> None:
        value = "".join(self._text)
        if self._key == "name" and value:
            self.namespaces.add(value.strip().lower())
        elif self._key and self._key != "name":
            setattr(self._page, self._key, value)
        if self._path == PAGE:
            page = self._page
            if page.namespace.strip() == ARTICLES and page.model.strip() == WIKITEXT and not page.redirect:
                self._complete.append(page)
        self._path.pop()
        self._key, self._text = "", []

    def _characters(self, data: str) -> None:
        if self._key:
            self._text.append(data)

    def _refuse_declarations(self, *_: object) -> None:
        raise BvfError(
            f"{self.content.name}: has a document type declaration, as no MediaWiki dump has",
            "it may declare entities that fill the memory; leave this file out",
        )
