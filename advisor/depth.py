"""What a button asks for beyond the short answer: changes that make it fit, prices, and what the number is made of."""

from typing import Any

from advisor.advice import Advice
from advisor.case import Case
from advisor.changes import make_it_fit, make_room
from advisor.options import GOOD, price_to_buy, price_to_rent, rentals
from advisor.stacks import short_name
from advisor.tiers import smallest

LOGIT_BYTES = 12
"""Bytes per token and vocabulary entry of the stock loss at its peak: fp32 log-softmax and two gradients."""


def deepen(case: Case, advice: Advice, show: str | None) -> Advice:
    """The advice with what `show` (fit, prices, why) needs beside it."""
    if show == "fit" and case.sized and not advice.changes:
        needs = case.needs()
        fits = needs[-1].fit in GOOD or needs[-1].fit is None
        changes = make_room(case, 8) if fits else make_it_fit(case)
        return advice.model_copy(update={"changes": changes, "needs": needs, "setup": case.setup})
    if show == "prices":
        return advice.model_copy(update={"facts": {"prices": prices(case, advice)}})
    if show == "why" and case.sized:
        needs = advice.needs or case.needs()
        return advice.model_copy(update={"facts": why(case), "needs": needs, "setup": case.setup})
    return advice


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
    need = case.needs()[-1]
    tokens = setup.seq_len * setup.micro_batch
    return {
        "tokens": tokens,
        "logits": LOGIT_BYTES * tokens * setup.vocab,
        "kept": 2 * tokens * setup.layers * setup.hidden,
        "weights_16": 2 * setup.params,
        "smallest_gb": smallest(case, need),
        "measured": [],
    }
