"""What fails at `import` has loaded nothing yet: versions that do not match, no memory.

Source: unsloth README, section Intel (extras `intel-gpu-torch…`); PyTorch, "Getting started on Intel GPU", 2026-11.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("at_import",)


def check(case: Case) -> Finding | None:
    """Say that it is a matter of versions, and which ones of this maker."""
    if "at_import" not in case.symptoms:
        return None
    return stop(
        vendor=case.vendor or "nvidia",
        windows=case.query.os == "windows",
        trainer=case.query.trainer if case.query.trainer == "unsloth" else None,
    )
