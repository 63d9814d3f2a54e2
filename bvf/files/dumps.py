"""Articles of a MediaWiki XML dump, one after another; a page at a time is held in memory."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from bvf.errors import BvfError
from bvf.files.corpora import COPY_AGAIN, Bounded

CHUNK = 1 << 16
LONGEST_PAGE = 20_000_000
"""Bytes of XML; MediaWiki refuses pages of more than two million."""
DEEPEST = 32
ARTICLES = "0"
WIKITEXT = "wikitext"
FILES_AND_CATEGORIES = ("file", "image", "media", "category")
PAGE, REVISION = ["mediawiki", "page"], ["mediawiki", "page", "revision"]
NAMESPACE = ["mediawiki", "siteinfo", "namespaces", "namespace"]
OF_A_PAGE = {(*PAGE, "title"): "title", (*PAGE, "ns"): "namespace"}
OF_A_REVISION = {(*REVISION, "model"): "model", (*REVISION, "text"): "markup"}
READ = {**OF_A_PAGE, **OF_A_REVISION}


@dataclass
class Page:
    """An article as its authors wrote it.

    Args:
        line: Of the dump, where it begins.
        title: No other page of the wiki has it.
        namespace: ``0`` for articles.
        model: What its markup is.
        markup: Of its last revision in the dump.
        redirect: Whether it only leads to another page.
    """

    line: int
    title: str = ""
    namespace: str = ARTICLES
    model: str = WIKITEXT
    markup: str = ""
    redirect: bool = False


@dataclass
class Dump:
    """A dump, and what it says of its wiki before the first page.

    Args:
        content: Of the file, decompressed.
        namespaces: Names of all but that of the articles, in lower case.
    """

    content: Bounded
    namespaces: set[str] = field(default_factory=lambda: set(FILES_AND_CATEGORIES))

    def articles(self) -> Iterator[Page]:
        """Yield the articles, without redirects and without pages of other namespaces.

        Raises:
            BvfError: It is no XML or no dump, it was cut off, a page is too long, or it declares entities, as no dump
                does.
        """
        reading = _Reading(self)
        while True:
            data = self.content.read1(CHUNK)
            try:
                reading.parser.Parse(data, not data)
            except expat.ExpatError as error:
                raise BvfError(f"{self.content.name}: damaged or cut off: {error}", COPY_AGAIN) from error
            yield from reading.taken()
            if not data:
                return


class _Reading:
    """What the parser has seen: the elements that are open, the text of the innermost, the page it is of."""

    def __init__(self, dump: Dump) -> None:
        self.dump = dump
        self.path: list[str] = []
        self.text: list[str] = []
        self.key = ""
        self.page = Page(1)
        self.articles: list[Page] = []
        self.parser: Any = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.buffer_size = CHUNK
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._refuse_declarations

    def taken(self) -> list[Page]:
        """Return the articles since the last call."""
        articles, self.articles = self.articles, []
        return articles

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        if self.path[0] != PAGE[0] or len(self.path) > DEEPEST:
            raise BvfError(
                f"{self.dump.content.name}: is XML, but no MediaWiki dump: <{name[:40]}> is no part of one",
                "dumps of Wikipedia are called enwiki-DATE-pages-articles.xml.bz2",
            )
        self.text = []
        self.key = READ.get(tuple(self.path), "") if len(self.path) < DEEPEST else ""
        if self.path == NAMESPACE:
            self.key = "" if attributes.get("key") == ARTICLES else "name"
        elif self.path in (PAGE, REVISION):
            self.dump.content.begin(self.parser.CurrentLineNumber)
            if self.path == PAGE:
                self.page = Page(self.parser.CurrentLineNumber)
        elif self.path == [*PAGE, "redirect"]:
            self.page.redirect = True

    def _end(self, _: str) -> None:
        value = "".join(self.text)
        if self.key == "name" and value:
            self.dump.namespaces.add(value.strip().lower())
        elif self.key and self.key != "name":
            setattr(self.page, self.key, value)
        if self.path == PAGE and self._is_article():
            self.articles.append(self.page)
        self.path.pop()
        self.key, self.text = "", []

    def _is_article(self) -> bool:
        page = self.page
        return page.namespace.strip() == ARTICLES and page.model.strip() == WIKITEXT and not page.redirect

    def _characters(self, data: str) -> None:
        if self.key:
            self.text.append(data)

    def _refuse_declarations(self, *_: object) -> None:
        raise BvfError(
            f"{self.dump.content.name}: has a document type declaration, as no MediaWiki dump has",
            "it may declare entities that fill the memory; leave this file out",
        )
