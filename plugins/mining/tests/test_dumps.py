"""Dumps of wikis: articles alone, as a reader sees them; refused in one line where something is wrong."""

import bz2
import random
import subprocess
import sys
import tracemalloc
from html import escape
from itertools import pairwise

import pytest
from bvf_mining.corpus import Corpus, Health, sample, without_markup
from bvf_mining.dumps import plain
from helpers.corpus import COMPRESS, documents_or_error, read, refused
from hypothesis import given
from hypothesis import strategies as st

from bvf.interfaces.miner import Document

SITE = """<siteinfo><sitename>W</sitename><namespaces>
<namespace key="-1" case="first-letter">Spezial</namespace><namespace key="0" case="first-letter" />
<namespace key="6" case="first-letter">Datei</namespace></namespaces></siteinfo>"""
NURSE = "The [[nurse]] said that she left."


def page(title, text=NURSE, ns=0, extra="", model="wikitext"):
    return (
        f"<page><title>{escape(title)}</title><ns>{ns}</ns><id>1</id>{extra}<revision><id>2</id>"
        f'<contributor><username>x</username></contributor><model>{model}</model><text bytes="1">{escape(text)}</text>'
        "</revision></page>\n"
    )


def dump(*pages, site=SITE):
    begin = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">'
    return f"{begin}\n{site}\n{''.join(pages)}</mediawiki>\n".encode()


def multistream(content):
    """As Wikipedia packs them: a stream for the head, one for every hundred pages, one for the end."""
    places = [0, *sorted(random.Random(0).sample(range(len(content)), 5)), len(content)]
    return b"".join(bz2.compress(content[start:stop]) for start, stop in pairwise(places))


PACK = {**COMPRESS, ".multistream.xml.bz2": multistream}
PAGES = (
    page("Ada & Eve", f"{{{{Infobox}}}}'''{NURSE}'''<ref>x</ref>\n[[Datei:A.jpg|mini|Station]]\n[[Category:Nurses]]"),
    page("Ada", "#REDIRECT [[Ada & Eve]]", extra='<redirect title="Ada &amp; Eve" />'),
    page("Talk:Ada", ns=1),
    page("Ada/style.css", ".x {}", model="css"),
    page("Bob", "The cook wrote that he came."),
    page("List", "{|\n| The nurse said that she left.\n|}"),
)


@pytest.mark.parametrize("compression", PACK)
def test_articles_are_documents_under_their_titles(tmp_path, compression):
    file = tmp_path / f"enwiki.xml{compression}"
    file.write_bytes(PACK[compression](dump(*PAGES)))
    assert read(file) == [
        Document("Ada & Eve", "The nurse said that she left."),
        Document("Bob", "The cook wrote that he came."),
    ]


def test_of_several_revisions_the_last_counts(tmp_path):
    file = tmp_path / "history.xml"
    revisions = "".join(f"<revision><text>Version {n}.</text></revision>" for n in range(3))
    file.write_bytes(dump(f"<page><title>A</title><ns>0</ns>{revisions}</page>"))
    assert read(file) == [Document("A", "Version 2.")]


def test_a_page_without_text_is_told_and_skipped_and_a_dump_of_them_refused(tmp_path):
    file, said = tmp_path / "a.xml", []
    file.write_bytes(dump(*(page(f"P{n}") for n in range(20)), page("Gone", ""), page("End")))
    health = Health(said.append)
    assert len(read(file, health=health)) == 21
    assert said == [f'{file}:25: page "Gone" has no text; skipped']
    assert (health.lines, health.skipped) == (22, 1)
    file.write_bytes(dump(*(page(f"P{n}", "") for n in range(5))))
    assert refused(file) == f'5 of 5 pages cannot be used, the first is {file}:5: page "P0" has no text'


@pytest.mark.parametrize("compression", PACK)
def test_a_dump_that_is_cut_off_is_refused_wherever(tmp_path, compression):
    file = tmp_path / f"a.xml{compression}"
    whole = PACK[compression](dump(*PAGES))
    for cut in range(0, len(whole) - 2, 7):
        file.write_bytes(whole[:cut])
        assert refused(file).startswith(f"{file}: damaged or cut off: ")


def test_a_dump_that_is_cut_between_two_streams_is_refused(tmp_path):
    file, content = tmp_path / "a.xml.bz2", dump(*PAGES)
    file.write_bytes(bz2.compress(content[: content.index(b"<title>Bob")]))
    assert refused(file).startswith(f"{file}: damaged or cut off: no element found")


LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><mediawiki>&b;</mediawiki>"""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<feed><entry>text</entry></feed>", "is XML, but not a MediaWiki dump: <feed> is not part of one"),
        (b"<html><body>" + b"text " * 100_000, "is XML, but not a MediaWiki dump: <html> is not part of one"),
        (LAUGHS, "has a document type declaration, as no MediaWiki dump has"),
        (
            b'<?xml version="1.0"?><!DOCTYPE m SYSTEM "file:///etc/passwd"><mediawiki/>',
            "has a document type declaration",
        ),
        (b"<mediawiki>&b;</mediawiki>", "damaged or cut off: undefined entity"),
        (b"<mediawiki>" + b"<a>" * 10_000_000, "is XML, but not a MediaWiki dump: <a> is not part of one"),
        (b"<mediawiki></mediawiki>", "no text in this corpus"),
        (b"no XML at all", "damaged or cut off: syntax error"),
        (b"<mediawiki>\xff</mediawiki>", "damaged or cut off: not well-formed (invalid token)"),
        (b"", "damaged or cut off: no element found"),
    ],
)
def test_what_is_no_dump_is_one_line(tmp_path, content, said):
    file = tmp_path / "a.xml"
    file.write_bytes(content)
    assert said in refused(file)


def test_a_page_without_an_end_is_refused_and_not_held(tmp_path):
    file = tmp_path / "bomb.xml.bz2"
    start, _, _ = dump(page("Long", "@")).partition(b"@")
    file.write_bytes(bz2.compress(start) + bz2.compress(b"0" * 10_000_000) * 10)
    tracemalloc.start()
    said = refused(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said == f"{file}:5: a document of more than 20 MB"
    assert peak < 60_000_000


def test_a_sample_is_drawn_from_all_articles_and_only_then_read(tmp_path, monkeypatch):
    file = tmp_path / "a.xml"
    file.write_bytes(dump(*(page(f"P{n}", f"[[Nurse]] {n} said that she left.") for n in range(50))))
    stripped = []
    monkeypatch.setattr("bvf_mining.corpus.plain", lambda text, _: stripped.append(text) or text.replace("[", ""))
    drawn = sample(Corpus((str(file),)).as_written(), 5, 1)
    assert len(drawn) == 5
    assert stripped == []
    assert [document.id for document in without_markup(drawn)] == [document.id for document in drawn]
    assert len(stripped) == 5


WHOLE = dump(*PAGES)


@given(place=st.integers(0, len(WHOLE)), length=st.integers(0, 8), other=st.binary(max_size=8))
def test_any_damage_is_read_or_refused_in_one_line(tmp_path_factory, place, length, other):
    file = tmp_path_factory.getbasetemp() / "damaged.xml"
    file.write_bytes(WHOLE[:place] + other + WHOLE[place + length :])
    documents, error = documents_or_error(file)
    assert bool(documents) != bool(error)
    assert "\n" not in error


NAMESPACES = frozenset({"file", "image", "category", "datei", "kategorie"})
SENTENCE = "The nurse said that she left."


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("'''Ada''' was an [[English people|English]] [[nurse]].", "Ada was an English nurse."),
        ("Two [[nurse]]s ''said'' '''''so'''''.", "Two nurses said so."),
        ("She left.<ref>{{cite book|a=b}} p. 3</ref> He<ref name=x /> stayed.", "She left. He stayed."),
        ("She{{lang|fr|{{a|b}}}} left.{{Infobox\n| a = {{b}}\n| c = d\n}}", "She left."),
        ('Before.\n{| class="x"\n| a || {{b|}}\n{|\n| inner\n|}\n|}\nAfter.', "Before.\n\nAfter."),
        ("<table><tr><td>a</td></tr></table>She left.", "She left."),
        ("She left. [[File:A.jpg|thumb|The [[ward]] of ''X'']]", "She left."),
        ("[[Datei:A.jpg|mini|Die Station]]She left.[[Kategorie:Nurses]]", "She left."),
        ("[[Fichier:A.jpg|vignette|Une salle]]She left.", "She left."),
        ("See [[:Category:Nurses]].", "See Category:Nurses."),
        ("She left.\n[[fr:Infirmière]]\n[[zh-min-nan:X]]", "She left."),
        ("[[Star Trek: Voyager]] and [[Ada: a life|a book]].", "Star Trek: Voyager and a book."),
        ("She read [https://a.b/c the letter] and [//a.b] left.", "She read the letter and left."),
        ("She<!-- or he --> left.", "She left."),
        ("She wrote <math>\\frac{{a}{b}</math> and left.", "She wrote and left."),
        ("<gallery>\nA.jpg|A ward\n</gallery>She left.", "She left."),
        ("She said &quot;I&nbsp;left&quot;; x &lt;ref> y.", 'She said "I left"; x <ref> y.'),
        ("== Life ==\nShe left.\n=== Work===\nShe came.", "She left.\n\nShe came."),
        (
            "She left:\n* The cook stayed.\n# He slept.\n:: So it was.",
            "She left:\n\nThe cook stayed.\n\nHe slept.\n\nSo it was.",
        ),
        ("__NOTOC__\n----\nShe left.", "She left."),
        ("Ada ({{IPA|x}}; born 1815) and Eve ({{IPA|x}}) left.", "Ada (born 1815) and Eve left."),
        ("One line\nand its rest.\n\n\n\nAnother.", "One line\nand its rest.\n\nAnother."),
        ("<div class='x'>She<br />left<br>early.</div><b>He</b> did.", "She left early.\n\nHe did."),
        ("医生说-{zh-hans:计算机; zh-hant:電腦}-坏了,-{他}-走了。-{H|zh-cn:a;zh-tw:b}-", "医生说计算机坏了,他走了。"),
        ("{{only|a}}\n{|\n| table\n|}", ""),
        ("", ""),
    ],
)
def test_what_a_reader_sees_stays(markup, text):
    assert plain(markup, NAMESPACES) == text


@pytest.mark.parametrize(
    "opened", ["{{", "[[a|", "<ref>", "<!--", "{|", "<math>", "[http://a", "'''", "{{a\n| b = c\n", "}}"]
)
def test_what_is_never_closed_takes_no_sentence_with_it(opened):
    text = plain(f"{SENTENCE}\n\n{opened}\n\nThe cook wrote that he came.", NAMESPACES)
    assert SENTENCE in text
    assert "The cook wrote that he came." in text


PARTS = [
    *("{{", "}}", "[[", "]]", "|", "{|", "|}", "<ref>", "</ref>", "<!--", "-->", "<math>", "</math>", "\n", "a b"),
    *("'''", "=", "*", "[http://x"),
]


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_any_markup_gives_text_without_templates_and_links(markup):
    text = plain(markup)
    assert len(text) <= 2 * len(markup)
    assert "{{" not in text
    assert "<ref>" not in text


HOSTILE = """
from bvf_mining.dumps import plain
for part in ("{{", "{{a|b=", "[[", "[[a|", "<b>", "<ref>", "<ref ", "<!--", "\\n{|", "\\n:", "\\n ", " ", "(", "( ",
             "[http://a ", "[//", "'", "=", "__A", "<math>", "<math></math", "en-", "&lt;",
             "|}\\n ", "-{", "-{a|", "-{zh:", "}-"):
    plain(part * (200_000 // len(part)))
    plain("x" + part * (200_000 // len(part)) + "x")
plain("[[a|" * 50_000 + "]]" * 50_000)
plain("{{" * 50_000 + "]]" * 50_000)
plain("[//" + "a" * 200_000)
"""


def test_no_page_takes_longer_than_its_length():
    """Anything quadratic takes minutes at this length, and is stopped."""
    subprocess.run([sys.executable, "-c", HOSTILE], check=True, timeout=120)
