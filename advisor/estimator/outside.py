"""Peaks outside of the training step: evaluation, and merging adapters on the GPU. Loading and generation are moments.

Evaluation holds no gradients and no activations of other layers, but Hugging Face's default batch is 8, and a fused
loss that makes its gradients in the forward pass (Liger) builds the logits again when it does not train
(liger_kernel/transformers/model/llama.py: skip_logits = self.training).
"""

from dataclasses import dataclass, replace

from advisor.estimator.activations import attention_bytes, rotary_bytes
from advisor.estimator.adapters import lora_params
from advisor.estimator.loss import loss_forward_bytes
from advisor.estimator.plan import Plan
from advisor.estimator.sharding import resident

EVAL_BATCH = 8
"""transformers.TrainingArguments.per_device_eval_batch_size."""


@dataclass(frozen=True, slots=True)
class Outside:
    """Bytes of live tensors on the fullest GPU. `merge` is None where there is nothing to merge."""

    evaluation: int
    eval_batch: int
    merge: int | None


def eval_batch(plan: Plan) -> int:
    """Rows of an evaluation batch: the Hugging Face Trainer's default, or the training batch of other stacks."""
    own = plan.profile.hf_trainer and not plan.profile.evaluates_as_trained
    return EVAL_BATCH if own else plan.micro_batch


def evaluation_bytes(plan: Plan) -> int:
    """Peak of an evaluation step: everything resident but gradients, one layer at work, logits and loss."""
    r = resident(plan)
    stays = plan.profile.fused_kernels or plan.profile.fuses_evaluation
    loss = "hf" if plan.loss == "fused" and not stays else plan.loss
    step = replace(plan, micro_batch=eval_batch(plan), loss=loss, sequences=1, grad_accum=1)
    s, tokens = plan.shape, step.tokens
    layer = tokens * (attention_bytes(step) + 3.0 * plan.mlp_bytes * s.active_width + 8.0 * s.hidden)
    head = loss_forward_bytes(step) + 4.0 * tokens * s.hidden
    moving = max(layer + r.layer, head)
    return round(r.weights + r.adapters + r.states + r.buffers + r.ends + rotary_bytes(step) + moving)


def merge_bytes(plan: Plan) -> int | None:
    """Merging on the GPU: all weights in 16 bit, the adapters, and the product of the largest pair in fp32."""
    if plan.method == "full":
        return None
    adapters = plan.adapters or lora_params(plan.shape, plan.targets, plan.rank)
    return round(2.0 * plan.shape.params + plan.adapter_bytes * adapters + 4.0 * plan.shape.largest_linear)


def outside(plan: Plan) -> Outside:
    """Both peaks."""
    return Outside(evaluation=evaluation_bytes(plan), eval_batch=eval_batch(plan), merge=merge_bytes(plan))
