"""A copy per card (DDP) takes the same however many cards there are; FSDP and ZeRO-3 share the states out over all.

Source: ZeRO, arXiv:1910.02054, sec. 5; FSDP, arXiv:2304.11277; open-r1#579.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import STATES

ON = ("more_ranks_share",)
A_MACHINE = 8
ADAPTER_BYTES = 2
"""Bytes a parameter of frozen weights."""


def check(case: Case) -> Finding | None:
    """Say what is divided by the number of cards, and what it comes to on one machine and on all."""
    if "more_ranks_share" not in case.claims:
        return None
    states = (STATES if case.full or case.method_unsaid else ADAPTER_BYTES) * (case.params or 0)
    many = case.n_cards if case.n_cards > A_MACHINE else None
    few = case.n_cards if case.n_cards <= A_MACHINE else -(-case.n_cards // (case.query.nodes or 1))
    return stop(
        model=case.model_name if case.sized else None,
        states=states or None,
        few=few if few > 1 else None,
        each_few=states // few if states and few > 1 else None,
        many=many if many != few else None,
        each_many=states // many if states and many else None,
    )
