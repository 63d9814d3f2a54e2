"""A page of names from somebody who means harm: they are text, and nothing of them is markup."""

from html.parser import HTMLParser

import pytest
from helpers.hostile_texts import DIRECTING, PAYLOADS

from bvf.errors import harmless

OURS = (
    "html head meta title style body header details summary h1 h2 h3 p button nav ul li a main section article sup dl "
    "div dt dd pre code figure picture source img figcaption label input table caption thead tr th tbody td svg path "
    "footer script"
)
"""The elements of a page."""


class Seen(HTMLParser):
    """What a browser finds in a page: elements, attributes, and texts outside scripts and styles."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes, self.texts, self.within = [], [], [], ""

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.attributes += attrs
        self.within = tag

    def handle_endtag(self, tag):
        self.within = ""

    def handle_data(self, data):
        if self.within not in {"script", "style"}:
            self.texts.append(data)


@pytest.fixture(scope="module", params=["full", "light"])
def seen(request, hostile):
    parser = Seen()
    parser.feed(hostile[request.param])
    parser.close()
    parser.light = request.param == "light"
    return parser


def test_there_is_no_element_and_no_running_script_but_those_of_the_page(seen):
    assert {tag for tag, _ in seen.elements} <= set(OURS.split())
    scripts = [attributes for tag, attributes in seen.elements if tag == "script"]
    running = [attributes for attributes in scripts if attributes.get("type") != "application/json"]
    assert running == ([] if seen.light else [{}, {}])


def test_no_attribute_runs_or_loads_anything(seen):
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert all(value.startswith("#") for name, value in seen.attributes if name in {"href", "action", "formaction"})
    assert all(value.startswith("data:image/") for name, value in seen.attributes if name == "src")


def test_every_name_is_there_as_text_and_turns_no_text_around_it(seen):
    for payload in PAYLOADS:
        visible = "".join(each for each in harmless(payload) if each not in DIRECTING)
        assert any(visible in text for text in seen.texts), payload
    shown = [*seen.texts, *(value for _, value in seen.attributes if value)]
    assert not any(set(text) & set(DIRECTING) for text in shown)


def test_anchors_are_the_pages_own(seen):
    anchors = [value for name, value in seen.attributes if name == "id"]
    assert len(set(anchors)) == len(anchors)
    assert {value[1:] for name, value in seen.attributes if name == "href"} <= set(anchors)
