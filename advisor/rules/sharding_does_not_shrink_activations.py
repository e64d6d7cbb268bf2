"""FSDP and ZeRO split weights and states; every card still holds the activations of its own tokens.

Source: ZeRO, arXiv:1910.02054, sec. 6 (activations are separate); sequence parallelism splits them.
"""

from advisor.advice import Finding, note, stop
from advisor.case import Case

LONG = 8192

ON = ("several", "split_covers_all")


def check(case: Case) -> Finding | None:
    """FSDP and ZeRO split weights and states; every card still holds the activations of its own tokens."""
    believed = "split_covers_all" in case.symptoms
    if case.n_cards < 2 or case.sharding not in ("fsdp", "fsdp2", "zero3") or not case.sized:
        return None
    if case.seq_len < LONG and not believed:
        return None
    if case.advice is not None and case.advice.verdict.facts.get("own_tokens"):
        return None  # the answer says so itself
    way = "ZeRO-3" if case.sharding == "zero3" else "FSDP"
    return (stop if believed else note)(seq_len=case.seq_len, count=case.n_cards, way=way if believed else None)
