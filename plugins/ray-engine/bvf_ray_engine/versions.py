"""Compares the versions here with those on a node."""

from collections.abc import Mapping

from bvf.errors import BvfError


def refuse_skew(node: str, there: Mapping[str, str], here: Mapping[str, str]) -> None:
    """Check that a node has the same versions as this process.

    Args:
        node: What messages call it.
        there: Versions by distribution, on the node.
        here: The same of this process.

    Raises:
        BvfError: One differs, or is missing; says which.
    """
    apart = [name for name in here if there.get(name) != here[name]]
    if apart:
        other = _listed([f"{name} {there[name]}" if name in there else f"no {name}" for name in apart])
        ours = _listed([f"{name} {here[name]}" for name in apart])
        raise BvfError(
            f"engine ray: node {node} has {other}; here {'is' if len(apart) == 1 else 'are'} {ours}",
            "install the same versions on every node, and restart Ray there: results must not depend on the node",
        )


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
