"""LoRA and 4-bit shrink weights, gradients and optimizer states; activations and logits stay.

Source: QLoRA, arXiv:2305.14314, sec. 2 and 3; estimator terms.
"""

from advisor.advice import Finding, Need, correct, stop
from advisor.case import Case

PER_TOKEN = frozenset({"activations", "logits", "temporaries", "loss"})
"""Components that grow with the tokens of a step."""

SAVED = 12
"""Bytes a parameter that frozen weights save: gradients (4) and AdamW's states (8), in fp32 as Trainer has it."""
SMALL = 3_000_000_000
"""Parameters below which activations and logits outweigh what is saved."""
ON = ("peft_makes_all_small", "adapters_save_nothing")


def check(case: Case) -> Finding | None:
    """LoRA and 4-bit shrink weights, gradients and optimizer states; activations and logits stay."""
    nothing = "adapters_save_nothing" in case.symptoms
    if nothing and case.sized and (case.params or 0) < SMALL and case.query.method != "qlora":
        return stop(saved=SAVED * (case.params or 0), model=case.model_name)
    if "peft_makes_all_small" not in case.claims:
        return None
    open_ = case.sized and case.query.grad_checkpointing is None
    return correct(
        saved=None,
        beside=True,
        rest=_per_token(case.plain) if case.sized else None,
        open=_per_token(case.need(case.stacks[-1], grad_checkpointing=False)) if open_ else None,
        tokens=case.seq_len * case.micro_batch,
    )


def _per_token(need: Need) -> int | None:
    return sum(size for name, size in need.components.items() if name in PER_TOKEN) or None
