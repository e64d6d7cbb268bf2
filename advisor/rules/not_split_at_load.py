"""ZeRO-3 or FSDP that takes as much per card as a copy, or fills every card at loading, was not split when it loaded.

Source: transformers, DeepSpeed integration (HfDeepSpeedConfig and TrainingArguments before from_pretrained; zero.Init
partitions frozen parameters as well), https://huggingface.co/docs/transformers/deepspeed, 2026-11; accelerate#2454.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.stacks import ALL_ON_ONE, FOUR_BIT

ON = ("split_saves_nothing", "oom_load")
SMALL = 0.6
"""Share of the card that its part of the weights takes at most where they cannot be what fills it."""


def _may_be_copies(case: Case) -> bool:
    """Adapters on several cards, of which one alone does not hold the weights in 16 bit; all on the first is another's
    fault (four_bit_under_fsdp).
    """
    fills = case.sized and case.n_cards > 1 and 2 * (case.params or 0) > (case.usable or 0)
    return fills and not case.full and "oom_load" in case.symptoms and "one_card_used" not in case.symptoms


def check(case: Case) -> Finding | None:
    """Say that frozen weights are split as well, and what each card should show right after loading."""
    split = {case.query.sharding, *case.query.named.get("sharding", ())}.intersection(SHARDED)
    at_load = "split_saves_nothing" not in case.symptoms
    if not split or (at_load and not _may_be_copies(case)):
        return None
    facts: dict[str, Any] = {"whole": None, "each": None}
    if case.sized and case.n_cards > 1:
        whole = case.need(case.stacks[-1], **ALL_ON_ONE).components.get("weights", 0)
        facts = {"whole": whole, "each": whole // case.n_cards}
        if at_load and (case.usable is None or facts["each"] > SMALL * case.usable or case.needs()[-1].fit == "no"):
            return None
    return stop(
        at_load=at_load,
        load_16=2 * (case.params or 0) if at_load else None,
        way="fsdp" if split <= {"fsdp", "fsdp2"} else "zero3",
        four_bit=case.method in FOUR_BIT,
        adapters=not case.full,
        count=case.n_cards,
        **facts,
    )
