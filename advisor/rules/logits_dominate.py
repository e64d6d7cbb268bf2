"""At long sequences and large vocabularies the stock loss's logits are the largest part (S51).

Source: FORMULAS of the loss: fp32 logits are 4 bytes x tokens x vocabulary, about three copies at the peak;
Triton (README: compute capability 7.0 and later), in which Liger and CCE are written.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.rules import weights_are_all

SHARE = 0.3
"""Share of the need from which on the logits are worth a word."""
MOSTLY = 0.8
"""Share of the logits from which on what a fused loss saves in all is nearly all of them."""
OTHERWISE = frozenset({"grid", "runs"})
"""Answers about two sizes (whose logits?), or about a run that works at another length than is counted."""


def check(case: Case) -> Finding | None:
    """At long sequences and large vocabularies the stock loss's logits are the largest part (S51)."""
    if not case.sized or case.apple or case.query.fused_loss or case.claims & {"smaller_model_less_memory"}:
        return None
    if case.advice is not None and case.advice.verdict.code in OTHERWISE:
        return None
    reached = case.advice.verdict.facts.get("next") if case.advice else None
    if reached and "fused_loss" in reached["missing"]:
        return None  # the answer says what a fused loss saves
    if "weights_are_all" in case.claims and weights_are_all.fills(case):
        return None  # it names the logits
    tokens = told_length(case)
    shown = case.plain if tokens == case.seq_len else case.need(case.stacks[-1], seq_len=tokens)
    logits = shown.components.get("logits", 0)
    if logits < SHARE * shown.device or (len(case.stacks) == 1 and case.query.trainer == "unsloth"):
        return None
    return warn(
        logits=logits,
        vocab=case.setup.vocab,
        tokens=tokens * case.micro_batch,
        stack=shown.stack,
        triton=case.tensor_cores,
        saves=_saves(case, logits),
    )


def told_length(case: Case) -> int:
    """The length that the answer is about: the longest that fits, where that is the question."""
    about = case.advice is not None and case.advice.kind is Kind.CONTEXT_LENGTH and case.query.seq_len is None
    longest = case.advice.verdict.facts.get("stock_longest") if about and case.advice else None
    return int(longest or case.seq_len)


def _saves(case: Case, logits: int) -> int | None:
    """What a fused loss saves in all, where it is the first change and that is clearly less: the peak then lies
    elsewhere.
    """
    first = next(iter(case.advice.changes), None) if case.advice else None
    fused = first is not None and first.slot in ("fused_loss", "trainer")
    return first.saves if first is not None and fused and first.saves < MOSTLY * logits else None
