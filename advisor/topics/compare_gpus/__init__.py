"""Two or three set-ups side by side: memory, what each trains, speed, power, NVLink, price with date, and a verdict
by goal.

Facts: lead (holds_some, holds_whole, holds_all, holds_none, larger, roomier, level); rows [{name, count, vram_gb,
alone, whole, four_bit, split, offloaded, most (of alone and split), stretch (of all), speed, speed_each, tdp_w, nvlink,
price, rent, run, run_cost}]: `alone`/`split`: largest size (1e9 parameters) with `method` on one card / shared over
all, `whole` with 16-bit LoRA where no method is named, `four_bit` with QLoRA where LoRA is, `speed` relative to the
slowest, `run` hours and `run_cost` USD of one rented run of `examples` examples; and the winners: holders,
slow_holders, larger, roomier, faster, simpler, value, safe, rough_faster; runs [{name, cost}]; where none or only some
hold it: least (bytes on the set-up that takes least), instead (method, need, holders, all) with a cheaper method,
longer (holders with need, all) with the checkpoints of a long sequence in system RAM; take (the choice: a set-up with
`why`, codes in taken.py; None where the lead says it), eight_bit (speeds are level), lean_on (the leanest stack),
running (what the dearer one saves at the asker's prices: cost_buy_vs_rent/running.py), run_too {name, weights, holders}
(a size that none trains, to run in 4 bit), rollouts (an algorithm that generates), lost (the faster one was seen to
gain nothing: rules.gain_is_lost answers).
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.asked import ROLLOUTS
from advisor.case import Case
from advisor.changes import LONG
from advisor.query import Kind
from advisor.stacks import FOUR_BIT, GOOD, UNSLOTH
from advisor.tiers import split
from advisor.topics.compare_gpus.rows import SCALING, rows_of, table_method
from advisor.topics.compare_gpus.taken import taken
from advisor.topics.compare_gpus.winners import named, winners
from advisor.topics.cost_buy_vs_rent.running import at_asked_prices
from advisor.topics.inference_only import ROOM, RUN_4_BIT
from advisor.topics.sizes import sizes_table
from advisor.topics.time_estimate import EXAMPLES, epochs_of
from advisor.topics.usual import ADAPTERS

__all__ = ["SCALING", "answer"]

EIGHT_BIT = 8
"""Bits of a base whose kernels, not the card, are the limit (LLM.int8, arXiv:2208.07339, appendix D)."""


def answer(case: Case) -> Advice:
    """Advice on which of several set-ups."""
    advice = _answer(case)
    if case.sized and "asks_run" in case.symptoms and advice.verdict.facts.get("lead") == "holds_none":
        return _as_run(case)
    return advice


def _as_run(case: Case) -> Advice:
    """The choice without the size that none of them trains: it is the one to run; and which of them do that."""
    slots = {"model": None, "params_b": None, "arch": None, "models": ()}
    advice = _answer(Case(case.query.model_copy(update=slots), case.catalog))
    weights = int((case.params or 0) * RUN_4_BIT)
    held = [named(row) for row in rows_of(case) if row["usable"] * row["count"] >= weights * ROOM]
    facts = {**advice.verdict.facts, "run_too": {"name": case.model_name, "weights": weights, "holders": held}}
    verdict = advice.verdict.model_copy(update={"facts": facts})
    return advice.model_copy(update={"query": case.query, "verdict": verdict})


def _answer(case: Case) -> Advice:
    rows = rows_of(case)
    if not rows:
        return sizes_table(case, Kind.COMPARE_GPUS)
    facts = winners(rows) | {
        "rows": rows,
        "method": table_method(case),
        "examples": case.query.dataset_examples or EXAMPLES[1],
        "epochs": epochs_of(case),
    }
    facts["least"] = min(row["before"] or row["need"] for row in rows) if case.sized else None
    facts["lead"] = _lead(facts, rows, sized=case.sized)
    if facts["holders"] and facts["holders"] == facts["slow_holders"] and not case.full and case.method not in FOUR_BIT:
        facts["lead"] = "holds_none" if _instead(case, rows) else facts["lead"]
    short = facts["lead"] in ("holds_none", "holds_some")
    facts["longer"] = _with_offload(case, rows) if short and case.seq_len >= LONG else None
    facts["instead"] = _instead(case, rows) if short and not facts["longer"] else None
    facts["eight_bit"] = case.query.weight_bits == EIGHT_BIT
    facts["asked_enough"] = "asks_enough" in case.symptoms
    facts["take"] = taken(_priced(case, rows), facts, sized=case.sized, level=facts["eight_bit"])
    facts["newer"] = next((named(row) for row in rows if row["bf16"] and not row["rough"]), None)
    facts["asked_faster"] = "asks_faster" in case.symptoms
    facts["lost"] = "no_gain" in case.symptoms
    facts["lean_on"] = case.stacks[0].code
    facts["running"] = at_asked_prices(case)
    facts["run_too"] = None
    facts["rollouts"] = case.query.algorithm if case.query.algorithm in ROLLOUTS else None
    return Advice(
        kind=Kind.COMPARE_GPUS,
        query=case.query,
        verdict=Verdict(code="compare", facts=facts),
        setup=case.setup if case.sized else None,
        offers=("show=prices", "kind=cost_buy_vs_rent", "kind=multi_gpu"),
    )


def _priced(case: Case, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows as their prices count: all alike where the asker says that they cost the same."""
    return [row | {"total_price": None} for row in rows] if "same_price" in case.symptoms else rows


def _instead(case: Case, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Which of them hold it on one card with a cheaper method: 16-bit LoRA before QLoRA where all weights are meant."""
    for method in ("lora", "qlora") if case.full else ("qlora",) if case.method not in FOUR_BIT else ():
        slots = ADAPTERS | {"method": method, "weight_bits": None, "quant": None, "n_gpus": 1, "sharding": "none"}
        need = case.need(UNSLOTH, **slots)
        held = [named(row) for row in rows if not row["rough"] and case.fit(need, row["usable"]) in GOOD]
        if held:
            return {"method": method, "need": need.device, "holders": held, "all": len(held) == len(rows)}
    return None


def _with_offload(case: Case, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Which of them hold so long a sequence once the checkpoints go to system RAM, alone or split."""
    alone = case.need(case.stacks[0], n_gpus=1, sharding="none", activation_offload=True)
    held = []
    for row in (row for row in rows if not row["rough"]):
        need = alone
        if case.fit(need, row["usable"]) not in GOOD and row["count"] > 1:
            slots: dict[str, Any] = {"sharding": "fsdp", "fused_loss": True, "activation_offload": True}
            need = case.need(split(case.stacks[0]), n_gpus=row["count"], **slots)
        if case.fit(need, row["usable"]) in GOOD:
            held.append(named(row) | {"need": need.device})
    return {"holders": held, "all": len(held) == len(rows)} if held else None


def _lead(facts: dict[str, Any], rows: list[dict[str, Any]], *, sized: bool) -> str:
    """Code of the first line: by the asked model where there is one, else by what trains at most."""
    if sized:
        held, slow = len(facts["holders"]), len(facts["slow_holders"])
        if 0 < slow < held:
            return "holds_whole"
        return "holds_all" if held == len(rows) else "holds_some" if held else "holds_none"
    return "larger" if facts["larger"] else "roomier" if facts["roomier"] else "level"
