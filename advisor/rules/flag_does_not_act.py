"""Host RAM holds a copy per process although the switch is set that loads on rank 0 only: the switch does not act.

Source: transformers, modeling_utils and integrations/fsdp (is_fsdp_enabled: ACCELERATE_USE_FSDP and
FSDP_CPU_RAM_EFFICIENT_LOADING, read while from_pretrained runs); accelerate launch sets both (2026-11); ms-swift#9980.
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("efficient_loading",)


def check(case: Case) -> Finding | None:
    """Say why the switch that is set does nothing, and what a copy per process comes to."""
    if "efficient_loading" not in case.symptoms or not case.symptoms & FAILURES | {"killed"} & case.symptoms:
        return None
    copy = 2 * case.params if case.params else None
    ranks = -(-case.n_cards // (case.query.nodes or 1))
    return stop(copy=copy, ranks=ranks if ranks > 1 else None, all=copy * ranks if copy else None)
