"""What bvf adds to inspect-ai: a task per topic, a provider of models, a scorer and a metric.

Imported whenever inspect starts, so nothing of bvf that is slow to import is imported here.
"""

from bvf_inspect.models import bvf_models
from bvf_inspect.scoring import risk, words
from bvf_inspect.tasks import topic

__all__ = ["bvf_models", "risk", "topic", "words"]
