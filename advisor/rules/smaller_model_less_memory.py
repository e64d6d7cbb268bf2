"""A small model with a large vocabulary can need more than a larger one: logits are tokens x vocabulary.

Source: FORMULAS of the loss: 12 bytes per token and vocabulary entry in the stock loss.
"""

from advisor.advice import Finding, correct, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import LOGIT_BYTES
from knowledge.schemas import Model

ON = ("smaller_model_less_memory", "models")
LARGER = 1.5
"""Times the parameters of the smaller model from which on it is a surprise that it takes more."""


def check(case: Case) -> Finding | None:
    """A small model with a large vocabulary can need more than a larger one: logits are tokens x vocabulary."""
    if "trainer_decides" in case.claims:
        return None  # two trainers are compared, not two models
    if case.advice is not None and case.advice.verdict.code == "preference":
        return None  # the answer names the vocabulary
    if case.symptoms & FAILURES and (larger := _larger(case)) is not None:
        return larger
    if "smaller_model_less_memory" not in case.claims:
        return None
    vocab, tokens = case.setup.vocab if case.sized else None, case.seq_len * case.micro_batch
    other = _other(case, vocab or 0)
    return correct(
        larger=None,
        vocab=vocab,
        logits=vocab * tokens * LOGIT_BYTES if vocab else None,
        tokens=tokens,
        other=other.id.split("/")[-1] if other else None,
        other_vocab=other.vocab_size if other else None,
        other_logits=other.vocab_size * tokens * LOGIT_BYTES if other else None,
    )


def _larger(case: Case) -> Finding | None:
    """A larger model of the question that takes less than the one that failed, because its vocabulary is smaller."""
    if case.model is None or case.generic:
        return None
    other = _other(case, case.model.vocab_size)
    if other is None or other.params_total < LARGER * case.model.params_total:
        return None
    small, large = case.plain, case.need(case.stacks[-1], model=other.id, params_b=None, arch=None)
    logits = [need.components.get("logits", 0) for need in (small, large)]
    if large.device >= small.device or logits[0] <= logits[1]:
        return None
    return stop(
        larger=other.id.split("/")[-1],
        model=case.model_name,
        vocab=[case.model.vocab_size, other.vocab_size],
        logits=logits,
        need=[small.device, large.device],
        tokens=case.seq_len * case.micro_batch,
    )


def _other(case: Case, vocab: int) -> Model | None:
    """The other model of the question, where it is catalogued and has fewer words."""
    named = [case.catalog.models.get(name) for name in case.query.models]
    return next((model for model in named if model is not None and model.vocab_size < vocab), None)
