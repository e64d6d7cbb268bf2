"""Which kind of question a message is: phrases and circumstances add up, the highest sum is the question."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from advisor.query import Kind
from bot.parser.cards import Cards
from bot.parser.findings import Findings, Found
from bot.parser.slots import Slots
from knowledge.language import shared_phrases

LONG = 8192
VERY_LONG = 16_000
"""Tokens from which on the length is likely what the question is about."""
SECOND_NEED = 0.5
"""A second kind with at least this share of the first one's sum is a need of its own."""
ASKED = 6.0
"""Weight of a phrase that asks for its kind in so many words."""
ADDING_UP = frozenset({"vram_adds_up", "mixed_cards_add_up", "nvlink_pools_memory"})
SHARES = (1.0, 0.5, 0.3)
"""What the strongest, second and third phrase of a kind count."""
MOST_PER_KIND = len(SHARES)
"""Phrases of one kind that count: a long message must not win by its length."""
ALSO = frozenset(
    {
        Kind.SYSTEM_RAM,
        Kind.TIME_ESTIMATE,
        Kind.COST_BUY_VS_RENT,
        Kind.DATA_SIZE_QUALITY,
        Kind.CONTEXT_LENGTH,
        Kind.FITS_CHECK,
        Kind.MULTI_GPU,
        Kind.METHOD_CHOICE,
        Kind.TRAINER_CHOICE,
        Kind.WHICH_GPU,
        Kind.OOM_HELP,
        Kind.COMPARE_GPUS,
    }
)


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    table = shared_phrases()["circumstances"]
    return {name: {kind: float(weight) for kind, weight in kinds.items()} for name, kinds in table.items()}


def circumstances(slots: Slots, cards: Cards, findings: Findings, hourly: bool) -> list[str]:
    """What the slots and marks say, as names of `circumstances` in any/phrases.yaml."""
    values, sources = slots.values, slots.sources
    oom = findings.has("oom")
    several = sum(card.count for card in cards.cards) > 1 and not cards.groups
    has_card = bool(cards.cards) and not cards.assumed
    has_model = "params_b" in values or sources.get("model") == "stated" or slots.unknown_model is not None
    long = (values.get("seq_len") or 0) >= LONG and sources.get("seq_len") == "stated"
    very_long = long and values["seq_len"] >= VERY_LONG
    training = findings.has("training") or "method" in values or values.get("lora_rank") is not None
    run = any(found.target.name == "inference_only" for found in findings.evidence if found.target.section == "kinds")
    methods, trainers = slots.methods, slots.trainers
    named = {found.number.length for found in findings.slots if found.target.name == "seq_len" and found.number}
    lengths = named | {number.length for number in slots.bare_lengths}
    algorithms = {found.target.value for found in findings.slots if found.target.name == "algorithm"}
    believed = {found.target.name for found in findings.evidence if found.target.section == "claims"}
    troubles = {found.target.name for found in findings.evidence if found.target.section == "symptoms"}
    told = {
        "oom": oom,
        "oom_and_long": oom and long,
        "oom_and_cards": oom and several,
        "oom_and_belief": oom and bool(believed & {"table_covers_me", *ADDING_UP}),
        "oom_and_sharding": oom and values.get("sharding") in ("fsdp", "zero2", "zero3") and several,
        "very_long": very_long,
        "oom_and_very_long": oom and very_long,
        "cards": several,
        "card_and_model": has_card and has_model,
        "card_only": has_card and not has_model,
        "model_only": has_model and not has_card,
        "long": long,
        "lengths": len(lengths) > 1,
        "ram": sources.get("ram_gb") == "stated",
        "ram_and_offload": sources.get("ram_gb") == "stated" and values.get("offload") not in (None, "none"),
        "another": any(card.another for card in cards.cards),
        "adds_up": bool(believed & ADDING_UP) or (cards.total_gb is not None and several),
        "trouble": bool(troubles) and not oom,
        "trainer_and_os": sources.get("trainer") == "stated" and "os" in values and not has_model,
        "trainers": len(trainers) > 1,
        "trainer": sources.get("trainer") == "stated",
        "methods": len(methods) == 2,
        "three_methods": len(methods) > 2,
        "algorithms": len(algorithms) > 1,
        "alternatives": bool(cards.groups),
        "money": sources.get("budget") == "stated",
        "hourly": hourly,
        "dataset": "dataset_examples" in values,
        "epochs": "epochs" in values,
        "untrained": not training and run,
        "unsaid": not training and not run,
        "run_and_oom": not training and run and oom,
        "training": training,
        "only_size": has_model and not training and not has_card,
        "nothing": not (has_card or has_model or training),
    }
    return [name for name, holds in told.items() if holds]


def _weights_found(findings: Findings) -> dict[str, list[float]]:
    """Weights of the phrases of each kind; of overlapping ones only the first, and none inside "not enough memory"."""
    weights: dict[str, list[float]] = {}
    ends: dict[str, int] = {}
    for start, end, target, _ in sorted((f for f in findings.evidence if f.target.section == "kinds"), key=_place):
        kind = target.name
        if start < ends.get(kind, 0):
            weights[kind][-1] = max(weights[kind][-1], target.value)
        elif kind == "oom_help" or not any(s <= start and end <= e for s, e in findings.covered):
            ends[kind] = end
            weights.setdefault(kind, []).append(target.value)
    return weights


def _place(found: Found) -> tuple[int, int]:
    return found.start, -found.end


def kind_of(findings: Findings, told: list[str]) -> tuple[Kind, Kind | None, dict[str, float]]:
    """The kind, a second need or None, and all sums."""
    sums: dict[str, float] = defaultdict(float)
    found = _weights_found(findings)
    for kind, weights in found.items():
        strongest = sorted(weights, reverse=True)[:MOST_PER_KIND]
        sums[kind] += sum(weight * share for weight, share in zip(strongest, SHARES, strict=False))
    for kind, weight in findings.leaning.items():
        sums[kind] += weight
    for name in told:
        for kind, weight in _weights().get(name, {}).items():
            sums[kind] += weight
    if not sums or max(sums.values()) <= 0:
        return Kind.HELP, None, dict(sums)
    ranked = sorted(sums, key=lambda kind: -sums[kind])
    return Kind(ranked[0]), _second_need(ranked, sums, found), dict(sums)


def _second_need(ranked: list[str], sums: Mapping[str, float], found: Mapping[str, list[float]]) -> Kind | None:
    """The next kind, when a phrase asks for it in so many words and its sum is near the first one's."""
    first = ranked[0]
    if Kind(first) not in ALSO:
        return None
    for name in ranked[1:4]:
        asked = max(found.get(name, (0.0,))) >= ASKED
        if Kind(name) in ALSO and asked and sums[name] >= SECOND_NEED * sums[first]:
            return Kind(name)
    return None
