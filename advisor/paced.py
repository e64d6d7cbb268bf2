"""How fast a machine that holds much and computes little goes through examples, told beside what it holds."""

from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GOOD
from advisor.topics.time_estimate.jobs import TOKENS_EACH
from knowledge.schemas import Gpu

EXAMPLES = 1_000
ASKED = frozenset({Kind.FITS_CHECK, Kind.METHOD_CHOICE})
"""Kinds of question whose answer has the set-up's figures and no time."""


def hours_of_examples(case: Case, gpu: Gpu) -> tuple[float, float] | None:
    """Hours of an epoch of so many examples where the set-up fits; None where that is not known, or told anyway."""
    query = case.query
    if query.kind not in ASKED or not case.sized or case.usable is None or query.algorithm or len(case.gpus) > 1:
        return None
    if case.lean.fit not in GOOD:
        return None
    pace = case.pace(case.stacks[0], gpu, TOKENS_EACH, n_gpus=1, sharding="none")
    if pace is None:
        return None
    seconds = EXAMPLES * pace.each
    return seconds / pace.rate.high / 3600, seconds / pace.rate.low / 3600
