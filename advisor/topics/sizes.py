"""The table for a question without a model: which sizes train on which cards, on the asker's card, or on what the
budget buys. Asks for the model.
"""

from typing import Any

from advisor.advice import Advice, CardOption, Need, Rung, Verdict
from advisor.case import Case
from advisor.options import affordable, price_to_buy
from advisor.query import Kind
from advisor.stacks import ALONE, BILLION, BY_LAYER_OF, GOOD, STOCK, UNSLOTH, Stack, size_name
from advisor.tiers import roomy, split

LOOK_FOR = {"RTX 3060 12GB": 12, "RTX 4060 Ti 16GB": 16, "RTX 5060 Ti 16GB": 16}
"""Cards below the seed's ranking that are often sold, though no dated price is on record, and their GB."""
LOOKING_USD, ROOMY_USD = 200, 450
"""Budget from which looking for one makes sense, and from which one with 16 GB comes first."""
LARGE_GB = 16
"""GB from which people think of buying an old card."""
BEST_VALUE = "rtx-3090"
"""The ranking's best value (S21)."""
METHODS = ("qlora", "lora", "full")
"""The usual ones, the leanest first."""
SIZES_B = (3, 8, 14, 32, 70)
"""The sizes that most models come in, in 1e9 parameters."""
SMALLEST_B = 1
"""What is told of a card that holds none of them."""
MODELS = {
    SMALLEST_B: "meta-llama/Llama-3.2-1B",
    3: "meta-llama/Llama-3.2-3B",
    8: "meta-llama/Llama-3.1-8B",
    14: "Qwen/Qwen3-14B",
    32: "Qwen/Qwen3-32B",
    70: "meta-llama/Llama-3.1-70B",
}
"""What stands for each size: today's models, whose vocabularies are large."""


def sizes_table(case: Case, kind: Kind) -> Advice:
    """Needs of common sizes at the stated method and length; the smallest card for each, or the verdict on one."""
    stacks: tuple[Stack, ...] = case.stacks if len(case.stacks) == 1 or case.full or case.apple else (UNSLOTH, STOCK)
    bought = affordable(case) if case.card is None and case.query.budget is not None else ()
    usable = case.usable or (bought[0].usable if bought else None)
    rougher = affordable(case, "amd") if case.query.budget is not None and not bought else ()
    sizes = _sizes(case, stacks[0], usable)
    table = [tuple(case.need(s, model=MODELS[b], n_gpus=1, sharding="none") for s in stacks) for b in sizes]
    rungs = tuple(_rung(case, size, needs, usable) for size, needs in zip(sizes, table, strict=True))
    largest = max((r.value for r in rungs if r.fits and r.fits[0] in ("yes", "tight")), default=None)
    facts = _facts(case, bought, usable) | {
        "stacks": [s.code for s in stacks],
        "largest": size_name(largest) if largest else None,
        "largest_plain": _largest_plain(rungs, largest),
        "by_method": _by_method(case, usable),
        "look_for": [] if bought else to_look_for(case),
        "split": split_largest(case, usable, beyond_one=True),
        "worth": _worth(case) if kind is Kind.WHICH_GPU else None,
        "rougher": rougher[0].model_dump() if rougher else None,
    }
    code = "what_trains" if case.card else "budget" if case.query.budget is not None and usable else "no_model"
    if case.query.budget is not None and not usable:
        code = "budget_none"
    return Advice(
        kind=kind,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        needs=table[0],
        rungs=rungs,
        options=bought[:3],
        asks="model" if code == "no_model" else None,
        offers=("params_b=8", "params_b=14", "params_b=32", "params_b=70"),
    )


def _sizes(case: Case, stack: Stack, usable: int | None) -> tuple[int, ...]:
    """The sizes of the table: one smaller, and none of the largest, on a card that does not hold the usual ones."""
    if usable is None or case.fit(case.need(stack, model=MODELS[SIZES_B[0]], **ALONE), usable) in GOOD:
        return SIZES_B
    return (SMALLEST_B, *SIZES_B[:-2])


def _by_method(case: Case, usable: int | None) -> list[tuple[str, str | None, str | None]]:
    """The largest size on one card for each of several named methods at the leanest, adapters before every weight; and
    with the optimizer in the backward pass, where that is more.
    """
    named = [method for method in METHODS if method in case.query.named.get("method", ())]
    if len(named) < 2 or usable is None:
        return []
    found: list[tuple[str, str | None, str | None]] = []
    for method in named:
        full = method == "full"
        held, by_layer = (
            _held(case, usable, stack, **dict(stack.changes), method=method, n_gpus=1, sharding="none")
            for stack in ((case.lean_full, BY_LAYER_OF) if full and not case.no_bf16 else 2 * (case.stacks[0],))
        )
        more = size_name(by_layer * BILLION) if by_layer > held else None
        found.append((method, size_name(held * BILLION) if held else None, more))
    return found


def _largest_plain(rungs: tuple[Rung, ...], largest: int | None) -> str | None:
    """The largest size on the plainest stack, where that is less than on the leanest."""
    plain = max((r.value for r in rungs if r.fits and r.fits[-1] in ("yes", "tight")), default=None)
    return size_name(plain) if plain and plain != largest else None


def _worth(case: Case) -> dict[str, Any] | None:
    """What the seed's ranking says of the one card asked about, with its dated price; of one from before Ampere that it
    is old, with the price of what is the better buy.
    """
    if case.gpu is not None and case.no_bf16 and case.n_cards == 1 and case.gpu.vram_gb >= LARGE_GB:
        better = price_to_buy(case.catalog, BEST_VALUE)
        return {"role": "old", "price": better.model_dump() if better else None}
    rank = next((r for r in case.catalog.ranking if r.count == 1 and case.gpu and case.gpu.id in r.gpus), None)
    if rank is None or case.gpu is None or case.n_cards > 1:
        return None
    price = price_to_buy(case.catalog, case.gpu.id)
    return {"role": rank.pick, "price": price.model_dump() if price else None}


def trains(case: Case) -> str | None:
    """The largest common size that the asker's card trains with QLoRA."""
    return largest_qlora(case, case.usable, case.stacks[0] if case.apple else UNSLOTH) if case.usable else None


def largest_qlora(case: Case, usable: int, stack: Stack = UNSLOTH) -> str | None:
    """The largest common size that one card with so many bytes trains with QLoRA."""
    qlora: dict[str, Any] = {"method": "qlora", "n_gpus": 1, "sharding": "none", "weight_bits": None, "quant": None}
    needs = [(b, case.need(stack, model=MODELS[b], **qlora)) for b in SIZES_B]
    held = [b for b, need in needs if case.fit(need, usable) in ("yes", "tight")]
    return size_name(held[-1] * BILLION) if held else None


def split_largest(case: Case, usable: int | None, *, beyond_one: bool = False, **plan: Any) -> str | None:
    """The largest common size that the asker's cards hold together, split by FSDP; `beyond_one`: only where it is
    more than one of them holds alone. `plan`: what else is set.
    """
    if case.n_cards < 2 or usable is None or case.apple:
        return None
    largest = _held(case, usable, split(case.stacks[0]), n_gpus=case.n_cards, sharding="fsdp", **plan)
    if beyond_one and largest <= _held(case, usable, case.stacks[0], n_gpus=1, sharding="none"):
        return None
    return size_name(largest * BILLION) if largest else None


def _held(case: Case, usable: int, stack: Stack, **plan: Any) -> int:
    """The largest common size, in billions, that fits so; 0 where none does."""
    fits = [b for b in SIZES_B if case.fit(case.need(stack, model=MODELS[b], **plan), usable) in ("yes", "tight")]
    return max(fits, default=0)


def _facts(case: Case, bought: tuple[CardOption, ...], usable: int | None) -> dict[str, Any]:
    sold = {"card": bought[0].name if bought else None, "card_gb": bought[0].vram_gb if bought else None}
    return {
        **case.where,
        **({} if case.card else sold),
        "method": case.method,
        "seq_len": case.seq_len,
        "usable": usable,
        "rocm": case.vendor == "amd",
        "budget": case.query.budget,
        "currency": case.query.currency or "USD",
    }


def _rung(case: Case, size: int, needs: tuple[Need, ...], usable: int | None) -> Rung:
    return Rung(
        value=size * BILLION,
        needs=tuple(n.device for n in needs),
        fits=tuple(case.fit(n, usable) for n in needs) if usable else (),
        smallest_gb=tuple(roomy(case, n) for n in needs),
    )


def to_look_for(case: Case, minimum: int = 0) -> list[str]:
    """Cards of so many GB that are sold for about such a budget, though nobody wrote down a dated price."""
    budget = case.query.budget or 0
    names = [name for name, gb in LOOK_FOR.items() if gb >= minimum and budget >= LOOKING_USD]
    return names[::-1] if budget >= ROOMY_USD else names
