"""LLM.int8 is slower than 16-bit and 4-bit, and which of the two the asker's card holds; and no sharding splits it.

Source: bitsandbytes: LLM.int8, arXiv:2208.07339, appendix D; reports; estimator.
"""

from advisor.advice import Finding, note, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.parallel import eight_bit_unsplit
from advisor.query import Kind
from advisor.stacks import GOOD

ON = ("weight_bits",)
INSTEAD = ("lora", "qlora")
"""The better first."""


def check(case: Case) -> Finding | None:
    """LLM.int8 is slower than 16-bit and 4-bit."""
    if eight_bit_unsplit(case):
        rows = case.query.kind is Kind.METHOD_CHOICE  # each method has its own there, and 8 bit too
        return warn(unsplit=True, rows=True) if rows else stop(unsplit=True, rows=False)
    if case.query.weight_bits != 8 or case.full or case.apple:  # a Mac's 8 bit are MLX's own, which it computes with
        return None
    if case.advice is not None and case.advice.verdict.code == "runs" and "slow" not in case.symptoms:
        return None  # it works, and nobody minds how fast
    code, device = _instead(case)
    return (
        stop(unsplit=False, normal=True, instead=code, device=device)
        if "slow" in case.symptoms and not case.symptoms & FAILURES
        else note(unsplit=False, normal=False, instead=code, device=device)
    )


def _instead(case: Case) -> tuple[str | None, int | None]:
    """What fits the asker's card in its place, with its bytes at the plainest; nothing where no card is known."""
    if case.usable is None or not case.sized:
        return None, None
    needs = ((code, case.need(case.stacks[-1], method=code, weight_bits=None, quant=None)) for code in INSTEAD)
    return next(((code, need.device) for code, need in needs if need.fit in GOOD), (None, None))
