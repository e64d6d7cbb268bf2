"""TRL computes the loss in tiles since 1.7: an older one still builds the logits.

Source: trl 1.16, trainer/sft_trainer.py (the default since 1.7, June 2026); estimator, stock against fused loss.
"""

from advisor.advice import Finding, note, stop, warn
from advisor.case import Case
from advisor.stacks import STOCK, TRL

WORTH = 0.1
"""Share by which an older version must need more to be worth a line."""
FAILED = frozenset({"oom_step", "oom_later", "growing"})
COSTLY = True

ON = ("trainer",)


def check(case: Case) -> Finding | None:
    """What an older version takes; louder where the run failed, or such a version is named."""
    if case.query.trainer != "trl" or not case.sized or case.full or case.query.algorithm not in (None, "sft"):
        return None
    version = next(iter(case.query.named.get("trl", ())), None)
    newer, older = case.need(TRL, fused_loss=True).device if version else case.lean.device, case.need(STOCK).device
    if older <= (1 + WORTH) * newer:
        return None
    speak = stop if version else warn if case.symptoms & FAILED else note
    return speak(older=older, newer=newer, version=version)
