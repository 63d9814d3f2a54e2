"""The two Chinese scripts: characters that belong to one of them alone, and traditional ones made simplified."""

from functools import cache
from importlib.resources import files

from bvf import BvfError
from bvf.files import parse_toml, read_text

CONVERT = "convert one of them: pip install opencc; opencc -c t2s.json -i FILE -o SIMPLIFIED"
OTHER_SCRIPT = "in traditional characters, which the miner does not read (opencc -c t2s.json converts them)"
SHOWN = 5


def traditional_in(text: str) -> str:
    """Return the characters of a text that are traditional and not simplified ones.

    >>> traditional_in("這位[X]說"), traditional_in("这位[X]说"), traditional_in("著名的作者")
    ('這說', '', '')
    """
    return "".join(filter(_characters("traditional").__contains__, text))


def refuse_two_scripts(template: str, group: str) -> None:
    """Raise `BvfError` if a template and a group together have characters of both scripts."""
    text = template + group
    traditional = traditional_in(text)
    if not traditional:
        return
    simplified = "".join(filter(_characters("simplified").__contains__, text))
    if simplified:
        message = f'the template "{template}" with the group "{group}" has traditional characters'
        raise BvfError(f"{message} ({traditional[:SHOWN]}) beside simplified ones ({simplified[:SHOWN]})", CONVERT)


def simplified(text: str) -> str:
    """Return a text with its traditional characters replaced one by one, enough to recognise words by their endings.

    >>> simplified("醫生們")
    '医生们'
    """
    return text.translate(_table())


@cache
def _characters(name: str) -> frozenset[str]:
    return frozenset(_lists()[name])


@cache
def _table() -> dict[int, int]:
    lists = _lists()
    return str.maketrans(lists["traditional"], lists["simplified_of_these"])


@cache
def _lists() -> dict[str, str]:
    file = files(__package__) / "scripts.toml"
    return parse_toml(read_text(file), str(file))
