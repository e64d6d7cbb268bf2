"""How the memory of all weights is reckoned: bytes a parameter, what comes on top, and what cards divide.

Source: ZeRO, arXiv:1910.02054, sec. 3 (2 + 2 + 12 bytes); estimator.
"""

from advisor.advice import Finding, stop
from advisor.asked import REFERENCED
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, FULL_ADAMW, STATES
from advisor.tiers import cards_that_hold
from advisor.topics.multi_gpu.counts import CLUSTER_GB, SPLIT_ADAMW

KINDS = frozenset(
    {Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.MULTI_GPU, Kind.FAQ_DEFINITION, Kind.METHOD_CHOICE, Kind.SYSTEM_RAM}
)
LEAN = 6
"""Bytes a parameter with bf16 weights, gradients and 8-bit moments."""
WEIGHTS = 2
TOLD = frozenset({"methods", "methods_8b"})

ON = ("wants_formula",)


def check(case: Case) -> Finding | None:
    """The sum for all weights of a model, as a formula with its figures."""
    if "wants_formula" not in case.symptoms or not case.full or not case.sized or case.query.kind not in KINDS:
        return None
    if case.advice is not None and case.advice.verdict.code in TOLD:
        return None  # the answer is the sum
    params = case.params or 0
    need = case.need(FULL_ADAMW, **ALL_ON_ONE)
    reference = WEIGHTS * params if case.query.algorithm in REFERENCED else 0
    rest = max(0, need.device - STATES * params - reference)
    return stop(
        params=params,
        states=round(STATES * params / 1e9),
        reference=round(reference / 1e9) or None,
        algorithm=case.query.algorithm,
        rest=rest,
        tokens=case.seq_len,
        lean=round(LEAN * params / 1e9),
        cards=cards_that_hold(case, SPLIT_ADAMW, case.usable_of_size(CLUSTER_GB)),
        gb=CLUSTER_GB,
    )
