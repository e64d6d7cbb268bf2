"""Which set-up is ahead: in size, speed, room, price, simplicity; and which of them hold the asked model."""

from typing import Any

from advisor.stacks import GOOD

AHEAD = 1.15
"""How far ahead a set-up must be to be called so."""
ROOMIER = 1.05


def winners(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Which set-up is ahead in what, and which of them hold the asked model."""
    smooth = [r for r in rows if not r["rough"]] or rows
    larger = _winner(rows, "most", ahead=1.0)
    offloaded = _winner(rows, "stretch", ahead=1.0) if larger is None else None
    larger, quickest, value = larger or offloaded, _winner(rows, "speed"), _value(smooth)
    faster = _winner(smooth, "speed") if quickest is None or quickest["rough"] else quickest
    simpler = _simpler(rows)
    holders = [named(r) for r in rows if r.get("fit") in GOOD]
    return {
        "larger": larger,
        "keeps_up": _keeps_up(rows, larger, faster),
        "larger_offloaded": offloaded is not None,
        "larger_is_faster": _same(larger, faster),
        "larger_is_value": _same(larger, value),
        "roomier": _winner(smooth, "vram_gb", ahead=ROOMIER),
        "faster": faster,
        "simpler": simpler,
        "simpler_is_faster": _same(simpler, faster),
        "simpler_is_larger": _same(simpler, larger) and offloaded is None,
        "value": value,
        "safe": _safe(rows),
        "rough_faster": quickest if quickest and quickest["rough"] else None,
        "holders": holders,
        "slow_holders": [h for h in holders if h["way"] == "fsdp_offload"],
        "whole": all(h["way"] == "" for h in holders),
        "same_way": holders[0]["way"] if len({h["way"] for h in holders}) == 1 else "",
        "runs": [named(r) | {"cost": r["run_cost"]} for r in rows if r["run_cost"]],
        "pair": len(rows) == 2,
    }


def _winner(rows: list[dict[str, Any]], key: str, ahead: float = AHEAD) -> dict[str, Any] | None:
    """The set-up that is ahead in something, with that figure; None where the best two are level."""
    found = sorted((r for r in rows if r[key]), key=lambda r: -float(r[key]))
    if not found or len(rows) < 2:
        return None
    second = float(found[1][key]) if len(found) > 1 else 0.0
    if float(found[0][key]) <= ahead * second:
        return None
    return named(found[0]) | {"value": found[0][key], "second": second or None}


def _keeps_up(
    rows: list[dict[str, Any]], larger: dict[str, Any] | None, faster: dict[str, Any] | None
) -> dict[str, Any] | None:
    """The cheaper set-up that is about as fast as the largest one, for what fits both; None where another is faster."""
    if larger is None or faster is not None:
        return None
    whole = next(r for r in rows if _same(r, larger))
    near = [
        r
        for r in rows
        if r is not whole and r["price"] and whole["price"] and r["total_price"][1] < whole["total_price"][0]
        and not r["rough"] and (r["speed"] or 0) * AHEAD >= (whole["speed"] or float("inf"))
    ]  # fmt: skip
    return named(max(near, key=lambda r: r["speed"])) if near else None


def _simpler(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The one set-up of a single card among those of several."""
    single = [r for r in rows if r["count"] == 1]
    return named(single[0]) if len(single) == 1 and len(rows) > 1 else None


def _safe(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Where some set-ups are rough to train on (not NVIDIA, or no tensor cores): the best other, if it holds the asked
    model whole, or as much as they do.
    """
    smooth = [r for r in rows if not r["rough"]]
    if not smooth or len(smooth) == len(rows):
        return None
    best = max(smooth, key=lambda r: (r["most"] or 0, r["vram_gb"]))
    if best.get("fit") in GOOD and not best.get("way"):
        return named(best)
    if best["vram_gb"] < max(r["vram_gb"] for r in rows) and (best["most"] or 0) < max(r["most"] or 0 for r in rows):
        return None
    return named(best)


def _same(one: dict[str, Any] | None, other: dict[str, Any] | None) -> bool:
    return bool(one and other and (one["name"], one["count"]) == (other["name"], other["count"]))


def named(row: dict[str, Any]) -> dict[str, Any]:
    held = {
        name: row[name] for name in ("name", "count", "vram_gb", "alone", "split", "offloaded", "most", "rough", "bf16")
    }
    return held | {"need": row.get("need"), "usable": row["usable"], "way": row.get("way", "")}


def _value(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Most GB per dollar, where at least two prices are known."""
    priced = [r for r in rows if r["price"]]
    if len(priced) < 2:
        return None
    return named(max(priced, key=lambda r: r["vram_gb"] / (r["price"]["low"] + r["price"]["high"])))
