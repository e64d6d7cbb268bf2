"""A laptop card has its desktop namesake's name, not its memory or power.

Source: facts/gpus: geforce-laptop.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.stacks import short_name

ON = ("laptop_card",)


def check(case: Case) -> Finding | None:
    """A laptop card has its desktop namesake's name, not its memory or power."""
    laptop = next((gpu for gpu in case.gpus if gpu.segment == "laptop"), None)
    if laptop is None:
        return None
    name = short_name(laptop).replace(" Laptop", "").replace(" GPU", "")
    twin = next(
        (gpu for gpu in case.catalog.gpus.values() if gpu.segment == "consumer" and short_name(gpu).startswith(name)),
        None,
    )
    return warn(
        card=short_name(laptop),
        vram_gb=laptop.vram_gb,
        twin=short_name(twin) if twin else "",
        twin_gb=twin.vram_gb if twin else None,
    )
