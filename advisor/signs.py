"""What wakes rules: slots that have a value, claims, symptoms, and what kind of cards and model a question names.

A rule names the signs without which it has nothing to say (`ON`, advisor/rules/__init__.py) and is not even called.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from knowledge.catalog import Catalog

if TYPE_CHECKING:
    from advisor.asked import Asked

VOLTA = (7, 0)
"""Compute capability of the first tensor cores."""
BOARDS = "jetson"
"""How the ids of NVIDIA's ARM boards begin."""


def signs_of(asked: "Asked") -> frozenset[str]:
    """All signs of a question."""
    slots = [slot for slot, value in vars(asked.query).items() if value or value == 0]
    cards = [sign for gpu in asked.gpus for sign in _of_card(gpu.id, asked.catalog)]
    several = ("several",) if asked.n_cards > 1 else ()
    experts = ("experts",) if asked.model is not None and asked.model.params_active is not None else ()
    return asked.claims.union(asked.symptoms, slots, cards, several, experts)


@lru_cache(maxsize=1024)
def _of_card(gpu_id: str, catalog: Catalog) -> tuple[str, ...]:
    gpu = catalog.gpus[gpu_id]
    kinds = {
        "amd_card": gpu.vendor == "amd",
        "intel_card": gpu.vendor == "intel",
        "apple_card": gpu.vendor == "apple",
        "laptop_card": gpu.segment == "laptop",
        "unified_card": gpu.unified_memory,
        "board": gpu.id.startswith(BOARDS),
        "card_before_volta": gpu.cuda_capability is not None and gpu.cuda_capability < VOLTA,
        "card_without_bf16": gpu.vendor == "nvidia" and not gpu.supports.bf16,
    }
    return tuple(sign for sign, is_so in kinds.items() if is_so)
