"""How a model is trained where nobody says so: what else is named implies it."""

from typing import TYPE_CHECKING

from advisor.stacks import SMALL

if TYPE_CHECKING:
    from advisor.asked import Asked

WHOLE_OPTIMIZERS = frozenset({"galore_adamw", "apollo_adamw", "lomo", "badam", "adafactor", "sgd"})
"""Optimizers that people name when they train all weights."""
WHOLE = frozenset({"bf16", "fp16", "fp32"})
"""Number formats of weights that are not quantised."""


def method_of(asked: "Asked") -> str:
    """Stated, or what the bits imply; QLoRA where nothing is said (the seed's advice assumes it: S03)."""
    query = asked.query
    if query.method:
        return "qlora" if query.method == "lora" and query.weight_bits in (3, 4) else query.method
    if query.offload not in (None, "none") and (query.trainer == "deepspeed" or "zero" in (query.sharding or "")):
        return "full"  # ZeRO's offload is for the states of all weights
    if query.trainer == "megatron" and query.weight_bits is None and not query.quant:
        return "full"  # NVIDIA's pretraining code: who trains adapters with it says so
    if query.optimizer in WHOLE_OPTIMIZERS and query.weight_bits is None:
        return "full"
    if query.weight_bits in (8, 16, 32):
        return "lora"
    if _spares_all_but_states(asked):
        return "full"
    if asked.model is not None and asked.model.params_total < SMALL and asked.of_old:
        return "full"  # GPT-2's generation: nobody quantises those
    if query.compute_dtype in WHOLE and not (query.quant or query.weight_bits):
        return "lora"  # a number format of whole weights: no 4 bit in mind
    if asked.gpu is not None and asked.gpu.supports.bitsandbytes_4bit.startswith("no"):
        return "lora"
    return "qlora"


def _spares_all_but_states(asked: "Asked") -> bool:
    """Whole weights, their activations recomputed and moved off the card, and no word of adapters, which need none of
    that: what is meant is every weight (MosaicML's LLM Foundry: `amp_bf16`, `activation_cpu_offload`).
    """
    query = asked.query
    spares = query.offload == "activations" and bool(query.grad_checkpointing)
    return spares and query.compute_dtype in WHOLE and not (query.quant or query.weight_bits or query.trainer)
