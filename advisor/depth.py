"""What a button asks for beyond the short answer: changes that make it fit, prices, and what the number is made of."""

from collections.abc import Mapping
from math import log
from typing import Any

from advisor.advice import Advice, Setup
from advisor.case import Case
from advisor.changes import make_it_fit, make_room
from advisor.errors import AdvisorError
from advisor.estimator.outside import outside
from advisor.options import price_to_buy, price_to_rent, rentals
from advisor.remembered import needed_by
from advisor.stacks import (
    BILLION,
    GIB,
    GOOD,
    LOGIT_BYTES,
    LORA_RANK,
    LORA_TARGETS,
    SET_UP_FIELDS,
    short_name,
)
from advisor.tiers import roomy
from knowledge.measurements import load_measurements

COUNTERS = {"peak_allocated": "allocated", "peak_reserved": "reserved", "nvidia-smi": "device"}
"""What a source counted → our figure for it."""
WHOLE = frozenset({"seq_len", "micro_batch", "lora_rank"})
"""Changes whose value is a whole number."""


def deepen(case: Case, advice: Advice, show: str | None) -> Advice:
    """The advice with what `show` (fit, prices, why) needs beside it."""
    if show == "fit" and case.sized and not advice.changes:
        needs = case.needs()
        fits = needs[-1].fit in GOOD or needs[-1].fit is None
        changes = make_room(case, 8) if fits else make_it_fit(case, case.stacks[-1])
        return advice.model_copy(update={"changes": changes, "needs": needs, "setup": case.setup})
    if show == "config" and case.sized and advice.setup is not None:
        return advice.model_copy(update={"setup": fitting(case, advice.setup)})
    if show == "prices":
        return advice.model_copy(update={"facts": {"prices": prices(case, advice)}})
    if show == "why" and case.sized:
        needs = advice.needs or case.needs()
        return advice.model_copy(update={"facts": why(case), "needs": needs, "setup": case.setup})
    return advice


def fitting(case: Case, setup: Setup) -> Setup:
    """The set-up as it fits the asker's card: with the changes that make it fit where it does not."""
    if case.usable is None or case.lean.fit in GOOD:
        return setup
    changes = make_it_fit(case)
    if not changes or changes[-1].fit not in GOOD:
        return setup
    values: dict[str, Any] = {}
    for change in changes:
        if change.slot in WHOLE:
            values[change.slot] = int(change.value)
        elif change.slot == "method":
            values |= {"method": change.value, "weight_bits": 4.0 if change.value == "qlora" else 16.0}
            values |= {"lora_rank": setup.lora_rank or LORA_RANK, "lora_targets": setup.lora_targets or LORA_TARGETS}
        elif change.slot == "grad_checkpointing":
            values["grad_checkpointing"] = True
        elif change.slot in ("sharding", "offload", "optimizer", "lora_targets"):
            values[change.slot] = change.value.removesuffix("_fp32")
            if change.slot == "offload":
                values["sharding"] = "fsdp"
    return setup.model_copy(update=values)


def prices(case: Case, advice: Advice) -> list[dict[str, Any]]:
    """Dated prices of the ranked cards, the cards in question and the cheapest to rent that hold the need."""
    ids = [gpu.id for gpu in case.gpus] + [gpu_id for rank in case.catalog.ranking for gpu_id in rank.gpus[:1]]
    if case.sized:
        ids += [option.gpu for option in rentals(case, case.need(case.stacks[0], n_gpus=1, sharding="none"), 3)]
    made = []
    for gpu_id in dict.fromkeys(ids):
        gpu = case.catalog.gpus[gpu_id]
        buy, rent = price_to_buy(case.catalog, gpu_id), price_to_rent(case.catalog, gpu_id)
        made.append(
            {
                "name": short_name(gpu),
                "vram_gb": gpu.vram_gb,
                "buy": buy.model_dump() if buy else None,
                "rent": rent.model_dump() if rent else None,
            }
        )
    return made


def why(case: Case) -> dict[str, Any]:
    """The terms of the shown set-up, for the formula lines."""
    setup = case.setup
    need = case.plain
    beside = outside(case.plan(case.stacks[-1]))
    tokens = setup.seq_len * setup.micro_batch
    return {
        "tokens": tokens,
        "logits": LOGIT_BYTES * tokens * setup.vocab,
        "kept": 2 * tokens * setup.layers * setup.hidden,
        "weights_16": 2 * setup.params,
        "smallest_gb": roomy(case, need),
        "measured": measured(case),
        "evaluation": beside.evaluation,
        "eval_batch": beside.eval_batch,
        "merge": beside.merge,
    }


def measured(case: Case, most: int = 2) -> list[dict[str, Any]]:
    """The published runs most like this one, each with what we estimate for it (bytes, by the same counter)."""
    rows = [row for row in load_measurements() if row.get("method") == case.method and row.get("counter") in COUNTERS]
    rows.sort(key=lambda row: _distance(case, row))
    made: list[dict[str, Any]] = []
    for row in rows[: 4 * most]:
        try:
            found = needed_by(tuple(map(row.get, SET_UP_FIELDS)), case.catalog)
        except (AdvisorError, ValueError):
            continue
        made.append(
            {
                "model": str(row.get("model") or "").split("/")[-1],
                "trainer": row.get("trainer"),
                "seq_len": row.get("seq_len"),
                "micro_batch": row.get("micro_batch") or 1,
                "gpu": row.get("gpu"),
                "bytes": int(row["gib"] * GIB),
                "estimate": found[COUNTERS[row["counter"]]],
                "source": str(row.get("source")),
            }
        )
        if len(made) == most:
            break
    return made


def _distance(case: Case, row: Mapping[str, Any]) -> float:
    """How unlike a run is: size and tokens of a step by their ratios, the trainer and the number of cards by a step."""
    params = (row.get("arch") or {}).get("params_total") or (row.get("params_b") or 1) * BILLION
    tokens = (row.get("seq_len") or 1) * (row.get("micro_batch") or 1)
    apart = abs(log(params / max(1, case.params or 1))) * 2 + abs(log(tokens / (case.seq_len * case.micro_batch)))
    other = row.get("trainer") not in {stack.trainer for stack in case.stacks}
    return apart + 0.5 * other + 0.5 * ((row.get("n_gpus") or 1) != case.n_cards)
