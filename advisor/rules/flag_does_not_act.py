"""Host RAM holds a copy per process: the switch that loads on rank 0 only is not set, or is set and does not act.

Source: transformers, modeling_utils and integrations/fsdp (is_fsdp_enabled: ACCELERATE_USE_FSDP and
FSDP_CPU_RAM_EFFICIENT_LOADING, read while from_pretrained runs); accelerate launch sets both (2026-11); ms-swift#9980.
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind

ON = ("efficient_loading", "each_process")


def check(case: Case) -> Finding | None:
    """Say what the switch wants in order to act, and what a copy per process comes to."""
    is_set = "efficient_loading" in case.symptoms and bool(case.symptoms & (FAILURES | {"killed", "each_process"}))
    copies = "each_process" in case.symptoms and case.query.kind in (Kind.SYSTEM_RAM, Kind.OOM_HELP)
    if not (is_set or copies):
        return None
    copy = 2 * case.params if case.params else None
    ranks = -(-case.n_cards // (case.query.nodes or 1))
    return stop(is_set=is_set, copy=copy, ranks=ranks if ranks > 1 else None, all=copy * ranks if copy else None)
