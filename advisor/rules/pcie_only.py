"""Consumer cards without NVLink exchange over PCIe, and GeForce cards have no peer-to-peer access.

Source: NVIDIA driver behaviour on GeForce RTX 40 and 50; facts/gpus: nvlink.
"""

from advisor.advice import Finding, note
from advisor.case import Case
from advisor.stacks import short_name

ON = ("several",)


def check(case: Case) -> Finding | None:
    """Consumer cards without NVLink exchange over PCIe, and GeForce cards have no peer-to-peer access."""
    gpu = case.gpu
    if (
        gpu is None
        or case.n_cards < 2
        or gpu.nvlink
        or gpu.segment not in ("consumer", "laptop")
        or gpu.vendor != "nvidia"
    ):
        return None
    if "no_gain" in case.symptoms or case.sharding not in ("fsdp", "fsdp2", "zero3"):
        return None
    return note(card=short_name(gpu))
