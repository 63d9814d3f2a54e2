"""A language for tests, as the text of a plugin."""

LANGUAGE = """
from bvf import Language, Prompt, Provider, hookimpl

class Made(Language):
    code = "{code}"
    default_topic = "t"
    default_model = "toy:hash"

    def render(self, template, group):
        left, _, right = template.text.replace("[X]", group).partition("[Y]")
        return Prompt(left.rstrip(), right, group, template.text)
{methods}
@hookimpl
def bvf_languages():
    return [Provider("{code}", Made, language="{code}")]
"""


def language_plugin(code, methods):
    """A plugin with a language that fills in the group as it is; ``methods`` are the others of its class."""
    return LANGUAGE.format(code=code, methods=methods)
