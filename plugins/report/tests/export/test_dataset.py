"""A folder that the library `datasets` opens, with what the results say in it and a card that explains it."""

import datasets
import numpy as np
import pytest
import yaml
from bvf_report.export.dataset import meaning_of
from helpers.renaming import renamed
from markdown_it import MarkdownIt

from bvf import export

datasets.disable_progress_bars()


@pytest.fixture(scope="module")
def folder(results, tmp_path_factory):
    folder = tmp_path_factory.mktemp("export") / "data"
    export.write_dataset(results, folder)
    return folder


@pytest.fixture
def load(folder, tmp_path):
    return lambda *names: datasets.load_dataset(str(folder), *names, cache_dir=str(tmp_path))["test"]


def test_the_whole_distribution_is_what_opens_first(load, results):
    rows = load().to_pandas()
    for result in results:
        of_result = rows[rows["measurement"] == result.measurement]
        frame = result.stereotypes()
        assert of_result["context"].tolist() == frame["context"].tolist()
        assert of_result["group"].tolist() == frame["group"].tolist()
        np.testing.assert_array_equal(of_result["probability"].to_numpy(float), frame["probability"].to_numpy())
        np.testing.assert_array_equal(of_result["stereotype"].to_numpy(float), frame["stereotype"].to_numpy())


def test_a_prompt_without_an_answer_has_none(load, results):
    missing = load().filter(lambda row: row["probability"] is None)
    assert set(missing["group"]) == {"nurse"}
    assert len(missing) == 2 * results[1].missing > 0


def test_the_card_says_what_every_column_is(folder, load, results):
    card = (folder / "README.md").read_text()
    for name in ("stereotypes", "groups", "models"):
        for column in load(name).column_names:
            assert meaning_of(column, results), column
            assert f"| {column.replace('_', chr(92) + '_')} | " in card, column


def test_every_column_of_knowledge_is_explained_too(knowledge):
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
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(file.name for file in folder.iterdir())
    for file in folder.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file.name


def test_names_of_strangers_are_text_in_the_card(result, tmp_path):
    named = renamed(result, "<script>alert(1)</script>\n---\nlicense: mit").model_copy(update={"topic": "<script>: x"})
    named._folder = result.folder
    export.write_dataset([named], tmp_path)
    text = (tmp_path / "README.md").read_text()
    _, header, card = text.split("---\n", 2)
    assert set(yaml.safe_load(header)) == {"pretty_name", "language", "tags", "configs"}
    shown = MarkdownIt("commonmark").enable("table").render(card)
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt; --- license: mit" in shown
