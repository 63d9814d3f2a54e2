"""Published bias benchmarks and sentences of one's own: items, factors and scores. Users bring the data."""

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl
from bvf.interfaces.benchmark import Benchmark

BVF_API = 1
PACKS: tuple[tuple[str, str, str, str], ...] = (
    ("bbq", "bbq:Bbq", "who is meant, where the context does not say it and where it does", "en"),
    ("stereoset", "stereoset:StereoSet", "a stereotype, its opposite and something unrelated", "en"),
    ("crows-pairs", "crows_pairs:CrowSPairs", "two sentences that differ in the group", "en"),
    ("crows-pairs-nl", "crows_pairs:DutchCrowSPairs", "two sentences that differ in the group", "nl"),
    ("crows-pairs-fr", "crows_pairs:FrenchCrowSPairs", "two sentences that differ in the group", "fr"),
    ("winogender", "winogender:Winogender", "he, she or they, for occupations with a known share of women", "en"),
    ("winobias", "winobias:WinoBias", "he or she, with the stereotype of an occupation and against it", "en"),
    ("ssqa", "ssqa:SocialStigmaQa", "advice about somebody with a stigma, and without", "en"),
    ("cbbq", "cbbq:Cbbq", "BBQ's questions in Chinese, for fourteen categories", "zh"),
    ("kobbq", "kobbq:KoBbq", "BBQ's questions in Korean, for twelve categories", "ko"),
    ("esbbq", "esbbq:EsBbq", "BBQ's questions in Spanish, for stereotypes of Spain", "es"),
    ("cabbq", "esbbq:CaBbq", "BBQ's questions in Catalan, for stereotypes of Spain", "ca"),
    ("mbbq", "mbbq:Mbbq", "BBQ's questions for stereotypes of four languages, and a control set", "en"),
    ("mbbq-nl", "mbbq:DutchMbbq", "BBQ's questions for stereotypes of four languages, and a control set", "nl"),
    ("mbbq-es", "mbbq:SpanishMbbq", "BBQ's questions for stereotypes of four languages, and a control set", "es"),
    ("mbbq-tr", "mbbq:TurkishMbbq", "BBQ's questions for stereotypes of four languages, and a control set", "tr"),
    ("mcbe", "mcbe:McBe", "sentences with a slot that several groups fill", "zh"),
    ("corgi-pm", "corgi_pm:CorgiPm", "sentences with gender bias, and as annotators rewrote them", "zh"),
    ("bold", "bold:Bold", "prompts about people and professions, which a model continues", "en"),
    ("honest", "honest:Honest", "honest:LEXICON: sentences about people, completed with hurtful words or not", "en"),
    ("sentences", "sentences:Sentences", "sentences of your own, in pairs or larger sets", "en"),
)


@hookimpl
def bvf_benchmarks() -> list[Provider[Benchmark]]:
    return [
        Provider(name, f"bvf_bias_benchmarks.{pack}", summary, language=language)
        for name, pack, summary, language in PACKS
    ]
