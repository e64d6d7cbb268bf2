"""The steps of `remedies.py`: each offers one or more changes to a set-up, those that cost least first."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from advisor.estimator import experts
from advisor.estimator.plan import Plan
from advisor.estimator.solve.limits import holds, longest, widest
from advisor.query import SetUp

SHORTEST = 512
"""Tokens below which a context is no longer worth training on."""
NICE_LENGTH = 256
"""Solved lengths are rounded down to a multiple of this."""
NOT_TO_UNSLOTH = frozenset({"unsloth", "mlx", "mlx-lm"})
SMALL_OPTIMIZERS = ("8bit", "4bit", "adafactor", "sgd", "lomo", "lion")

Updates = dict[str, Any]
Option = tuple[str, str, Updates]
"""Slot, its new value in words, and all fields that change with it."""
Step = Callable[[Plan, SetUp, int], Iterator[Option]]


def _lean_stack(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    """Liger or cut cross-entropy: no logits in memory, no cost. Or Unsloth, for adapters on one NVIDIA card."""
    if plan.loss != "fused":
        yield "fused_loss", "true", {"fused_loss": True, "loss": None}
    if plan.n_gpus == 1 and plan.method != "full" and plan.profile.name not in NOT_TO_UNSLOTH:
        stock = dict.fromkeys(("loss", "fused_loss", "kernels", "kbit_prepare", "adapter_dtype", "autocast"))
        yield "trainer", "unsloth", {**stock, "trainer": "unsloth", "grad_checkpointing": "unsloth"}


def _checkpointing(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    if plan.checkpointing == "none":
        yield "grad_checkpointing", "true", {"grad_checkpointing": True}


def _micro_batch(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    """The largest batch that fits, accumulating more steps; the result is the same."""
    if plan.micro_batch > 1:
        one_holds = holds(replace(plan, micro_batch=1), usable)
        batch = min(plan.micro_batch - 1, widest(plan, usable) or 1) if one_holds else 1
        steps = -(-plan.micro_batch * plan.grad_accum // batch)
        yield "micro_batch", str(batch), {"micro_batch": batch, "grad_accum": steps}


def _optimizer(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    if not any(word in plan.optimizer for word in SMALL_OPTIMIZERS):
        yield "optimizer", "adamw_8bit", {"optimizer": "adamw_8bit", "optimizer_state_dtype": None}
    if plan.method == "full" and "paged" not in plan.optimizer and not plan.sharded:
        yield "optimizer", "paged_adamw_8bit", {"optimizer": "paged_adamw_8bit", "optimizer_state_dtype": None}


def _pure_bf16(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    """Full fine-tuning without an fp32 copy of the weights."""
    if plan.method == "full" and plan.trainable_bytes == 4:
        yield "weight_bits", "16", {"weight_bits": 16, "autocast": False, "compute_dtype": "bf16"}


def _length_to(floor: Callable[[Plan], int]) -> Step:
    """The longest that fits, no shorter than a floor."""

    def step(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
        least = max(SHORTEST, floor(plan))
        if least < plan.seq_len and holds(replace(plan, seq_len=least), usable):
            length = max(least, (longest(plan, usable) or 0) // NICE_LENGTH * NICE_LENGTH)
            if length < plan.seq_len:
                yield "seq_len", str(length), {"seq_len": length}

    return step


def _adapters(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    """Embeddings and routed experts out of the targets, then a rank of 16."""
    if plan.method == "full":
        return
    if experts.adapted(plan):
        yield "lora_targets", "attention", {"lora_targets": "attention", "trainable_params": None}
    if plan.targets & {"embed", "head"}:
        yield "lora_targets", "all-linear", {"lora_targets": "all-linear", "trainable_params": None}
    if plan.rank > 16:
        yield "lora_rank", "16", {"lora_rank": 16, "trainable_params": None}


BARE = {
    "weight_bits": None,
    "quant": None,
    "trainable_params": None,
    "optimizer_in_backward": None,
    "compute_dtype": None,
}


def _method(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    """Adapters in place of all weights, then the base in 4 bit."""
    if plan.method == "full":
        yield "method", "lora", {**BARE, "method": "lora", "autocast": None, "optimizer_state_dtype": None}
    if plan.method == "full" or plan.weight_bits > 4:
        yield "method", "qlora", {**BARE, "method": "qlora", "double_quant": True, "optimizer_state_dtype": None}


def _activation_offload(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    if plan.checkpointing != "offload" and not plan.activation_offload:
        yield "activation_offload", "true", {"activation_offload": True, "grad_checkpointing": "offload"}


def _sharding(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    """The cards that are there, each with a part of the model."""
    if plan.n_gpus > 1 and not plan.sharded:
        yield "sharding", "fsdp", {"sharding": "fsdp"}


def _cpu_offload(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    if plan.offload != "params":
        yield "offload", "params", {"offload": "params", "sharding": "fsdp" if plan.n_gpus > 1 else setup.sharding}


def _shortest(plan: Plan, setup: SetUp, usable: int) -> Iterator[Option]:
    """The last resort; lengthened again at the end as far as it goes."""
    if plan.seq_len > SHORTEST:
        yield "seq_len", str(SHORTEST), {"seq_len": SHORTEST}


STEPS: tuple[Step, ...] = (
    _lean_stack,
    _checkpointing,
    _micro_batch,
    _optimizer,
    _pure_bf16,
    _sharding,
    _length_to(lambda plan: plan.seq_len // 2),
    _adapters,
    _method,
    _activation_offload,
    _length_to(lambda plan: SHORTEST),
    _cpu_offload,
    _shortest,
    _method,
    _activation_offload,
    _cpu_offload,
)
"""Least cost to speed and quality first."""
