"""One vocabulary of groups: who the items of benchmarks are about, whatever the authors call them."""

from functools import cache

from bvf.files.parsing import parse_toml, read_text
from bvf_bias_benchmarks.pack import HERE


def group_called(name: str) -> str:
    """Return the group that a benchmark calls ``name``; a name that the vocabulary lacks stays as it is.

    >>> group_called("F"), group_called("girl"), group_called("\u5973\u6027"), group_called("Muslim")
    ('women', 'women', 'women', 'Muslims')
    """
    plain = " ".join(name.split())
    return _vocabulary().get(plain.casefold(), plain)


@cache
def _vocabulary() -> dict[str, str]:
    file = HERE / "groups.toml"
    groups = parse_toml(read_text(file), str(file))
    return {name.casefold(): group for group, names in groups.items() for name in (group, *names)}
