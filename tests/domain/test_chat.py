"""A chat around a context: what it may say, and that it makes another context of an equal text."""

import pytest

from bvf.domain.chat import Chat
from bvf.domain.context import ContextSet, Template
from bvf.errors import BvfError
from bvf.files.contexts.sets import contexts_digest


def test_equal_texts_in_different_chats_are_different_contexts():
    text = "The [X] said that [Y]"
    chats = [
        None,
        Chat("user"),
        Chat("user", system="Be brief."),
        Chat("assistant", "Go on."),
        Chat("assistant", "Tell."),
    ]
    templates = [Template(text, chat=chat) for chat in chats]
    assert len({template.key for template in templates}) == len(chats)
    assert templates[0].key == text
    assert templates[3].key == f'{text} (assistant\'s turn, user "Go on.")'
    assert len({contexts_digest(ContextSet("chats", (template,), (1.0,))) for template in templates}) == len(chats)


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        (("system",), 'the turn "system" is neither user nor assistant'),
        (("assistant",), "the user says nothing before the assistant's turn"),
        (("user", "Go on."), "the user's message is the context, and there is another one"),
    ],
)
def test_a_chat_that_cannot_be_is_refused(stated, says):
    with pytest.raises(BvfError, match=says):
        Chat(*stated)
