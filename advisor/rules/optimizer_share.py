"""What the optimizer's states take, where that is asked: two values for each trained parameter.

Source: ZeRO, arXiv:1910.02054, sec. 3 (8 bytes in fp32); 8-bit Optimizers, arXiv:2110.02861 (2 bytes).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import FULL_METHODS

WIDE, NARROW = 8, 2
"""Bytes of both states of a parameter, in fp32 and in 8 bit."""
ADAPTER_BYTES = 4
"""Bytes of an adapter's parameter as it is trained."""

ON = ("asks_optimizer",)


def check(case: Case) -> Finding | None:
    """What the optimizer's states take."""
    if "asks_optimizer" not in case.symptoms or not case.sized or case.method in FULL_METHODS - {"full"}:
        return None
    trained = case.params or 0
    if not case.full:
        adapters = case.need(case.stacks[-1], adapter_dtype="fp32").components.get("adapters", 0)
        trained = adapters // ADAPTER_BYTES
    if not trained:
        return None
    rank = None if case.full else case.setup.lora_rank
    return stop(trained=trained, rank=rank, wide=WIDE * trained, narrow=NARROW * trained, full=case.full)
