"""What the slots and marks of a message say about its kind, by name: signs beside its phrases and words."""

from itertools import compress
from operator import attrgetter
from typing import Any

from bot.parser.cards import Cards
from bot.parser.cards.apart import ADDING_UP
from bot.parser.findings import Findings
from bot.parser.passing import IN_PASSING
from bot.parser.slots import Slots

LONG = 8192
VERY_LONG = 16_000
"""Tokens from which on the length is likely what the question is about."""
ANOTHER = attrgetter("another")
SHARDED = ("fsdp", "zero2", "zero3")
NOTHING: dict[str, Any] = {}


def circumstances(slots: Slots, cards: Cards, findings: Findings, hourly: bool) -> list[str]:
    """The names of all that hold."""
    values = slots.values
    named: dict[str, set[str]] = {"kinds": set(), "claims": set(), "symptoms": set()}
    for _, _, target, _ in findings.evidence:
        if target.section in named:
            named[target.section].add(target.name)
    marks, oom = findings.marks, "oom" in findings.marks
    has_card = bool(cards.cards) and not cards.assumed
    has_model = "params_b" in values or slots.states("model") or slots.unknown_model is not None
    training = "training" in marks or "method" in values or values.get("lora_rank") is not None
    run = "inference_only" in named["kinds"]
    told = {
        "card_and_model": has_card and has_model,
        "card_only": has_card and not has_model,
        "model_only": has_model and not has_card,
        "trouble": not IN_PASSING.issuperset(named["symptoms"]) and not oom,
        "trainer_and_os": slots.states("trainer") and "os" in values and not has_model,
        "hourly": hourly,
        "untrained": not training and run,
        "unsaid": not training and not run,
        "run_and_oom": not training and run and oom,
        "training": training,
        "only_size": has_model and not training and not has_card,
        "nothing": not (has_card or has_model or training),
        "general": training and not (has_card or has_model),
        "killed": "killed" in named["symptoms"],
        "another_works": oom and "works" in marks and "models" in values,
    }
    shown = [*compress(told, told.values())]
    for more in (
        _of_settings(slots) if values else NOTHING,
        _of_cards(slots, cards, oom, named["claims"]) if cards.cards or oom or named["claims"] else NOTHING,
        _of_lists(slots, findings),
    ):
        shown += compress(more, more.values())
    return shown


def _of_cards(slots: Slots, cards: Cards, oom: bool, believed: set[str]) -> dict[str, Any]:
    """How many cards, and what runs out of memory on them."""
    several = bool(cards.cards) and not cards.groups and sum([card.count for card in cards.cards]) > 1
    told = {
        "cards": several,
        "adds_up": believed & ADDING_UP or (cards.total_gb is not None and several),
        "another": any(map(ANOTHER, cards.cards)),
        "alternatives": cards.groups,
    }
    if oom:
        length = slots.values["seq_len"] if slots.states("seq_len") else 0
        told |= {
            "oom": True,
            "oom_and_long": length >= LONG,
            "oom_and_very_long": length >= VERY_LONG,
            "oom_and_cards": several,
            "oom_and_belief": believed & {"table_covers_me", *ADDING_UP},
            "oom_and_sharding": several and slots.values.get("sharding") in SHARDED,
        }
    return told


def _of_settings(slots: Slots) -> dict[str, Any]:
    """Lengths, memory, money, data, epochs."""
    values, sources = slots.values, slots.sources
    long = sources.get("seq_len") == "stated" and values["seq_len"] >= LONG
    ram = sources.get("ram_gb") == "stated"
    return {
        "long": long,
        "very_long": long and values["seq_len"] >= VERY_LONG,
        "ram": ram,
        "ram_and_offload": ram and values.get("offload") not in (None, "none"),
        "trainer": sources.get("trainer") == "stated",
        "money": sources.get("budget") == "stated",
        "dataset": "dataset_examples" in values,
        "epochs": "epochs" in values,
    }


def _of_lists(slots: Slots, findings: Findings) -> dict[str, Any]:
    """How many methods, trainers, lengths, algorithms are named."""
    lengths = {number.length for number in slots.bare_lengths}
    algorithms = set()
    for _, _, target, number in findings.slots:
        if target.name == "seq_len" and number:
            lengths.add(number.length)
        elif target.name == "algorithm":
            algorithms.add(target.value)
    return {
        "lengths": len(lengths) > 1,
        "trainers": len(slots.trainers) > 1,
        "methods": len(slots.methods) == 2,
        "three_methods": len(slots.methods) > 2,
        "algorithms": len(algorithms) > 1,
    }
