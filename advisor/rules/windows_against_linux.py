"""The same run takes more on Windows: the desktop's share, missing kernels, an allocator option that is not there.

Source: PyTorch, CUDA semantics: expandable_segments is not supported on Windows
(https://pytorch.org/docs/stable/notes/cuda.html#memory-management, 2026-11); FlashAttention and Triton
are built for Linux.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("windows_or_linux",)


def check(case: Case) -> Finding | None:
    """The same run takes more on Windows."""
    return stop() if "windows_or_linux" in case.symptoms else None
