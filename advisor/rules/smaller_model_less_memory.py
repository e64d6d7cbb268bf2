"""A small model with a large vocabulary can need more than a larger one: logits are tokens x vocabulary.

Source: FORMULAS of the loss: 12 bytes per token and vocabulary entry in the stock loss.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.stacks import LOGIT_BYTES

ON = ("smaller_model_less_memory",)


def check(case: Case) -> Finding | None:
    """A small model with a large vocabulary can need more than a larger one: logits are tokens x vocabulary."""
    if "smaller_model_less_memory" not in case.claims or "trainer_decides" in case.claims:
        return None  # two trainers are compared, not two models
    if case.advice is not None and case.advice.verdict.code == "preference":
        return None  # the answer names the vocabulary
    vocab = case.setup.vocab if case.sized else None
    return correct(
        vocab=vocab,
        logits=vocab * case.seq_len * case.micro_batch * LOGIT_BYTES if vocab else None,
        tokens=case.seq_len * case.micro_batch,
    )
