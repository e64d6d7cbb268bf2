"""The few numbers of the memory model that neither formulas nor trainers' defaults give: facts/coefficients.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from knowledge.catalog import load_catalog


@dataclass(frozen=True, slots=True)
class Coefficients:
    """One field per entry of coefficients.yaml. Shares are of the moving part of a peak, sizes in GiB."""

    workspace_gib: float
    """cuBLAS and attention workspaces inside reserved."""
    slack_activations: float
    """What the caching allocator keeps beyond the peak of activations and temporaries."""
    slack_logits: float
    """The same for logits whose blocks have one size."""
    slack_shifted: float
    """The same for losses that copy shifted logits of a whole batch: two sizes that do not fit each other."""
    slack_varied: float
    """The same for everything when batches are of varied lengths and the card has room."""
    sharded_gib: float
    """What stays cached under FSDP and ZeRO-3 beside the gathered layers."""
    context_gib: float
    """CUDA context and libraries: device less reserved."""
    context_several_gib: float
    """NCCL's buffers, per GPU."""
    spread: float
    """Half the width of the 90 % range of a set-up whose trainer and shape are known."""
    spread_guess: float
    """What an unknown trainer or shape adds to it."""


def coefficients_of(facts: Mapping[str, Mapping[str, Any]]) -> Coefficients:
    """From the content of coefficients.yaml: name → value and its grounds."""
    return Coefficients(**{field.name: float(facts[field.name]["value"]) for field in fields(Coefficients)})


@lru_cache(maxsize=1)
def known_coefficients() -> Coefficients:
    """Those of the catalog."""
    return coefficients_of(load_catalog().coefficients)
