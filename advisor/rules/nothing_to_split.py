"""ZeRO-3 and FSDP on one card split nothing: only their offload makes room there.

Source: ZeRO, arXiv:1910.02054 (states are divided by the number of ranks); estimator.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.query import Kind
from advisor.refused import four_bit_runs
from advisor.stacks import ALL_ON_ONE, FOUR_BIT, GOOD

ON = ("sharding",)
KINDS = frozenset({Kind.MULTI_GPU, Kind.FITS_CHECK, Kind.METHOD_CHOICE})


def check(case: Case) -> Finding | None:
    """Say that one card has nothing to share out, and what would fit there."""
    query = case.query
    alone = case.n_cards == 1 and query.n_gpus == 1 and "n_gpus" in query.stated and not query.nodes
    if query.sharding not in SHARDED or not alone or not case.sized or case.usable is None:
        return None
    if query.kind not in KINDS or query.offload not in (None, "none"):
        return None
    plain = case.need(case.stacks_of_one[0], **ALL_ON_ONE)
    away: dict[str, Any] = {"sharding": "zero3", "offload": "params", "n_gpus": 1}
    offloaded = case.need(case.stacks_of_one[-1], **away)
    four = None
    if case.method not in FOUR_BIT and four_bit_runs(case):
        four = case.need(case.stacks_of_one[0], method="qlora", weight_bits=None, quant=None, **ALL_ON_ONE)
    return stop(
        way="fsdp" if query.sharding in ("fsdp", "fsdp2") else "zero3",
        model=case.model_name,
        method=case.method,
        need=plain.device,
        fit=plain.fit,
        usable=case.usable,
        offloaded=offloaded.device if offloaded.fit in GOOD else None,
        ram=offloaded.host_ram,
        four=four.device if four and four.fit in GOOD and plain.fit not in GOOD else None,
    )
