"""What is it? The FAQ answers in words (bot.faq); with a model named, the numbers of the three methods stand beside
it.

Facts: those of method_choice; states_gb, lean_gb (lean_bytes, per parameter, times parameters), claimed (low, plausible
or high: a figure that somebody names for all weights), claimed_gb, weights_only (it covers weights and gradients only),
adapter (bytes of its file), rank, about (the adapter method that was named) and weights (bytes with it), unsaid (no
page answered and nothing says what the figures should be of), planned (cards that are thought of besides: name, usable,
whole, least and lora: how all weights, their leanest way and LoRA fit), fp16 (stated).
"""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import LORA_RANK, STATES, short_name
from advisor.topics import method_choice

FILE_SHARE = 2
"""Adapters are trained in fp32 and saved in 16 bit."""
LORA, QLORA = "lora", "qlora"
EIGHT_B = 8_000_000_000
LEAN, LEAN_FP32 = 6, 10
"""Bytes per parameter with all weights trained: bf16 weights and gradients with 8-bit AdamW; fp32 ones with
it, where the card has no bf16.
"""
WEIGHTS_AND_GRADIENTS = 4
"""Bytes per parameter of 16-bit weights and gradients."""
NEARLY = 0.85
"""Share up to which figures count as the same: people round, and GB are not GiB."""


def answer(case: Case) -> Advice:
    """The rule of thumb in numbers for the named model, or for an 8B. `faq` in the facts is the entry asked for."""
    advice = method_choice.answer(case)
    said = case.query.params_b if case.generic else None
    params = said * 1e9 if said else case.params or EIGHT_B
    facts: dict[str, Any] = {
        **advice.verdict.facts,
        "faq": case.query.faq,
        "params": case.params,
        "states_gb": round(STATES * params / 1e9),
        "no_bf16": case.no_bf16,
        "lean_bytes": (lean := LEAN_FP32 if case.no_bf16 else LEAN),
        "lean_gb": round(lean * params / 1e9),
    }
    if case.full and case.query.claimed_gib and case.sized:
        facts |= _claimed(case.query.claimed_gib * 1e9 / params, facts)
    adapted = {need.stack: need for need in advice.needs if need.stack in (LORA, QLORA)}
    if adapted:
        adapter = adapted.get(LORA, adapted.get(QLORA))
        file = adapter.components.get("adapters", 0) // FILE_SHARE if adapter else 0
        facts |= {"whole": 2 * (case.params or 0), "adapter": file, "rank": case.query.lora_rank or LORA_RANK}
    if case.sized and case.query.method in adapted and not facts.get("claimed"):
        facts |= {"about": case.query.method, "weights": adapted[case.query.method].components.get("weights", 0)}
    facts |= {"planned": _planned(case, advice.needs), "fp16": case.query.compute_dtype == "fp16"}
    facts["unsaid"] = not (case.sized or case.full or case.query.claimed_gib)
    code = "adapter" if "big_checkpoint" in case.symptoms else advice.verdict.code
    verdict = Verdict(code=code, facts=facts)
    return advice.model_copy(update={"kind": Kind.FAQ_DEFINITION, "verdict": verdict})


def _planned(case: Case, needs: tuple[Need, ...]) -> list[dict[str, Any]]:
    """How the cards that the asker thinks of besides the one at hand take the ways of the table."""
    made: list[dict[str, Any]] = []
    for option in case.query.candidates if case.sized and case.gpus else ():
        card = next(iter(case.resolve_cards(option)), None)
        if card is None or card.gpu is None or card.gpu is case.gpu:
            continue
        fits = {need.stack: case.fit(need, card.usable) for need in needs}
        whole = [fit for code, fit in fits.items() if code not in (LORA, QLORA)]
        named = {"name": short_name(card.gpu), "usable": card.usable}
        made.append(named | {"whole": whole[-1], "least": whole[0], "lora": fits.get(LORA)})
    return made


def _claimed(each: float, facts: dict[str, Any]) -> dict[str, Any]:
    """A figure for all weights that somebody names: bytes per parameter against what they take at least and at most."""
    told = {"claimed_gb": round(each * facts["params_b"])}
    if each < LEAN * NEARLY:
        return told | {"claimed": "low", "weights_only": each <= WEIGHTS_AND_GRADIENTS / NEARLY}
    return told | {"claimed": "high" if each > STATES / NEARLY**2 else "plausible", "weights_only": False}
