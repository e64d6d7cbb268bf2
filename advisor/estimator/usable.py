"""What a card can hand out, which is less than stands on the box."""

from knowledge.schemas import Gpu

GIB = 2**30
CUDA_SHARE = 0.985
"""torch.cuda total_memory over what nvidia-smi shows: 23.65 of 24 GiB (RTX 4090), 14.75 of 15 (T4), 79.15 of 80."""
APPLE_SHARE = 0.75
"""recommendedMaxWorkingSetSize of Macs with much memory; the rest stays with the system."""
UNIFIED_SHARE = 0.9
"""Other machines whose system shares the memory (DGX Spark, Strix Halo)."""
DESKTOP_BYTES = int(0.8 * GIB)
"""What a desktop with a browser takes from the card that shows it."""


def usable_bytes(gpu: Gpu, *, desktop: bool = False) -> int:
    """Bytes per card that a training process can allocate, its own context included."""
    shown = (gpu.usable_gib or gpu.vram_gb) * GIB
    if gpu.vendor == "apple":
        return int(shown * APPLE_SHARE)
    if gpu.unified_memory:
        return int(shown * UNIFIED_SHARE)
    return int(shown * CUDA_SHARE) - (DESKTOP_BYTES if desktop else 0)
