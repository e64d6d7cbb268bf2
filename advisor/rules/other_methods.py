"""What the methods that were not asked for would take: nobody said how it is trained, or all weights are.

Source: estimator.
"""

from typing import Any

from advisor.advice import Finding, Need, note, warn
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.query import Kind
from advisor.refused import four_bit_runs
from advisor.stacks import ALL_ON_ONE, FULL_ADAMW, GOOD, LORA_RANK, LORA_TARGETS, STATES, Stack
from advisor.topics.unsaid import other_ways
from advisor.verdicts import FAILS

KINDS = frozenset(
    {Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.OOM_HELP, Kind.MULTI_GPU, Kind.CONTEXT_LENGTH, Kind.SYSTEM_RAM, Kind.MIXED}
)

SHORT_OF = FAILS | {"fsdp_offload"}
"""Verdicts after which another method is the way out."""
TOLD = frozenset(
    {
        "open", "method", "methods", "grid", "optimizers", "states", "several", "how_many", "budget_short",
        "which_split", "disk", "merge", "nvme", "save",
    }
)  # fmt: skip
"""Verdicts that name the other methods themselves, or are about something else."""
ROOM_ENOUGH = frozenset({"should_fit", "length"})
"""Verdicts after which no cheaper method is wanted, where the chosen one takes little of the card."""
COSTLY = True


def check(case: Case) -> Finding | None:
    """What the methods that were not asked for would take: nobody said how it is trained, or all weights are."""
    query = case.query
    if not case.sized or case.apple or query.kind not in KINDS or not four_bit_runs(case):
        return None
    if query.kind is Kind.WHICH_GPU and query.budget:  # what the money buys is told; dearer methods are out of reach
        return None
    small = query.method == "lora" and query.weight_bits is None and case.lean.fit in ("no", "unlikely")
    unsaid = case.method_unsaid
    if not (unsaid or case.full or small):
        return None
    if case.advice and (case.advice.verdict.code in TOLD or case.advice.verdict.facts.get("ways")):
        return None
    if case.advice and case.full and case.advice.verdict.code in ROOM_ENOUGH and case.plain.device < _half(case):
        return None
    if case.keeps_fp32:
        return _in_fp32(case)
    ram = case.advice is not None and case.advice.kind is Kind.SYSTEM_RAM
    said: dict[str, Any] = {"ways": (), "qlora": None, "ram": ram, "several": case.n_cards > 1, "no_bf16": case.no_bf16}
    said["batch_one"] = case.batch_too_large
    if unsaid and case.n_cards > 1 and (rows := other_ways(case)):
        return note(ways=rows)
    if small:
        qlora = _adapters(case, "qlora")
        if _told(case) or qlora.fit in ("no", "unlikely"):
            return None
        return warn(**said, full=False, lora=None, other=qlora.device, high=None)
    return _beside_full(case, said) if case.full else _beside_adapters(case, said)


def _beside_full(case: Case, said: dict[str, Any]) -> Finding | None:
    """LoRA and QLoRA where all weights are trained, but for those that the answer tells."""
    told = _told(case)
    if "qlora" in told:
        return None
    lora = None if "lora" in told else _adapters(case, "lora").device
    speak = warn if case.advice and case.advice.verdict.code in SHORT_OF else note
    return speak(**said, full=False, lora=lora, other=_adapters(case, "qlora").device, high=None)


def _beside_adapters(case: Case, said: dict[str, Any]) -> Finding | None:
    """All weights, and the other adapters, where nobody said how it is trained."""
    whole_model: dict[str, Any] = {"method": "full", **ALL_ON_ONE, "weight_bits": None}
    whole_model |= {"micro_batch": 1} if case.batch_too_large else {}
    full, high = case.need(case.lean_full, **whole_model), case.need(FULL_ADAMW, **whole_model)
    whole = case.method == "lora"  # a number format of whole weights is named: it is the assumed method itself
    adapter = _adapters(case, "qlora" if whole else "lora")
    if case.usable is not None and not {adapter.fit, full.fit} & set(GOOD):
        return None  # nothing that these cards could do instead
    adapters = {"lora": None, "qlora": adapter.device} if whole else {"lora": adapter.device}
    others = [_of_another(case, *another, "qlora" if whole else "lora", whole_model) for another in case.alternatives]
    return note(**said | adapters, full=True, other=full.device, high=high.device, others=others)


def _of_another(
    case: Case, name: str, slots: dict[str, Any], method: str, whole_model: dict[str, Any]
) -> tuple[str, int, int, int]:
    """A further model of the question: its name, and bytes of the adapters, of all weights at the leanest and most."""
    adapter = _adapters(case, method, **slots)
    full, high = (case.need(stack, **whole_model | slots) for stack in (case.lean_full, FULL_ADAMW))
    return name, adapter.device, full.device, high.device


def _in_fp32(case: Case) -> Finding | None:
    """LoRA on fp32 weights, the one cheaper method where 16 and 4 bit are ruled out; split where one card is short."""
    if not case.full:
        return None
    stack = Stack("hf", "hf")
    slots: dict[str, Any] = _slots(case) | {"method": "lora", "weight_bits": 32.0, "compute_dtype": "fp32"}
    alone = case.need(stack, **slots)
    shared = case.n_cards > 1 and alone.fit not in GOOD
    split = case.need(stack, **slots | {"n_gpus": case.n_cards, "sharding": "fsdp"}).device if shared else None
    states = STATES * (case.params or 0) // case.n_cards if case.sharding in SHARDED else None
    return note(ways=(), fp32=alone.device, split=split, states=states)


def _half(case: Case) -> int:
    """Half of what the card gives."""
    return (case.usable or 0) // 2


def _told(case: Case) -> set[str]:
    """The methods that the answer gives a figure for among its changes: it is not said again with another one."""
    if case.advice is None:
        return set()
    alone = {"qlora"} if case.advice.verdict.facts.get("qlora_alone") else set()
    return alone | {str(change.value) for change in case.advice.changes if change.slot == "method"}


def _adapters(case: Case, method: str, **other: Any) -> Need:
    """What adapters take on one card, at the leanest."""
    bare: dict[str, Any] = {"weight_bits": None, "compute_dtype": None}
    return case.need(Stack("unsloth", case.query.trainer or "unsloth"), **_slots(case) | bare | other, method=method)


def _slots(case: Case) -> dict[str, Any]:
    """Adapters on one card: what replaces the asker's own optimizer, split and number formats."""
    return {
        "optimizer": "adamw_8bit",
        "lora_rank": case.query.lora_rank or LORA_RANK,
        "lora_targets": case.query.lora_targets or LORA_TARGETS,
        **ALL_ON_ONE,
        "quant": None,
        "autocast": None,
        **({"micro_batch": 1} if case.batch_too_large else {}),
    }
