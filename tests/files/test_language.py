"""A language reads files beside its class; what has no file is as every language has it."""

import importlib
import sys

import pytest
from bvf_en.rules import English

from bvf import Language
from bvf.hooks.loader import load

CLASS = "from bvf.files import LanguageInFiles\n\n\nclass Own(LanguageInFiles):\n    render = None\n"
FILES = {
    "texts.toml": 'refusals = ["i <cannot> say"]\ncannot = ["can\'t", "won\'t"]',
    "concepts.toml": '"2221 nurse" = ["Pfleger"]',
    "readers.toml": 'persons = ["mann"]',
    "frames.toml": '[year]\npattern = "In [level], [template]"\nlevels = ["1990", "2030"]',
    "formats.toml": '[tell]\nturn = "user"',
    "openings/quiet.csv": "opening,count\nIt rained.,3\nIt snowed.,1\n",
}
READ = ("openings", "frames", "formats", "concepts", "passages", "refusals", "longer_words")


class Plainer(English):
    """A pack that somebody extends, in a file of no package."""


@pytest.mark.parametrize("module", ["__init__", "rules"])
def test_it_reads_the_files_of_its_package_or_answers_as_every_language(module, tmp_path, monkeypatch):
    name = f"bvf_made_{module.strip('_')}"
    folder = tmp_path / name
    (folder / "openings").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / f"{module}.py").write_text(CLASS)
    monkeypatch.syspath_prepend(tmp_path)
    language = importlib.import_module(name if module == "__init__" else f"{name}.{module}").Own()
    (folder / "openings").rmdir()
    assert [getattr(language, each)() for each in READ] == [getattr(Language, each)(language) for each in READ]

    (folder / "openings").mkdir()
    for file, text in FILES.items():
        (folder / file).write_text(text)
    assert list(language.openings()["quiet"].texts) == ["It rained.", "It snowed."]
    assert [*language.frames(), *language.formats()] == ["year", "tell"]
    assert (language.concepts(), language.passages()) == ({"2221 nurse": ("Pfleger",)}, {"persons": ("mann",)})
    assert (language.refusals(), language.longer_words()) == (("i (?:can't|won't) say",), ())


def test_who_extends_a_pack_has_its_files(monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "__package__", "")
    assert [getattr(Plainer(), each)() for each in READ] == [getattr(English(), each)() for each in READ]


def test_packs_have_refusals_openings_and_concepts():
    for _, language in load().languages.made():
        assert all((language.refusals(), language.openings(), language.concepts()))
