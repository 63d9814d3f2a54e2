"""What a server says about the model before it is asked anything."""

from dataclasses import dataclass
from typing import Any

from bvf.errors import BvfError, nearest
from bvf_openai_backend.client import Client, NotJsonError, Refused


@dataclass(frozen=True)
class Served:
    """A model on a server.

    Args:
        name: What the server calls it.
        root: Where the server has it from: a folder or hub id; empty if it does not say.
        longest: How many tokens a text may have; 0 if it does not say.
        vocabulary: How many tokens there are; 0 if it does not say.
    """

    name: str
    root: str = ""
    longest: int = 0
    vocabulary: int = 0


def served_model(client: Client, name: str) -> Served:
    """Return what a server says about a model.

    Raises:
        BvfError: Nobody answers, the key is refused, there is no such model, or it is no server of models.
    """
    try:
        listing = client.get("/v1/models")
        models = {str(each["id"]): each for each in listing["data"]}
    except Refused as error:
        if error.status != 404:
            raise BvfError(f"{client.host} does not list its models: {error}", _ADDRESS) from None
        return Served(name)
    except (NotJsonError, LookupError, TypeError) as error:
        raise BvfError(f"{client.host} is no server of models: /v1/models is no list: {error}", _ADDRESS) from None
    if name not in models:
        what = f'{client.host} has no model "{name}"' if name else f"no model of {client.host} is named"
        raise BvfError(what, _like(name, sorted(models)))
    listed = models[name]
    meta = listed.get("meta") or {}
    return Served(
        name,
        str(listed.get("root") or ""),
        _number(listed.get("max_model_len") or meta.get("n_ctx")),
        _number(meta.get("n_vocab")),
    )


_ADDRESS = "name the address of its API: -B base_url=http://HOST:PORT/v1"


def text_at(client: Client, path: str, key: str) -> str:
    """Return a text from a path of a server, such as its version; empty if there is none."""
    try:
        return str(client.get(path).get(key) or "")
    except (Refused, NotJsonError, AttributeError):
        return ""


def _like(name: str, models: list[str]) -> str:
    shown = ", ".join(models[:8]) + (", ..." if len(models) > 8 else "")
    close = nearest(name, models) if name else ""
    if not models:
        return "it has none"
    return f"{close} It has {shown}" if close.startswith("did") else f"it has {shown}: --model openai:{models[0]}"


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
