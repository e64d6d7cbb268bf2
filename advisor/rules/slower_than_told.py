"""A run takes much longer than a paper or somebody else says: most often the data differ, not the speed.

Source: QLoRA, arXiv:2305.14314, app. B (Guanaco: 9,209 examples of OASST1).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import FOUR_BIT

ON = ("slower_than_told",)
KINDS = frozenset({Kind.TIME_ESTIMATE, Kind.MULTI_GPU, Kind.OOM_HELP, Kind.FAQ_DEFINITION})
GUANACO = 9_209
"""Examples of the QLoRA paper's run."""
FAR = 2
"""Times that from which on it is told how many more they are."""


def check(case: Case) -> Finding | None:
    """Say what to compare first."""
    query = case.query
    if "slower_than_told" not in case.symptoms or query.kind not in KINDS:
        return None
    if case.advice is not None and case.advice.verdict.facts.get("judged") == "too_slow":
        return None  # by our count too it should be faster, which the answer says with its causes
    examples = query.dataset_examples
    return stop(
        qlora=query.method in FOUR_BIT,
        examples=examples,
        times=examples / GUANACO if examples and examples > FAR * GUANACO else None,
        batch_one=query.micro_batch == 1,
    )
