"""A small model with a large vocabulary can need more than a larger one: logits are tokens x vocabulary.

Source: FORMULAS of the loss: 12 bytes per token and vocabulary entry in the stock loss.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.stacks import LOGIT_BYTES
from knowledge.schemas import Model

ON = ("smaller_model_less_memory",)


def check(case: Case) -> Finding | None:
    """A small model with a large vocabulary can need more than a larger one: logits are tokens x vocabulary."""
    if "smaller_model_less_memory" not in case.claims or "trainer_decides" in case.claims:
        return None  # two trainers are compared, not two models
    if case.advice is not None and case.advice.verdict.code == "preference":
        return None  # the answer names the vocabulary
    vocab, tokens = case.setup.vocab if case.sized else None, case.seq_len * case.micro_batch
    other = _other(case, vocab or 0)
    return correct(
        vocab=vocab,
        logits=vocab * tokens * LOGIT_BYTES if vocab else None,
        tokens=tokens,
        other=other.id.split("/")[-1] if other else None,
        other_vocab=other.vocab_size if other else None,
        other_logits=other.vocab_size * tokens * LOGIT_BYTES if other else None,
    )


def _other(case: Case, vocab: int) -> Model | None:
    """The other model of the question, where it is catalogued and has fewer words."""
    named = [case.catalog.models.get(name) for name in case.query.models]
    return next((model for model in named if model is not None and model.vocab_size < vocab), None)
