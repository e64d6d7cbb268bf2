"""The shortest list of changes that makes a set-up fit, in the order that costs least speed and quality."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from advisor.advice import Change, Need
from advisor.case import Case
from advisor.refused import four_bit_runs
from advisor.stacks import (
    BILLION,
    BY_LAYER,
    FOUR_BIT,
    GOOD,
    LORA_RANK,
    LORA_TARGETS,
    TRL,
    UNSLOTH,
    Stack,
)

LENGTHS = (262144, 131072, 65536, 32768, 16384, 8192, 4096, 2048, 1024, 512)
WORTH = 0.04
"""Share of the present need that a change must save to be worth a line."""
STOCK = frozenset({"trl", "hf", "peft", "deepspeed", "llama-factory", "ms-swift", "litgpt", "torchtune", "axolotl"})
FUSES = "trl"
"""The one of them that fuses its loss by itself (since 1.7)."""
PAIRS = frozenset({"orpo", "cpo", "simpo"})
"""Algorithms whose pairs Unsloth scores without whole logits when it is told to (2026.10)."""
ZERO = frozenset({"zero2", "zero3"})
"""DeepSpeed's ways to split, which move the optimizer's states to system RAM and leave the rest."""
LONG = 8192
"""Tokens from which the checkpoints of the layers are worth a trip to system RAM."""
SAFE_LEN = 2048
"""Tokens at most that a smaller model is proposed with."""
SMALLER_B = (32.0, 14.0, 8.0, 3.0, 1.0)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to change: its slot and value as a code, and what it means for the set-up (or the stack)."""

    slot: str
    value: str
    changes: tuple[tuple[str, Any], ...] = ()
    stack: Stack | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The set-up after some steps."""

    case: Case
    stack: Stack
    steps: tuple[Step, ...] = ()

    def need(self) -> Need:
        """What it takes now."""
        values: dict[str, Any] = {}
        stack = self.stack
        for step in self.steps:
            values |= dict(step.changes)
            stack = step.stack or stack
        return self.case.need(stack, **values)

    def __add__(self, step: Step) -> "Plan":
        return Plan(self.case, self.stack, (*self.steps, step))


def make_it_fit(case: Case, stack: Stack | None = None, *, whole: bool = False) -> tuple[Change, ...]:
    """Changes, each on top of those before it, until the need fits the asker's card; the last one may still not fit.

    Steps that the later ones make needless are left out. `whole`: with the trainer that the rest start from.
    """
    if case.usable is None:
        return ()
    start = Plan(case, stack or case.stacks[0])
    plan, waiting = _without_loss(start)
    if not _fits(plan):
        plan = _shorter(plan)
    for step in (*waiting, *_last_resorts(case)):
        if _fits(plan):
            break
        plan = _shorter(plan + step)
    plan = _pruned(plan) if _fits(plan) else plan
    return (*(_fused_first(plan) if whole else ()), *_told(plan))


def make_room(case: Case, most: int = 3) -> tuple[Change, ...]:
    """The first changes that save something worth a line, whether it fits already or not; each slot once."""
    plan = Plan(case, case.stacks[-1])
    halved = next((length for length in LENGTHS if length < case.seq_len), None)
    last = [Step("seq_len", str(halved), (("seq_len", halved),))] if halved else []
    taken: set[str] = set()
    for step in (*steps(case, plan.stack), *last):
        before = plan.need().device
        if len(plan.steps) < most and step.slot not in taken and before - (plan + step).need().device >= WORTH * before:
            plan = plan + step
            taken.add(step.slot)
    return _told(plan)


def _without_loss(plan: Plan) -> tuple[Plan, list[Step]]:
    """The plan after every step that saves something, and the steps that saved nothing yet."""
    waiting = []
    for step in steps(plan.case, plan.stack):
        before = plan.need()
        if before.fit in GOOD:
            break
        after = (plan + step).need()
        if before.device - after.device >= WORTH * before.device:
            plan = plan + step
        else:
            waiting.append(step)
    return plan, waiting


def _fits(plan: Plan) -> bool:
    return plan.need().fit in GOOD


def _shorter(plan: Plan) -> Plan:
    """With the longest sequence that fits; the shortest of all where none does."""
    if _fits(plan):
        return plan
    bare = replace(plan, steps=tuple(step for step in plan.steps if step.slot != "seq_len"))
    if _fits(bare):
        return bare
    tried = bare
    for length in LENGTHS:
        if length < plan.case.seq_len:
            tried = bare + Step("seq_len", str(length), (("seq_len", length),))
            if _fits(tried):
                break
    return tried


def _pruned(plan: Plan) -> Plan:
    """Without the steps that it fits without; the costly ones are tried first."""
    for step in reversed(plan.steps[:-1]):
        without = replace(plan, steps=tuple(s for s in plan.steps if s is not step))
        if _fits(without):
            plan = without
    return plan


def _told(plan: Plan) -> tuple[Change, ...]:
    made: list[Change] = []
    done = replace(plan, steps=())
    before = done.need()
    for step in plan.steps:
        done = done + step
        after = done.need()
        saves, ram = before.device - after.device, _in_ram(step, before, after)
        made.append(Change(slot=step.slot, value=step.value, saves=saves, after=after.device, fit=after.fit, ram=ram))
        before = after
    return tuple(made)


def _in_ram(step: Step, before: Need, after: Need) -> int | None:
    """The RAM of a run with offloaded states; of offloaded checkpoints what they add."""
    if step.slot == "activation_offload":
        return max(0, after.host_ram - before.host_ram) or None
    return after.host_ram if step.slot == "offload" else None


def steps(case: Case, stack: Stack) -> Iterator[Step]:
    """What can be changed without a shorter context, the cheapest first."""
    query = case.query
    if query.trainable_params and not case.full:
        yield Step("trainable_params", "adapters", (("trainable_params", None),))
    if query.grad_checkpointing in (False, "false", "none"):
        yield Step("grad_checkpointing", "true", (("grad_checkpointing", True),))
    if case.micro_batch > 1:
        yield Step("micro_batch", "1", (("micro_batch", 1),))
    if (
        case.full
        and query.optimizer not in ("adamw_8bit", "paged_adamw_8bit")
        and dict(stack.changes).get("optimizer") != "adamw_8bit"
    ):
        if case.no_bf16 or case.keeps_fp32:
            yield Step("optimizer", "adamw_8bit_fp32", (("optimizer", "adamw_8bit"),))
        else:
            lean = (("optimizer", "adamw_8bit"), ("autocast", False), ("compute_dtype", "bf16"))
            yield Step("optimizer", "adamw_8bit", lean)
    wide = case.no_bf16 or case.keeps_fp32
    if case.method == "full" and case.n_cards == 1 and not (wide or query.optimizer or query.offload):
        yield Step("optimizer", "by_layer", BY_LAYER)
    if stack.trainer in STOCK and stack.trainer != FUSES and not query.fused_loss and not case.apple:
        yield from _fused_loss(case)
    if stack.trainer == "unsloth" and query.algorithm in PAIRS and query.loss is None:
        yield Step("loss", "fused", (("loss", "fused"),))
    if case.seq_len >= LONG and not case.apple and not query.activation_offload:
        yield Step("activation_offload", "true", (("activation_offload", True),))
    if case.seq_len >= LONG and stack.trainer == "unsloth":
        yield Step("kernels", "tiled mlp", (("kernels", "tiled mlp"),))
    if case.model is not None and case.model.moe is not None:
        yield from _of_experts(case, stack)
    if case.n_cards > 1 and case.sharding in ("none", "ddp", "zero2"):
        yield Step("sharding", "fsdp_qlora" if case.method in FOUR_BIT else "fsdp", (("sharding", "fsdp"),))
    if case.full and case.query.offload == "optimizer" and case.offload_is_sane:
        yield Step("offload", "params", (("sharding", "fsdp"), ("offload", "params")))
    if case.full and query.sharding in ZERO and query.offload in (None, "none") and case.offload_is_sane:
        yield Step("offload", "optimizer", (("offload", "optimizer"),))
    yield from _cheaper_method(case)


def _of_experts(case: Case, stack: Stack) -> Iterator[Step]:
    """Of a mixture of experts: adapters elsewhere, or a loader that quantises them."""
    if not case.full and case.query.lora_targets in (None, LORA_TARGETS):
        yield Step("lora_targets", "attention", (("lora_targets", "attention"), ("trainable_params", None)))
    experts = case.method in FOUR_BIT and case.n_cards > 1
    if experts and stack.trainer in STOCK and case.gap("unsloth") is None:
        yield Step("experts", "4bit", stack=UNSLOTH)


def _fused_loss(case: Case) -> Iterator[Step]:
    """Another trainer, or a fused loss for the one there is; nothing for a model that no fused loss is made for."""
    gap = case.gap("unsloth")
    if gap is not None and gap.why != "unproven":
        return
    if case.n_cards == 1 and case.tensor_cores and not (case.full or case.arm_board):
        fused = UNSLOTH if gap is None else TRL
        slot, value = fusing(case, fused)
        yield Step(slot, value, stack=fused)
    else:
        yield Step("fused_loss", "true", (("fused_loss", True),))


def fusing(case: Case, stack: Stack) -> tuple[str, str]:
    """What moving to this trainer is: of a mixture of experts that it alone holds in 4 bit that, else its loss."""
    return ("experts", "4bit") if stack is UNSLOTH and case.setup.experts_16_bit else ("trainer", stack.trainer)


def _fused_first(plan: Plan) -> tuple[Change, ...]:
    """The trainer that the steps start from, as the first of them where none is stated and they need it to fit."""
    case, stock = plan.case, replace(plan, stack=plan.case.stacks[-1])
    if case.query.trainer or plan.stack is not UNSLOTH or not plan.steps or _fits(stock):
        return ()
    lean, saves = case.needs()[0], case.needs()[-1].device - case.needs()[0].device
    if saves < WORTH * case.needs()[-1].device:
        return ()
    slot, value = fusing(case, UNSLOTH)
    return (Change(slot=slot, value=value, saves=saves, after=lean.device, fit=lean.fit, ram=None),)


def _cheaper_method(case: Case) -> Iterator[Step]:
    bare = (
        ("weight_bits", None),
        ("quant", None),
        ("optimizer", "adamw_8bit"),
        ("autocast", None),
        ("compute_dtype", None),
    )
    rank, targets = case.query.lora_rank or LORA_RANK, case.lora_targets
    adapters = (*bare, ("lora_rank", rank), ("lora_targets", targets))
    if case.full:
        whole = (("weight_bits", 32.0), ("compute_dtype", "fp32")) if case.keeps_fp32 else ()
        yield Step("method", "lora", (("method", "lora"), *adapters, *whole))
    if case.method not in FOUR_BIT and not case.keeps_fp32 and four_bit_runs(case):
        yield Step("method", "qlora", (("method", "qlora"), *adapters))


def _last_resorts(case: Case) -> Iterator[Step]:
    if (case.query.lora_rank or 0) > 32:
        yield Step("lora_rank", "16", (("lora_rank", 16),))
    if case.n_cards > 1 and case.offload_is_sane:
        yield Step("offload", "params", (("sharding", "fsdp"), ("offload", "params")))


def largest_that_fits(case: Case, stack: Stack, method: str = "qlora") -> tuple[float, Need] | None:
    """The largest common size (1e9 parameters) below the asked one that fits the asker's card, with its need."""
    for size in SMALLER_B:
        if size * BILLION < 0.9 * (case.params or 0):
            need = case.need(
                stack, model=None, arch=None, params_b=size, method=method, weight_bits=None, n_gpus=1, sharding="none",
                seq_len=min(case.seq_len, SAFE_LEN), micro_batch=1,
            )  # fmt: skip
            if need.fit in GOOD:
                return size, need
    return None
