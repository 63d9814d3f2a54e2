"""Models on servers in a chat that is rendered here, with the template of their tokenizer: they may think first."""

from collections.abc import Sequence
from dataclasses import replace

from bvf_llama_backend.chat import ChatTurns
from bvf_llama_backend.templates import END, thought_of
from bvf_transformers.tokens.cutting import Cut, Cutter
from bvf_transformers.tokens.word_tree import Ids

from bvf import BvfError, Prompt
from bvf.domain import Generation
from bvf.interfaces import ThinkingBackend, Thought, random_stream
from bvf_openai_backend.backend import ExactModel
from bvf_openai_backend.dialects import SHAPES, Continuing, Draw
from bvf_openai_backend.server import Served, Server, changed_shape

SEEDS = 2**31


class ExactChatModel(ExactModel, ThinkingBackend):
    """An `ExactModel` that reads every context as the user's message in a chat, and perhaps ``thinks`` before it."""

    capabilities = replace(ExactModel.capabilities, wording="chat", reads_chats=True, thinks=True)

    def __init__(self, served: Served, server: Server, cutter: Cutter, turns: ChatTurns, *, thinks: bool) -> None:
        super().__init__(served, server, cutter)
        self.turns, self._thinks = turns, thinks

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        return super().cut(self.turns.around([replace(prompt, chat=self.turns.chat) for prompt in prompts]), words)

    def requests(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> int:
        return super().requests(prompts, words, number) + (number if self._thinks else 0)

    def thoughts(self, prompts: Sequence[Prompt], generation: Generation) -> list[list[Thought]]:
        """Return thoughts, each of a request with its own seed. Refuses prompts that are too long."""
        asked = [(each.left, replace(self.turns.chat, before=each.before), 0) for each in prompts]
        begun = self.cutter.ids_before(self.turns.before_thoughts(asked))
        self._check_room(prompts, begun, generation.tokens)
        mark = END, self.cutter.tokenizer.get_vocab().get(END)
        draws = [
            (ids, Draw(generation.tokens, generation.temperature, _seed(prompt, number, generation), *mark))
            for prompt, ids in zip(prompts, begun, strict=True)
            for number in range(generation.samples)
        ]
        drawn = self._drawn(draws)
        return [drawn[start : start + generation.samples] for start in range(0, len(drawn), generation.samples)]

    def _drawn(self, draws: Sequence[tuple[Ids, Draw]]) -> list[Thought]:
        dialect, client = self.server.dialect, self.server.client
        assert isinstance(dialect, Continuing)
        answers = client.post_all([dialect.text_call(ids, draw) for ids, draw in draws], counted=True)
        thoughts = []
        for (_, draw), answer in zip(draws, answers, strict=True):
            try:
                text, ended = dialect.text_in(answer, draw)
            except SHAPES as error:
                raise changed_shape(client.host, error) from None
            thoughts.append(thought_of(text, self.turns.marks, ended=ended))
        return thoughts

    def _check_room(self, prompts: Sequence[Prompt], begun: Sequence[Ids], tokens: int) -> None:
        longest = max(range(len(begun)), key=lambda index: len(begun[index]))
        if 0 < self.served.longest < len(begun[longest]) + tokens:
            raise BvfError(
                f'{self.model_name}: "{prompts[longest]}" has {len(begun[longest])} tokens before its thought, and the '
                f"server takes {self.served.longest} with it",
                "give a smaller --tokens, or start the server for longer texts",
            )


class ExactContinuedChatModel(ExactChatModel):
    """An `ExactModel` that reads every context as the start of the assistant's answer, and continues it."""

    capabilities = replace(ExactChatModel.capabilities, wording="chat-assistant")


def _seed(prompt: Prompt, number: int, generation: Generation) -> int:
    return int(random_stream(prompt, number, generation).integers(SEEDS))
