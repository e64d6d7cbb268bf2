"""A copy per card takes a little more than one card alone: gradient buckets and the network's buffers.

Source: PyTorch, DistributedDataParallel: buckets, gradient_as_bucket_view
(https://pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("more_per_card",)


def check(case: Case) -> Finding | None:
    """A copy per card takes a little more than one card alone."""
    if "more_per_card" not in case.symptoms:
        return None
    if not case.sized:
        return stop(alone=None)
    stack = case.stacks[-1]
    alone = case.need(stack, n_gpus=1, sharding="none").device
    count = max(2, case.n_cards)
    return stop(alone=alone, copied=case.need(stack, n_gpus=count, sharding="ddp").device, count=count)
