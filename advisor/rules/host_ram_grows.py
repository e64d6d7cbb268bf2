"""System RAM that grows from step to step is the data loader's, not the training's.

Source: PyTorch, torch.utils.data: workers copy the objects of the parent
(https://pytorch.org/docs/stable/data.html#multi-process-data-loading, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("host_grows",)


def check(case: Case) -> Finding | None:
    """System RAM that grows from step to step is the data loader's."""
    return stop() if "host_grows" in case.symptoms else None
