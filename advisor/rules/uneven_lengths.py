"""Split or copied, each card has a batch of its own: uneven memory comes from uneven lengths, not from the launcher.

Source: ZeRO, arXiv:1910.02054, sec. 6 (activations stay with their data); Ring Attention, arXiv:2310.01889.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

APART = frozenset({"ddp", "zero1", "zero2", "zero3", "fsdp", "fsdp2"})

ON = ("uneven",)


def check(case: Case) -> Finding | None:
    """Split or copied, each card has a batch of its own: uneven memory comes from uneven lengths."""
    if "uneven" not in case.symptoms or case.n_cards < 2 or case.query.sharding not in APART:
        return None
    return stop(count=case.n_cards)
