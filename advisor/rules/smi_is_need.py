"""nvidia-smi shows what is held, not what is needed: PyTorch caches, JAX and vLLM preallocate.

Source: PyTorch documentation, CUDA memory management; JAX: XLA_PYTHON_CLIENT_MEM_FRACTION.
"""

from advisor.advice import Finding, correct, note
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("smi_is_need",)
SPILT = frozenset({"spill", "shared"})


def check(case: Case) -> Finding | None:
    """nvidia-smi shows what is held, not what is needed: PyTorch caches, JAX and vLLM preallocate."""
    if "smi_is_need" not in case.claims or (case.advice and case.advice.verdict.code in SPILT):
        return None  # what is shown as shared is the very reason
    return note() if case.symptoms & FAILURES else correct()  # where it died, the card was full indeed
