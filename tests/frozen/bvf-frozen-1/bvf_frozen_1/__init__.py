"""What a stranger could offer by BVF_API 1, on 2026-11-30: every kind of part but kinds of answers. Never edited."""

from importlib.resources import files

from bvf import Provider, contexts_in, hookimpl, topics_in

BVF_API = 1
PARTS = "bvf_frozen_1.parts"


@hookimpl
def bvf_languages():
    return [Provider("fz", f"{PARTS}:Frozen", "a language of tests", language="fz")]


@hookimpl
def bvf_topics():
    return topics_in(files(__package__) / "topics", language="fz")


@hookimpl
def bvf_contexts():
    return contexts_in(files(__package__) / "contexts", language="fz")


@hookimpl
def bvf_miners():
    return [Provider("fz", f"{PARTS}:Said", "by a regular expression", language="fz")]


@hookimpl
def bvf_backends():
    return [Provider("frozen-lengths", f"{PARTS}:Lengths", "p by the length of words", options=f"{PARTS}:Lean")]


@hookimpl
def bvf_criteria():
    return [
        Provider("frozen-mean", f"{PARTS}:Mean", "mean over classes of |s|"),
        Provider("frozen-apart", f"{PARTS}:Apart", "distance of p and p* to the power of N: frozen-apart:N"),
    ]


@hookimpl
def bvf_analyses():
    return [Provider("frozen-above", f"{PARTS}:Above", "how often a class is above N %: frozen-above:N")]


@hookimpl
def bvf_pictures():
    return [Provider("frozen-above", f"{PARTS}:AboveKind", "how often, by group")]


@hookimpl
def bvf_comparisons():
    return [Provider("frozen-count", f"{PARTS}:count", "how many runs there are")]


@hookimpl
def bvf_findings():
    return [Provider("frozen.count/1", f"{PARTS}:Count", "what --by frozen-count prints")]


@hookimpl
def bvf_page_parts():
    return [Provider("frozen", f"{PARTS}:Page", "how many results there are")]


@hookimpl
def bvf_files():
    return [Provider("frozen.marks/1", f"{PARTS}:MarksFile", "a file of marks")]


@hookimpl
def bvf_engines():
    return [Provider("frozen-pool", f"{PARTS}:Pool", "one task after another")]


@hookimpl
def bvf_readers():
    return [Provider("frozen-last", f"{PARTS}:Last", "the class of the last word of a class")]


@hookimpl
def bvf_benchmarks():
    return [Provider("frozen-duos", f"{PARTS}:Duos", "which of two people", language="en")]


@hookimpl
def bvf_commands():
    return [Provider("frozen-words", f"{PARTS}:words_of_classes", "Count words.", example="bvf frozen-words gender")]


@hookimpl
def bvf_functions():
    return [Provider("frozen_words", f"{PARTS}:words_of", "the number of words of each class")]
