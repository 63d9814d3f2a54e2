"""Generated texts, thoughts, and what is read from them: readers, and a judge whose error is counted."""

from typing import TYPE_CHECKING

from bvf import Provider, hookimpl

if TYPE_CHECKING:
    from bvf import Reader

BVF_API = 1


@hookimpl
def bvf_readers() -> "list[Provider[Reader]]":
    home = "bvf_texts.readers"
    return [
        Provider("first-word", f"{home}.by_words:FirstWord", "the class of the first word of a class", default=True),
        Provider("share", f"{home}.by_words:MostWords", "the class with most words"),
        Provider("letter", f"{home}.by_letter:Letter", "the class of the chosen option, for contexts with [options]"),
        Provider("judge", "bvf_texts.judge:Judge", "judge:FILE.toml: the class that another model finds"),
        Provider("pattern", f"{home}.by_pattern:Pattern", "pattern:FILE.toml: the class whose expression is found"),
    ]
