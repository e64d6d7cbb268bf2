"""What one micro step on one GPU has to do, in FLOPs, bytes and kernel launches: from the shape and the plan alone.

A pass goes once through all layers: forward, recomputation (with checkpointing), gradients of the inputs, gradients of
the weights (only of weights that are trained: full fine-tuning 8 N per token with checkpointing, LoRA 6 N). DPO
goes forward once more, for the reference; KTO three times, for that and its KL term.
"""

from dataclasses import dataclass

from advisor.estimator import experts
from advisor.estimator.algorithm import ALGORITHMS
from advisor.estimator.plan import Plan
from advisor.estimator.shape import Shape

NORM_BYTES, LAYER_NORM_BYTES = 40, 14
"""Bytes that a norm and its residual move per element of h: RMSNorm as six fp32 operations, LayerNorm as one."""
ROTARY_BYTES = 24
"""Bytes per element of q and k: rotate_half, two products, a sum."""
NO_ROTARY = frozenset({"gpt2", "opt", "bloom", "mpt", "gptneo", "gpt_neo", "gpt_bigcode"})
"""Learned positions or ALiBi."""
GATED_BYTES, PLAIN_BYTES = 10, 8
"""Bytes per element of the MLP's width: silu and product; gelu alone."""
SCORE_BYTES = 12
"""Bytes that eager attention moves per head and earlier token: scores, mask, fp32 softmax and its bf16 copy."""
KBIT_TRAFFIC = 1.75
"""After prepare_model_for_kbit_training residual stream and MLP are fp32: nearly twice the bytes, and casts around."""
LOGITS_BYTES = 40
"""Bytes per logit: bf16 and fp32 copies, log-softmax, its gradients (FORMULAS.md, Loss); fused losses halve it."""
STOCK_LOSSES = frozenset({"hf", "hf_old", "hf_kept", "litgpt"})
ADAPTER_BYTES = 26
"""Bytes per element of an adapter's input in one pass: casts to fp32 and back, dropout, the sum with the base."""
LAYER_KERNELS, LEAN_LAYER_KERNELS = 45, 22
"""Kernels that one layer's forward launches: stock Hugging Face code; with fused norms, rotary and MLP."""
ADAPTER_KERNELS, FOUR_BIT_KERNELS = 10, 12
"""More of them per adapter, and per layer when its matrices are dequantised."""
CASTS_KBIT = 14
"""A cast before and after each of seven matrices whose input is fp32."""
LLM_INT8_KERNELS = 100
"""Row-wise quantisation, outlier columns and their own product, for seven matrices (arXiv:2208.07339)."""
LLM_INT8_SLOWDOWN = 2.0
"""Its products against 16-bit ones, forward and backward."""
GROUPED_EXPERT_KERNELS, LOOPED_EXPERT_KERNELS = 60, 13
"""Routing and grouped products per layer (transformers 5, ScatterMoE, Unsloth); per expert where they are looped over.

A loop explains fms-acceleration's 1.1 s per step of Granite-3.0-3B-A800M (40 experts) where ScatterMoE takes 0.4 s.
"""
DEQUANTISE_BYTES = 2.5
"""Half a byte read, two written per weight."""


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one micro step on one GPU."""

    matmul_flops: float
    attention_flops: float
    softmax_flops: float
    """The attention's FLOPs again, where the exponentials between the two products are the limit."""
    moved_bytes: float
    fused_bytes: float
    """Elementwise traffic that fused kernels (Triton, torch.compile) avoid most of, and of adapters."""
    adapter_bytes: float
    dequantised_bytes: float
    launches: float
    optimizer_bytes: float
    gathered_bytes: float
    """Over the link between the GPUs."""
    host_bytes: float
    """Over the link to system RAM."""
    cpu_params: float
    """Parameters that the CPU updates."""


FUSED_WORDS = ("unsloth", "liger", "fused ops", "triton")
ADAPTERS_FUSED_WORDS = ("unsloth", "fused lora", "fused ops + liger")


def fuses(plan: Plan) -> bool:
    """Whether norms, rotary and MLP run in fused kernels."""
    return plan.compiled or plan.fused_kernels or any(word in plan.kernels for word in FUSED_WORDS)


def fuses_adapters(plan: Plan) -> bool:
    """Whether the adapters' casts and sums do too."""
    if plan.compiled or "unsloth" in plan.profile.name:
        return True
    return plan.weight_bits < 16 and any(word in plan.kernels for word in ADAPTERS_FUSED_WORDS)


def is_llm_int8(plan: Plan) -> bool:
    """bitsandbytes' 8-bit products, in place of dequantisation."""
    return plan.weight_bits == 8 and plan.quant not in ("gptq", "awq", "hqq", "torchao", "fp8")


def _expert_kernels(plan: Plan) -> int:
    """Kernels for the experts of one layer; those of GPTQ and AWQ checkpoints are called one after the other."""
    x = plan.shape.experts
    if x is None:
        return 0
    if plan.quant not in ("gptq", "awq") and not plan.profile.own_models:
        return GROUPED_EXPERT_KERNELS
    return LOOPED_EXPERT_KERNELS * min(x.count, plan.tokens * x.active)


def _stack_traffic(plan: Plan, forwards: int) -> float:
    """Bytes that peft moves where it adds every expert's product to its weights: the product is written, both are
    read, the sum is written; backward the gradient of the whole stack is written and read for A and for B."""
    if not (experts.adapted(plan) and experts.held_bytes(plan)) or plan.shape.experts is None:
        return 0.0
    sparse = plan.shape.layers - plan.shape.experts.dense_layers
    return (4 * forwards + 3) * 3 * experts.stack_bytes(plan) * sparse


def _layer_kernels(plan: Plan) -> int:
    """Kernels that one layer's forward launches."""
    kernels = LEAN_LAYER_KERNELS if fuses(plan) or plan.shape.layer_norm else LAYER_KERNELS
    if plan.method != "full":
        kernels += ADAPTER_KERNELS * adapter_width(plan.shape, plan.targets)[1]
    kernels += FOUR_BIT_KERNELS if plan.weight_bits < 16 else 0
    kernels += CASTS_KBIT if plan.kbit else 0
    kernels += LLM_INT8_KERNELS if is_llm_int8(plan) else 0
    return kernels + _expert_kernels(plan)


def active_linear_params(shape: Shape) -> float:
    """Parameters of the layers that one token is multiplied with."""
    if shape.experts is None:
        return shape.linear_params
    return shape.linear_params - shape.expert_params * (1 - shape.experts.active / shape.experts.count)


def attended(shape: Shape, seq_len: int) -> float:
    """Mean number of earlier tokens that a token attends to; half of the layers are local where there is a window."""
    whole = seq_len / 2
    if not 0 < shape.window < seq_len:
        return whole
    local = shape.window * (1 - shape.window / (2 * seq_len))
    return (whole + local) / 2


def adapter_width(shape: Shape, targets: frozenset[str]) -> tuple[float, int]:
    """Sum of the input widths of one layer's adapters, and their number."""
    widths = {"q": shape.hidden, "k": shape.hidden, "v": shape.hidden, "o": shape.q, "qkv": shape.hidden}
    widths |= {"gate": shape.hidden, "up": shape.hidden, "down": shape.active_width}
    taken = [width for role, width in widths.items() if role in targets]
    return float(sum(taken)), len(taken)


def _state_traffic(plan: Plan) -> float:
    """Bytes that an optimizer step moves per trained parameter: weight twice, gradient once, each moment twice."""
    width = plan.trainable_bytes
    name = plan.optimizer
    if "sgd" in name or "lomo" in name:
        return 3.0 * width
    if "8bit" in name or "4bit" in name:
        return 3.0 * width + 4
    if "adafactor" in name or "lion" in name or "muon" in name:
        return 5.0 * width
    return 3.0 * width + 4 * plan.state_bytes


def _tiles(plan: Plan) -> bool:
    """The MLP runs over a part of the tokens at a time, and forward a third time (Unsloth docs, "500K context")."""
    return plan.tiled_mlp and plan.checkpointing != "none" and plan.seq_len > plan.shape.hidden


def _traffic(plan: Plan, passes: float) -> tuple[float, float, float]:
    """Elementwise bytes: (unavoidable, fused away, of adapters)."""
    s = plan.shape
    norm = LAYER_NORM_BYTES if s.layer_norm else NORM_BYTES
    mlp = (GATED_BYTES if s.mlp_matrices == 3 else PLAIN_BYTES) * s.active_width
    layer: float = norm * s.norms * s.hidden + (0 if s.model_type in NO_ROTARY else ROTARY_BYTES) * (s.q + s.k) + mlp
    if plan.attention == "eager":
        layer += SCORE_BYTES * s.heads * plan.seq_len
    if plan.kbit:
        layer *= KBIT_TRAFFIC
    if _tiles(plan):
        passes += mlp / layer  # only the MLP runs again
    logits = LOGITS_BYTES * s.vocab * (1.0 if plan.loss in STOCK_LOSSES else 0.5)
    width, _ = adapter_width(s, plan.targets) if plan.method != "full" else (0.0, 0)
    adapters = ADAPTER_BYTES * width * (2 if plan.variant == "dora" else 1)
    return logits * plan.tokens, layer * s.layers * passes * plan.tokens, adapters * s.layers * passes * plan.tokens


def _between_gpus(plan: Plan, trained: float) -> float:
    """Bytes per GPU and micro step over the link between GPUs: gathers of the shards, gradients."""
    if plan.n_gpus == 1:
        return 0.0
    s = plan.shape
    part = (plan.n_gpus - 1) / plan.n_gpus
    gradients = 2 * trained
    if plan.sharded:
        bits = min(plan.weight_bits, 16)
        gathers = 2 + ALGORITHMS[plan.algorithm].looks
        return part * (gathers * (s.linear_params * bits / 8 + 2 * (s.embedding_params + s.head_params)) + gradients)
    if plan.sharding in ("pipeline", "device_map", "tp"):
        return 4.0 * plan.tokens * s.hidden * (2 * s.layers if plan.sharding == "tp" else 1)
    return 2 * part * gradients / plan.grad_accum


def _to_host(plan: Plan, trained: float, gpu_bytes: float) -> float:
    """Bytes per GPU and micro step to and from system RAM."""
    s = plan.shape
    share = plan.n_gpus if plan.sharded else 1
    host = 0.0
    if plan.offload == "params":
        host += 2 * s.linear_params * min(plan.weight_bits, 16) / 8 / share
    if plan.offload in ("params", "optimizer"):
        host += 4 * trained / share / plan.grad_accum
    if plan.activation_offload or plan.checkpointing == "offload":
        host += 2 * s.layers * s.hidden * plan.residual_bytes * plan.tokens
    if "paged" in plan.optimizer and gpu_bytes and plan.method == "full":
        state = 2 if "8bit" in plan.optimizer else 8
        gradients = 0 if plan.optimizer_in_backward else plan.trainable_bytes
        spilled = trained * (plan.trainable_bytes + gradients + state) / share - gpu_bytes
        host += 2 * max(0.0, min(spilled, state * trained / share)) / plan.grad_accum
    return host


def work_of(plan: Plan, gpu_bytes: float = 0.0) -> Work:
    """The work of one micro step of `plan`; with the card's memory known, what a paged optimizer spills is counted."""
    s = plan.shape
    tokens = plan.tokens
    again = 0 if plan.checkpointing == "none" else 1
    trains = 1 if plan.method == "full" else 0
    reference = ALGORITHMS[plan.algorithm].looks
    passes = 2 + again + trains + reference
    linear = active_linear_params(s)
    head = s.vocab * s.hidden
    slower = LLM_INT8_SLOWDOWN if is_llm_int8(plan) else 1.0
    linears = linear * passes + (s.mlp_matrices * s.hidden * s.active_width * s.layers if _tiles(plan) else 0)
    flops = 2 * tokens * (linears * slower + head * (2 + (trains or "head" in plan.targets) + reference))
    causal = 2.0 if plan.attention == "eager" else 1.0
    attention = 4 * s.q * attended(s, plan.seq_len) * causal * s.layers * s.full_attention_share
    attention *= tokens * (1 + again + 2.5 + reference)
    trained = float(s.text_params if trains else plan.adapters)
    elementwise = 3 + again + reference
    unavoidable, fused, adapters = _traffic(plan, elementwise)
    resident = s.linear_params if s.experts is None else min(s.linear_params, linear * tokens)
    offloaded = plan.offload in ("params", "optimizer")
    share = plan.n_gpus if plan.sharded or plan.sharding == "zero2" else 1
    dequantised = plan.weight_bits < 16 and not is_llm_int8(plan)
    unpacked = resident if s.experts is None or experts.quantised(plan) else s.linear_params - s.expert_params
    return Work(
        matmul_flops=flops,
        attention_flops=attention,
        softmax_flops=attention,
        moved_bytes=unavoidable + 2 * resident * passes + _stack_traffic(plan, 1 + again + reference),
        fused_bytes=fused,
        adapter_bytes=adapters,
        dequantised_bytes=DEQUANTISE_BYTES * unpacked * (2 + again + reference) if dequantised else 0.0,
        launches=s.layers * _layer_kernels(plan) * elementwise,
        optimizer_bytes=0.0 if offloaded else 2 * trained * _state_traffic(plan) / share / plan.grad_accum,
        gathered_bytes=_between_gpus(plan, trained),
        host_bytes=_to_host(plan, trained, gpu_bytes),
        cpu_params=trained / share / plan.grad_accum if offloaded else 0.0,
    )
