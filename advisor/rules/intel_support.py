"""Intel cards train through PyTorch's xpu back end.

Source: bitsandbytes 0.50 (xpu), facts/trainers: intel.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.stacks import short_name

ON = ("intel_card",)


def check(case: Case) -> Finding | None:
    """Intel cards train through PyTorch's xpu back end."""
    intel = next((gpu for gpu in case.gpus if gpu.vendor == "intel"), None)
    return warn(card=short_name(intel)) if intel is not None else None
