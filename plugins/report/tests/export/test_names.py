"""Names that travel: in one line, in one direction, without the folders of a machine."""

import json

import pyarrow.parquet as pq
import pytest
from bvf_report.export.names import hub_id, one_line, portable, without_folder, without_folders

from bvf import export

IN_ONE_LINE = {
    "nurse\n\u202e12\x07": "nurse \\u202e12\\x07",
    "\u2066a\u2069 \u200fb": "\\u2066a\\u2069 \\u200fb",
    "护士 ممرضة": "护士 ممرضة",
}
WITHOUT_FOLDER = {
    "/home/me/models/tuned": "tuned",
    "./out/tuned": "tuned",
    "~/tuned": "tuned",
    "data/mine.csv": "mine.csv",
    "facebook/opt-1.3b": "facebook/opt-1.3b",
    "knowledge/capitals": "knowledge/capitals",
    "bundled:en-causal": "bundled:en-causal",
    "/": "/",
}
SENTENCES = {
    "1 name of /home/me/p.csv is not a group: and/or, ... ~": "1 name of p.csv is not a group: and/or, ... ~",
    "sets/mine.csv, mined from /me/a.txt: 3": "mine.csv, mined from a.txt: 3",
}
PART_OF_A_PATH = {"baseline:random": "baseline-random", "a/../b": "a-..-b", "..": "unnamed", "知识": "知识"}
ID_OF_THE_HUB = {
    "facebook/opt-1.3b": "facebook/opt-1.3b",
    "causal:facebook/opt-1.3b": "facebook/opt-1.3b",
    "/c/models--openai--gpt2/snapshots/607a30d783dfa663caf39e06633721c8d4cfcd7e": "openai/gpt2",
    **dict.fromkeys(("/home/me/tuned", "./out/tuned", "llama:models/qwen.gguf", "bundled:en-causal", "gpt2"), ""),
}
NAMED = {
    one_line: IN_ONE_LINE,
    without_folder: WITHOUT_FOLDER,
    without_folders: SENTENCES,
    portable: PART_OF_A_PATH,
    hub_id: ID_OF_THE_HUB,
}


@pytest.mark.parametrize(
    ("shown_by", "name", "shown"), [(by, *pair) for by, pairs in NAMED.items() for pair in pairs.items()]
)
def test_names_and_sentences_travel_without_their_folders_line_breaks_and_directions(shown_by, name, shown):
    assert shown_by(name) == shown


def test_no_format_has_a_path_of_this_machine(with_files, tmp_path):
    here = str(tmp_path.parent)
    assert here in with_files.model_dump_json()
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
    assert [text for text in written if here in text] == []
    assert "1 name of p.csv is not a group of gender" in written[4]
