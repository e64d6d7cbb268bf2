"""One block larger than a card: attention or logits without their fused kernels, often an old version.

Source: Unsloth issues on long contexts (gpt-oss, 500k notebook); QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import GIB
from advisor.topics import oom_help

ON = ("tried_allocate_gib",)


def check(case: Case) -> Finding | None:
    """One block larger than a card: attention or logits without their fused kernels, often an old version."""
    tried = case.query.tried_allocate_gib or 0.0
    if not oom_help.huge_block(case):
        return None
    return stop(tried=int(tried * GIB), packing=case.query.packing is not None or "packing_ooms" in case.symptoms)
