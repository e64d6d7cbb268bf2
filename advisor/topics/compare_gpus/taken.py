"""Which set-up to take, and the reason: an either-or question gets a choice, with what would turn it.

Codes of the reason: room (only this one holds the model on a plain stack as well), simpler (one card, and no slower),
alone (holds it on one card, the others must split it), price, speed, memory (all hold it, this one with more room),
enough (all hold it equally fast, so the smaller one does), suffices (asked whether the smaller is enough, and it holds
it), larger (trains more), run (at the hours that are offered a run costs least), smooth (CUDA, and faster than what
trains more), keeps_up (as fast as the largest and cheaper, for what fits it).
"""

from typing import Any

from advisor.stacks import GOOD
from advisor.topics.compare_gpus.winners import AHEAD, ROOMIER, named

DEAR = 2.5
"""Times another's price from which a set-up is not the advice for its size alone. Ours."""
FASTER = 1.5
"""How much faster a card with CUDA must be to be the advice beside one that holds more. Ours."""
TIGHT = 0.8
"""Share of a card that the leanest stack fills, from which nothing is left for longer examples or a plain trainer."""


def taken(rows: list[dict[str, Any]], facts: dict[str, Any], *, sized: bool, level: bool) -> dict[str, Any] | None:
    """The choice among set-ups that run CUDA; None where only some hold the model, or one is rough to train on.

    `level`: the kernels of the run are the limit, so that no card is ahead in speed.
    """
    if len(rows) < 2:
        return None
    if any(row["rough"] for row in rows):
        return None if sized or facts["safe"] else _smooth(rows)
    if sized:
        if facts["lead"] != "holds_all":
            return None
        if facts["whole"] or facts["same_way"]:
            return _that_holds(rows, facts, level=level)
        return _alone(rows)
    return _for_any_model(rows, facts)


def _smooth(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The fastest that runs CUDA, where one that does not trains larger models, and is slower."""
    smooth = [row for row in rows if not row["rough"] and row["most"]]
    rough = max((row for row in rows if row["rough"]), key=lambda row: row["most"] or 0)
    best = max(smooth, key=lambda row: row["speed"] or 0, default=None)
    if best is None or (best["speed"] or 0) < FASTER * (rough["speed"] or 0):
        return None
    return _told(best, "smooth", rough_one=named(rough))


def _alone(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The one set-up that holds the asked model on a single card, where the others must split it."""
    alone = [row for row in rows if not row["way"]]
    return _told(alone[0], "alone") if len(alone) == 1 and alone[0]["count"] == 1 else None


def _that_holds(rows: list[dict[str, Any]], facts: dict[str, Any], *, level: bool) -> dict[str, Any] | None:
    """Of set-ups that all hold the asked model."""
    if facts["whole"] and (roomy := _roomy(rows)) is not None:
        return roomy
    if facts["asked_enough"] and facts["whole"]:
        return _least(rows)
    if facts["simpler"] and facts["simpler_is_faster"]:
        return _told(next(r for r in rows if r["count"] == 1), "simpler")
    if all(row["run_cost"] and not row["rent"]["date"] for row in rows):  # the asker's own offers by the hour
        return _told(min(rows, key=lambda row: sum(row["run_cost"])), "run")
    best, why = _best(rows, level=level)
    return _told(best, why)


def _least(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The smallest that holds it, of equals the slower; with what a plain stack takes where that is too much."""
    least = min(rows, key=lambda row: (row["count"] * row["vram_gb"], row["count"], row["speed"] or 0.0))
    return _told(least, "suffices", stock=None if least["stock_fit"] in GOOD else least["stock"])


def _roomy(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The largest one, where the others hold the model on the leanest stack alone, and it costs no multiple of them."""
    largest = max(rows, key=lambda row: row["usable"])
    others = [row for row in rows if row["usable"] * ROOMIER < largest["usable"] and row["count"] == 1]
    tight = [row for row in others if row["stock_fit"] not in GOOD and row["need"] > TIGHT * row["usable"]]
    if len(tight) < len(rows) - 1 or _dear(largest, rows):
        return None
    short = max(others, key=lambda row: row["usable"])
    dearer = all(row["total_price"] for row in rows) and sum(short["total_price"]) > sum(largest["total_price"])
    return _told(largest, "room", short=named(short) | {"stock": short["stock"], "dearer": dearer})


def _best(rows: list[dict[str, Any]], *, level: bool) -> tuple[dict[str, Any], str]:
    """By speed for the money where all prices are known; else the faster, else the roomier one."""
    speeds = [1.0 if level else row["speed"] or 0.0 for row in rows]
    if all(row["total_price"] for row in rows) and all(speeds):
        worth = [speed / sum(row["total_price"]) for speed, row in zip(speeds, rows, strict=True)]
        best = rows[worth.index(max(worth))]
        cheapest = min(rows, key=lambda row: sum(row["total_price"]))
        return best, "price" if best is cheapest else "speed"
    if max(speeds) > AHEAD * (min(speeds) or 1.0):
        return rows[speeds.index(max(speeds))], "speed"
    if level and len({row["usable"] for row in rows}) > 1:
        return min(rows, key=lambda row: row["usable"]), "enough"
    return max(rows, key=lambda row: row["usable"]), "memory"


def _for_any_model(rows: list[dict[str, Any]], facts: dict[str, Any]) -> dict[str, Any] | None:
    """Where no model is named: the larger one, unless another is as fast for far less money."""
    if facts["keeps_up"]:
        return _told(_row(rows, facts["keeps_up"]), "keeps_up")
    if (larger := facts["larger"]) is not None:
        whole = _row(rows, larger)
        return None if _dear(whole, rows) else _told(whole, "larger")
    if (roomier := facts["roomier"]) is not None:
        whole = _row(rows, roomier)
        return None if _dear(whole, rows) else _told(whole, "memory")
    best, why = _best(rows, level=False)
    return _told(best, why) if why != "memory" else None


def _dear(row: dict[str, Any], rows: list[dict[str, Any]]) -> bool:
    """It costs so many times another that its size alone does not decide."""
    others = [sum(r["total_price"]) for r in rows if r is not row and r["total_price"]]
    return bool(row["total_price"] and others and sum(row["total_price"]) > DEAR * min(others))


def _row(rows: list[dict[str, Any]], told: dict[str, Any]) -> dict[str, Any]:
    return next(row for row in rows if (row["name"], row["count"]) == (told["name"], told["count"]))


def _told(row: dict[str, Any], why: str, **more: Any) -> dict[str, Any]:
    return named(row) | {"why": why} | more
