"""A batch or a rank beyond what anybody trains with is a slip: ask before it is computed with.

Source: usual values: micro batch 1-64, rank 4-512.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("named", "micro_batch", "lora_rank")
ODD_BATCH, ODD_RANK = 512, 2048

SLOTS = ("micro_batch", "lora_rank", "seq_len", "n_gpus")


def check(case: Case) -> Finding | None:
    """A value beyond what anybody trains with is a slip: ask before it is computed with. The reader leaves it out and
    names it; one from a form or a button is computed with.
    """
    slot, value = (*case.query.named.get("odd", ()), "", "")[:2]
    odd = int(value) if slot in SLOTS and value.isdigit() else 0
    batch = odd if slot == "micro_batch" else case.query.micro_batch or 0
    rank = odd if slot == "lora_rank" else case.query.lora_rank or 0
    length, cards = (odd if slot == name else None for name in ("seq_len", "n_gpus"))
    if batch < ODD_BATCH and rank < ODD_RANK and not length and not cards:
        return None
    return stop(
        batch=batch if batch >= ODD_BATCH else None,
        rank=rank if rank >= ODD_RANK else None,
        length=length,
        cards=cards,
        left_out=bool(odd),
    )
