"""The columns that state the chat of a context are read, written, and refused where they contradict each other."""

import pytest
from bvf_report.export import write_contexts_dataset

from bvf import BvfError
from bvf.domain.chat import Chat
from bvf.files.contexts.sets import contexts_digest, read_contexts
from bvf.stats.figures.context_sets import as_csv

HEAD = "template,count,chat_turn,chat_user,chat_system,format\n"
ROWS = 'The [X] is [Y],2,,,,bare\nThe [X] is [Y],2,assistant,"Go on, please.",Be brief.,terse\n'


def test_a_row_states_its_chat_and_a_set_or_a_data_set_is_read_back_as_it_was_written(tmp_path):
    (tmp_path / "set.csv").write_text(HEAD + ROWS)
    (tmp_path / "sources.toml").write_text('[set]\nsource = "me"\nwritten = true\nlicence = "CC0-1.0"\n')
    contexts = read_contexts(tmp_path / "set.csv")
    chats = [template.chat for template in contexts.templates]
    assert chats == [None, Chat("assistant", "Go on, please.", "Be brief.")]
    assert contexts.details == ({"format": "bare"}, {"format": "terse"})
    (tmp_path / "again.csv").write_text(as_csv(contexts, tmp_path))
    again = read_contexts(tmp_path / "again.csv")
    assert (again.templates, again.details) == (contexts.templates, contexts.details)
    again = read_contexts(write_contexts_dataset(contexts, tmp_path / "data", "en"))
    assert again.templates == contexts.templates
    assert contexts_digest(again) == contexts_digest(contexts)


def test_a_chat_that_cannot_be_is_refused_with_its_line(tmp_path):
    (tmp_path / "set.csv").write_text(f"{HEAD}The [X] is [Y],1,,Go on.,,\n")
    with pytest.raises(BvfError, match=r'set\.csv:2: the turn "" is neither user nor assistant'):
        read_contexts(tmp_path / "set.csv")
