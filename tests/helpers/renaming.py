"""Results with names of strangers."""


def renamed(result, model, *groups):
    """The result with this name for its model and these for its first groups."""
    named = [group.model_copy(update={"group": name}) for group, name in zip(result.groups, groups, strict=False)]
    return result.model_copy(update={"model": model, "groups": (*named, *result.groups[len(named) :])})
