"""W, first part: bytes of the base weights as they lie on the GPU. FORMULAS.md, section "W, optimizer"."""

from functools import lru_cache

from advisor.estimator.architectures import KEPT_IN_FP32
from advisor.estimator.plan import Plan, of_set_up
from advisor.estimator.profile import Profile
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


def _kept_fp32(shape: Shape, quant: str) -> int:
    """Linear parameters that bitsandbytes is told to leave alone, and that stay in fp32."""
    if quant not in ("nf4", "int8") or shape.model_type not in KEPT_IN_FP32:
        return 0
    return shape.layers * shape.hidden * shape.intermediate


@lru_cache(maxsize=4096)
def _weight_bytes(shape: Shape, bits: float, quant: str, double: bool, kbit: bool, profile: Profile) -> int:
    experts = 0 if profile.experts_on_cpu else shape.expert_params
    if bits >= 16:
        return int((shape.params - shape.expert_params + experts) * bits / 8)
    fp32 = _kept_fp32(shape, quant)
    dense = shape.linear_params - shape.expert_params - fp32
    kept16 = 0 if profile.has_quantised_experts(quant) else experts
    quantised = dense + experts - kept16
    small = shape.text_params - shape.linear_params
    if profile.quantises_head:
        quantised += shape.head_params
        small -= shape.head_params
    per_weight = quantised_bytes_per_weight(quant, bits, double)
    per_weight += profile.qlora_holds
    tower_too = profile.quantises_tower and quant in ("nf4", "int8")
    tower = shape.tower_params * (per_weight if tower_too else 2.0)
    return int(quantised * per_weight + (kept16 + small) * (4 if kbit else 2) + 4 * fp32 + tower)


def weight_bytes(plan: Plan) -> int:
    """Bytes of all base weights of the whole model, unsharded."""
    return _weight_bytes(plan.shape, plan.weight_bits, plan.quant, plan.double_quant, plan.kbit, plan.profile)


def constant_bytes(plan: Plan) -> float:
    """Block constants of quantised weights: no parameters, so FSDP does not shard them (measured: fms-acceleration).

    bitsandbytes keeps them in the weight's `quant_state` (`nn/modules.py`, Params4bit), GPTQ and AWQ in buffers. NF4
    tensors of torchao are sharded with theirs.
    """
    if plan.weight_bits >= 16:
        return 0.0
    s, bits = plan.shape, plan.weight_bits
    quantised = (
        s.linear_params
        - _kept_fp32(s, plan.quant)
        - (0 if plan.profile.has_quantised_experts(plan.quant) else s.expert_params)
    )
    return quantised * (quantised_bytes_per_weight(plan.quant, bits, plan.double_quant) - bits / 8)


@of_set_up
def dequantised_bytes(plan: Plan) -> float:
    """D: the temporary of one dequantised matrix.

    bitsandbytes: 16-bit values and fp32 absmax (FORMULAS.md, section X). GPTQ and AWQ while training: 4-bit values are
    shifted out of int32 (4 bytes), narrowed (2) and scaled (2) (AutoGPTQ, nn_modules/qlinear/qlinear_cuda.py); its
    Triton kernel writes them at once (qlinear_tritonv2.py).
    """
    if plan.weight_bits >= 16:
        return 0.0
    largest = plan.shape.largest_linear
    if plan.quant in ("gptq", "awq") and not plan.profile.triton_dequantises:
        return 8.0 * largest
    return 2.0 * largest + (4.0 * largest / NF4_BLOCK if plan.quant == "nf4" else 0.0)
