"""An error that says that a library has no kernels for the chip: no table of supported cards outweighs it.

Source: bitsandbytes, installation (ROCm wheels name their gfx targets; others are compiled with -DBNB_ROCM_ARCH);
HQQ and torchao as other 4-bit back ends (transformers, quantisation overview), 2026-11;
vachsark.com, qlora-rdna4 (HQQ ran where the bitsandbytes wheel did not).
"""

from typing import Any

from advisor.advice import Finding, Need, stop
from advisor.case import Case
from advisor.refused import refusal
from advisor.stacks import ALL_ON_ONE, short_name

FULL = 0.9
"""Share of a card from which nothing is left for longer examples: 16 bit is no way out there."""
ON = ("no_kernels",)


def check(case: Case) -> Finding | None:
    """Say what is missing, and which ways need no such kernels."""
    gpu = case.gpu
    if "no_kernels" not in case.symptoms or gpu is None or refusal(case) is not None:
        return None
    if gpu.vendor == "nvidia" and case.tensor_cores:
        return None  # a build older than the card
    bare: dict[str, Any] = {"method": "lora", "weight_bits": None, "quant": None, **ALL_ON_ONE}
    lora = case.need(case.stacks[0], **bare) if case.sized else None
    return stop(
        card=short_name(gpu),
        chip=gpu.compute_capability,
        maker=gpu.vendor,
        model=case.model_name if case.sized else None,
        lora=lora.device if lora else None,
        lora_fit=_with_room(case, lora) if lora else None,
    )


def _with_room(case: Case, need: Need) -> str | None:
    """The fit, called tight where next to nothing of the card stays free."""
    return "tight" if need.fit == "yes" and need.device > FULL * (case.usable or 0) else need.fit
