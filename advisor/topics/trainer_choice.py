"""Which trainer? By card, number of cards, system and method; with the memory that the choice makes when a model is
named.

Facts: pick (trainer id), why (code: one_card, several_cards, apple, amd, intel, windows, no_code), second, asked
(trainer the asker named), vendor, os, count, lean, stock (device bytes with and without fused kernels), versions
{trainer: version}.
"""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import STOCK, UNSLOTH

ROWS = ("unsloth", "axolotl", "llama-factory", "trl")


def answer(case: Case) -> Advice:
    """Advice on the trainer."""
    pick, second, why = choose(case)
    facts: dict[str, Any] = {
        "pick": pick,
        "second": second,
        "why": why,
        "asked": case.query.trainer,
        "vendor": case.gpu.vendor if case.gpu else None,
        "os": case.query.os,
        "count": case.n_cards,
        "rows": [*ROWS, *((pick,) if pick not in ROWS else ())],
    }
    needs: tuple[Need, ...] = ()
    if case.sized and not case.apple and not case.full:
        needs = tuple(case.need(stack, n_gpus=1, sharding="none") for stack in (UNSLOTH, STOCK))
        facts |= {"lean": needs[0].device, "stock": needs[1].device}
    return Advice(
        kind=Kind.TRAINER_CHOICE,
        query=case.query,
        verdict=Verdict(code="pick", facts=facts),
        setup=case.setup if case.sized else None,
        needs=needs,
        offers=("show=config", "kind=method_choice"),
    )


def choose(case: Case) -> tuple[str, str, str]:
    """(first choice, second choice, code of the reason)."""
    vendor = case.gpu.vendor if case.gpu else "nvidia"
    if vendor == "apple" or case.query.os == "macos":
        return "mlx-lm", "unsloth", "apple"
    if vendor == "intel":
        return "unsloth", "trl", "intel"
    if vendor == "amd":
        return ("axolotl", "llama-factory", "amd") if case.n_cards > 1 else ("unsloth", "trl", "amd")
    if case.n_cards > 1:
        return "axolotl", "llama-factory", "several_cards"
    if case.query.os == "windows":
        return "unsloth", "llama-factory", "windows"
    return "unsloth", "axolotl", "one_card"
