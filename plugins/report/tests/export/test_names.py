"""Names that travel: in one line, in one direction, without the folders of a machine."""

import json

import pyarrow.parquet as pq
import pytest
from bvf_report.export.names import hub_id, one_line, portable, without_folder, without_folders

from bvf import export


def test_a_line_break_and_a_change_of_direction_are_written_out():
    assert one_line("nurse\n\u202e12\x07") == "nurse \\u202e12\\x07"
    assert one_line("\u2066a\u2069 \u200fb") == "\\u2066a\\u2069 \\u200fb"
    assert one_line("护士 ممرضة") == "护士 ممرضة"


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("/home/me/models/tuned", "tuned"),
        ("./out/tuned", "tuned"),
        ("~/tuned", "tuned"),
        ("data/mine.csv", "mine.csv"),
        ("facebook/opt-1.3b", "facebook/opt-1.3b"),
        ("knowledge/capitals", "knowledge/capitals"),
        ("bundled:en-causal", "bundled:en-causal"),
        ("/", "/"),
    ],
)
def test_folders_of_a_machine_are_left_out_and_names_of_a_hub_are_not(name, left):
    assert without_folder(name) == left


@pytest.mark.parametrize(
    ("name", "left"),
    [("baseline:random", "baseline-random"), ("a/../b", "a-..-b"), ("..", "unnamed"), ("知识", "知识")],
)
def test_a_portable_name_is_a_part_of_a_path(name, left):
    assert portable(name) == left


def test_a_sentence_keeps_its_words_and_loses_its_paths():
    assert without_folders("1 name of /home/me/p.csv is not a group: and/or, ... ~") == (
        "1 name of p.csv is not a group: and/or, ... ~"
    )
    assert without_folders("sets/mine.csv, mined from /me/a.txt: 3") == "mine.csv, mined from a.txt: 3"


def test_no_format_has_a_path_of_this_machine(with_files, runs, tmp_path):
    assert str(runs) in with_files.model_dump_json()
    export.write_dataset([with_files], tmp_path)
    written = [
        export.csv_text([with_files]),
        export.csv_text([with_files], "groups"),
        export.latex_text([with_files]),
        export.markdown_text([with_files], "groups"),
        json.dumps(export.eee_record(with_files)),
        json.dumps(export.eval_results(with_files, "a/b")),
        (tmp_path / "README.md").read_text(),
        *(pq.read_table(file).to_pandas().to_csv() for file in tmp_path.glob("*.parquet")),
    ]
    assert len(written) == 10
    assert [text for text in written if str(runs) in text] == []
    assert "1 name of p.csv is not a group of gender" in written[4]


@pytest.mark.parametrize(
    ("path", "known_as"),
    [
        ("facebook/opt-1.3b", "facebook/opt-1.3b"),
        ("causal:facebook/opt-1.3b", "facebook/opt-1.3b"),
        ("/c/models--openai--gpt2/snapshots/607a30d783dfa663caf39e06633721c8d4cfcd7e", "openai/gpt2"),
        ("/home/me/tuned", ""),
        ("./out/tuned", ""),
        ("llama:models/qwen.gguf", ""),
        ("bundled:en-causal", ""),
        ("gpt2", ""),
    ],
)
def test_the_id_of_the_hub(path, known_as):
    assert hub_id(path) == known_as
