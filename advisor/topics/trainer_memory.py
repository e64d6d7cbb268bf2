"""The memory that the choice of a trainer makes: on one card, split over several, on a Mac."""

from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.stacks import GOOD, MLX, NO_TRAINERS, STOCK, UNSLOTH, Stack
from advisor.tiers import split


def needs_of(case: Case) -> tuple[Need, ...]:
    """What it takes on one card with fused kernels and with the library's own loss, where a trainer makes that differ;
    one need where only one of them is for the model.
    """
    if not case.sized or case.apple or case.full:
        return ()
    stacks = dict.fromkeys(case.loaded(stack) for stack in (UNSLOTH, STOCK))
    return tuple(case.need(stack, n_gpus=1, sharding="none") for stack in stacks)


def taken(case: Case, asked: str | None, needs: tuple[Need, ...]) -> dict[str, Any]:
    """The memory that the choice makes."""
    if not needs:
        on_mac = case.apple and case.sized and not case.full
        return {"on_mac": case.need(case.loaded(MLX)).device, "usable": case.usable} if on_mac else {}
    facts: dict[str, Any] = {"one_holds": case.n_cards > 1 and needs[0].fit in GOOD, "parted": _parted(case, needs)}
    if len(needs) > 1:
        facts |= {"lean": needs[0].device, "stock": needs[1].device, "asked_need": _asked_need(case, asked)}
        facts["usable"] = case.usable
    return facts


def _parted(case: Case, needs: tuple[Need, ...]) -> int | None:
    """Bytes a card with SFT where several split what one does not hold, if they hold that."""
    if case.n_cards == 1 or case.usable is None or needs[0].fit in GOOD:
        return None
    need = case.need(split(UNSLOTH), n_gpus=case.n_cards, sharding="fsdp", algorithm=None)
    return need.device if need.fit in GOOD else None


def _asked_need(case: Case, asked: str | None) -> int | None:
    """Bytes of the asked trainer, where it is another one than those that are shown anyway."""
    if asked is None or asked in ("unsloth", "hf", "mlx-lm") or asked in NO_TRAINERS | {"llama-cpp-finetune"}:
        return None
    return case.need(Stack(asked, asked), n_gpus=1, sharding="none").device
