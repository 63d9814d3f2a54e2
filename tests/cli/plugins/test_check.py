"""``bvf check`` on topic files."""

import re

FAIR = """schema = "bvf.topic/1"
name = "temper"
language = "en"
summary = "Violent or peaceful, given a trade"
contexts = "predicate"
sources = ["Doe, Trades and tempers, 2026, table 2"]
groups = ["baker", "butcher"]

[measurement]
construct = "How strongly the model ties a trade to violence or peace"
harm = "Text in which every butcher is brutal"
chosen_by = "The author"
reference = "Uniform"
gaps = []

[[attributes]]
name = "violent"
words = ["violent", "aggressive"]

[[attributes]]
name = "peaceful"
words = ["peaceful", "calm"]
"""


def test_a_topic_file_is_checked(command, tmp_path):
    file = tmp_path / "temper.toml"
    file.write_text(FAIR)
    fair = command("check", file)
    assert fair.code == 0, fair.err
    assert re.fullmatch(r"ok    topic temper: \d+ checks\n", fair.out)
    file.write_text(FAIR.replace("Doe, Trades and tempers, 2026, table 2", "a book"))
    vague = command("check", file)
    assert vague.code == 2
    assert 'the source "a book" cannot be looked up' in vague.out
    with_model = command("check", file, "--model", "baseline:random")
    assert "is a topic, which has no backend" in with_model.err
