"""The marks around a thought at the beginning of the assistant's turn, as a chat template writes them."""

import re
from dataclasses import dataclass

from bvf.interfaces import Thought

BEGIN, END = "<think>", "</think>"
SWITCH = "enable_thinking"
"""The variable by which templates let a model think, or not."""
NOT_THOUGHT = re.compile(rf"{BEGIN}(\s*){END}(\s*)$")
"""An empty thought at the end of a chat: so templates begin an answer without a thought."""
LINE = "\n"


@dataclass(frozen=True)
class Marks:
    """What stands around a thought.

    Args:
        opening: What begins a thought after the beginning of the assistant's turn.
        line: What a template writes between a thought and the mark of its end; the model writes it itself.
        closing: The mark of its end, and what separates it from the answer.
    """

    opening: str = BEGIN + LINE
    line: str = LINE
    closing: str = END + LINE + LINE


def marks_in(template: str, begun: str, without: str) -> Marks | None:
    r"""Return the marks of a template; None: it has none.

    Args:
        template: The template itself.
        begun: A chat up to the assistant's turn, in which the model thinks.
        without: The same chat where the model is told not to think.

    >>> marks_in("... <think> ... </think> ...", "assistant: ", "assistant: <think>\n\n</think>\n")
    Marks(opening='<think>\n', line='\n', closing='</think>\n')
    """
    if BEGIN not in template or END not in template:
        return None
    empty = NOT_THOUGHT.search(without)
    marks = Marks()
    if empty is not None:
        line = LINE if LINE in empty[1] else ""
        marks = Marks(BEGIN + line, line, END + empty[2])
    return Marks("", marks.line, marks.closing) if begun.rstrip().endswith(BEGIN) else marks


def thought_of(text: str, marks: Marks, *, ended: bool) -> Thought:
    r"""Return the thought in a text, up to the mark of its end.

    If there is no mark, and the model has not ``ended`` the thought otherwise, it has behind it what the template
    writes before the mark.

    >>> thought_of("So.</think>He", Marks(), ended=False)
    Thought(text='So.', ended=True)
    >>> thought_of("And", Marks(), ended=False)
    Thought(text='And\n', ended=False)
    """
    thought, mark, _ = text.partition(END)
    if mark or ended:
        return Thought(thought, ended=True)
    return Thought(thought.removesuffix(marks.line) + marks.line, ended=False)
