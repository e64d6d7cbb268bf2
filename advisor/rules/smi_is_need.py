"""nvidia-smi shows what is held, not what is needed: PyTorch caches, JAX and vLLM preallocate.

Source: PyTorch documentation, CUDA memory management; JAX: XLA_PYTHON_CLIENT_MEM_FRACTION.
"""

from advisor.advice import Finding, correct, note
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("smi_is_need",)


def check(case: Case) -> Finding | None:
    """nvidia-smi shows what is held, not what is needed: PyTorch caches, JAX and vLLM preallocate."""
    if "smi_is_need" not in case.claims:
        return None
    return note() if case.symptoms & FAILURES else correct()  # where it died, the card was full indeed
