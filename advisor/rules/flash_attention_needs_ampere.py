"""FlashAttention-2 needs compute capability 8.0.

Source: flash-attention README.
"""

from advisor.advice import Finding, correct, stop
from advisor.case import Case
from advisor.stacks import short_name

ON = ("attention",)


def check(case: Case) -> Finding | None:
    """FlashAttention-2 needs compute capability 8.0."""
    old = [gpu for gpu in case.gpus if gpu.vendor == "nvidia" and gpu.supports.flash_attention_2.startswith("no")]
    if not old or case.query.attention not in ("flash", "flash_attention_2", "fa2"):
        return None
    blamed = "blames_flash" in case.symptoms
    return (stop if blamed else correct)(card=short_name(old[0]), blamed=blamed)
