"""The shortest list of changes that makes a set-up fit, in the order that costs least speed and quality."""

from collections.abc import Iterator
from typing import Any

from advisor.advice import Change, Need
from advisor.case import BILLION, UNSLOTH, Case, Stack

LENGTHS = (32768, 16384, 8192, 4096, 2048, 1024, 512)
GOOD = ("yes", "tight")
WORTH = 0.04
"""Share of the present need that a change must save to be worth a line."""
STOCK = frozenset({"trl", "hf", "llama-factory", "ms-swift", "litgpt", "torchtune", "axolotl"})
SMALLER_B = (32.0, 14.0, 8.0, 3.0, 1.0)

Step = tuple[str, str, dict[str, Any]]


def make_it_fit(case: Case) -> tuple[Change, ...]:
    """Changes, each on top of those before it, until the need fits the asker's card; the last one may still not fit."""
    return _walk(case, most=8, until_fits=True) if case.usable is not None else ()


def make_room(case: Case, most: int = 3) -> tuple[Change, ...]:
    """The first changes that save something, whether it fits already or not."""
    return _walk(case, most=most, until_fits=False)


def _walk(case: Case, *, most: int, until_fits: bool) -> tuple[Change, ...]:
    stack: Stack = case.stacks[-1]
    made: list[Change] = []
    kept: dict[str, Any] = {}
    need = case.need(stack)
    for slot, value, changes in steps(case, stack):
        if not until_fits and slot in kept_slots(made):
            continue
        if (until_fits and need.fit in GOOD) or len(made) == most:
            break
        if slot == "trainer":
            stack = UNSLOTH
        tried = kept | changes
        after = case.need(stack, **tried)
        if need.device - after.device < WORTH * need.device:
            stack = case.stacks[-1] if slot == "trainer" else stack
            continue
        made.append(Change(slot=slot, value=value, saves=need.device - after.device, after=after.device, fit=after.fit))
        kept, need = tried, after
    return tuple(made)


def kept_slots(made: list[Change]) -> set[str]:
    """Slots that have changed already: to make room, each is changed once."""
    return {change.slot for change in made}


def steps(case: Case, stack: Stack) -> Iterator[Step]:
    """What can be changed in this set-up, the cheapest first."""
    query = case.query
    if query.grad_checkpointing in (False, "false", "none"):
        yield "grad_checkpointing", "true", {"grad_checkpointing": True}
    if case.micro_batch > 1:
        yield "micro_batch", "1", {"micro_batch": 1}
    if case.full and query.optimizer not in ("adamw_8bit", "paged_adamw_8bit"):
        yield "optimizer", "adamw_8bit", {"optimizer": "adamw_8bit", "autocast": False, "compute_dtype": "bf16"}
    if not case.full and stack.trainer in STOCK and not query.fused_loss and not case.apple:
        if case.n_cards == 1:
            yield "trainer", "unsloth", {}
        else:
            yield "fused_loss", "true", {"fused_loss": True}
    if case.n_cards > 1 and case.sharding in ("none", "ddp", "zero2"):
        yield "sharding", "fsdp", {"sharding": "fsdp"}
    yield from _cheaper_method(case)
    for length in LENGTHS:
        if length < case.seq_len:
            yield "seq_len", str(length), {"seq_len": length}
    if (query.lora_rank or 0) > 32:
        yield "lora_rank", "16", {"lora_rank": 16}
    if case.n_cards > 1:
        yield "offload", "params", {"sharding": "fsdp", "offload": "params"}


def _cheaper_method(case: Case) -> Iterator[Step]:
    bare = {"weight_bits": None, "quant": None, "optimizer": "adamw_8bit", "autocast": None, "compute_dtype": None}
    adapters = {"lora_rank": case.query.lora_rank or 16, "lora_targets": case.query.lora_targets or "all-linear"}
    if case.full:
        yield "method", "lora", {"method": "lora"} | bare | adapters
    if case.method not in ("qlora", "qdora") and not case.apple:
        yield "method", "qlora", {"method": "qlora"} | bare | adapters


def largest_that_fits(case: Case, stack: Stack, method: str = "qlora") -> tuple[float, Need] | None:
    """The largest common size (1e9 parameters) below the asked one that fits the asker's card, with its need."""
    for size in SMALLER_B:
        if size * BILLION < (case.params or 0):
            need = case.need(
                stack, model=None, arch=None, params_b=size, method=method, weight_bits=None, n_gpus=1, sharding="none"
            )
            if need.fit in GOOD:
                return size, need
    return None
