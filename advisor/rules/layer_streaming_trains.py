"""Streaming layers from disk (airllm) runs a model; training needs all activations and many passes.

Source: airllm README: inference only.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("layer_streaming_trains",)


def check(case: Case) -> Finding | None:
    """Streaming layers from disk (airllm) runs a model; training needs all activations and many passes."""
    return correct() if "layer_streaming_trains" in case.claims else None
