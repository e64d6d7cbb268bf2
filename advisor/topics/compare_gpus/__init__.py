"""Two or three set-ups side by side: memory, what each trains, speed, power, NVLink, price with date, and a verdict
by goal.

Facts: lead (holds_some, holds_whole, holds_all, holds_none, larger, roomier, level); rows [{name, count, vram_gb,
total_gb, alone, whole, four_bit, split, offloaded, most (of alone and split), stretch (of all), speed, speed_each,
tdp_w, nvlink, price, rent, run, run_cost}]: `alone`/`split`: largest size (1e9 parameters) with `method` on one card /
shared over all, `whole` with 16-bit LoRA where no method is named, `four_bit` with QLoRA where LoRA is, `speed`
relative to the slowest, `run` hours and `run_cost` USD of one rented run of `examples` examples; and the winners:
holders, slow_holders, larger, roomier, faster, simpler, value, safe, rough_faster; runs [{name, cost}]; qlora
(holds_none, holds_some: need, holders, all).
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.options import GOOD
from advisor.query import Kind
from advisor.stacks import UNSLOTH
from advisor.topics.compare_gpus.rows import ADAPTERS, EIGHT_B, SCALING, rows_of, table_method
from advisor.topics.compare_gpus.winners import named, winners
from advisor.topics.sizes import sizes_table
from advisor.topics.time_estimate import EPOCHS, EXAMPLES

__all__ = ["EIGHT_B", "SCALING", "answer"]


def answer(case: Case) -> Advice:
    """Advice on which of several set-ups."""
    rows = rows_of(case)
    if not rows:
        return sizes_table(case, Kind.COMPARE_GPUS)
    facts = winners(rows) | {
        "rows": rows,
        "method": table_method(case),
        "examples": case.query.dataset_examples or EXAMPLES[1],
        "epochs": case.query.epochs or EPOCHS,
    }
    facts["lead"] = _lead(facts, rows, sized=case.sized)
    facts["qlora"] = _with_qlora(case, rows) if facts["lead"] in ("holds_none", "holds_some") else None
    return Advice(
        kind=Kind.COMPARE_GPUS,
        query=case.query,
        verdict=Verdict(code="compare", facts=facts),
        setup=case.setup if case.sized else None,
        offers=("show=prices", "kind=cost_buy_vs_rent", "kind=multi_gpu"),
    )


def _with_qlora(case: Case, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Which of them hold it with QLoRA on one card, where none does with the stated method."""
    if case.method == "qlora":
        return None
    slots = ADAPTERS | {"method": "qlora", "weight_bits": None, "quant": None, "n_gpus": 1, "sharding": "none"}
    need = case.need(UNSLOTH, **slots)
    held = [named(row) for row in rows if not row["rough"] and case.fit(need, row["usable"]) in GOOD]
    return {"need": need.device, "holders": held, "all": len(held) == len(rows)} if held else None


def _lead(facts: dict[str, Any], rows: list[dict[str, Any]], *, sized: bool) -> str:
    """Code of the first line: by the asked model where there is one, else by what trains at most."""
    if sized:
        held, slow = len(facts["holders"]), len(facts["slow_holders"])
        if 0 < slow < held:
            return "holds_whole"
        return "holds_all" if held == len(rows) else "holds_some" if held else "holds_none"
    return "larger" if facts["larger"] else "roomier" if facts["roomier"] else "level"
