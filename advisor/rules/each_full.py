"""Every card is full although there are several: a plain start holds a whole copy on each.

Source: PyTorch documentation, DistributedDataParallel (every process holds a replica); ZeRO, arXiv:1910.02054, sec. 5.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import GOOD

ON = ("each_full",)
COPY = frozenset({None, "ddp", "zero1"})


def check(case: Case) -> Finding | None:
    """Say why nothing is divided, and what makes each card hold less."""
    if "each_full" not in case.symptoms or case.n_cards < 2 or case.query.sharding not in COPY:
        return None
    if not case.sized:
        return stop(weights=None)
    stack = case.stacks_of_one[-1]
    ways: dict[str, dict[str, Any]] = {"one": {"micro_batch": 1}, "four": {"micro_batch": 1, "method": "qlora"}}
    copied = {code: case.need(stack, sharding="ddp", n_gpus=case.n_cards, **ways[code]) for code in ways}
    whole = case.need(stack, sharding="ddp", n_gpus=case.n_cards)
    weights = whole.components.get("weights", 0)
    return stop(
        weights=weights,
        each=weights // case.n_cards,
        batch=case.micro_batch,
        whole=whole.device,
        one=copied["one"].device if case.micro_batch > 1 else None,
        one_fits=copied["one"].fit in GOOD if case.usable is not None else None,
        four=copied["four"].device if case.method in ("lora", "dora") else None,
    )
