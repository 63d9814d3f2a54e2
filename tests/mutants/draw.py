"""``PYTHONPATH=tests python -m mutants.draw`` proposes mutations of the core by a seeded draw, more in larger packages.

A person goes down the proposals of a package, passes over a mutation that changes no behaviour, the look or the wording
of something alone, or nothing but whether Python raises a TypeError, and copies the others to `places.toml`.
"""

import ast
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mutants.places import ROOT

SEED = 20
PLACES = 60
SHORTEST = 16
"""Characters of an expression by which a reader finds it."""
OPPOSITES = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn)),
    *((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.And, ast.Or)),
    *(("min", "max"), ("minimum", "maximum"), ("any", "all")),
)
OPPOSITE = {one: other for pair in OPPOSITES for one, other in (pair, pair[::-1])}
WORDS = ast.JoinedStr | ast.Raise | ast.Assert
"""What is said, and computes nothing."""


def change(node: ast.AST) -> tuple[ast.AST, str, object] | None:
    """Return what to change in an expression: of which node, which field, and to what; or None."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in OPPOSITE:
            return node, "ops", [OPPOSITE[type(op)]()]
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in OPPOSITE:
            return node, "op", OPPOSITE[type(op)]()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return node, "operand", ast.UnaryOp(ast.Not(), operand)
        case ast.IfExp(test=test) if not isinstance(test, ast.Compare) or not isinstance(
            test.ops[0], ast.Is | ast.IsNot
        ):
            return node, "test", ast.UnaryOp(ast.Not(), test)
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return node, "value", value + 1
        case ast.Call(func=ast.Name(id=name) as function) if name in OPPOSITE:
            return function, "id", OPPOSITE[name]
        case ast.Call(func=ast.Name(id="sorted") as function, args=[_], keywords=[]):
            return function, "id", "list"
        case ast.Call(func=ast.Attribute(attr=name) as function) if name in OPPOSITE:
            return function, "attr", OPPOSITE[name]
    return None


def proposals(
    tree: ast.AST, function: str = "", above: tuple[ast.AST, ...] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the mutations of the functions in a tree, each with the kind of its expression."""
    for field, value in ast.iter_fields(tree):
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(node, WORDS) or field in ("annotation", "returns"):
                continue
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            name = f"{function}.{node.name}".lstrip(".") if named else function
            inside = (*above, node) if above or isinstance(node, ast.FunctionDef) else ()
            if inside and (changed := change(node)) and (around := _clear(inside)):
                old = ast.unparse(around)
                part, changing, to = changed
                before = getattr(part, changing)
                setattr(part, changing, to)
                yield type(node).__name__, {"function": name, "old": old, "new": ast.unparse(around)}
                setattr(part, changing, before)
            yield from proposals(node, name, inside)


def _clear(inside: tuple[ast.AST, ...]) -> ast.expr | None:
    """Return the smallest expression around the last node that its function has once."""
    function = next(node for node in reversed(inside) if isinstance(node, ast.FunctionDef))
    for node in reversed(inside):
        if not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return None
        once = _expressions(function)[ast.dump(node)] == 1 and len(ast.unparse(node)) >= SHORTEST
        if once and not isinstance(node, ast.Slice | ast.Starred):
            return node
    return None


@cache
def _expressions(function: ast.FunctionDef) -> Counter[str]:
    return Counter(ast.dump(node) for node in ast.walk(function) if isinstance(node, ast.expr))


def room_of(file: Path) -> str:
    """Return the package of a module: that of the core, or the one inside `analyses` and `stats`."""
    parts = file.relative_to(ROOT / "bvf").parts[:-1]
    return "/".join(parts[: 2 if parts[:1] in (("analyses",), ("stats",)) else 1])


def main() -> None:
    """Print for each package the number of its places and three times as many proposals; each kind is as likely."""
    lines: Counter[str] = Counter()
    found: dict[str, dict[str, list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for file in sorted(ROOT.glob("bvf/*/**/*.py")):
        lines[room_of(file)] += file.read_text().count("\n")
        for kind, proposal in proposals(ast.parse(file.read_bytes())):
            found[room_of(file)][kind].append({"file": str(file.relative_to(ROOT)), **proposal})
    every_line = [*lines.elements()]
    places = Counter(every_line[len(every_line) * (2 * place + 1) // (2 * PLACES)] for place in range(PLACES))
    draw = random.Random(SEED)
    for room, count in places.items():
        print(f"# {room}: {count} of these, from the top")
        for _ in range(3 * count):
            of_kind = found[room][draw.choice(sorted(kind for kind, left in found[room].items() if left))]
            proposal = of_kind.pop(draw.randrange(len(of_kind)))
            lines_of_it = (f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in proposal.items())
            print("[[place]]", *lines_of_it, sep="\n")


if __name__ == "__main__":
    main()
