"""LoRA and 4-bit shrink weights, gradients and optimizer states; activations and logits stay.

Source: QLoRA, arXiv:2305.14314, sec. 2 and 3; estimator terms.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

PER_TOKEN = frozenset({"activations", "logits", "temporaries", "loss"})
"""Components that grow with the tokens of a step."""

ON = ("peft_makes_all_small",)


def check(case: Case) -> Finding | None:
    """LoRA and 4-bit shrink weights, gradients and optimizer states; activations and logits stay."""
    if "peft_makes_all_small" not in case.claims:
        return None
    parts = case.needs()[-1].components if case.sized else {}
    return correct(
        rest=sum(size for name, size in parts.items() if name in PER_TOKEN) or None,
        tokens=case.seq_len * case.micro_batch,
    )
