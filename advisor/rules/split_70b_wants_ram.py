"""The 2x24 GB recipe for 70B assumes CPU offload and about 128 GB of RAM or more.

Source: Answer.AI, FSDP-QLoRA (2024-03-06); reports of 125 GB being too little.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import BILLION, FOUR_BIT, GIB
from advisor.topics.system_ram import plan_gb

LARGE = 60 * BILLION
SMALL_CARD = 26 * GIB
RAM_SHARE = 2.2
"""Bytes of RAM per parameter: the 16-bit checkpoint while it is quantised, and the offloaded shards."""

ON = ("several",)


def check(case: Case) -> Finding | None:
    """The 2x24 GB recipe for 70B assumes CPU offload and about 128 GB of RAM or more."""
    if (
        not case.sized
        or case.method not in FOUR_BIT
        or case.n_cards < 2
        or (case.params or 0) < LARGE
        or case.query.kind is Kind.SYSTEM_RAM
    ):
        return None
    if case.usable is None or case.usable > SMALL_CARD or not case.offload_is_sane:
        return None
    if case.sharding == "pipeline" or (case.advice and case.advice.verdict.facts.get("layered")):
        return None  # layers spread over the cards load through RAM one by one
    return warn(plan_gb=plan_gb(int(RAM_SHARE * (case.params or 0)), 0), count=case.n_cards)
