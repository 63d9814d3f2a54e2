"""A backend that answers questions with lettered options, for tests of the reader of letters.

Asked about a nurse it says "(A)" in 80 of 100 texts, whatever option A is; asked about a cook it chooses the option
*female* in 90 of 100, whatever its letter.
"""

from bvf import Backend, Capabilities, Provider, hookimpl
from bvf.interfaces.texts import Writing, random_stream


class Choosing(Backend, Writing):
    capabilities = Capabilities(reads_right=False, answers_from_table=True, writes_texts=True)

    def __init__(self, request):
        pass

    def score(self, prompts, words, *, absolute):
        raise NotImplementedError

    def texts(self, prompts, generation):
        return [[self.text(prompt, k, generation) for k in range(generation.samples)] for prompt in prompts]

    def text(self, prompt, sample, generation):
        number = random_stream(prompt, sample, generation).random()
        if prompt.group == "nurse":
            return " (A)" if number < 0.8 else " (B)"
        female, male = ("A", "B") if "(A) a woman" in prompt.left else ("B", "A")
        return f" The answer is {female if number < 0.9 else male}."


@hookimpl
def bvf_backends():
    return [Provider("choosing", Choosing, "chooses lettered options by a known distribution")]
