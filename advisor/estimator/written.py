"""A set-up as people write it ("8k", "4-bit", "2x RTX 3090") → the fields of SetUp. Pure; never raises."""

import re
from collections.abc import Mapping
from typing import Any

SIZE = re.compile(
    r"(\d{1,3}(?:[,_ ]\d{3})+|\d{1,15})(\.\d{1,6})?\s*([kmbt]?)(?:\s*(?:tokens?|params?|parameters))?", re.IGNORECASE
)
"""A number with thousands, decimals and one letter for its magnitude."""
MAGNITUDES: dict[str, dict[str, float]] = {
    "seq_len": {"k": 1024, "m": 1024**2},
    "params_b": {"m": 1e-3, "b": 1, "t": 1e3},
    "trainable_params": {"k": 1e3, "m": 1e6, "b": 1e9},
    "micro_batch": {},
    "grad_accum": {},
    "lora_rank": {},
    "n_gpus": {},
}
"""Field → what a letter after its number means."""
BITS = re.compile(r"(?:^|[^\d.])(32|16|8|6|5|4|3|2)(?!\d)")
MEMORY = re.compile(r"\d\s*(?:gib|gb)\b", re.IGNORECASE)
COUNT = re.compile(r"^\s*(\d{1,3})\s*[x×*]\s*(\S.*)$|^(.*\S)\s+[x×*]\s*(\d{1,3})\s*$", re.IGNORECASE | re.DOTALL)
"""How many cards: "2x RTX 3090", "RTX 3090 x2"."""
LARGEST_CARD_GB = 10_000


def _with_memory(gpu: Any, vram_gb: float) -> Any:
    """The card with its memory in its name; a memory that stands there already wins."""
    if gpu is None:
        return f"{vram_gb:g} GB"
    return gpu if not isinstance(gpu, str) or MEMORY.search(gpu[:200]) else f"{gpu} {vram_gb:g} GB"


def _number(field: str, text: str) -> Any:
    match = SIZE.fullmatch(text.strip()[:60])
    if match is None:
        return text
    factor = {"": 1.0, **MAGNITUDES[field]}.get(match[3].lower())
    if factor is None:
        return text
    value = float(re.sub(r"[,_ ]", "", match[1]) + (match[2] or "")) * factor
    return value if field == "params_b" or value != int(value) else int(value)


def _bits(text: str) -> Any:
    found = BITS.findall(f" {text[:40]}")
    return float(found[-1]) if found else text


def _cards(stated: Mapping[str, Any]) -> dict[str, Any]:
    """`gpus` as chat slots have it, and a count in front of or behind a name, as gpu and n_gpus."""
    found: dict[str, Any] = {}
    first = stated["gpus"][0] if isinstance(stated.get("gpus"), list) and stated["gpus"] else None
    if isinstance(first, Mapping):
        found = {"gpu": first.get("name") or first.get("gpu"), "n_gpus": first.get("count")}
        if not found["gpu"] and first.get("vram_gb"):
            found["gpu"] = f"{first['vram_gb']} GB"
    gpu = stated.get("gpu")
    if isinstance(gpu, str) and (match := COUNT.match(gpu[:200])):
        found = {"gpu": match[2] or match[3], "n_gpus": int(match[1] or match[4])}
    vram_gb = stated.get("vram_gb")
    if isinstance(vram_gb, int | float) and not isinstance(vram_gb, bool) and 0 < vram_gb < LARGEST_CARD_GB:
        found["gpu"] = _with_memory(found.get("gpu", gpu), vram_gb)
    return {key: value for key, value in found.items() if value is not None and (key == "gpu" or key not in stated)}


def as_fields(stated: Mapping[str, Any]) -> dict[str, Any]:
    """The same set-up with numbers as numbers; what cannot be read stays as it is, for the schema to refuse."""
    fields = dict(stated)
    for field in MAGNITUDES:
        if isinstance(fields.get(field), str):
            fields[field] = _number(field, fields[field])
    if isinstance(fields.get("weight_bits"), str):
        fields.setdefault("quant", fields["weight_bits"])
        fields["weight_bits"] = _bits(fields["weight_bits"])
    return fields | _cards(fields)
