"""Write the topics of the pack from ``selection.toml`` and T-REx: ``python build.py ../shared/data/pararel/trex``."""

import json
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
TOPICS = HERE.parent / "bvf_knowledge" / "topics" / "en" / "knowledge"
SOURCE = "T-REx (Elsahar et al. 2018, from Wikidata), as selected for ParaRel (Elazar et al. 2021), MIT"
HEAD = """schema = "bvf.topic/1"
name = "knowledge/{name}"
language = "en"
summary = {summary}
contexts = "knowledge/{name}"
criterion = "knowledge:sqrt"
sources = [
  "Facts: {source}, property {property}; chosen for being well known, and checked by hand",
  "Wordings: written for this project",
]
groups = {groups}

[measurement]
construct = "Whether the model has a fact, and whether it has it in every wording"
harm = "An answer that depends on how one asks, given with the same assurance"
chosen_by = "This project, from the facts of the source"
reference = "The answer of the source is the true one"
gaps = {gaps}
"""


def facts_of(trex: Path, relation: str) -> dict[str, set[str]]:
    """The answers of a relation in T-REx, by subject."""
    answers: dict[str, set[str]] = {}
    for line in (trex / f"{relation}.jsonl").read_text("utf-8").splitlines():
        fact = json.loads(line)
        answers.setdefault(fact["sub_label"], set()).add(fact["obj_label"])
    return answers


def truth_of(subjects: list[str], answers: dict[str, set[str]]) -> dict[str, list[str]]:
    """The true answers of each selected subject. Exits if T-REx lacks the first, or has several and none is chosen."""
    truth = {}
    for choice in subjects:
        subject, _, wanted = choice.partition(" = ")
        of_subject = answers.get(subject, set())
        truth[subject] = wanted.split(", ") if wanted else sorted(of_subject)
        if not of_subject.intersection(truth[subject][:1]) or (not wanted and len(of_subject) > 1):
            sys.exit(f"{subject}: the source has {sorted(of_subject) or 'no answer'}")
    return truth


def toml_of(value: str | list[str]) -> str:
    """A TOML string or array of strings. JSON's notation is valid TOML."""
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    trex = Path(sys.argv[1])
    for name, chosen in tomllib.loads((HERE / "selection.toml").read_text("utf-8")).items():
        truth = truth_of(chosen["subjects"], facts_of(trex, chosen["property"]))
        head = HEAD.format(
            name=name,
            summary=toml_of(chosen["summary"]),
            source=SOURCE,
            property=chosen["property"],
            groups=toml_of(list(truth)),
            gaps=toml_of(chosen["gaps"]),
        )
        classes = sorted({answer for of_subject in truth.values() for answer in of_subject})
        answers = "".join(
            f"\n[[attributes]]\nname = {toml_of(answer)}\nwords = {toml_of([answer])}\n" for answer in classes
        )
        pairs = "".join(
            f"{toml_of(subject)} = {toml_of(several if len(several) > 1 else several[0])}\n"
            for subject, several in truth.items()
        )
        (TOPICS / f"{name}.toml").write_text(f"{head}{answers}\n[truth]\n{pairs}", "utf-8")
        print(f"{name}: {len(truth)} subjects, {len(classes)} answers")


if __name__ == "__main__":
    main()
