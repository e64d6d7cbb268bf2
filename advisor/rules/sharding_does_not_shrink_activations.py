"""FSDP and ZeRO split weights and states; every card still holds the activations of its own tokens.

Source: ZeRO, arXiv:1910.02054, sec. 6 (activations are separate); sequence parallelism splits them.
"""

from advisor.advice import Finding, note
from advisor.case import Case

LONG = 8192

ON = ("several",)


def check(case: Case) -> Finding | None:
    """FSDP and ZeRO split weights and states; every card still holds the activations of its own tokens."""
    if case.n_cards < 2 or case.sharding not in ("fsdp", "fsdp2", "zero3") or case.seq_len < LONG or not case.sized:
        return None
    if case.advice is not None and case.advice.verdict.facts.get("own_tokens"):
        return None  # the answer says so itself
    return note(seq_len=case.seq_len, count=case.n_cards)
