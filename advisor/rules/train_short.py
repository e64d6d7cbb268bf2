"""Shorter examples in training than in use do no harm as such: what is learnt carries over, what was cut is not learnt.

Source: QLoRA, arXiv:2305.14314, appendix B.2 (Guanaco and FLAN trained at 256 to 512 tokens, used at 2,048); LIMA,
arXiv:2305.11206 (2,048 tokens).
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("short_training",)


def check(case: Case) -> Finding | None:
    """Shorter examples in training than in use do no harm as such."""
    return correct() if "short_training" in case.symptoms else None
