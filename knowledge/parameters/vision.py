"""Parameters of vision (and audio) towers with their projectors, counted from the shape."""

from collections.abc import Callable, Mapping
from typing import Any


def tower_parameters(tower: Mapping[str, Any] | None, hidden: int) -> int:
    """Count a tower whose projector ends at the text width `hidden`. Raises ValueError for an unknown kind."""
    if not tower:
        return 0
    count = TOWERS.get(str(tower.get("kind")))
    if count is None:
        raise ValueError(f"arch_args.vision.kind: {tower.get('kind')!r} is none of {', '.join(sorted(TOWERS))}")
    return count(tower, hidden)


def _constant(tower: Mapping[str, Any], hidden: int) -> int:
    return int(tower["params"])


def _pixtral(tower: Mapping[str, Any], hidden: int) -> int:
    """RMSNorm transformer without biases; a 2x2 patch merger, then two linears into the text width."""
    width, inner, patch = tower["h"], tower["I"], tower["patch"]
    layer = 4 * width * width + 3 * width * inner + 2 * width
    projector = 4 * width * width + width * hidden + hidden * hidden
    stem = 3 * patch * patch * width + width + (width if tower.get("merge_norm") else 0)
    return int(tower["depth"] * layer + stem + projector)


def _qwen25(tower: Mapping[str, Any], hidden: int) -> int:
    """Gated MLP and attention with biases, RMSNorm; patches of 14x14 over two frames."""
    width, inner = tower["h"], tower["I"]
    layer = 4 * width * width + 4 * width + 3 * width * inner + 2 * inner + width + 2 * width
    merged = 4 * width
    merger = width + merged * merged + merged + merged * hidden + hidden
    return int(tower["depth"] * layer + 3 * 2 * 14 * 14 * width + merger)


def _qwen2(tower: Mapping[str, Any], hidden: int) -> int:
    """Plain MLP of four times the width, LayerNorm, biases; patches of 14x14 over two frames."""
    width = tower["h"]
    layer = 12 * width * width + 13 * width
    merged = 4 * width
    merger = 2 * width + merged * merged + merged + merged * hidden + hidden
    return int(tower["depth"] * layer + 3 * 2 * 14 * 14 * width + merger)


def _qwen3(tower: Mapping[str, Any], hidden: int) -> int:
    """Plain MLP, LayerNorm, learned positions; `deepstack` further mergers feed early text layers."""
    width, inner, patch = tower["h"], tower["I"], tower["patch"]
    layer = 4 * width * width + 4 * width + 2 * width * inner + inner + width + 4 * width
    merged = 4 * width
    linears = merged * merged + merged + merged * hidden + hidden
    stem = 3 * 2 * patch * patch * width + width + tower["pos"] * width
    deep = tower.get("deepstack", 0) * (2 * merged + linears)
    return int(tower["depth"] * layer + stem + 2 * width + linears + deep)


def _siglip_gemma3(tower: Mapping[str, Any], hidden: int) -> int:
    """SigLIP so400m at 896 pixels (27 layers of 1152, MLP 4304, 4096 places) and Gemma 3's projector."""
    width, inner, patch = 1152, 4304, 14
    layer = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width
    stem = 3 * patch * patch * width + width + 4096 * width
    return 27 * layer + stem + 2 * width + width * hidden + width


def _gemma4(tower: Mapping[str, Any], hidden: int) -> int:
    """Gated MLP, four norms and normalised q, k; two position tables of 10,240; `std`: input mean and deviation."""
    width, inner = tower["h"], tower["I"]
    layer = 4 * width * width + 3 * width * inner + 4 * width + 2 * tower["hd"]
    stem = 3 * 16 * 16 * width + 2 * 10_240 * width + (2 * width if tower.get("std") else 0)
    audio = tower.get("audio", 0) + tower.get("audio_proj", 0) * hidden
    return int(tower["depth"] * layer + stem + width * hidden + audio)


TOWERS: Mapping[str, Callable[[Mapping[str, Any], int], int]] = {
    "constant": _constant,
    "pixtral": _pixtral,
    "qwen2_vit": _qwen2,
    "qwen25_vit": _qwen25,
    "qwen3_vit": _qwen3,
    "siglip_gemma3": _siglip_gemma3,
    "gemma4_vit": _gemma4,
}
