"""A topic, a criterion and an analysis that are not part of bvf."""

from importlib.resources import files

from bvf import Provider, hookimpl, topics_in

BVF_API = 1


@hookimpl
def bvf_topics():
    return topics_in(files(__package__) / "topics", language="en")


@hookimpl
def bvf_criteria():
    return [Provider("surprise", "bvf_outside.surprise:Surprise", "KL divergence from p*, in nats, under uniform p*")]


@hookimpl
def bvf_analyses():
    return [Provider("doubt", "bvf_outside.doubt:Doubt", "entropy of predictions, in bits")]
