"""ZeRO-3 or FSDP that takes as much per card as a copy was not split when the model was loaded.

Source: transformers, DeepSpeed integration (HfDeepSpeedConfig and TrainingArguments before from_pretrained; zero.Init
partitions frozen parameters as well), https://huggingface.co/docs/transformers/deepspeed, 2026-11; accelerate#2454.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.stacks import FOUR_BIT

ON = ("split_saves_nothing",)


def check(case: Case) -> Finding | None:
    """Say that frozen weights are split as well, and what each card should show right after loading."""
    split = {case.query.sharding, *case.query.named.get("sharding", ())}.intersection(SHARDED)
    if "split_saves_nothing" not in case.symptoms or not split:
        return None
    facts: dict[str, Any] = {"whole": None, "each": None}
    if case.sized and case.n_cards > 1:
        alone: dict[str, Any] = {"n_gpus": 1, "sharding": "none", "offload": "none"}
        whole = case.need(case.stacks[-1], **alone).components.get("weights", 0)
        facts = {"whole": whole, "each": whole // case.n_cards}
    return stop(
        way="fsdp" if split <= {"fsdp", "fsdp2"} else "zero3",
        four_bit=case.method in FOUR_BIT,
        adapters=not case.full,
        count=case.n_cards,
        **facts,
    )
