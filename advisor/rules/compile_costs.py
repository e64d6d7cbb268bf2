"""torch.compile may take more: CUDA graphs keep their pools, varying lengths compile again.

Source: PyTorch, torch.compile, modes and CUDA graph trees
(https://pytorch.org/docs/stable/torch.compiler_cudagraph_trees.html, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("asks_compile",)


def check(case: Case) -> Finding | None:
    """torch.compile may take more."""
    return stop() if "asks_compile" in case.symptoms else None
