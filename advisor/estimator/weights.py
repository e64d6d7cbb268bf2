"""W, first part: bytes of the base weights as they lie on the GPU. FORMULAS.md, section "W, optimizer"."""

from functools import lru_cache

from advisor.estimator.plan import Plan
from advisor.estimator.shape import Shape

NF4_BLOCK, NF4_SECOND_BLOCK = 64, 256
"""Block sizes of bitsandbytes' NF4 and of its doubly quantised constants (QLoRA, arXiv:2305.14314, sec. 3)."""


def quantised_bytes_per_weight(quant: str, bits: float, double_quant: bool) -> float:
    """Bytes per quantised weight with its constants.

    NF4: half a byte, one absmax per 64 weights (fp32, or 8 bit plus one fp32 per 256 of them). GPTQ and AWQ: a 16-bit
    scale and a packed zero point per group of 128 (AutoGPTQ's default group size). int8: one scale per row.
    """
    if quant in ("gptq", "awq"):
        return bits / 8 + (2 + bits / 8) / 128
    if quant == "hqq":
        return bits / 8 + 4 / 64
    if bits >= 8:
        return bits / 8 + 0.001
    if double_quant:
        return bits / 8 + 1 / NF4_BLOCK + 4 / (NF4_BLOCK * NF4_SECOND_BLOCK)
    return bits / 8 + 4 / NF4_BLOCK


@lru_cache(maxsize=4096)
def _weight_bytes(shape: Shape, bits: float, quant: str, double: bool, kbit: bool, experts_too: bool, tower: bool) -> int:
    if bits >= 16:
        return int(shape.params * bits / 8)
    quantised = shape.linear_params if experts_too else shape.linear_params - shape.expert_params
    kept16 = 0 if experts_too else shape.expert_params
    small = shape.text_params - quantised - kept16
    per_weight = quantised_bytes_per_weight(quant, bits, double)
    tower_bytes = shape.tower_params * (2.0 if tower else per_weight)
    return int(quantised * per_weight + kept16 * 2 + small * (4 if kbit else 2) + tower_bytes)


def weight_bytes(plan: Plan) -> int:
    """Bytes of all base weights of the whole model, unsharded."""
    p = plan.profile
    return _weight_bytes(
        plan.shape, plan.weight_bits, plan.quant, plan.double_quant, plan.kbit, p.quantises_experts, not p.quantises_tower
    )


def dequantised_bytes(plan: Plan) -> int:
    """D: the temporary of one dequantised matrix, bf16 values and fp32 absmax. FORMULAS.md, section X."""
    if plan.weight_bits >= 16:
        return 0
    largest = plan.shape.largest_linear
    return 2 * largest + (4 * largest // NF4_BLOCK if plan.quant in ("nf4", "none") else 0)
