"""Running, not training: one line with the weights' size, and a pointer. Facts: weights_4, weights_8, weights_16
(bytes), cache (bytes per 1,000 tokens of one request, None where layers differ), served (bytes of the cache that a
demo script reserves), cache_at (of one request of the stated length), in_4_bit (stated), card_4 (GB of the card that
4 bit takes, where none is named; pair_4: of each of two that do as well), failed (it ran out of memory), over (the
16-bit weights fit, with the demo script's cache they do not), spread (they fit all cards together and none alone),
model, usable, fit_4, fit_16, cards_16 (80 GB cards that 16 bit takes, as many as servers have), layers (asked how to
get more of them onto the card: of, and held, what 4 bit leaves room for), room (bytes of all cards), mixed (unlike
cards: names, largest, alone: bits), others (further models), on_cpu (bits that RAM alone holds, where there is no
card), moe, at_home, ram_gb (stated), ram_holds (what the card does not hold in 4 bit fits that RAM; None where no
RAM is stated), smaller {name, weights_4} (the largest smaller model of the family that cards and RAM hold); without
a model: runs (the largest size in 4 bit), easy (with room for a long context), runs_8 (in 8 bit), trains, ram_gb,
or_none (the choice is between this card and none). weights_2: of a 2-bit file, where the cards hold that and not 4
bit. seen: bytes in use, where far above the 4-bit weights; seen_bits: the precision whose weights are about that.
buys {option, look_for, trains, budget, currency}: what the budget buys for it, where no card is owned.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.estimator.host_ram import SYSTEM
from advisor.options import affordable
from advisor.query import Kind
from advisor.sold import as_sold, told_of
from advisor.spread import PREQUANTISED
from advisor.stacks import BILLION, GIB, fit_of, size_name
from advisor.topics.sizes import SIZES_B, largest_qlora, to_look_for, trains

RUN_4_BIT = 0.6
"""Bytes per parameter of a 4-bit file as people run it (Q4_K_M, AWQ with its scales): 4.8 bits."""
RUN_2_BIT = 0.36
"""Bytes per parameter of a 2-bit file (Q2_K): 2.9 bits. Source: llama.cpp, tools/quantize README, Q2_K of Llama 3.1."""
FAR = 1.6
"""Times the 4-bit weights above which what is seen in use is not they."""
LIKE = 1.45
"""Times the weights in a precision up to which what is seen is they with a short cache."""
ROOM = 1.15
"""A KV cache at a few thousand tokens and the runtime on top of the weights."""
LONG_ROOM = 1.6
"""The same with a cache for a long context, and a desktop on the card."""
FAILED = frozenset({"oom_step", "oom_load", "oom_later", "oom_generate"})
SERVED_TOKENS = 32 * 2048
"""What Llama's own example reserves: batch 32 at 2,048 tokens. Source: facebookresearch/llama, `max_batch_size`."""
SERVER_GB = 80
"""Card that serves what no card at home holds."""
SERVERS = (1, 2, 4, 8)
"""Cards that servers have, and counts that divide a model's heads; beyond them whole machines of eight."""
COMMON_GB = (8, 12, 16, 24, 32, 48, 80)
PAIRS = {48: 24}
"""GB of a card that few have, and of the usual one of which two do as well."""
CPU_BYTES_PER_S = (25e9, 60e9)
"""What a desktop's two channels of DDR4 or DDR5 (50 to 90 GB/s on the box) give to a model, all of whose active weights
are read for each token."""
AT_HOME = 48 * GIB
"""Weights in 4 bit beyond which nobody's cards at home hold them."""


def _cache(case: Case) -> int | None:
    """Bytes of keys and values in 16 bit for 1,000 tokens of one request; None where layers differ or keep less.

    Experts with as many key heads as query heads are DeepSeek's latent attention (arXiv:2405.04434, sec. 2.1).
    """
    shape = case.plan(case.stacks[0]).shape
    latent = shape.experts is not None and shape.kv_heads == shape.heads
    if shape.window or shape.full_attention_share < 1 or latent:
        return None
    return int(2 * 2 * shape.layers * shape.k * 1000)


def _runs(usable: int, per_parameter: float = RUN_4_BIT, room: float = ROOM) -> str | None:
    """The largest common size that runs in so many bytes, 4 bit where nothing else is said."""
    held = [b for b in SIZES_B if b * BILLION * per_parameter * room <= usable]
    return size_name(held[-1] * BILLION) if held else None


def answer(case: Case) -> Advice:
    """A short word on what running takes."""
    if (sold := as_sold(case)) is not None:
        return told_of(_answer(sold, owned=False), case)  # a tip, and no card that is at hand
    return _answer(case, owned=case.usable is not None)


def _answer(case: Case, *, owned: bool) -> Advice:
    facts = _asked(case) | (_model(case) if case.sized else _card(case))
    facts["buys"] = None if owned or not case.sized else _buys(case)
    return Advice(
        kind=Kind.INFERENCE_ONLY,
        query=case.query,
        verdict=Verdict(code="run" if case.sized else "pointer", facts=facts),
        offers=("kind=fits_check",) if case.sized else (),
    )


def _asked(case: Case) -> dict[str, Any]:
    return {
        **case.where,
        "model": None,
        "or_none": "no_gpu_found" in case.symptoms,
    }


def _card(case: Case) -> dict[str, Any]:
    """What the card runs, and trains, where no model is named."""
    if not case.usable:
        return {"runs": None, "trains": None}
    room = case.usable * case.n_cards
    return {
        "runs": _runs(room),
        "easy": _runs(room, room=LONG_ROOM),
        "runs_8": _runs(room, per_parameter=1.0),
        "ram_gb": case.query.ram_gb,
        "trains": trains(case),
    }


def _model(case: Case) -> dict[str, Any]:
    """What the model takes, and whether the cards hold that."""
    params = case.params or 0
    small, large = int(params * RUN_4_BIT), 2 * params
    active = (case.model.params_active if case.model else None) or params
    cache, room = _cache(case), _room(case)
    at = (cache or 0) * (case.query.seq_len or 0) // 1000
    card_4 = _smallest(case, max(int(small * ROOM), small + at)) if case.usable is None else None
    failed = bool(case.symptoms & FAILED)
    seen = int((case.query.seen_gib or (case.query.claimed_gib if failed else 0) or 0) * GIB)
    return {
        "model": case.model_name,
        "seen": seen if seen > FAR * small else None,
        "seen_bits": next((bits for bits in (16, 8) if 0.95 < seen * 8 / (bits * params or 1) < LIKE), None),
        "cache": cache,
        "length": case.query.seq_len,
        "cache_at": at or None,
        "in_4_bit": case.query.weight_bits == 4 or case.query.quant in PREQUANTISED,
        "card_4": card_4,
        "pair_4": PAIRS.get(card_4 or 0),
        "served": cache * SERVED_TOKENS // 1000 if cache else None,
        "failed": failed,
        "over": bool(room and cache) and large <= room < large + (cache or 0) * SERVED_TOKENS // 1000,
        "moe": case.model is not None and case.model.moe,
        "at_home": case.usable is None and small > AT_HOME,
        "weights_4": small,
        "weights_8": params,
        "weights_16": large,
        "fit_4": fit_of(int(small * ROOM), small, room) if room else None,
        "fit_8": fit_of(int(params * ROOM), params, room) if room else None,
        "fit_16": fit_of(int(large * ROOM), large, room) if room else None,
        "cards_16": cards_to_serve(case),
        "spread": bool(room) and case.n_cards > 1 and (case.usable or 0) < large <= room,
        "room": room or None,
        "mixed": _mixed(case, {16: large, 8: params, 4: small}),
        "on_cpu": _on_cpu(case),
        "cpu_speed": tuple(rate / int(active * RUN_4_BIT) for rate in CPU_BYTES_PER_S) if active else None,
        "others": _others(case) if case.usable is None else [],
        "layers": _layers(case, small, room) if "asks_layers" in case.symptoms and room else None,
    } | _beside(case, small, room)


def _buys(case: Case) -> dict[str, Any] | None:
    """The card that the budget buys for 4 bit with room, or those to look for; None without a budget or a card."""
    least = _smallest(case, int((case.params or 0) * RUN_4_BIT * LONG_ROOM))
    if case.query.budget is None or least is None:
        return None
    option = next((card for card in affordable(case) if card.vram_gb >= least), None)
    looked = [] if option else to_look_for(case, least)
    if option is None and not looked:
        return None
    return {
        "option": option.model_dump() if option else None,
        "look_for": looked,
        "trains": largest_qlora(case, option.usable) if option else None,
        "budget": case.query.budget,
        "currency": case.query.currency or "USD",
    }


def _others(case: Case) -> list[dict[str, Any]]:
    """The further models of the question: what each takes, and the card for it in 4 bit."""
    found = []
    for name, slots in case.alternatives:
        params = case.plan(case.stacks[0], **slots).shape.params
        sizes = {"small": int(params * RUN_4_BIT), "middle": params, "large": 2 * params}
        found.append({"name": name, **sizes, "gb": _smallest(case, int(params * RUN_4_BIT * ROOM))})
    return found


def _on_cpu(case: Case) -> list[int]:
    """Bits in which RAM alone holds the model, where there is no card and the RAM is stated; the most first."""
    if "no_gpu_found" not in case.symptoms or case.usable or not case.query.ram_gb:
        return []
    free = int(case.query.ram_gb * 1e9) - SYSTEM
    sizes = {16: 2 * (case.params or 0), 8: case.params or 0, 4: int((case.params or 0) * RUN_4_BIT)}
    return [bits for bits, size in sizes.items() if int(size * ROOM) <= free]


def _room(case: Case) -> int:
    """Bytes of all cards together: a model that runs is spread over them, over unlike ones as well."""
    if len(case.cards) > 1 and not case.query.candidates:
        return sum(card.count * card.usable for card in case.cards)
    return (case.usable or 0) * case.n_cards


def _mixed(case: Case, sizes: dict[int, int]) -> dict[str, Any] | None:
    """Unlike cards: their names, and the most bits in which the largest of them holds the model alone."""
    if len(case.cards) < 2 or case.query.candidates:
        return None
    largest = max(case.cards, key=lambda card: card.usable)
    alone = next((bits for bits, size in sizes.items() if int(size * ROOM) <= largest.usable), None)
    return {"names": [(card.count, card.name) for card in case.cards], "largest": largest.name, "alone": alone}


def _layers(case: Case, small: int, room: int) -> dict[str, int]:
    """How many layers the model has, and for how many of them in 4 bit the cards have room."""
    layers = case.plan(case.stacks[0]).shape.layers
    return {"of": layers, "held": min(layers, int(layers * room / (small * ROOM)))}


def _beside(case: Case, small: int, room: int) -> dict[str, Any]:
    """Whether the stated RAM holds what the card does not, and which smaller one of the family would run."""
    ram_gb = case.query.ram_gb
    free = max(0, int((ram_gb or 0) * 1e9) - SYSTEM)
    short = ram_gb is not None and int(small * ROOM) > room + free
    two_bit = int((case.params or 0) * RUN_2_BIT)
    smaller_file = bool(room) and int(small * ROOM) > room >= int(two_bit * ROOM)
    return {
        "weights_2": two_bit if smaller_file else None,
        "ram_gb": ram_gb,
        "ram_holds": None if ram_gb is None else not short,
        "smaller": _smaller(case, room + free) if short else None,
    }


def _smaller(case: Case, room: int) -> dict[str, Any] | None:
    """The largest smaller model of the named one's family that runs in 4 bit in so many bytes."""
    if case.model is None or case.generic:
        return None
    family, params = case.model.family, case.model.params_total
    kin = [m for m in case.catalog.models.values() if m.family == family and m.params_total < params]
    held = [m for m in kin if m.params_total * RUN_4_BIT * ROOM <= room]
    found = max(held, key=lambda m: m.params_total, default=None)
    if found is None:
        return None
    asked = set((case.query.model or "").lower().split("-"))
    name = max((found.id, *found.siblings), key=lambda n: len(asked & set(n.lower().split("-"))))
    return {"name": name.split("/")[-1], "weights_4": int(found.params_total * RUN_4_BIT)}


def _smallest(case: Case, size: int) -> int | None:
    """GB of the smallest common card that holds so many bytes; None where none does."""
    return next((gb for gb in COMMON_GB if size <= case.usable_of_size(gb)), None)


def cards_to_serve(case: Case) -> int:
    """How many 80 GB cards, as servers have them, hold the weights in 16 bit with a cache beside them."""
    least = -(-int(2 * (case.params or 0) * ROOM) // case.usable_of_size(SERVER_GB))
    return next((count for count in SERVERS if count >= least), -(-least // SERVERS[-1]) * SERVERS[-1])
