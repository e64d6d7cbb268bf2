"""LoRA in 16 bit is hardly faster than QLoRA: both compute in 16 bit, 4 bit only unpacks the weights before.

Source: QLoRA, arXiv:2305.14314, sec. 3 (storage and computation data types); estimator (memory).
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.lengths import longest
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, GOOD

ON = ("same_pace",)
BOTH = frozenset({"lora", "qlora"})


def check(case: Case) -> Finding | None:
    """Say that nothing is wrong, and what the two differ in."""
    if "same_pace" not in case.symptoms or not BOTH.issubset(case.query.named.get("method", ())):
        return None
    beside = case.query.kind is Kind.METHOD_CHOICE
    if not case.sized:
        return stop(four=None, usable=None, beside=beside)
    stack = case.stacks_of_one[0]
    four: dict[str, Any] = {"method": "qlora", "weight_bits": None, "quant": None, **ALL_ON_ONE}
    sixteen = four | {"method": "lora"}
    needs = [case.need(stack, **slots) for slots in (four, sixteen)]
    return stop(
        four=needs[0].device,
        sixteen=needs[1].device,
        usable=case.usable,
        tokens=case.seq_len,
        fits=needs[1].fit in GOOD if case.usable is not None else None,
        longest=[longest(case, stack, **slots) for slots in (four, sixteen)],
        beside=beside,
    )
