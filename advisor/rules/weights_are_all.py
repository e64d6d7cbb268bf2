"""Training holds more than the weights file; at long examples over a large vocabulary most of it are logits.

Source: S01; estimator terms.
"""

from typing import Any

from advisor.advice import Finding, correct
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GOOD, STATES

ON = ("weights_are_all",)
ONE = 4
"""Bytes of a logit in fp32."""
MOSTLY = 0.5
"""Share of the need from which on the logits are what fills the card."""


def check(case: Case) -> Finding | None:
    """Training holds more than the weights file."""
    if "weights_are_all" not in case.claims or not case.sized:
        return None
    died = bool(case.symptoms & FAILURES)  # on which stack nobody knows; of every weight the rule of thumb is AdamW's
    shown = case.plain if case.full or died else case.lean
    weights = shown.components.get("weights", 0)
    if not weights:
        return None  # offloaded: nothing of them is on the card
    told = case.query.kind is Kind.FAQ_DEFINITION  # the verdict is the rule of thumb
    states_gb = round(STATES * (case.params or 0) / 1e9) if case.full and not told else None
    rest = max(0, shown.device - weights)
    stack = shown.stack if case.full else None
    facts = {"weights": weights, "rest": rest, "stack": stack, "states_gb": states_gb, "params": case.params}
    return correct(**facts, **_logits(case))


def fills(case: Case) -> bool:
    """The logits are named as what fills the card."""
    return bool(_logits(case)["logits"])


def _logits(case: Case) -> dict[str, Any]:
    """The logits of the usual example, one copy and all that the stock loss keeps, where no card holds them beside the
    weights and they are most of what a run takes.
    """
    tokens = min(case.query.tokens_per_example or case.seq_len, case.seq_len)
    need = case.need(case.stacks[-1], seq_len=tokens)
    logits, vocab = need.components.get("logits", 0), case.setup.vocab
    if not vocab or logits < MOSTLY * need.device or need.fit in (None, *GOOD):
        return {"logits": None}
    return {"logits": logits, "one": ONE * tokens * case.micro_batch * vocab, "tokens": tokens, "vocab": vocab}
