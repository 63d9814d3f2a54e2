"""Sentences on the text right of both slots, for models that do not read it."""

from bvf.domain.measurement import MeasurementRecord


def unread_warning(record: MeasurementRecord) -> str:
    """Return a warning if words are not read that differ between contexts; empty if there are none."""
    texts = _unread(record)
    if len(set(texts)) < 2:
        return ""
    weights = record.asked.context_weights.tolist()
    share = sum(weight for weight, text in zip(weights, texts, strict=True) if text)
    return (
        f"in {_shown(share) if '' in texts else 'all'} of the contexts words stand right of the slot and the group, "
        "and this model does not read them: contexts that differ only there are the same to it"
    )


def unread_note(record: MeasurementRecord) -> str:
    """Return a note if the same words are not read in all contexts; empty if there are none."""
    texts = set(_unread(record))
    text = texts.pop() if len(texts) == 1 else ""
    return f'"{text}" right of the slot and the group is not read by this model' if text else ""


def _shown(share: float) -> str:
    if share < 0.01:
        return "less than 1%"
    return "more than 99%" if share > 0.99 else f"{share:.0%}"


def _unread(record: MeasurementRecord) -> list[str]:
    """The text right of both slots in each context, if the model did not read it; empty without letters or digits."""
    if not record.model.left_only:
        return []
    texts = [_right_of_both(each.template).strip() for each in record.asked.in_order]
    return [text if any(map(str.isalnum, text)) else "" for text in texts]


def _right_of_both(template: str) -> str:
    """The text right of the slot and, if no group stands left of it, of the first group."""
    before, _, after = template.partition("[Y]")
    return after if "[X]" in before else after.partition("[X]")[2]
