"""DDP, FSDP, ZeRO, tensor or pipeline parallel? What differs, and which of the named ways the asker's cards hold."""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.parallel import SPEED_FIRST, ways
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, FOUR_BIT, FULL_ADAMW, GOOD, Stack
from advisor.stacks import AXOLOTL as LEAN
from advisor.tiers import cards_that_hold, split
from advisor.topics.multi_gpu.counts import shared_stack
from advisor.topics.usual import ADAPTERS

NAMED = frozenset({"ddp", "fsdp", "fsdp2", "zero1", "zero2", "zero3", "tp", "pipeline"})
"""Ways to use several cards that people set against each other."""
SAME = {"fsdp2": "fsdp", "zero1": "zero2"}
OPEN_TO = {"ddp": {"ddp"}, "zero2": {"zero2"}, "fsdp": {"hybrid", "fsdp"}, "zero3": {"hybrid", "fsdp"}}
"""A named way → the rows that are it."""
WHOLE = frozenset({"ddp", "zero2"})
"""Ways that keep all weights on each card."""
LAST = {"fsdp_offload"}
"""What is left where none of the named ways fits. A way that nobody asked about, and ZeRO-2 beside a full split, count
only where they fit with ease.
"""


def named(case: Case) -> tuple[str, ...]:
    """The ways that the question sets side by side."""
    said = [SAME.get(name, name) for name in case.query.named.get("sharding", ()) if name in NAMED]
    if not said and case.query.trainer == "deepspeed" and case.query.sharding in ("fsdp", "fsdp2"):
        said = ["zero3", "fsdp"]  # "DeepSpeed or FSDP": its full split is meant
    return tuple(dict.fromkeys(said))


def which_split(case: Case) -> Advice:
    """The fastest of the named ways that fits, and a sentence about each."""
    said = named(case)
    sized = case.sized and case.n_cards > 1
    stack = shared_stack(case)
    found = {way.code: way.need for way in ways(case, stack, case.n_cards)} if sized else {}
    open_ = _open_to(said)
    splits = {"fsdp", "zero3"}.intersection(said)
    died = bool(splits) and bool(case.symptoms & FAILURES)
    if died and case.method in FOUR_BIT:
        said = tuple(dict.fromkeys("fsdp" if name == "zero3" else name for name in said))  # it was tried in vain
    if died:
        open_ -= WHOLE  # of the named ways the one that splits less is the one that ran out
    pick = _fastest(found, open_ | LAST, {"ddp"} - set(said) | ({"zero2"} if splits else set()))
    shown = pick if pick in ("ddp", "zero2") else "fsdp"
    facts: dict[str, Any] = {
        **case.where,
        "nodes": case.query.nodes or 1,
        "said": said,
        "pick": pick,
        "tight": pick is not None and found[pick].fit == "tight",
        "died": died and bool(WHOLE.intersection(said)),
        "copy": _copy(found, pick) if splits and not died else None,
        "pcie": case.gpu is not None and case.gpu.segment == "consumer",
        "amp": _amp(case) if pick == "ddp" else None,
        "measured": bool(case.query.seen_gib or case.query.seen_s_per_step),
        "adapters": not case.full and bool(case.query.method),
        "lean": _lean(case) if sized and pick in (None, *LAST) else None,
        "adapter": _adapter(case) if sized and case.usable and pick in (None, *LAST) else None,
        "from_cards": _from_cards(case, stack) if sized and case.usable and pick in (None, *LAST) else None,
        **{code: need.device for code, need in found.items()},
    }
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="which_split", facts=facts),
        setup=case.setup.model_copy(update={"sharding": shown}) if sized else None,
        needs=tuple(found.values()),
        offers=("sharding=fsdp", "kind=system_ram", "show=config"),
    )


def _open_to(said: tuple[str, ...]) -> set[str]:
    """The rows that the named ways are, or that one takes in their place."""
    instead = {"ddp", "hybrid", "fsdp"} if {"tp", "pipeline"}.intersection(said) else set()
    return instead.union(*(OPEN_TO.get(name, set()) for name in said))


def _fastest(found: dict[str, Need], among: set[str], easy: set[str]) -> str | None:
    """The fastest way that fits, with ease where it is one of those that nobody named."""
    order = [code for code in SPEED_FIRST if code in found and code in among]
    return next((code for code in order if found[code].fit in (("yes",) if code in easy else GOOD)), None)


def _copy(found: dict[str, Need], pick: str | None) -> int | None:
    """Bytes of a copy on each card where that fits with ease, though only ways to split are named."""
    copied = found.get("ddp")
    return copied.device if copied is not None and copied.fit == "yes" and pick != "ddp" else None


def _amp(case: Case) -> int | None:
    """Bytes of a copy with fp32 master weights, where pure bf16 fits all weights and that does not."""
    if not case.full or case.query.optimizer or case.usable is None:
        return None
    need = case.need(split(FULL_ADAMW), sharding="ddp", offload="none")
    return need.device if need.fit not in GOOD else None


def _adapter(case: Case) -> dict[str, Any] | None:
    """The method with adapters that one card holds, 16-bit LoRA before QLoRA, where the stated one needs more."""
    for method in ("lora", "qlora") if case.full else ("qlora",) if case.method == "lora" else ():
        need = case.need(LEAN, **ADAPTERS | ALL_ON_ONE | {"method": method, "weight_bits": None, "quant": None})
        if need.fit in GOOD:
            return {"method": method, "need": need.device}
    return None


def _lean(case: Case) -> int | None:
    """What all weights take split with 8-bit states, where DeepSpeed's usual AdamW does not fit and these do."""
    if not case.full or case.query.trainer != "deepspeed" or case.query.optimizer or case.no_bf16:
        return None
    need = case.need(LEAN, sharding="fsdp", offload="none")
    return need.device if need.fit in GOOD else None


def _from_cards(case: Case, stack: Stack) -> int | None:
    """How many of these cards hold it split, without offload."""
    return cards_that_hold(case, stack, case.usable or 0, least=case.n_cards + 1)
