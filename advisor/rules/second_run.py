"""A second run in the same notebook meets what the first one left on the card.

Source: PyTorch notes on CUDA semantics, memory management: memory is free only when no tensor refers to it.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("second_run",)


def check(case: Case) -> Finding | None:
    """What ran once and runs out of memory when it is started again."""
    return stop() if "second_run" in case.symptoms else None
