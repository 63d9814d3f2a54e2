"""Running text of wiki pages: what a reader sees of sentences stays, whatever else is on the page goes."""

import subprocess
import sys

import pytest
from bvf_mining.dumps import plain
from hypothesis import given
from hypothesis import strategies as st

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
    "opened",
    [
        "{{",
        "[[",
        "[[a|",
        "<ref>",
        "<!--",
        "{|",
        "<math>",
        "<table>",
        "[http://a",
        "'''",
        "{{a\n| b = c\n",
        "}}",
        "]]",
        "|}",
    ],
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


@given(st.text())
def test_any_text_is_read(text):
    plain(text)


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
