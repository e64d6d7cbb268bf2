"""What a card delivers in training, from its data sheet: sustained matrix rate, bandwidth, links."""

import re
from dataclasses import dataclass

from advisor.estimator.speed.coefficients import Coefficients
from knowledge.schemas import Gpu

MEASURED = frozenset({"ga100", "ga10x", "ada", "hopper"})
"""Chip generations that the measured rows cover."""
_GENERATION = {
    "Volta": "volta",
    "Turing": "turing",
    "Ada Lovelace": "ada",
    "Hopper": "hopper",
    "Blackwell": "blackwell",
    "Blackwell (Thor)": "blackwell",
    "Blackwell (data centre)": "blackwell_dc",
}
_GB_S = re.compile(r"(\d+(?:\.\d+)?) GB/s")


@dataclass(frozen=True, slots=True)
class Machine:
    """Rates of one card. FLOPS and bytes per second."""

    matmul: float
    vector: float
    """fp32 rate of the ordinary cores: exponentials of the attention."""
    bandwidth: float
    link: float
    """Between two GPUs, one direction, as it is exposed."""
    nvlink: bool
    memory: float
    """Bytes."""
    measured: bool


def generation(gpu: Gpu) -> str:
    """The chip generation as the coefficients name it."""
    if gpu.architecture.startswith("Ampere"):
        return "ga100" if gpu.compute_capability == "8.0" else "ga10x"
    return _GENERATION.get(gpu.architecture, gpu.vendor)


def _soft_min(a: float, b: float) -> float:
    return float((a**-4 + b**-4) ** -0.25)


def sustained_tflops(gpu: Gpu, c: Coefficients) -> float | None:
    """Dense 16-bit TFLOPS of large products: the tensor cores' rate, or what the watts feed; None when unknown."""
    peak = gpu.bf16_dense_tflops or gpu.fp16_dense_tflops or gpu.fp32_tflops
    if peak is None:
        return None
    share = {"amd": c.share_amd, "intel": c.share_intel, "apple": c.share_apple}.get(gpu.vendor)
    if share is not None:
        return peak * share
    per_watt = getattr(c, f"tflops_per_watt_{generation(gpu)}", None)
    if per_watt is None or gpu.tdp_w is None:
        return peak * c.tensor_share * 0.7
    return _soft_min(peak * c.tensor_share, gpu.tdp_w * per_watt)


def _link(gpu: Gpu, c: Coefficients) -> tuple[float, bool]:
    fabric = str(gpu.nvlink or "")
    rate = _GB_S.search(fabric)
    if gpu.segment == "datacenter" and rate and "bridge" not in fabric:
        return float(rate[1]) / 2 * c.nvlink_share * 1e9, True
    if gpu.segment in ("workstation", "datacenter"):
        return c.pcie_server_gb_s * 1e9, False
    old = gpu.cuda_capability is not None and gpu.cuda_capability < (8, 9)
    return (c.pcie_home_old_gb_s if old else c.pcie_home_gb_s) * 1e9, False


def machine_of(gpu: Gpu, c: Coefficients) -> Machine | None:
    """The card's rates; None when its data sheet gives no compute rate."""
    tflops = sustained_tflops(gpu, c)
    if tflops is None:
        return None
    peak = gpu.bf16_dense_tflops or gpu.fp16_dense_tflops or tflops
    link, nvlink = _link(gpu, c)
    return Machine(
        matmul=tflops * 1e12,
        vector=(gpu.fp32_tflops or peak / 4) * 1e12,
        bandwidth=gpu.bandwidth_gb_s * 1e9 * c.bandwidth_share,
        link=link,
        nvlink=nvlink,
        memory=(gpu.usable_gib or gpu.vram_gb * 0.93) * 2**30,
        measured=generation(gpu) in MEASURED,
    )
