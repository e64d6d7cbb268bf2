"""Continued pretraining works with LoRA and QLoRA, with a higher rank and on all linear layers.

Source: Unsloth documentation, continued pretraining; LoRA Learns Less and Forgets Less, arXiv:2405.09673.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.topics.method_choice.ways import is_plain_text

ON = ("algorithm", "dataset_tokens")


def check(case: Case) -> Finding | None:
    """Continued pretraining works with LoRA and QLoRA, with a higher rank and on all linear layers."""
    asked = is_plain_text(case) and case.query.kind in (Kind.METHOD_CHOICE, Kind.FAQ_DEFINITION)
    return stop() if asked and "from_scratch" not in case.symptoms else None
