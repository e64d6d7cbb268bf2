"""LLM.int8 is slower than 16-bit and 4-bit.

Source: bitsandbytes: LLM.int8, arXiv:2208.07339, appendix D; reports.
"""

from advisor.advice import Finding, note, stop
from advisor.case import Case

ON = ("weight_bits",)


def check(case: Case) -> Finding | None:
    """LLM.int8 is slower than 16-bit and 4-bit."""
    if case.query.weight_bits != 8 or case.full:
        return None
    return stop(normal=True) if "slow" in case.symptoms else note(normal=False)
