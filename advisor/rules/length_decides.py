"""Long texts are spoken of and no length: what usual long ones take, in place of our short default.

Source: estimator, terms activations and logits.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

COSTLY = True
ON = ("long_unsaid",)
LONG = (8192, 32768)
"""Lengths that people mean by it, at least and often."""


def check(case: Case) -> Finding | None:
    """Show what long texts take more than our default, where nobody says how long they are."""
    if not case.sized or case.query.seq_len or case.query.kind is Kind.CONTEXT_LENGTH:
        return None
    ends = (case.stacks[0], case.stacks[-1])
    short = [case.need(stack).device for stack in ends]
    rows = []
    for length in LONG:
        if length <= case.max_context:
            more = [case.need(stack, seq_len=length).device - now for stack, now in zip(ends, short, strict=True)]
            rows.append([length, min(more), max(more)])
    if not rows:
        return None
    return warn(assumed=case.seq_len, stacks=list(dict.fromkeys(s.code for s in ends)), rows=rows, count=case.n_cards)
