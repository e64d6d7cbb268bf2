"""What hides in a set-up that should fit: a larger batch, longer examples, a copy per card instead of a split."""

from typing import Any

from advisor.case import Case
from advisor.lengths import longest
from advisor.options import GOOD
from advisor.parallel import SPLIT
from advisor.stacks import FULL_ADAMW, Stack

DEFAULT_BATCH = 8
"""`per_device_train_batch_size` of transformers.TrainingArguments, and so of TRL."""
ANY_LENGTH = 32_768
"""Tokens beyond which nobody's examples are the cause."""


def at_default_batch(case: Case) -> dict[str, Any]:
    """Bytes at the batch of Hugging Face's Trainer where nobody stated one and it does not fit; with all weights
    trained where nobody said how.
    """
    query, unsaid = case.query, case.method == "qlora" and case.query.method is None
    facts: dict[str, Any] = {"default_batch": None, "default_full": unsaid}
    if query.micro_batch or query.trainer not in (None, "hf", "trl") or case.usable is None:
        return facts
    if unsaid:
        every: dict[str, Any] = {"method": "full", "optimizer": "adamw", "autocast": True, "weight_bits": None}
        need = case.need(FULL_ADAMW, micro_batch=DEFAULT_BATCH, **every)
    else:
        need = case.need(case.stacks[-1], micro_batch=DEFAULT_BATCH)
    return facts | {"default_batch": None if need.fit == "yes" else need.device}


def of_fitting(case: Case, stack: Stack) -> dict[str, Any]:
    """What a set-up that should fit may hide: the length from which it does not, a copy per card instead of a split;
    and whether one card alone would do.
    """
    top = min(ANY_LENGTH, case.max_context)
    if case.need(stack, seq_len=top).fit in GOOD:
        limit = top if case.query.seq_len == top < ANY_LENGTH else None
    else:
        limit = longest(case, stack)
    facts: dict[str, Any] = {"limit": limit}
    facts |= {"alone": None, "copied": None}
    if case.n_cards > 1 and case.sharding in SPLIT:
        alone = case.need(stack, n_gpus=1, sharding="none", offload="none")
        facts["alone"] = alone.device if alone.fit == "yes" else None
        copied = case.need(stack, sharding="ddp", offload="none")
        facts["copied"] = copied.device if case.query.sharding is None and copied.fit not in GOOD else None
    return facts
