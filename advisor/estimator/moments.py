"""The moments of a training step, each as parts in bytes, and the one at which the peak stands.

FORMULAS.md, section "peak = max of five moments". With several GPUs the parts are those of the GPU that needs most.
"""

from dataclasses import replace

from advisor.estimator import dora, experts
from advisor.estimator.activations import (
    first_layer_bytes,
    head_input_bytes,
    kept_bytes,
    layer_bytes,
    mlp_bytes,
    mlp_input_bytes,
    rotary_bytes,
)
from advisor.estimator.adapters import lora_params
from advisor.estimator.algorithm import generation_bytes
from advisor.estimator.backward import attention_temporary_bytes, forward_temporary_bytes, layer_temporary_bytes
from advisor.estimator.loss import loss_backward_bytes, loss_forward_bytes
from advisor.estimator.masks import layer_mask_bytes, local_share, mask_bytes
from advisor.estimator.optimizer import gradient_bytes, gradient_element_bytes, step_bytes
from advisor.estimator.plan import Plan, of_set_up
from advisor.estimator.sharding import Resident, resident

Parts = dict[str, float]
STORED_JOINED = frozenset({"gpt_oss", "dbrx", "llama4"})
"""Architectures whose checkpoints hold all experts of a layer as one tensor."""


def _base(r: Resident, gradients: float, gathered: float) -> Parts:
    return {
        "weights": r.weights,
        "adapters": r.adapters,
        "gradients": gradients,
        "optimizer": r.states,
        "gathered": gathered,
        "buffers": r.buffers,
    }


@of_set_up
def autocast_copies(plan: Plan) -> float:
    """16-bit copies of fp32 weights that autocast keeps to the end of the forward pass.

    Adapters of experts are cast by their own code: the copies go with the layer where it is checkpointed.
    """
    if not plan.autocast:
        return 0.0
    if plan.method == "full":
        return 2.0 * plan.shape.linear_params if plan.residual_bytes == 4 else 0.0
    cast = plan.adapters
    if experts.adapted(plan) and plan.checkpointing != "none":
        cast = min(cast, lora_params(plan.shape, plan.targets - experts.ROLES, plan.rank))
    return 2.0 * cast if plan.adapter_bytes == 4 else 0.0


def _loss_moments(plan: Plan, r: Resident, kept: float, gradients: float) -> dict[str, Parts]:
    checkpointed = plan.checkpointing != "none"
    copies = autocast_copies(plan) * r.copy_share
    base = _base(r, gradients, r.ends) | {
        "activations": kept + rotary_bytes(plan) + plan.tokens * head_input_bytes(plan) + _kept_mask(plan),
    }
    logits, held = loss_forward_bytes(plan), copies
    if plan.loss == "inplace" and plan.autocast and checkpointed:
        # the returned logits turn fp32 when autocast has already dropped its copies
        late = 4.0 * plan.tokens * plan.shape.vocab
        logits, held = (logits, 0.0) if late > copies else (logits - late, copies)
    last = base | {"temporaries": forward_temporary_bytes(plan), "copies": copies}
    return {
        "forward": last,
        "loss_forward": base | {"logits": logits, "copies": held},
        "loss_backward": base | {"logits": loss_backward_bytes(plan), "copies": 0.0 if checkpointed else copies},
    }


def _kept_mask(plan: Plan) -> float:
    """Checkpoints hold the mask for the second forward pass; without them it is gone with the model's own."""
    return mask_bytes(plan) if plan.checkpointing != "none" else 0.0


def _backward_moments(plan: Plan, r: Resident, kept: float, accumulated: float) -> dict[str, Parts]:
    s, tokens, full = plan.shape, plan.tokens, plan.method == "full"
    checkpointed = plan.checkpointing != "none"
    saved, temporary = tokens * layer_bytes(plan), layer_temporary_bytes(plan)
    stacks = _held_weights(plan) + layer_mask_bytes(plan)
    if plan.tiled_mlp and checkpointed:
        saved, temporary = _tiled(plan)
    head = s.vocab * s.hidden * gradient_element_bytes(plan) if plan.trains_head else 0.0
    in_place, mask = plan.optimizer_in_backward, _kept_mask(plan)
    gathered = r.ends_behind + r.alive
    waiting = head if s.tied else 0.0
    top = _base(r, accumulated + waiting if accumulated else head, gathered) | {
        "activations": kept + (saved + stacks if checkpointed else 0.0) + _retained(plan, kept) + mask,
        "temporaries": temporary,
        "copies": 0.0 if checkpointed else autocast_copies(plan) * r.copy_share,
    }
    if full:
        untied = 0.0 if s.tied else head * min(1.0, r.gradients / max(1.0, gradient_bytes(plan)))
        done = max(0.0, r.gradients - untied - r.gradients * s.linear_params / s.layers / s.text_params)
    else:
        done = r.gradients * (1 - 1 / s.layers)
    if accumulated:
        done = accumulated + waiting
    one_layer = gradient_bytes(plan) / s.layers
    bottom = _base(r, one_layer + head if in_place else done, gathered) | {
        "activations": saved + tokens * plan.residual_bytes * s.hidden + stacks + mask,
        "temporaries": temporary,
    }
    twice = 2 if plan.grad_accum > 1 else 1
    end = _base(r, head if in_place else r.gradients, r.ends)
    if full:
        end["gradients"] += twice * head if s.tied else 0.0
        end["activations"] = float(tokens * plan.residual_bytes * s.hidden)
    return {"backward_top": top, "backward_bottom": bottom, "backward_end": end}


def _tiled(plan: Plan) -> tuple[float, float]:
    """What a layer keeps and needs when its MLP runs over as many tokens at a time as it is wide (ALST,
    arXiv:2506.13996; unsloth_zoo/tiled_mlp.py, "arctic")."""
    tile = replace(plan, seq_len=min(plan.seq_len, plan.shape.hidden), micro_batch=1, sequences=1)
    mlp = mlp_bytes(plan) + mlp_input_bytes(plan)
    saved = plan.tokens * (layer_bytes(plan) - mlp) + min(plan.tokens, tile.tokens) * mlp
    in_mlp = layer_temporary_bytes(tile) + 4.0 * plan.tokens * plan.shape.hidden
    return saved, min(layer_temporary_bytes(plan), max(in_mlp, attention_temporary_bytes(plan)))


def _retained(plan: Plan, kept: float) -> float:
    """FSDP-1 with adapters: neither checkpoints nor their gradients go before the backward pass ends."""
    if (
        plan.sharding == "fsdp"
        and plan.method != "full"
        and plan.profile.fsdp_retains
        and plan.checkpointing == "layer"
    ):
        return kept
    return 0.0


def moments(plan: Plan) -> dict[str, Parts]:
    """Moment → part → bytes."""
    r = resident(plan)
    kept = plan.tokens * (r.layers * kept_bytes(plan) - first_layer_bytes(plan)) + _kept_beside(plan, r)
    accumulated = r.gradients if plan.grad_accum > 1 and not plan.optimizer_in_backward else 0.0
    step = _base(r, 0.0 if plan.optimizer_in_backward else r.gradients, 0.0)
    if not plan.optimizer_in_backward:
        step["temporaries"] = step_bytes(plan) * r.state_share
    cache = generation_bytes(plan)
    generation = {"generation": _base(r, accumulated, r.ends + r.layer) | {"cache": cache}} if cache else {}
    return {
        **_loss_moments(plan, r, kept, accumulated),
        **_backward_moments(plan, r, kept, accumulated),
        "optimizer": step,
        **generation,
        **_load_moment(plan, r),
    }


def _load_moment(plan: Plan, r: Resident) -> dict[str, Parts]:
    """k-bit loaders hold the 16-bit original of the matrix that they quantise, and of what they widen to fp32.

    transformers 5 reads the experts of a layer one by one and joins them (core_model_loading.py, WeightConverter): both
    lie on the GPU for a moment. Each copy of the model is loaded so; what is sharded is quantised in system RAM.
    """
    if plan.sharded:
        return {}
    s, x, quantised = plan.shape, plan.shape.experts, plan.weight_bits < 16
    joined = 0.0 if x is None or plan.profile.own_models else 2.0 * x.count * 2 * x.width * s.hidden
    largest = 2.0 * max(s.largest_linear, s.embedding_params if plan.kbit else 0) if quantised else 0.0
    copies = (2 if experts.quantised(plan) else 1) - (s.model_type in STORED_JOINED)
    held = max(largest, copies * joined)
    return {"load": {"weights": r.weights, "temporaries": held}} if held else {}


def _held_weights(plan: Plan) -> float:
    """Copies of one layer's weights that its backward pass needs."""
    return experts.held_bytes(plan) + dora.held_bytes(plan)


def _kept_beside(plan: Plan, r: Resident) -> float:
    """Without checkpoints every layer keeps what it made of its weights (dense ones among experts have no stacks), and
    its window's mask."""
    if plan.checkpointing != "none":
        return 0.0
    x = plan.shape.experts
    sparse = 1 - x.dense_layers / plan.shape.layers if x else 1.0
    return r.layers * (_held_weights(plan) * sparse + layer_mask_bytes(plan) * local_share(plan.shape))


def peak(plan: Plan) -> tuple[str, Parts]:
    """The moment at which most is allocated, and its parts."""
    found = moments(plan)
    name = max(found, key=lambda moment: sum(found[moment].values()))
    return name, found[name]
