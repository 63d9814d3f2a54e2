"""One prompt of a plan as the model reads it, token by token, before anything is scored."""

from collections.abc import Sequence
from itertools import pairwise

from pydantic import Field

from bvf.domain.numbers import Count, Record
from bvf.interfaces.backend import Tokenizing
from bvf.measuring.plan import Plan


class ReadToken(Record):
    """A token that the model reads."""

    id: Count
    text: str = Field(description="What it adds to the text; empty: not known")


class Preview(Record):
    """The first prompt of a plan, up to the first token of a word."""

    model: str
    prompts: Count = Field(description="How many prompts the run has")
    group: str
    template: str
    text: str = Field(description="What the model reads, special tokens included, if its tokens are known")
    word: str = Field(description="The first of the words whose probability is asked for; empty: of none is")
    generated: str = Field("", description="The texts that it writes; empty: none")
    thinks: str = Field("", description="Its thoughts, of which an empty one stands in the text; empty: none")
    tokens: tuple[ReadToken, ...] = Field(description="Empty if the backend does not know its tokens")


def preview_of(plan: Plan) -> Preview:
    """Load the model, and return the first prompt of a plan as the model reads it."""
    backend, questions, kind = plan.model.load(), plan.questions, plan.kind
    prompt = plan.prompts([0])[0]
    (_, (word, *_)), *_ = questions.by_forms([prompt])
    prompt, how = kind.begun(prompt), {each.reading: each.described for each in plan.asked.drawn.values()}
    text, tokens = f"{prompt.before}{prompt if kind.scores_words else prompt.left}", tuple[ReadToken, ...]()
    if isinstance(backend, Tokenizing):
        ids = backend.token_ids(prompt, word)
        text = backend.text_of(ids) or text
        tokens = tuple(ReadToken(id=each, text=its) for each, its in zip(ids, _texts(backend, ids), strict=True))
    return Preview(
        model=plan.model.name,
        prompts=questions.size,
        group=prompt.group,
        template=prompt.context,
        text=text,
        word=word if kind.scores_words else "",
        generated=how.get("generated", ""),
        thinks=how.get("thought", ""),
        tokens=tokens,
    )


def _texts(backend: Tokenizing, ids: Sequence[int]) -> list[str]:
    """What each token adds to the text of those before it. It is its own text if it changes that text."""
    before = [backend.text_of(ids[:end]) for end in range(len(ids) + 1)]
    return [
        now.removeprefix(then) if now.startswith(then) else backend.text_of([each])
        for each, (then, now) in zip(ids, pairwise(before), strict=True)
    ]
