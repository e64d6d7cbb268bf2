"""A Mac with an AMD card trains on the CPU only.

Source: PyTorch: no CUDA and no ROCm on macOS; MLX needs Apple silicon.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("os",)


def check(case: Case) -> Finding | None:
    """A Mac with an AMD card trains on the CPU only."""
    named = bool(case.gpus) or "gpus" in case.query.unknown
    if case.query.os != "macos" or case.apple or not named or any(gpu.vendor == "apple" for gpu in case.gpus):
        return None
    return stop()
