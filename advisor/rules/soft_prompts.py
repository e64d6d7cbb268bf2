"""P-Tuning and prefix tuning train virtual tokens on a frozen base: what they take, and what they are worth.

Source: P-Tuning v2, arXiv:2110.07602; THUDM/ChatGLM-6B, ptuning/train.sh (rate 2e-2, lengths of 64); estimator.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.refused import four_bit_runs
from advisor.stacks import ALL_ON_ONE

ON = ("soft_prompts",)
SHORT = 512
"""Tokens of an example where nobody says: such scripts cut shorter still."""


def check(case: Case) -> Finding | None:
    """Say what it takes beside the methods that are counted, and what it teaches."""
    if "soft_prompts" not in case.symptoms or "lighter_runs" in case.symptoms:
        return None
    short = min(case.seq_len, case.query.seq_len or SHORT)
    four = None
    if case.sized and four_bit_runs(case) and not case.full:
        four = case.need(case.stacks_of_one[0], method="qlora", weight_bits=None, seq_len=short, **ALL_ON_ONE).device
    return correct(four=four, short=short)
