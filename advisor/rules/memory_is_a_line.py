"""Memory over length is a line: a fixed part, and so much for each token, with checkpointing and FlashAttention.

Source: FORMULAS.md, activations and loss; FlashAttention, arXiv:2205.14135.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("asks_line",)


def check(case: Case) -> Finding | None:
    """Memory over length is a line."""
    if "asks_line" not in case.symptoms:
        return None
    if not case.sized:
        return stop(lean=None)
    length, stacks = case.seq_len, case.stacks
    slopes = [
        (case.need(stack, seq_len=2 * length).device - case.need(stack, seq_len=length).device) * 1024 // length
        for stack in (stacks[0], stacks[-1])
    ]
    return stop(lean=[stacks[0].code, slopes[0]], stock=[stacks[-1].code, slopes[1]])
