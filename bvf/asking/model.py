"""Which model is asked: chosen and described before it is loaded."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from bvf.arrays import FloatArray
from bvf.domain.measurement import ModelPackage
from bvf.domain.model_names import model_name
from bvf.domain.topic import Topic
from bvf.errors import BvfError, ContractError, nearest
from bvf.files.digests import digest_of, digest_of_bytes
from bvf.files.package_files import display_name, files_of_model
from bvf.files.packages import PACKAGE, find_model
from bvf.files.parsing import read_bytes
from bvf.hooks.loader import Plugins
from bvf.hooks.registry import Entry
from bvf.interfaces.backend import RUNTIME, Backend, Capabilities, ModelDescription, ModelRequest
from bvf.interfaces.engine import Share

BUNDLED = "bundled"
MOST_MOVED = 0.5
"""Nats by which an answer to a probe may move: number formats of 16 bits round improbable tokens by a fifth of that."""


class ModelChoice(Protocol):
    """What a user says of the model: fields of a `bvf.MeasureConfig`."""

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
    """A model that is described and not loaded yet.

    Args:
        name: What it is called: what ``--name`` says, else what its files or its path say.
        path: What ``--model`` says.
        entry: The backend that reads it.
        request: What the backend is asked for.
        description: What the backend knows of it before it is loaded.
        plugin_file: Digest of the backend's plugin, where that was given as a file; else empty.
        package: The installed package that has its files; None: they lie elsewhere.
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
        """The name by which a worker finds the same backend, whatever other plugins offer."""
        return f"{self.backend}@{self.entry.owner.plugin}"

    def with_unbiased(self, unbiased: dict[str, FloatArray]) -> "ChosenModel":
        """Return the choice with p* of each group, for models that answer from it."""
        return replace(self, request=replace(self.request, unbiased=unbiased))

    def identity(self) -> dict[str, str]:
        """Return what tells this model from others: digests of its files, or of where its answers come from."""
        description = self.description
        reading = {
            "wording": description.capabilities.wording,
            "system": description.system,
            **({"user": description.user} if description.user else {}),
            "word boundary": str(description.word_boundary),
            "read as": description.read_as,
        }
        if description.weights:
            return {"weights": description.weights, "configuration and tokenizer": description.settings, **reading}
        owner, request = self.entry.owner, self.request
        installed = [owner.plugin, owner.distribution, owner.version]
        made_by = [self.backend, *([self.plugin_file] if self.plugin_file else installed)]
        unbiased = {group: list(p) for group, p in request.unbiased.items()}
        told = [request.model, _answering(request.options), unbiased, _asked_of(request.topic)]
        return {"backend": digest_of(made_by), "model": digest_of(told), **reading}

    def refuse_other(self, wanted: Mapping[str, str]) -> None:
        """Check that this machine has the same model as the one where work began.

        Args:
            wanted: The identity of that model.

        Raises:
            BvfError: It is another one here; says in what.
        """
        here = self.identity()
        apart = [name for name in wanted if wanted[name] != here.get(name)]
        if apart:
            raise BvfError(
                f"{self.path} is another model on {platform.node()} than where the run began: other {', '.join(apart)}",
                "every machine needs the same files (or --revision), versions, and number format (--dtype float32)",
            )

    def load(self, share: Share | None = None) -> Backend:
        """Load the model.

        Args:
            share: What it may use of this machine; None: what the request says.

        Raises:
            BvfError: It cannot be loaded.
            ContractError: Its capabilities are not those of its description.
        """
        return load_backend(
            self.entry, replace(self.request, share=share or self.request.share), self.description.capabilities
        )


def refuse_changed(folder: Path, stored: Mapping[str, float], now: Mapping[str, float]) -> None:
    """Raise `BvfError` if a model answers a probe otherwise than when a run began."""
    moved = [abs(stored[question] - now[question]) for question in stored.keys() & now.keys()]
    if stored and (not moved or max(moved) > MOST_MOVED):
        by = f"moved by {max(moved):.2g} nats" if moved else "are to other questions"
        raise BvfError(
            f"{folder}: the model is not the one that the run began with: its answers to the probe {by}",
            "choose another --out, to measure the new one",
        )


def load_backend(entry: Entry[Backend], request: ModelRequest, capabilities: Capabilities) -> Backend:
    """Load a model, and check that it has the capabilities of its description.

    Raises:
        BvfError: It cannot be loaded.
        ContractError: Its capabilities are others.
    """
    backend = entry.make(request)
    if backend.capabilities != capabilities:
        raise ContractError(
            f"backend {entry.provider.name}: the loaded model can {backend.capabilities}, described was {capabilities}",
            "a provider whose make is a function needs describe=, which says what the model can",
        )
    return backend


def choose_model(config: ModelChoice, topic: Topic, plugins: Plugins) -> ChosenModel:
    """Find what ``--model`` names: ``bundled:NAME``, ``package:NAME``, ``BACKEND:NAME``, a folder or a hub id.

    Left of the first two may stand ``BACKEND:`` too.

    Raises:
        BvfError: The name is unknown, there is no such model, or its backend cannot do what is asked of it.
    """
    said = config.model
    scheme, colon, rest = said.partition(":")
    backend_name, target = config.backend, said
    if colon and scheme in plugins.backends.names() and scheme not in (BUNDLED, PACKAGE):
        backend_name, target = scheme, rest
    elif colon and scheme not in (BUNDLED, PACKAGE) and not os.path.exists(said):
        raise BvfError(
            f'--model {said}: there is no backend "{scheme}"',
            nearest(scheme, [BUNDLED, PACKAGE, *plugins.backends.names()]),
        )
    path, package = _located(target, plugins)
    entry = plugins.backends.choose(backend_name, config.plugin)
    request = ModelRequest(
        model=path,
        topic=topic,
        options=_options(entry, config, plugins),
        share=Share(threads=config.threads or 0),
    )
    name = config.name or (display_name(package) if package else "")
    return replace(described_model(said, entry, request, name), package=package)


def _located(target: str, plugins: Plugins) -> tuple[str, ModelPackage | None]:
    """What a backend is asked for, and the package that it is in; a name without one of our schemes stays as it is."""
    scheme, colon, rest = target.partition(":")
    if colon and scheme == BUNDLED:
        return str(plugins.models.find(rest).make().path), None
    if colon and scheme == PACKAGE:
        path, package = files_of_model(find_model(rest))
        return str(path), package
    return target, None


def described_model(path: str, entry: Entry[Backend], request: ModelRequest, name: str = "") -> ChosenModel:
    """Return a model with what its backend knows of it, on this machine.

    Args:
        path: What ``--model`` says.
        entry: The backend that reads it.
        request: What the backend is asked for.
        name: What the user calls it; empty: the backend, or the path, says how it is called.

    Raises:
        BvfError: There is no such model here, or its backend refuses it.
    """
    given = entry.owner.plugin
    file = digest_of_bytes(read_bytes(Path(given))) if given.endswith(".py") else ""
    description = _description(entry, request)
    whole = os.path.abspath(path) if os.path.exists(path) else path
    return ChosenModel(name or model_name(whole, description.name), path, entry, request, description, file)


def _asked_of(topic: Topic) -> Any:
    """What a backend could take from the topic for its answers."""
    return topic.model_dump(mode="json", include={"groups", "attributes", "ambiguous", "truth", "factors"})


def _options(entry: Entry[Backend], config: ModelChoice, plugins: Plugins) -> Any:
    """The options of a backend; for an option that it lacks, the hint names the backends that have it."""
    try:
        return entry.chosen(config.backend_options)
    except BvfError as error:
        options = entry.provider.load_options()
        unknown = [name for name in config.backend_options if options is None or name not in options.model_fields]
        having = [other.provider.name for other in plugins.backends if unknown and _has_option(other, unknown[0])]
        if not having:
            raise
        raise BvfError(error.message, f"leave {unknown[0]} out; backends that have it: {', '.join(having)}") from error


def _has_option(entry: Entry[Backend], option: str) -> bool:
    options = entry.provider.load_options()
    return options is not None and option in options.model_fields


def _answering(options: Any) -> dict[str, Any]:
    """The options that may change an answer, as JSON; secrets stay hidden."""
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
