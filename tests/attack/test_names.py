"""Names that no user types, for everything that takes one: one line that says what is wrong, or the right thing."""

import pytest
from helpers.corpus import TOY_MINER

NAMES = {
    "empty": "",
    "space": " ",
    "dash": "-",
    "dots": "..",
    "root": "/",
    "markup": "[/x]",
    "escaped markup": r"\[/x]",
    "style": "[bold red]x[/]",
    "terminal": "\x1b]0;x\x07",
    "C1": "a\x9bb",
    "lines": "a\nb",
    "separator": "a\u2028b",
    "not UTF-8": "a\udcff",
    "surrogate": "\ud800",
    "colon": ":",
    "before a colon": ":x",
    "after a colon": "x:",
    "at": "@",
    "of a plugin": "x@y",
    "two ats": "linf@core@core",
    "parameter of none": "gender:x",
    "256": "x" * 256,
    "5000": "x" * 5000,
    "slashes": "a/../../b",
    "URI": "s3://bucket/key",
    "web": "http://127.0.0.1:1/x",
    "format": "%s{0}{x}$(x)`x`",
    "digits": "\uff11\uff12",
    "power": "²",
    "right to left": "\u202ex",
    "Chinese": "性别",
    "capital": "Gender",
    "hash": "a#b",
    "equals": "a=b",
    "glob": "*",
}
BASELINE = ("--model", "baseline:random", "--limit-groups", "2", "--limit-contexts", "2", "--quiet")
OPTIONS = (
    "topic contexts criterion engine lang plugin without relation reference group-weights config out "
    "scale words rank show seed tolerance mass-sample batch-tokens"
)
COMMANDS = [
    *(("run", f"--{option}", "{}", *BASELINE) for option in OPTIONS.split()),
    ("run", "--backend", "{}", "--model", "baseline:none"),
    ("run", "--model", "baseline:{}"),
    ("run", "--model", "bundled:{}"),
    ("run", "--model", "{}:x"),
    ("mine", "{}.txt", "-o", "set.csv", "--plugin", TOY_MINER),
    ("mine", "a.txt", "-o", "{}", "--plugin", TOY_MINER),
    ("contexts", "merge", "gender", "-o", "{}.csv"),
    ("run", "--words", "{}=he", *BASELINE),
    ("run", "--{}", *BASELINE),
    ("topics", "show", "{}"),
    ("topics", "show", "gender", "--lang", "{}"),
    ("contexts", "show", "{}"),
    ("contexts", "compare", "gender", "{}"),
    ("check", "{}"),
    ("new", "topic", "{}"),
    ("new", "language", "{}"),
    ("{}",),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_name_gets_one_line_or_what_it_names(attacks, ends_well, arguments):
    for attack, name in attacks(" ".join(arguments), NAMES):
        ends_well(attack, [part.replace("{}", name) for part in arguments])
