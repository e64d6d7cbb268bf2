"""One trainer takes less than another because of a fused loss and offloaded checkpoints, which the other has as well.

Source: Axolotl and LLaMA-Factory documentation (cut_cross_entropy, liger, activation_offloading), Unsloth's defaults;
QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind

ON = ("trainer_decides", "fused_loss", "activation_offload")


def check(case: Case) -> Finding | None:
    """One trainer takes less than another because of savers which the other has as well."""
    query = case.query
    named = query.kind is Kind.TRAINER_CHOICE and (query.fused_loss or query.activation_offload)
    if not query.trainer or not (named or "trainer_decides" in case.claims):
        return None
    return stop(table="table_covers_me" in case.claims)
