"""The model of a run: chosen by ``--model``, described, and then loaded; and the default folder of a run of it."""

import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from bvf.domain.generation import Generation
from bvf.domain.measurement import ModelPackage
from bvf.domain.model_names import model_name
from bvf.domain.topic import Topic
from bvf.errors import BvfError, ContractError
from bvf.files.digests import digest_of, digest_of_bytes
from bvf.files.packages.content import display_name, files_of_model
from bvf.files.packages.models import PACKAGE, find_model
from bvf.files.parsing import read_bytes
from bvf.hooks.loader import Plugins
from bvf.hooks.registry import Entry
from bvf.interfaces.backend import RUNTIME, Backend, Capabilities, ModelDescription, ModelRequest
from bvf.interfaces.engine import Share

BUNDLED = "bundled"
MOST_MOVED = 0.5
"""Nats by which log p of an answer to the probe may change: 16-bit rounding of improbable tokens is a fifth of it."""


class ModelChoice(Protocol):
    """The user's choices about the model: fields of a `bvf.MeasureConfig`."""

    @property
    def model(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def backend(self) -> str: ...
    @property
    def backend_options(self) -> Mapping[str, Any]: ...
    @property
    def plugin(self) -> tuple[str, ...]: ...
    @property
    def threads(self) -> int | None: ...


@dataclass(frozen=True)
class ChosenModel:
    """A model that was chosen and described, but not loaded.

    Args:
        name: The name of the model in tables: from ``--name``, else from its files or its path.
        path: The value of ``--model``.
        entry: The backend that loads it.
        request: The request that tells the backend which model to load, and how.
        description: The backend's description of the model, made before it is loaded.
        plugin_file: Digest of the backend's plugin, if that was given as a file; else empty.
        package: The installed package that the model's files are in; None: they are not in a package.
    """

    name: str
    path: str
    entry: Entry[Backend]
    request: ModelRequest
    description: ModelDescription
    plugin_file: str
    package: ModelPackage | None = None

    @property
    def backend(self) -> str:
        """The name of the backend."""
        return self.entry.provider.name

    @property
    def backend_spec(self) -> str:
        """The backend as NAME@PLUGIN, by which a worker process finds it even if another plugin offers the name."""
        return self.entry.full_name

    def identity(self, *, begins_bare: bool = False) -> dict[str, str]:
        """Return digests that identify this model: of its files, or of all that its probabilities depend on.

        ``begins_bare``: it is asked for words or texts that have nothing left of them.
        """
        description = self.description
        reading = {
            "wording": description.capabilities.wording,
            "system": description.system,
            **({"user": description.user} if description.user else {}),
            **({"chat variables": digest_of(dict(description.chat_variables))} if description.chat_variables else {}),
            "word boundary": str(description.word_boundary),
            **({"start": description.start} if begins_bare and description.start else {}),
            **({"longer words": digest_of(description.longer_words)} if description.longer_words else {}),
            "read as": description.read_as,
        }
        if description.weights:
            return {"weights": description.weights, "configuration and tokenizer": description.settings, **reading}
        owner, request = self.entry.owner, self.request
        installed = [owner.plugin, owner.distribution, owner.version]
        made_by = [self.backend, *([self.plugin_file] if self.plugin_file else installed)]
        unbiased = {group: list(p) for group, p in request.unbiased.items()}
        of_topic = {"groups", "attributes", "ambiguous", "truth", "factors"}
        topic = request.topic.model_dump(mode="json", include=of_topic)
        answers_from = [request.model, _answering(request.options), unbiased, topic]
        return {"backend": digest_of(made_by), "model": digest_of(answers_from), **reading}

    def refuse_other(self, wanted: Mapping[str, str]) -> None:
        """Raise a `BvfError` if this model's identity differs from ``wanted``. The error names the difference."""
        here = self.identity()
        apart = [name for name in wanted if wanted[name] != here.get(name)]
        if apart:
            raise BvfError(
                f"{self.path} is another model on {platform.node()} than where the run began: other {', '.join(apart)}",
                "every machine needs the same files (or --revision), versions, and number format (--dtype float32)",
            )

    def load(self, share: Share | None = None) -> Backend:
        """Load the model. If given, ``share`` replaces the threads and devices in the request."""
        return load_backend(
            self.entry, replace(self.request, share=share or self.request.share), self.description.capabilities
        )


def refuse_changed(folder: Path, stored: Mapping[str, float], now: Mapping[str, float]) -> None:
    """Raise a `BvfError` if the model's log-probabilities for sample prompts have changed since the run began."""
    moved = [abs(stored[question] - now[question]) for question in stored.keys() & now.keys()]
    if stored and (not moved or max(moved) > MOST_MOVED):
        by = f"moved by {max(moved):.2g} nats" if moved else "are to other questions"
        raise BvfError(
            f"{folder}: the model is not the one that the run began with: its answers to the probe {by}",
            "choose another --out, to measure the new one",
        )


def load_backend(entry: Entry[Backend], request: ModelRequest, capabilities: Capabilities) -> Backend:
    """Load a model, and check that it has the capabilities that its description states."""
    backend = entry.make(request)
    if backend.capabilities != capabilities:
        raise ContractError(
            f"backend {entry.provider.name}: the loaded model can {backend.capabilities}, described was {capabilities}",
            "a provider whose make is a function needs describe=, which says what the model can",
        )
    return backend


def choose_model(
    config: ModelChoice, topic: Topic, plugins: Plugins, generation: Generation | None = None, **asked: Any
) -> ChosenModel:
    """Find the model of ``--model``: ``bundled:NAME``, ``package:NAME``, ``BACKEND:NAME``, a folder or a hub id.

    ``BACKEND:`` may also stand before ``bundled:`` and ``package:``. ``generation`` says which texts it is to write,
    and ``asked`` has further fields of its `ModelRequest`.
    """
    choice = config.model
    scheme, colon, rest = choice.partition(":")
    backend_name, target = config.backend, choice
    if colon and scheme.partition("@")[0] in plugins.backends.names() and scheme not in (BUNDLED, PACKAGE):
        backend_name, target = scheme, rest
    elif colon and scheme not in (BUNDLED, PACKAGE) and not os.path.exists(choice):
        raise BvfError(
            f'--model {choice}: there is no backend "{scheme}"', plugins.backends.instead_of(scheme, BUNDLED, PACKAGE)
        )
    path, package = _located(target, plugins)
    entry = plugins.backends.choose(backend_name, config.plugin)
    request = ModelRequest(
        model=path,
        topic=topic,
        options=_options(entry, config, plugins),
        share=Share(threads=config.threads or 0),
        generation=generation,
        **asked,
    )
    name = config.name or (display_name(package) if package else "")
    return replace(described_model(choice, entry, request, name), package=package)


def _located(target: str, plugins: Plugins) -> tuple[str, ModelPackage | None]:
    """The path of a model, and its package if any. A target without ``bundled:`` or ``package:`` is the path itself."""
    scheme, colon, rest = target.partition(":")
    if colon and scheme == BUNDLED:
        return str(plugins.models.find(rest).make().path), None
    if colon and scheme == PACKAGE:
        path, package = files_of_model(find_model(rest))
        return str(path), package
    return target, None


def described_model(path: str, entry: Entry[Backend], request: ModelRequest, name: str = "") -> ChosenModel:
    """Return a model as its backend describes it on this machine. ``path`` is the value of ``--model``.

    If ``name``, that of the user, is empty, the model's name comes from its backend or its path.
    """
    plugin = entry.owner.plugin
    file = digest_of_bytes(read_bytes(Path(plugin))) if plugin.endswith(".py") else ""
    description = _description(entry, request)
    whole = os.path.abspath(path) if os.path.exists(path) else path
    return ChosenModel(name or model_name(whole, description.name), path, entry, request, description, file)


def _options(entry: Entry[Backend], config: ModelChoice, plugins: Plugins) -> Any:
    """The options of a backend, set to the user's values. An error on an unknown option names backends that have it."""
    try:
        return entry.chosen(config.backend_options)
    except BvfError as error:
        unknown = [name for name in config.backend_options if not _has_option(entry, name)]
        having = [other.provider.name for other in plugins.backends if unknown and _has_option(other, unknown[0])]
        if not having:
            raise
        named = " or ".join(f"--backend {name}" for name in having)
        raise BvfError(error.message, f"leave {unknown[0]} out, or choose a backend that has it: {named}") from error


def _has_option(entry: Entry[Backend], option: str) -> bool:
    options = entry.provider.load_options()
    return options is not None and option in options.model_fields


def _answering(options: Any) -> dict[str, Any]:
    """The options on which the probabilities depend, as JSON. Secrets in it are hidden."""
    if options is None:
        return {}
    kept = {name for name, field in type(options).model_fields.items() if RUNTIME not in field.metadata}
    as_json: dict[str, Any] = options.model_dump(mode="json", include=kept)
    return as_json


def _description(entry: Entry[Backend], request: ModelRequest) -> ModelDescription:
    described = entry.described(request)
    if described is None:
        made = entry.callable()
        known = made.capabilities if isinstance(made, type) and issubclass(made, Backend) else None
        described = ModelDescription(known or Capabilities())
    if not isinstance(described, ModelDescription):
        raise ContractError(f"backend {entry.provider.name}: describe gave a {type(described).__name__}")
    return described


LONGEST_SLUG = 48


def folder_in_runs(first: Sequence[str], model: str, digest: str, holds_it: Callable[[Path], bool]) -> Path:
    """Return the folder below ``runs`` for a digest: the existing one, or else a new name.

    Its name has the ``first`` words, the name of the model and a prefix of the digest. ``holds_it`` returns whether
    a folder with the same digest, but another name of the model, holds this work already.
    """
    runs, end = Path("runs"), digest[:8]
    folder = runs / "-".join(filter(None, (*first, slug(model.removeprefix("bundled:")), end)))
    if folder.exists():
        return folder
    return next((each for each in sorted(runs.glob(f"*-{end}")) if holds_it(each)), folder)


def slug(name: str) -> str:
    """Return a name as a valid part of a folder name, short enough for every file system."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[-LONGEST_SLUG:].strip("-.")
