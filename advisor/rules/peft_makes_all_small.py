"""LoRA and 4-bit shrink weights, gradients and optimizer states; activations and logits stay.

Source: QLoRA, arXiv:2305.14314, sec. 2 and 3; estimator terms.
"""

from advisor.advice import Finding, Need, correct
from advisor.case import Case

PER_TOKEN = frozenset({"activations", "logits", "temporaries", "loss"})
"""Components that grow with the tokens of a step."""

ON = ("peft_makes_all_small",)


def check(case: Case) -> Finding | None:
    """LoRA and 4-bit shrink weights, gradients and optimizer states; activations and logits stay."""
    if "peft_makes_all_small" not in case.claims:
        return None
    open_ = case.sized and case.query.grad_checkpointing is None
    return correct(
        rest=_per_token(case.plain) if case.sized else None,
        open=_per_token(case.need(case.stacks[-1], grad_checkpointing=False)) if open_ else None,
        tokens=case.seq_len * case.micro_batch,
    )


def _per_token(need: Need) -> int | None:
    return sum(size for name, size in need.components.items() if name in PER_TOKEN) or None
