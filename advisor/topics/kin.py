"""The larger members of a model's family, where only the family is named ("the largest Qwen3 on a 4090")."""

from typing import Any

from advisor.case import Case
from advisor.stacks import GOOD


def largest_kin(case: Case) -> dict[str, Any] | None:
    """{name, device, stock, stock_fit}: the largest dense model of the family that the card holds on the leanest stack,
    with its bytes there and on the plainest; None where a size is named, or none is larger than the one that was taken.
    """
    model, sources = case.model, case.query.sources
    if "asks_largest" not in case.symptoms or model is None or case.query.models:
        return None
    if sources.get("params_b") != "assumed" or sources.get("model") != "stated":
        return None
    kin = [m for m in case.catalog.models.values() if m.family == model.family and m.moe is None]
    for member in sorted(kin, key=lambda m: -m.params_total):
        if member.params_total <= model.params_total:
            return None
        slots: dict[str, Any] = {"model": member.id, "params_b": None, "arch": None}
        lean, stock = (case.need(stack, **slots) for stack in (case.stacks[0], case.stacks[-1]))
        if lean.fit in GOOD:
            name = member.id.split("/")[-1]
            return {"name": name, "device": lean.device, "stock": stock.device, "stock_fit": stock.fit}
    return None
