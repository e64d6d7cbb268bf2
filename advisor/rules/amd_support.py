"""AMD trains on Linux with ROCm; what works depends on the chip.

Source: bitsandbytes 0.50 and Unsloth support lists, facts/gpus/radeon and instinct.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.stacks import on_rocms_list, short_name

ON = ("amd_card",)


def check(case: Case) -> Finding | None:
    """AMD trains on Linux with ROCm; what works depends on the chip."""
    amd = next((gpu for gpu in case.gpus if gpu.vendor == "amd"), None)
    if amd is None:
        return None
    windows = case.query.os == "windows"
    official = on_rocms_list(amd)
    speak = stop if windows or not (official or case.sized) else warn
    return speak(
        windows=windows,
        card=short_name(amd),
        chip=amd.compute_capability,
        four_bit=not amd.supports.bitsandbytes_4bit.startswith("no"),
        official=official,
    )
