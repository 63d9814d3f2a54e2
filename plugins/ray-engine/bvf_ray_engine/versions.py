"""Versions here against those on a node."""

from collections.abc import Mapping

from bvf.errors import BvfError


def refuse_skew(node: str, there: Mapping[str, str], here: Mapping[str, str]) -> None:
    """See that a node has what this process has.

    Args:
        node: What messages call it.
        there: Versions by distribution, on the node.
        here: The same of this process.

    Raises:
        BvfError: One is another, or is not there; says which.

    >>> refuse_skew("b", {"torch": "2.12.0"}, {"torch": "2.13.0", "bvf": "0.1.0"})
    Traceback (most recent call last):
    bvf.errors.BvfError: engine ray: node b has torch 2.12.0 and no bvf; here are torch 2.13.0 and bvf 0.1.0
    hint: install the same versions on every node, and start its ray again: results must not hang on where they are made
    """
    apart = [name for name in here if there.get(name) != here[name]]
    if apart:
        found = _listed([f"{name} {there[name]}" if name in there else f"no {name}" for name in apart])
        own = _listed([f"{name} {here[name]}" for name in apart])
        raise BvfError(
            f"engine ray: node {node} has {found}; here {'is' if len(apart) == 1 else 'are'} {own}",
            "install the same versions on every node, and start its ray again: results must not hang on where they "
            "are made",
        )


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
