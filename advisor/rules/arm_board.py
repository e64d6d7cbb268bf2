"""A Jetson is ARM with its own CUDA builds; most trainers do not support it.

Source: NVIDIA Jetson AI Lab; H2O LLM Studio and Unsloth issue trackers.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import short_name

ON = ("board",)


def check(case: Case) -> Finding | None:
    """A Jetson is ARM with its own CUDA builds; most trainers do not support it."""
    if "loads_adapter" in case.symptoms:
        return None  # it has trained there
    board = next((gpu for gpu in case.gpus if gpu.id.startswith("jetson")), None)
    return stop(card=short_name(board), trainer=case.query.trainer) if board is not None else None
