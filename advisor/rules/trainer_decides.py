"""One trainer takes less than another because of a fused loss and offloaded checkpoints, which the other has as well.

Source: Axolotl and LLaMA-Factory documentation (cut_cross_entropy, liger, activation_offloading), Unsloth's defaults;
QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.topics.trainer_choice import savers_decide

ON = ("trainer_decides", "fused_loss", "activation_offload")


def check(case: Case) -> Finding | None:
    """One trainer takes less than another because of savers which the other has as well."""
    if not savers_decide(case):
        return None
    return stop(table="table_covers_me" in case.claims)
