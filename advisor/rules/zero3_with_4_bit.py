"""ZeRO-3 and bitsandbytes weights go together only in newer versions; FSDP-QLoRA is the tried way.

Source: facts/trainers: deepspeed, methods.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.stacks import FOUR_BIT

ON = ("sharding",)


def check(case: Case) -> Finding | None:
    """ZeRO-3 and bitsandbytes weights go together only in newer versions; FSDP-QLoRA is the tried way."""
    if case.query.sharding != "zero3" or case.method not in FOUR_BIT:
        return None
    speak = stop if case.symptoms else warn  # the likely cause where a run failed
    return speak(count=case.n_cards)
