"""A device map that puts layers on the CPU is for running a model, not for training it.

Source: accelerate, big model inference (https://huggingface.co/docs/accelerate/usage_guides/big_modeling, 2026-11);
transformers refuses to train a 4-bit model with layers on the CPU.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("layers_on_cpu",)


def check(case: Case) -> Finding | None:
    """A device map that puts layers on the CPU is for running a model."""
    if "layers_on_cpu" not in case.symptoms:
        return None
    need = case.need(case.stacks[-1], method="qlora", weight_bits=None).device if case.sized else None
    return stop(need=need, usable=case.usable)
