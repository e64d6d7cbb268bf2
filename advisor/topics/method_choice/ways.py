"""The ways to train a model: a set-up, what it takes on one card and over all of the asker's, and how fast it is."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

from advisor.advice import Need
from advisor.asked import PLAIN_TEXT
from advisor.case import Case
from advisor.lengths import LADDER
from advisor.stacks import (
    ALL_ON_ONE,
    FULL_ADAMW,
    FULL_METHODS,
    GOOD,
    LORA_RANK,
    STOCK,
    UNSLOTH,
    Stack,
)
from advisor.tiers import roomy, smallest, split

METHOD_OF = {"dora": "lora", "qdora": "qlora", "full_8bit": "full", "master_8bit": "full", "full_adamw": "full"}
"""A named method or a row → the method that stands for it."""
LEAN_OF_OPTIMIZER = {"galore_adamw": "galore", "apollo_adamw": "apollo", "badam": "badam", "lomo": "lomo"}
"""Optimizers that people name as a method."""
OPTIMIZER_OF = {method: optimizer for optimizer, method in LEAN_OF_OPTIMIZER.items()}
EIGHT_B = 8.0
"""The size that the table speaks of when nobody names one."""
USUAL_CARD = "GeForce RTX 3090"
"""The card by which methods are compared in speed where none is named."""
MUCH_TEXT = 20_000_000
"""Tokens from which a text without examples is one to train on as it is (data_size_quality)."""
RANK_FOR_TEXT = 64
"""The least rank that continued pretraining is advised with (rule continued_pretraining)."""
LOOSE: dict[str, Any] = {"weight_bits": None, "quant": None, "fused_loss": None, **ALL_ON_ONE}
"""What a table of methods takes back from the asker's set-up."""
PURE: dict[str, Any] = {"method": "full", **LOOSE, "optimizer": "adamw_8bit"}


class Way(NamedTuple):
    """One row: `code` names it, `family` is the method that it stands for."""

    code: str
    family: str
    stack: Stack
    values: dict[str, Any]


def leans(case: Case) -> tuple[str, ...]:
    """Named methods that train all weights with little beside them (GaLore, BAdam, …)."""
    query = case.query
    said = [query.method, LEAN_OF_OPTIMIZER.get(query.optimizer or ""), *query.named.get("method", ())]
    said += [LEAN_OF_OPTIMIZER.get(name) for name in query.named.get("optimizer", ())]
    return tuple(dict.fromkeys(name for name in said if name in FULL_METHODS and name != "full"))


def bits_named(case: Case) -> frozenset[str]:
    """The bits of the base that are set side by side ("8-bit or 4-bit LoRA")."""
    said = {str(bits).split(".")[0] for bits in case.query.named.get("weight_bits", ())}
    return frozenset(said | ({"8"} if case.query.weight_bits == 8 else set()))


def ways(case: Case, stack: Stack) -> Iterator[Way]:
    """The rows that the question may ask for, from the least memory to the most."""
    query = case.query
    size: dict[str, Any] = {} if case.sized else {"params_b": EIGHT_B}
    adapters: dict[str, Any] = {
        "lora_rank": usual_rank(case),
        "lora_targets": case.lora_targets,
        "optimizer": query.optimizer if not case.full and query.optimizer and not leans(case) else "adamw_8bit",
    }
    lean_full = case.lean_full
    pure = {**PURE, **size, **dict(lean_full.changes)}
    yield Way("qlora", "qlora", stack, {"method": "qlora", **LOOSE, **size, **adapters})
    if "8" in bits_named(case):
        base = {"method": "lora", **LOOSE, **size, **adapters, "weight_bits": 8}
        yield Way("lora_8bit", "lora_8bit", stack, base)
    yield Way("lora", "lora", stack, {"method": "lora", **LOOSE, **size, **adapters})
    for name in leans(case):
        by_layer = {"method": name, "optimizer": OPTIMIZER_OF.get(name, "adamw_8bit"), "optimizer_in_backward": True}
        yield Way(name, name, Stack(name, query.trainer or "hf"), {**pure, **by_layer})
    yield Way(lean_full.code, "full", full_stack(case, lean_full), pure)
    mixed = {**PURE, **size, "optimizer": "adamw", "autocast": True}
    yield Way(FULL_ADAMW.code, "full", full_stack(case, FULL_ADAMW), mixed)


def is_plain_text(case: Case) -> bool:
    """Continued pretraining is named, or so much text is there and no examples."""
    query = case.query
    return query.algorithm in PLAIN_TEXT or (not query.dataset_examples and (query.dataset_tokens or 0) >= MUCH_TEXT)


def usual_rank(case: Case) -> int:
    """The stated rank, or the one that is usual for what is trained."""
    return case.query.lora_rank or (RANK_FOR_TEXT if is_plain_text(case) else LORA_RANK)


def full_stack(case: Case, stack: Stack) -> Stack:
    """The stack with the stated trainer in place of its own."""
    return Stack(stack.code, case.query.trainer or stack.trainer)


def row(case: Case, way: Way) -> dict[str, Any]:
    """One method: its need on one card, and split over the asker's cards where there are several."""
    need = case.need(way.stack, **way.values).model_copy(update={"stack": way.code})
    made: dict[str, Any] = {
        "code": way.code,
        "family": way.family,
        "need": need,
        "device": need.device,
        "low": need.low,
        "high": need.high,
        "fit": need.fit,
        "alone": need.fit,
        "smallest_gb": roomy(case, need),
        "least_gb": smallest(case, need),
        "split": None,
        "longest": None,  # worked out where it is shown
    }
    if case.n_cards > 1 and case.usable:
        shared = _split(case, way)
        made |= {"split": shared.device, "split_fit": shared.fit}
        made["fit"] = need.fit if need.fit in GOOD else shared.fit
    return made


def slower(case: Case, found: list[Way]) -> dict[str, tuple[float, float] | None]:
    """Family → the share of 16-bit LoRA's speed that it loses (least, most), over fused and stock kernels."""
    made: dict[str, tuple[float, float] | None] = {"qlora": None, "lora_8bit": None}
    by_family = {way.family: way for way in found if way.family in ("qlora", "lora_8bit", "lora")}
    if "lora" not in by_family or len(by_family) == 1 or case.vendor not in (None, "nvidia"):
        return made
    stacks = (UNSLOTH, STOCK) if case.query.trainer is None else (by_family["lora"].stack,)
    gpu = case.gpu.name if case.gpu else USUAL_CARD
    for family, way in by_family.items():
        lost = [_lost(case, stack, way.values, by_family["lora"].values, gpu) for stack in stacks]
        known = [share for share in lost if share is not None]
        if family != "lora" and known:
            made[family] = (max(0.0, min(known)), max(0.0, *known))
    return made


def _lost(case: Case, stack: Stack, values: dict[str, Any], against: dict[str, Any], gpu: str) -> float | None:
    speeds = [case.tokens_per_s(stack, gpu, **slots) for slots in (values, against)]
    return 1 - speeds[0] / speeds[1] if speeds[0] and speeds[1] else None


def _split(case: Case, way: Way, **slots: Any) -> Need:
    sharding = "pipeline" if way.family == "lora_8bit" else "fsdp"  # FSDP and ZeRO-3 split no 8-bit weights
    return case.need(split(way.stack), **way.values | {"n_gpus": case.n_cards, "sharding": sharding} | slots)


def longest_split(case: Case, way: Way) -> int | None:
    """The longest of the usual lengths that the cards hold when they share the model; at most what it was made for."""
    if case.n_cards == 1 or not case.usable:
        return None
    lengths = [length for length in LADDER if length <= case.max_context]
    fitting = bisect_left(lengths, True, key=lambda length: _split(case, way, seq_len=length).fit not in GOOD)
    return lengths[fitting - 1] if fitting else None
