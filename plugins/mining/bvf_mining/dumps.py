"""Reads the articles of a MediaWiki XML dump. Only one page is in memory at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from bvf import BvfError
from bvf_mining.corpora import COPY_AGAIN, Bounded

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


@dataclass
class Page:
    """A page of a wiki, including its markup.

    Args:
        line: Line of the dump in which the page begins.
        title: Title, unique in the wiki.
        namespace: ``0`` for articles.
        model: Content model, the kind of its markup.
        markup: Markup of its last revision in the dump.
        redirect: Whether the page only leads to another page.
    """

    line: int
    title: str = ""
    namespace: str = ARTICLES
    model: str = WIKITEXT
    markup: str = ""
    redirect: bool = False


@dataclass
class Dump:
    """A decompressed dump, and the namespaces that it declares before the first page.

    ``namespaces`` has their names in lower case, without the namespace of articles.
    """

    content: Bounded
    namespaces: set[str] = field(default_factory=lambda: set(FILES_AND_CATEGORIES))

    def articles(self) -> Iterator[Page]:
        """Yield the articles. Redirects and pages of other namespaces are left out.

        Raises:
            BvfError: The file is not a dump in XML, was truncated, has a page that is too long, or declares entities.
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
    """The state of the XML parser: the open elements, the text of the innermost one, and the current page."""

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
        """Return the articles that were completed since the last call."""
        articles, self.articles = self.articles, []
        return articles

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        if self.path[0] != PAGE[0] or len(self.path) > DEEPEST:
            raise BvfError(
                f"{self.dump.content.name}: is XML, but not a MediaWiki dump: <{name[:40]}> is not part of one",
                "dumps of Wikipedia are called enwiki-DATE-pages-articles.xml.bz2",
            )
        self.text = []
        self.key = FIELDS.get(tuple(self.path), "") if len(self.path) < DEEPEST else ""
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
        if self.path == PAGE:
            page = self.page
            if page.namespace.strip() == ARTICLES and page.model.strip() == WIKITEXT and not page.redirect:
                self.articles.append(page)
        self.path.pop()
        self.key, self.text = "", []

    def _characters(self, data: str) -> None:
        if self.key:
            self.text.append(data)

    def _refuse_declarations(self, *_: object) -> None:
        raise BvfError(
            f"{self.dump.content.name}: has a document type declaration, as no MediaWiki dump has",
            "it may declare entities that fill the memory; leave this file out",
        )
