"""Offloaded over several cards, a run died that one of them holds: nothing needs splitting.

Source: estimator; PyTorch, FSDP tutorial (CPU offload moves parameters and states to RAM, every step).
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import ALL_ON_ONE

ON = ("offload",)
FULL = 0.7
"""Share of the RAM from which on one 16-bit copy of the weights hardly goes through it."""


def check(case: Case) -> Finding | None:
    """Tell what one card by itself takes, before any cure for what was split."""
    query = case.query
    if case.full or case.n_cards < 2 or query.offload in (None, "none") or not case.symptoms & FAILURES:
        return None
    if not case.sized or case.usable is None or case.apple or "one_card_used" in case.symptoms:
        return None  # why only one of them fills is told by four_bit_under_fsdp
    lean, plain = (case.need(stack, **ALL_ON_ONE) for stack in (case.stacks_of_one[0], case.stacks_of_one[-1]))
    if lean.fit != "yes":
        return None
    load = 2 * (case.params or 0)
    return stop(
        model=case.model_name,
        method=case.method,
        card=case.card.name if case.card else "",
        card_gb=case.card.vram_gb if case.card else None,
        seq_len=case.seq_len,
        lean=lean.device,
        plain=plain.device if plain.fit == "yes" and plain.device != lean.device else None,
        on=lean.stack,
        plain_on=plain.stack,
        usable=case.usable,
        ram_gb=query.ram_gb,
        load=load if query.ram_gb and load > FULL * query.ram_gb * 1e9 else None,
    )
