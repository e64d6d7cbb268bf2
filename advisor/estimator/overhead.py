"""What a GPU shows beyond live tensors: workspaces, the caching allocator's spare room, the CUDA context.

Measured: weights, states, gradients, the optimizer's temporaries and the moving blocks of the forward and backward pass
hardly reuse each other's blocks, so a card with room shows their sum and some slack; a card that gets full shows little
more than the peak, since PyTorch frees cached blocks before it gives up. FSDP-1 and ZeRO-3 gather layers on a stream of
its own, whose blocks no other one reuses; FSDP-2 gives them back (torch docs, "fully_shard": no recordStream).
"""

from collections.abc import Mapping
from typing import NamedTuple

from advisor.estimator.coefficients import Coefficients
from advisor.estimator.plan import Plan
from advisor.estimator.sharding import gathered_layer_bytes

GIB = 2**30
SPREAD_SIZE = 0.05
"""Added to the range for an assumed length, and for an assumed batch: what was run may be shorter than our default."""
STAYS = ("weights", "adapters", "optimizer", "gradients", "gathered", "buffers")
STILL = ("optimizer", "load", "generation")
"""Moments outside of forward and backward pass."""
PRESSED = 0.35
"""Share of the slack that stays on a nearly full card (fsdp-qlora: 12 % of the moving part, where 30 % are usual)."""
VARIED_UP_TO = 16_384
"""Tokens. Longer contexts are filled to the end, by packing or by design; their lengths do not vary."""
VARIED_POWER = 0.7
"""Spare blocks grow slower than what moves: the longer, the fewer samples of other lengths (ms-swift, 512 to 8,192)."""
VARIED_FULL = 0.3
"""Gradients and the optimizer's temporaries of full fine-tuning reuse most spare blocks (ms-swift, Qwen-1.8B full)."""
FULL_AT = 0.96
"""Share of a card up to which spare blocks are kept."""


class Counters(NamedTuple):
    """Bytes per counter; `needed`: what nvidia-smi shows on a card that is just large enough."""

    reserved: int
    device: int
    low: int
    high: int
    needed: int


def _logits_slack(plan: Plan, c: Coefficients) -> float:
    """The triton path widens and copies shifted logits of a batch: blocks of two sizes that do not fit each other."""
    return c.slack_shifted if plan.micro_batch > 1 and plan.loss == "triton" else c.slack_logits


def _moving(moments: Mapping[str, Mapping[str, float]], on_logits: float, on_rest: float) -> tuple[float, float]:
    """(largest moving part of forward and backward pass, the same with its slack), bytes."""
    largest = with_slack = 0.0
    for name, parts in moments.items():
        if name in STILL:
            continue
        part = parts.get
        logits, rest = part("logits", 0.0), part("activations", 0.0) + part("temporaries", 0.0) + part("copies", 0.0)
        if logits + rest > largest:
            largest = logits + rest
        if (slack := logits * (1 + on_logits) + rest * (1 + on_rest)) > with_slack:
            with_slack = slack
    return largest, with_slack


def _spread(plan: Plan, c: Coefficients) -> float:
    guesses = (
        int(plan.shape.guessed) + int("trainer" in plan.assumed) + int(plan.variant not in ("full", "lora", "qlora"))
    )
    if plan.shape.experts is not None or plan.shape.full_attention_share < 1:
        guesses += 1
    sizes = int("seq_len" in plan.assumed) + int("micro_batch" in plan.assumed)
    return min(0.5, c.spread + c.spread_guess * guesses + SPREAD_SIZE * sizes)


def _sharded(plan: Plan, c: Coefficients) -> float:
    """One more layer than is in use waits to be given back (torch.distributed.fsdp._limiter_utils: two in flight)."""
    if not plan.sharded or plan.sharding == "fsdp2":
        return 0.0
    return c.sharded_gib * GIB + gathered_layer_bytes(plan)


def counters(plan: Plan, allocated: int, moments: Mapping[str, Mapping[str, float]], c: Coefficients) -> Counters:
    """reserved, device and the 90 % range of reserved."""
    moving, with_slack = _moving(moments, _logits_slack(plan, c), c.slack_activations)
    if plan.profile.varied_lengths and plan.room and plan.seq_len <= VARIED_UP_TO:
        share = VARIED_FULL if plan.method == "full" else 1.0
        with_slack = moving + share * c.slack_varied * GIB * (moving / GIB) ** VARIED_POWER
    step = moments["optimizer"]
    resident = sum(map(step.__getitem__, STAYS)) + moments["loss_backward"]["gathered"]
    sharded = _sharded(plan, c)
    workspace = c.workspace_gib * GIB
    base = c.slack_activations * moving
    pressed = allocated + workspace + PRESSED * (base + sharded)
    free = max(allocated, resident + with_slack + step.get("temporaries", 0.0)) + workspace + sharded
    context = (c.context_gib + (c.context_several_gib if plan.n_gpus > 1 else 0.0)) * GIB
    if plan.room:
        reserved = max(pressed, min(free, FULL_AT * plan.room - context))
    else:
        modest = max(allocated, resident + moving) + workspace + base + sharded
        reserved = max(pressed, min(free, modest))
    spread = _spread(plan, c)
    return Counters(
        reserved=round(reserved),
        device=round(reserved + context),
        low=round(min(reserved, pressed) * (1 - spread)),
        high=round(reserved * (1 + spread)),
        needed=round(pressed + context),
    )
