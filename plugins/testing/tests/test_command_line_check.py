"""``bvf check`` on topic files."""

import re

from helpers.topic_text import topic_text

FAIR = topic_text({"violent": ["violent", "aggressive"], "peaceful": ["peaceful", "calm"]})


def test_a_topic_file_is_checked(command, tmp_path):
    file = tmp_path / "temper.toml"
    file.write_text(FAIR)
    fair = command("check", file)
    assert fair.code == 0, fair.err
    assert re.fullmatch(r"ok    topic temper: \d+ checks\n", fair.out)
    file.write_text(FAIR.replace("written for this test", "a book"))
    vague = command("check", file)
    assert vague.code == 2
    assert 'the source "a book" cannot be looked up' in vague.out
    with_model = command("check", file, "--model", "baseline:random")
    assert "is a topic, which has no backend" in with_model.err
