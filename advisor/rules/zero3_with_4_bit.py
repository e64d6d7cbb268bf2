"""ZeRO-3 and bitsandbytes weights go together only in newer versions; FSDP-QLoRA is the tried way.

Source: facts/trainers: deepspeed, methods.
"""

from advisor.advice import Finding, warn
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """ZeRO-3 and bitsandbytes weights go together only in newer versions; FSDP-QLoRA is the tried way."""
    if case.query.sharding != "zero3" or case.method not in ("qlora", "qdora"):
        return None
    return warn(count=case.n_cards)
