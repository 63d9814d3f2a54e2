"""HolisticBias's own files (Smith et al. 2022): ``descriptors.json``, ``nouns.json``, ``sentence_templates.json``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from bvf import BvfError, ContextSet, Template, Topic
from bvf.domain import Sampling
from bvf.errors import nearest
from bvf.files import parse_json, read_text

SOURCE = (
    "Smith et al., I'm sorry to hear that: Finding New Biases in Language Models with a Holistic Descriptor Dataset, "
    "EMNLP 2022 (HolisticBias, MIT)"
)
DESCRIPTORS, NOUNS, TEMPLATES = "descriptors.json", "nouns.json", "sentence_templates.json"
NOUN_PHRASE = "{plural_noun_phrase}"


class HolisticBiasOptions(BaseModel):
    """The axis of HolisticBias that the topic asks about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    axis: str = Field(default="", description="An axis of the folder, such as age.")


@dataclass(frozen=True)
class Descriptor:
    """A descriptor, the bucket that it is in, and what the file says of it."""

    word: str
    bucket: str
    dispreferred: bool
    gendered: bool


def read_topic(folder_name: str, options: HolisticBiasOptions) -> Topic:
    """Return an axis as a topic. Its plural nouns are the groups, and its buckets the classes.

    In an axis of one bucket, each descriptor is a class of its own.
    """
    folder = Path(folder_name)
    descriptors = tuple(_descriptors(folder, options.axis))
    _refuse_doubled(descriptors, f"{folder / DESCRIPTORS}: axis {options.axis}")
    nouns = _nouns(folder / NOUNS)
    words = _words_by_class(descriptors)
    dispreferred, gendered = sum(each.dispreferred for each in descriptors), sum(each.gendered for each in descriptors)
    of_all = f"of {len(descriptors)} descriptors"
    raw: dict[str, object] = {
        "schema": "bvf.topic/1",
        "name": f"holisticbias/{options.axis}",
        "language": "en",
        "summary": f"Descriptors of HolisticBias on the axis {_plain(options.axis)}, given a noun for people",
        "contexts": f"holisticbias:{folder_name}",
        "sources": [f"{SOURCE}, read from {folder}"],
        "groups": list(nouns),
        "factors": {noun: {"gender": gender} for noun, gender in nouns.items()},
        "attributes": [{"name": name, "words": of_class} for name, of_class in words.items()],
        "measurement": {
            "construct": "How strongly the model ties a noun for people to the descriptors of an axis, before the noun",
            "harm": "Text in which some people are always described by one thing that they are",
            "chosen_by": "The authors of HolisticBias",
            "reference": f"Uniform over {len(words)} classes: the contexts carry no information on this axis",
            "gaps": [
                *([f"{dispreferred} {of_all} are dispreferred by people whom they describe"] if dispreferred else []),
                *([f"{gendered} {of_all} have a gender and do not fit every noun"] if gendered else []),
                "Classes have different numbers of descriptors, so they differ before any noun is named",
                "A causal model does not read what stands right of the noun, so some sentences are one for it",
            ],
        },
    }
    return Topic.model_validate(raw, context=f"{folder}: axis {options.axis}")


def read_contexts(folder_name: str) -> ContextSet:
    """Return the sentences with a plural noun phrase as contexts of equal weight, the descriptor before the noun.

    Sentences with a singular one are left out: *a* or *an* before it depends on the descriptor.
    """
    file = _folder(folder_name) / TEMPLATES
    sentences = [text for text in _table(file) if NOUN_PHRASE in text]
    if not sentences:
        raise BvfError(f"{file}: no sentence has {NOUN_PHRASE}", "name a folder with the published files")
    try:
        templates = tuple(Template(text.replace(NOUN_PHRASE, "[Y] [X]")) for text in sentences)
    except BvfError as error:
        raise BvfError(f"{file}: {error.message}", error.hint) from error
    source = f"{SOURCE}, {file.parent}"
    return ContextSet("holisticbias", templates, (1.0,) * len(templates), source, sampling=Sampling(written=True))


def _words_by_class(descriptors: tuple[Descriptor, ...]) -> dict[str, list[str]]:
    of_one_bucket = len({each.bucket for each in descriptors}) == 1
    words = dict[str, list[str]]()
    for each in descriptors:
        words.setdefault(each.word if of_one_bucket else _plain(each.bucket), []).append(each.word)
    return words


def _refuse_doubled(descriptors: tuple[Descriptor, ...], where: str) -> None:
    """A word in two classes would count in neither, and one that occurs twice in a class would count twice."""
    buckets = dict[str, str]()
    for each in descriptors:
        key = each.word.casefold()
        if key in buckets:
            raise BvfError(
                f'{where}: the descriptor "{each.word}" occurs twice, in {buckets[key]} and in {each.bucket}',
                "leave one of them out; words that differ in capitals alone count as one",
            )
        buckets[key] = each.bucket


def _descriptors(folder: Path, axis: str) -> Iterator[Descriptor]:
    file = _folder(str(folder)) / DESCRIPTORS
    axes = _table(file)
    if not axis:
        raise BvfError(f"--topic holisticbias:{folder} has {len(axes)} axes", f"give -T axis=NAME: {', '.join(axes)}")
    if axis not in axes:
        raise BvfError(f"-T axis={axis}: not in {file}", nearest(axis, list(axes)))
    buckets = axes[axis]
    if not isinstance(buckets, dict):
        raise BvfError(f"{file}: axis {axis} is not a table of buckets", '"axis": {"bucket": ["descriptor"]}')
    for bucket, entries in buckets.items():
        for entry in entries if isinstance(entries, list) else [entries]:
            yield _descriptor(entry, bucket, f"{file}: axis {axis}, bucket {bucket}")


def _descriptor(entry: Any, bucket: str, where: str) -> Descriptor:
    fields = {"descriptor": entry} if isinstance(entry, str) else entry
    word = fields.get("descriptor") if isinstance(fields, dict) else None
    if not isinstance(word, str) or not word.strip():
        raise BvfError(f"{where}: {entry!r:.60} is not a descriptor", 'write a text, or {"descriptor": "a text"}')
    return Descriptor(word.strip(), bucket, fields.get("preference") == "dispreferred", "gender" in fields)


def _nouns(file: Path) -> dict[str, str]:
    """The gender of every noun, by its plural."""
    nouns = dict[str, str]()
    for gender, pairs in _table(file).items():
        for pair in pairs if isinstance(pairs, list) else [pairs]:
            if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(form, str) for form in pair)):
                raise BvfError(f"{file}: {gender}: {pair!r:.60} is not a noun", 'write ["singular", "plural"]')
            nouns[pair[1]] = gender
    return nouns


def _folder(name: str) -> Path:
    folder = Path(name)
    try:
        missing = [file for file in (DESCRIPTORS, NOUNS, TEMPLATES) if not (folder / file).is_file()]
    except (OSError, ValueError):
        missing = [DESCRIPTORS]
    if missing:
        raise BvfError(f"--topic holisticbias:{name}: no {missing[0]} there", "name a folder of its data, such as v1.1")
    return folder


def _table(file: Path) -> dict[str, Any]:
    values = parse_json(read_text(file), str(file))
    if not isinstance(values, dict):
        raise BvfError(f"{file}: not a JSON object", "name a folder with the published files")
    return values


def _plain(name: str) -> str:
    return name.replace("_", " ")
