"""It died in the loss: the logits of the whole batch, several copies of them in fp32.

Source: FORMULAS of the loss: 12 bytes per token and vocabulary entry on the stock loss; Liger Kernel, arXiv:2410.10989.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import LOGIT_BYTES

ONE = 4
"""Bytes of a logit in fp32."""

ON = ("in_the_loss",)


def check(case: Case) -> Finding | None:
    """It died in the loss."""
    if "in_the_loss" not in case.symptoms:
        return None
    if not case.sized:
        return stop(one=None, tokens=None)
    tokens, vocab = case.seq_len * case.micro_batch, case.setup.vocab
    return stop(one=ONE * tokens * vocab, all=LOGIT_BYTES * tokens * vocab, tokens=tokens, vocab=vocab)
