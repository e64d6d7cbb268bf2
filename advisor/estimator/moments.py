"""The moments of a training step, each as parts in bytes, and the one at which the peak stands.

FORMULAS.md, section "peak = max of five moments". With several GPUs the parts are those of the GPU that needs most.
"""

from advisor.estimator.activations import first_layer_bytes, head_input_bytes, kept_bytes, layer_bytes, rotary_bytes
from advisor.estimator.backward import layer_temporary_bytes
from advisor.estimator.loss import loss_backward_bytes, loss_forward_bytes
from advisor.estimator.optimizer import step_bytes
from advisor.estimator.plan import Plan
from advisor.estimator.sharding import Resident, resident

Parts = dict[str, float]


def _base(r: Resident, gradients: float) -> Parts:
    return {
        "weights": r.weights,
        "adapters": r.adapters,
        "gradients": gradients,
        "optimizer": r.states,
        "gathered": r.gathered,
    }


def autocast_copies(plan: Plan) -> float:
    """16-bit copies of fp32 weights that autocast keeps to the end of the forward pass."""
    if not plan.autocast:
        return 0.0
    if plan.method == "full":
        return 2.0 * plan.shape.linear_params if plan.trainable_bytes == 4 else 0.0
    return 2.0 * plan.adapters if plan.adapter_bytes == 4 else 0.0


def moments(plan: Plan) -> dict[str, Parts]:
    """Moment → part → bytes."""
    s, tokens = plan.shape, plan.tokens
    r = resident(plan)
    full = plan.method == "full"
    checkpointed = plan.checkpointing != "none"
    saved = layer_bytes(plan)
    kept = tokens * (r.layers * kept_bytes(plan) - first_layer_bytes(plan))
    per_run = rotary_bytes(plan)
    copies = autocast_copies(plan) * r.weight_share
    vocab_gradient = s.vocab * s.hidden * plan.trainable_bytes if full else 0.0
    temporary = layer_temporary_bytes(plan)
    accumulated = r.gradients if plan.grad_accum > 1 else 0.0
    head_input = tokens * head_input_bytes(plan)
    layer = tokens * saved if checkpointed else 0.0

    before = _base(r, accumulated)
    logits, held = loss_forward_bytes(plan), copies
    if plan.loss == "inplace" and plan.autocast and checkpointed:  # the returned logits turn fp32 after autocast has dropped its copies
        late = 4.0 * tokens * s.vocab
        logits, held = (logits, 0.0) if late > copies else (logits - late, copies)
    forward = before | {"activations": kept + per_run + head_input, "logits": logits, "copies": held}
    loss = before | {
        "activations": kept + per_run + head_input,
        "logits": loss_backward_bytes(plan),
        "copies": 0.0 if checkpointed else copies,
    }
    top = before | {
        "activations": kept + layer,
        "temporaries": temporary,
        "gradients": accumulated or vocab_gradient * r.gradient_share,
        "copies": 0.0 if checkpointed else copies,
    }
    if full:
        untied = 0.0 if s.tied else vocab_gradient * r.gradient_share
        done = max(0.0, r.gradients - untied - 0.6 * r.gradients * s.linear_params / s.text_params / s.layers)
    else:
        done = r.gradients * (1 - 1 / s.layers)
    bottom = _base(r, done) | {
        "activations": tokens * (saved + plan.residual_bytes * s.hidden),
        "temporaries": temporary,
    }
    twice = 2 if plan.grad_accum > 1 else 1
    end = _base(r, r.gradients + (twice * vocab_gradient * r.gradient_share if s.tied else 0.0))
    if full:
        end["activations"] = float(tokens * plan.residual_bytes * s.hidden)
    step = _base(r, r.gradients) | {"temporaries": step_bytes(plan) * r.state_share}
    return {
        "loss_forward": forward,
        "loss_backward": loss,
        "backward_top": top,
        "backward_bottom": bottom,
        "backward_end": end,
        "optimizer": step,
    }


def peak(plan: Plan) -> tuple[str, Parts]:
    """The moment at which most is allocated, and its parts."""
    found = moments(plan)
    name = max(found, key=lambda moment: sum(found[moment].values()))
    return name, found[name]
