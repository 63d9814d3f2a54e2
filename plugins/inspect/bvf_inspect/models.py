"""``--model bvf/BACKEND:MODEL``: a model that bvf itself loads. It returns log p of every candidate word."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelAPI,
    ModelOutput,
    TopLogprob,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from bvf import BvfError
from bvf_inspect.naming import of_bvf

if TYPE_CHECKING:
    from bvf import Backend, ChosenModel, Prompt
    from bvf.stats import FloatArray

AT_ONCE = 256
"""The most concurrent questions; those that wait at the same time are asked in one batch."""
ASKED = "bvf"
"""The key in a message's metadata under which bvf's tasks store the question."""


@dataclass(eq=False)
class _Waiting:
    prompt: "Prompt"
    words: tuple[str, ...]
    answer: "FloatArray | None" = field(default=None)


class BvfModel(ModelAPI):
    """Answers the questions of bvf's own tasks. An answer has the log-probability of every candidate word.

    ``model_name`` is the model as in ``bvf run --model``; ``model_args`` (``-M``) are the ``backend`` and its options,
    such as ``device``.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the same as in the interface
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.settings = {"model": model_name, **model_args}
        self.chosen: ChosenModel | None = None
        self._backend: Backend | None = None
        self._turn = anyio.Lock()
        self._waiting: list[_Waiting] = []

    def max_connections(self) -> int:
        return AT_ONCE

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """Answer a question of bvf, in one batch with all other waiting questions."""
        mine = self._question(input)
        self._waiting.append(mine)
        async with self._turn:
            if mine.answer is None:
                together = self._waiting if mine in self._waiting else [mine]  # else it was in a batch that failed
                self._waiting = [each for each in self._waiting if each not in together]
                try:
                    await anyio.to_thread.run_sync(self._answer, together)
                except BvfError:
                    if len(together) == 1:
                        raise
                    await anyio.to_thread.run_sync(self._answer, [mine])
        assert mine.answer is not None
        return self._output(mine.words, mine.answer)

    def _question(self, messages: list[ChatMessage]) -> _Waiting:
        from bvf import Prompt

        asked = (messages[-1].metadata or {}).get(ASKED) if len(messages) == 1 else None
        if asked is None or self.chosen is None:
            raise BvfError(
                f"bvf/{self.model_name} answers the questions of bvf's own tasks only",
                "for other tasks, name the model by a provider of inspect, such as hf/",
            )
        return _Waiting(Prompt(**asked["prompt"]), tuple(asked["words"]))

    def _answer(self, together: list[_Waiting]) -> None:
        from bvf import Tokenizing
        from bvf.files import ONE_AT_A_TIME

        with ONE_AT_A_TIME:
            self._backend = self._backend or self._loaded()
            for words in {each.words for each in together}:
                alike = [each for each in together if each.words == words]
                prompts = [each.prompt for each in alike]
                if isinstance(self._backend, Tokenizing):
                    self._backend.check_tokens(prompts, words)
                for each, logp in zip(alike, self._backend.word_logprobs(prompts, words), strict=True):
                    each.answer = logp

    def _loaded(self) -> "Backend":
        from bvf.interfaces import Metered

        assert self.chosen is not None
        backend = self.chosen.load()
        if isinstance(backend, Metered):
            raise BvfError(
                f"bvf/{self.model_name} is on a server, which bvf run asks", "here, a provider of inspect asks it"
            )
        return backend

    def _output(self, words: tuple[str, ...], logp: "FloatArray") -> ModelOutput:
        ranked = sorted(zip(logp.tolist(), words, strict=True), reverse=True)
        best, word = ranked[0]
        top = [TopLogprob(token=each, logprob=value) for value, each in ranked if value > -float("inf")]
        token = Logprob(token=word, logprob=best, top_logprobs=top)
        choice = ChatCompletionChoice(
            message=ChatMessageAssistant(content=word, model=self.model_name, source="generate"),
            stop_reason="stop",
            logprobs=Logprobs(content=[token] if top else []),
        )
        return ModelOutput(model=self.model_name, choices=[choice])


@modelapi("bvf")
@of_bvf
def bvf_models() -> type[ModelAPI]:
    """Return inspect's model provider for models that bvf itself loads."""
    return BvfModel
