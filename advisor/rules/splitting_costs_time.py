"""ZeRO-3 and FSDP send all weights through the links at every step; a copy per card sends gradients only.

Source: ZeRO, arXiv:1910.02054, sec. 7 (1.5 times the traffic of DDP, weights gathered twice); estimator.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.refused import four_bit_runs
from advisor.stacks import ALL_ON_ONE, FOUR_BIT, GOOD

ON = ("slow", "no_gain")
TIMES = 2
"""Times that all weights are fetched in a step with adapters: forward and backward."""


def check(case: Case) -> Finding | None:
    """Say what crosses the links, and whether a copy per card would do."""
    if case.symptoms.isdisjoint(ON):
        return None
    named = {*case.query.named.get("sharding", ()), case.query.sharding}
    split = named.intersection(SHARDED)
    if not split or named.isdisjoint(("ddp", "zero2")) or case.n_cards == 1 or not case.sized:
        return None
    copied = case.need(case.stacks_of_one[0], **ALL_ON_ONE)
    four = None
    if copied.fit not in GOOD and case.method not in FOUR_BIT and four_bit_runs(case):
        bare: dict[str, Any] = {"method": "qlora", "weight_bits": None, "quant": None, **ALL_ON_ONE}
        four = case.need(case.stacks_of_one[0], **bare)
    return stop(
        way="fsdp" if split <= {"fsdp", "fsdp2"} else "zero3",
        traffic=TIMES * copied.components.get("weights", 0),
        gradients=copied.components.get("gradients", 0),
        pcie=bool(case.gpu and not case.gpu.nvlink),
        copied=copied.device if copied.fit in GOOD else None,
        four=four.device if four and four.fit in GOOD else None,
        usable=case.usable,
    )
