"""It died in the loss: the logits of the whole batch, several copies of them in fp32.

Source: FORMULAS of the loss: 12 bytes per token and vocabulary entry on the stock loss; Liger Kernel, arXiv:2410.10989.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import GIB, LOGIT_BYTES, TRL, UNSLOTH

ONE = 4
"""Bytes of a logit in fp32."""

FUSED = frozenset({UNSLOTH.trainer, TRL.trainer})
"""Trainers whose current versions build no logits."""
LONGER = 1.25
"""Times the stated length and batch that a block may be as logits: a length is told in round figures."""
FEWEST = 256
"""Tokens of a step below which a block is something else."""
ON = ("in_the_loss",)


def check(case: Case) -> Finding | None:
    """It died in the loss."""
    if "in_the_loss" not in case.symptoms:
        return None
    if not case.sized:
        return stop(one=None, tokens=None, block=None)
    tokens, vocab = case.seq_len * case.micro_batch, case.setup.vocab
    block = int((case.query.tried_allocate_gib or 0) * GIB)
    rows = block // (ONE * vocab)
    told = FEWEST <= rows <= LONGER * tokens if "seq_len" in case.query.sources else rows >= FEWEST
    facts = {"one": ONE * tokens * vocab, "all": LOGIT_BYTES * tokens * vocab, "tokens": tokens, "vocab": vocab}
    return stop(**facts, block=block if told else None, rows=rows, fused=case.stacks[0].trainer in FUSED)
