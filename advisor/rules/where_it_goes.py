"""What a run's memory goes into, part by part, where that is asked.

Source: estimator; ZeRO, arXiv:1910.02054, sec. 3 (16 bytes a trained parameter); logits: FORMULAS.md, loss.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import LOGIT_BYTES, STATES

ABOUT_A_RUN = frozenset({Kind.OOM_HELP, Kind.FITS_CHECK, Kind.CONTEXT_LENGTH, Kind.MULTI_GPU, Kind.WHICH_GPU})
TELLS = frozenset(
    {"states", "normal", "too_much", "calculated", "load", "moe_load", "eval", "save", "disk", "generate"}
)
"""Answers that name the parts themselves, or are about another moment than the step."""
WORTH = 0.03
"""Share of the whole below which a part is not named."""
BACKWARD = frozenset({"activations", "logits"})
"""Parts of a peak in the forward or backward pass; others are the optimizer's."""

ON = ("asks_parts",)


def check(case: Case) -> Finding | None:
    """What a run's memory goes into, part by part."""
    advice = case.advice
    if "asks_parts" not in case.symptoms or advice is None or not case.sized or advice.kind not in ABOUT_A_RUN:
        return None
    if advice.verdict.code in TELLS:
        return None
    need = case.plain
    parts = [(name, size) for name, size in need.components.items() if size >= WORTH * need.device]
    tokens = case.seq_len * case.micro_batch
    return stop(
        total=need.device,
        stack=need.stack,
        parts=sorted(parts, key=lambda part: -part[1]),
        rest=need.device - sum(size for _, size in parts),
        states=STATES * (case.params or 0) if case.full else None,
        params=case.params,
        split=case.n_cards > 1 and case.full,
        tokens=tokens,
        vocab=case.setup.vocab,
        logits=LOGIT_BYTES * tokens * case.setup.vocab if not BACKWARD & need.components.keys() else None,
    )
