"""A folder that the library `datasets` opens, with what the results say, and the figures that exports show."""

from typing import ClassVar

import datasets
import numpy as np
import pytest
import yaml
from bvf_report.export.dataset import meaning_of
from bvf_report.export.papers import latex_text, markdown_text
from bvf_report.export.runs import group_figures, judged_figures, model_figures
from helpers.renaming import renamed
from markdown_it import MarkdownIt

from bvf import export
from bvf.interfaces.section import Quantity
from bvf.results.result import GroupResult, ResultBase

datasets.disable_progress_bars()


@pytest.fixture(scope="module")
def folder(results, tmp_path_factory):
    folder = tmp_path_factory.mktemp("export") / "data"
    export.write_dataset(results, folder)
    return folder


@pytest.fixture
def load(folder, tmp_path):
    return lambda *names: datasets.load_dataset(str(folder), *names, cache_dir=str(tmp_path))["test"]


def test_the_whole_distribution_is_what_opens_first_and_what_has_no_answer_is_empty(load, results):
    rows = load().to_pandas()
    for result in results:
        of_result = rows[rows["measurement"] == result.measurement]
        frame = result.stereotypes()
        for name in ("context", "group"):
            assert of_result[name].tolist() == frame[name].tolist()
        for name in ("probability", "stereotype"):
            np.testing.assert_array_equal(of_result[name].to_numpy(float), frame[name].to_numpy())
    missing = rows[rows["probability"].isna()]
    assert set(missing["group"]) == {"nurse"}
    assert len(missing) == 2 * results[1].missing > 0


def test_the_card_says_what_every_column_is(folder, load, results, knowledge):
    card = (folder / "README.md").read_text()
    for name in ("stereotypes", "groups", "models"):
        for column in load(name).column_names:
            assert meaning_of(column, results), column
            assert f"| {column.replace('_', chr(92) + '_')} | " in card, column
    for table in (export.model_table([knowledge]), export.group_table([knowledge])):
        assert [column for column in table.columns if not meaning_of(column, [knowledge])] == []


def test_the_header_names_the_tables_and_leaves_the_licence_to_whoever_publishes(folder):
    _, header, card = (folder / "README.md").read_text().split("---\n", 2)
    read = yaml.safe_load(header)
    assert [config["config_name"] for config in read["configs"]] == ["stereotypes", "groups", "models"]
    assert "license" not in read
    assert "Licence: not stated" in card
    assert "do not measure harm in use" in card


def test_the_same_bytes_are_written_every_time(folder, results, tmp_path):
    export.write_dataset(results, tmp_path)
    first, again = ({file.name: file.read_bytes() for file in place.iterdir()} for place in (folder, tmp_path))
    assert first == again


def test_names_of_strangers_are_text_in_the_card(result, tmp_path):
    named = renamed(result, "<script>alert(1)</script>\n---\nlicense: mit").model_copy(update={"topic": "<script>: x"})
    named._folder = result.folder
    export.write_dataset([named], tmp_path)
    _, header, card = (tmp_path / "README.md").read_text().split("---\n", 2)
    assert set(yaml.safe_load(header)) == {"pretty_name", "language", "tags", "configs"}
    shown = MarkdownIt("commonmark").enable("table").render(card)
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt; --- license: mit" in shown


class Subject(GroupResult):
    """A group of a plugin's result that says which figures are exported, and what stands beside them."""

    doubt: float
    spare: float = 0.5
    likes: str = "tea"
    exported: ClassVar[tuple[Quantity, ...]] = (Quantity("doubt", "d", "$d$"),)
    described_by: ClassVar[tuple[str, ...]] = ("likes",)


class Named(ResultBase):
    """A plugin's result that says which figures are exported."""

    doubt: float
    spare: float = 0.5
    exported: ClassVar[tuple[Quantity, ...]] = (Quantity("doubt", "D", "$D$", "How undecided it is", True),)
    groups: tuple[Subject, ...]


def test_a_result_that_names_none_has_all_its_numbers_and_none_is_judged(doubt):
    assert [each.field for each in model_figures([doubt])] == ["doubt"]
    assert [each.field for each in group_figures([doubt])] == ["doubt"]
    assert judged_figures(doubt) == ()


def test_a_result_of_a_plugin_is_exported_by_the_figures_and_the_texts_that_it_names(doubt):
    fields = {name: getattr(doubt, name) for name in ResultBase.model_fields if name != "groups"}
    result = Named(**fields, doubt=doubt.doubt, groups=tuple(Subject(**vars(group)) for group in doubt.groups))
    assert judged_figures(result) == Named.exported
    tex = latex_text([result])
    assert r"$D$" in tex
    assert r"$D$: How undecided it is." in tex
    header, _, first = markdown_text([result], "groups").splitlines()[2:5]
    assert header == "| group | likes | d |"
    assert first == f"| {result.groups[0].group} | tea | 0.000 |"
