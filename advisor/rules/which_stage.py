"""Which stage of ZeRO, where that is asked beside the memory: the least splitting that the asker's cards hold.

Source: ZeRO, arXiv:1910.02054, sec. 5; DeepSpeed documentation, "ZeRO" (stage 3, offload); estimator.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.parallel import ways
from advisor.query import Kind
from advisor.stacks import GOOD

ON = ("asks_stage",)
COSTLY = True


def check(case: Case) -> Finding | None:
    """The stage, what a card then holds, and what the next one would change."""
    if "asks_stage" not in case.symptoms or not case.sized or case.n_cards < 2 or case.usable is None:
        return None
    if case.advice is not None and case.advice.kind is Kind.MULTI_GPU:
        return None  # the answer sets the ways side by side
    found = {way.code: way.need for way in ways(case, case.stacks[-1], case.n_cards)}
    copy, split, away = found["zero2" if case.full else "ddp"], found["fsdp"], found["fsdp_offload"]
    stages = (("zero2", copy), ("zero3", split), ("offload", away))
    pick = next((code for code, need in stages if need.fit in GOOD), None)
    return warn(
        pick=pick,
        copy=copy.device,
        split=split.device,
        away=away.device,
        ram=away.host_ram,
        usable=case.usable,
    )
