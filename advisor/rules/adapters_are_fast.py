"""LoRA saves memory, hardly time: every token still passes the whole model, forward and back.

Source: LoRA, arXiv:2106.09685, sec. 4.2 (25 % more speed on GPT-3 175B); peft#664 (29 h against 30.5 h on a RoBERTa);
6 FLOP a parameter and token for all weights, 4 where the frozen ones get no gradient.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import BILLION

ON = ("adapters_are_fast",)
SMALL = BILLION
"""Parameters below which all weights fit any card, so that nothing speaks for adapters."""


def check(case: Case) -> Finding | None:
    """Say what falls away and what does not."""
    if "adapters_are_fast" not in case.claims:
        return None
    if case.n_cards > 1 or len(case.gpus) > 1 or case.query.trainer == "unsloth":
        return None  # it is a card, or the trainer, that were to make it quicker
    small = case.params is not None and case.params < SMALL and case.sized
    return stop(model=case.model_name if small else None)
