"""Finds the names that a template looks up before it sets them itself: those that somebody else may set."""

from collections.abc import Iterable

from jinja2 import nodes


def looked_up(template: nodes.Template) -> set[str]:
    """Return the names that a template reads where it may not have set them."""
    found = set[str]()
    _visit([template], set(), found)
    return found


def _visit(parts: Iterable[nodes.Node | None], known: set[str], found: set[str]) -> set[str]:
    """Add to ``found`` the names that are read and not ``known``. Return the names that are known afterwards."""
    for node in parts:
        if isinstance(node, nodes.Name):
            if node.ctx == "load" and node.name not in known:
                found.add(node.name)
            known = known | ({node.name} if node.ctx != "load" else set())
        elif isinstance(node, nodes.If):
            known = _visit([node.test], known, found)
            otherwise = _rest(node) if node.elif_ else node.else_
            known = _visit(node.body, known, found) & _visit(otherwise, known, found)
        elif isinstance(node, nodes.For):
            inner = _visit([node.iter, node.target, node.test], known | {"loop"}, found)
            _visit(node.body, inner, found)
            _visit(node.else_, known, found)
        elif isinstance(node, nodes.Macro):
            known = known | {node.name}
            _visit([*node.defaults, *node.args, *node.body], known | {"caller", "varargs", "kwargs"}, found)
        elif isinstance(node, nodes.Assign):
            known = _visit([node.node, node.target], known, found)
        elif node is not None:
            known = _visit(node.iter_child_nodes(), known, found)
    return known


def _rest(node: nodes.If) -> list[nodes.Node]:
    """The branches of an ``if`` behind its first one, as an ``if`` of its own."""
    first, *others = node.elif_
    return [nodes.If(first.test, first.body, others, node.else_)]
