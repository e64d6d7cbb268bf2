"""The published formula counts activations without checkpointing and with stored attention scores.

Source: Korthikanti et al., arXiv:2205.05198, sec. 4 (s b h L (34 + 5 a s / h)) and sec. 5 (2 s b h L with full
recomputation).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

PER_LAYER, KEPT = 34, 2
"""Bytes per token, width and layer: all that is kept, and what checkpointing keeps."""

ON = ("asks_formula",)


def check(case: Case) -> Finding | None:
    """The published formula counts activations without checkpointing and with stored attention scores."""
    if "asks_formula" not in case.symptoms:
        return None
    if not case.sized:
        return stop(kept=None)
    setup = case.setup
    unit = case.seq_len * case.micro_batch * setup.hidden * setup.layers
    return stop(kept=KEPT * unit, flash=PER_LAYER * unit, tokens=case.seq_len, batch=case.micro_batch)
