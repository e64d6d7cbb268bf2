"""Tables, blogs and calculators name one set-up: mostly batch 1, short length, one card.

Source: LLaMA-Factory README ("estimated"), Unsloth requirements ("absolute minimum"); estimator.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.query import Kind
from advisor.stacks import GIB, GOOD

FAR = 2
"""Times our estimate from which a table's figure is called wrong."""

TELLS = frozenset({"calculated", "normal"})
"""Answers that set the claimed figure beside what a run takes."""

LONG = 16_384
"""Tokens from which a figure in a blog is a record."""

ON = ("table_covers_me",)


def check(case: Case) -> Finding | None:
    """Tables, blogs and calculators name one set-up: mostly batch 1, short length, one card."""
    if "table_covers_me" not in case.claims or case.query.kind is Kind.SYSTEM_RAM:
        return None
    if case.advice is not None and (case.advice.verdict.code in TELLS or case.advice.verdict.facts.get("mixed")):
        return None  # the answer says it
    methods = case.advice is not None and case.advice.kind is Kind.METHOD_CHOICE
    if case.query.claimed_gib and case.sized and not methods:
        return None  # claimed_figure holds it against the estimate
    if _offloads(case):
        way = "zero" if case.query.sharding == "zero3" else "fsdp"
        return correct(seen=None, estimate=None, offloads=way, long=False)
    seen = int((case.query.seen_gib or case.query.claimed_gib or 0) * GIB)
    if not seen or not case.sized or case.full:
        return correct(seen=None, estimate=None, offloads=None, long=_long(case))
    estimate = case.need(case.stacks[-1], method="lora", weight_bits=None, quant=None).device
    far = seen > FAR * estimate
    return correct(seen=seen if far else None, estimate=estimate if far else None, offloads=None, long=_long(case))


def _long(case: Case) -> bool:
    """The figure is one of a record length."""
    return case.query.kind is Kind.CONTEXT_LENGTH and (case.query.seq_len or 0) >= LONG


def _offloads(case: Case) -> bool:
    """Split as the asker says it fits only with parameters in RAM, which nobody has switched on."""
    if case.usable is None or not case.sized or case.n_cards == 1 or case.query.offload not in (None, "none"):
        return False
    if not case.offload_is_sane or case.query.sharding not in SHARDED or case.lean.fit in GOOD:
        return False
    return case.need(case.stacks[0], offload="params").fit in GOOD
