"""What a log says of all samples."""


def figures_of(log):
    """Return the metrics of a log by name."""
    assert log.status == "success", log.error
    return {name: each.value for name, each in log.results.scores[0].metrics.items()}
