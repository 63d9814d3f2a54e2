"""Texts that a model on a server writes, for ``--reading generated``. No tokenizer and no log-probability is needed."""

from collections.abc import Sequence
from dataclasses import replace

from bvf import Answers, Backend, BvfError, Capabilities, Prompt
from bvf.domain import Generation
from bvf.interfaces import Metered, Writing
from bvf_openai_backend.client import Client
from bvf_openai_backend.dialects import SHAPES
from bvf_openai_backend.sampling import Drawing, drawing_of
from bvf_openai_backend.server import Served, changed_shape


def drawing_for(client: Client, model: str, generation: Generation) -> Drawing:
    """Return how a server is asked for texts: several in one request where it takes that, else one by one.

    Raises:
        BvfError: The server refuses every way, or continues every text in the same way at temperature 1.
    """
    found = drawing_of(client, model, generation.samples)
    return replace(found, temperature=generation.temperature, seed=generation.seed)


class WritingModel(Backend, Writing, Metered):
    """A model on a server that continues texts. Its random numbers are the server's; the seed is sent with a prompt."""

    capabilities = Capabilities(reads_right=False, writes_texts=True)

    def __init__(self, served: Served, client: Client, drawing: Drawing) -> None:
        self.served, self.client, self.drawing = served, client, drawing

    @property
    def model_name(self) -> str:
        return f"{self.served.name} on {self.client.host}"

    def check_budget(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> None:
        most, each = self.client.options.max_requests, self.drawing.together
        if most and number > most * each:
            raise BvfError(
                f"max_requests={most}, and these {number} texts take more, of {each} per request",
                "allow more, or ask less: --samples, --limit-contexts, --limit-groups",
            )

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers:
        raise BvfError(f"{self.model_name}: it was asked for texts, not for probabilities")

    def texts(self, prompts: Sequence[Prompt], generation: Generation) -> list[list[str]]:
        lefts = list(dict.fromkeys(prompt.left for prompt in prompts))
        calls = [
            (left, call) for left in lefts for call in self.drawing.calls(left, generation.samples, generation.tokens)
        ]
        answers = self.client.post_all([call for _, call in calls], counted=True)
        written: dict[str, list[str]] = {left: [] for left in lefts}
        for (left, call), answer in zip(calls, answers, strict=True):
            try:
                written[left] += self.drawing.texts(answer, call.body["n"])
            except SHAPES as error:
                raise changed_shape(self.client.host, error) from None
        return [written[prompt.left] for prompt in prompts]


class WritingChatModel(WritingModel):
    """A `WritingModel` that is asked in a chat: a context is the user's message, and the texts answer it."""

    capabilities = replace(WritingModel.capabilities, wording="chat")
