"""`whichgpu measured` and `whichgpu fit`: the score tables from knowledge/measured/, so that any user can check us."""

import json
from dataclasses import fields
from importlib.resources import files
from typing import Any

from rich.console import Console
from rich.table import Table

from advisor.estimator import estimate
from advisor.estimator import fit as memory_fit
from advisor.estimator import score as memory
from advisor.estimator.coefficients import known_coefficients
from advisor.estimator.speed import fit as speed
from advisor.estimator.speed import known_coefficients as known_speed
from advisor.machine import standing
from advisor.query import SetUp
from knowledge.catalog import Catalog, load_catalog

GIB = 2**30
USABLE = 0.985
"""Share of the GB on the box that a card hands out, in GiB."""


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of a file of knowledge/measured/."""
    text = (files("knowledge") / "measured" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


def _console() -> Console:
    """As wide as the terminal; wide enough for whole names where there is none."""
    console = Console()
    return console if console.is_terminal else Console(width=120)


def _memory_table(scores: list[memory.Score]) -> Table:
    table = Table("memory", "runs", "mean error", "median", "within 10 %", "under by > 5 %")
    for s in scores:
        cells = (f"{s.mape:.1f} %", f"{s.median:+.1f} %", f"{s.within_10:.0f} %", f"{s.under_by_5:.0f} %")
        table.add_row(s.name, str(s.n), *cells)
    return table


def _speed_table(scores: list[speed.Score]) -> Table:
    table = Table("speed", "runs", "bias", "median factor", "within 25 %", "within factor 2", "range holds")
    for s in scores:
        shares = (f"{100 * share:.0f} %" for share in (s.within_25, s.within_2, s.range_holds))
        table.add_row(s.source, str(s.n), f"{s.bias:.2f}", f"{s.median_factor:.2f}", *shares)
    return table


def verdicts(catalog: Catalog) -> dict[str, tuple[int, int]]:
    """(right, all) of those reported to fit and not called impossible, out of memory and called tight or impossible;
    the RAM of the machine, or what such machines usually have, counts as well as the card."""
    right = {"fits": [0, 0], "oom": [0, 0]}
    for row in rows("fits.jsonl"):
        side = right.get(row["observed"])
        judged = row.get("confidence") != "low" and row.get("algorithm", "sft") == "sft"
        if side is None or not row.get("card_gb") or not judged or row.get("sharding") == "unknown":
            continue
        found = estimate(SetUp(**{key: value for key, value in row.items() if key in memory.FIELDS}), catalog)
        said = memory.verdict(found.low, found.device, row["card_gb"] * USABLE * GIB)
        at = standing(found, catalog, row.get("ram_gb"))
        if at.limited_by == "host_ram" and said == "fits":
            said = "impossible" if at.fit == "no" else "tight"
        side[1] += 1
        side[0] += said != "impossible" if row["observed"] == "fits" else said != "fits"
    return {name: (hit, n) for name, (hit, n) in right.items()}


def print_measured() -> None:
    """The tables, to stdout."""
    catalog, c, console = load_catalog(), known_coefficients(), _console()
    runs = memory.runs_of(rows("memory.jsonl"), catalog)
    console.print(_memory_table(memory.table(runs, c)))
    inside, n = memory.range_holds(runs, c)
    met, contexts = memory.contexts_met(runs, c)
    console.print(
        f"reserved inside its 90 % range: {inside} of {n}; longest contexts that fill the card: {met} of {contexts}"
    )
    found = verdicts(catalog)
    console.print(
        f"reported to fit, not called impossible: {found['fits'][0]} of {found['fits'][1]}; "
        f"reported out of memory, called tight or impossible: {found['oom'][0]} of {found['oom'][1]}"
    )
    console.print(_speed_table(speed.table(speed.runs_of(rows("time.jsonl"), catalog), known_speed())))


def print_fit() -> None:
    """Coefficients before and after a fit, the tables of both, and the error on each source when it was left out."""
    catalog, start, console = load_catalog(), known_coefficients(), _console()
    runs = memory.runs_of(rows("memory.jsonl"), catalog)
    after = memory_fit.fit(list(memory_fit.by_source(runs).values()), start)
    table = Table("coefficient", "stands in coefficients.yaml", "fitted now")
    for field in fields(start):
        table.add_row(field.name, f"{getattr(start, field.name):.3g}", f"{getattr(after, field.name):.3g}")
    console.print(table)
    console.print("before", _memory_table(memory.table(runs, start)), "after", _memory_table(memory.table(runs, after)))
    left = Table("source left out", "runs", "error with it", "error without it")
    for one in memory_fit.leave_one_out(runs, start):
        left.add_row(one.source, str(one.n), f"{one.with_it:.1f} %", f"{one.without_it:.1f} %")
    console.print(left)
