"""The few numbers of the speed model that no formula gives: facts/speed.yaml has each with its source and rows."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from knowledge.catalog import load_catalog


@dataclass(frozen=True, slots=True)
class Coefficients:
    """One field per entry of speed.yaml; units stand in the names."""

    tensor_share: float
    """Share of the data sheet's dense tensor rate that a large matrix product reaches when power does not limit it."""
    tflops_per_watt_volta: float
    tflops_per_watt_turing: float
    tflops_per_watt_ga100: float
    tflops_per_watt_ga10x: float
    tflops_per_watt_ada: float
    tflops_per_watt_hopper: float
    tflops_per_watt_blackwell: float
    tflops_per_watt_blackwell_dc: float
    share_amd: float
    share_intel: float
    share_apple: float
    bandwidth_share: float
    fused_traffic_share: float
    launch_us: float
    softmax_flops_share: float
    adapter_traffic_share: float
    dequantise_share: float
    dequantise_share_gptq: float
    nvlink_share: float
    sync_share: float
    pcie_server_gb_s: float
    pcie_home_old_gb_s: float
    pcie_home_gb_s: float
    host_link_gb_s: float
    cpu_adam_params_per_s: float
    spread: float
    spread_unmeasured: float
    spread_pcie: float


def coefficients_of(facts: Mapping[str, Mapping[str, Any]]) -> Coefficients:
    """Coefficients from the content of speed.yaml. Raises KeyError naming what is missing."""
    return Coefficients(**{field.name: float(facts[field.name]["value"]) for field in fields(Coefficients)})


@lru_cache(maxsize=1)
def known_coefficients() -> Coefficients:
    """The catalog's own."""
    return coefficients_of(load_catalog().raw["speed.yaml"])
