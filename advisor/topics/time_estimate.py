"""How long? Hours with a range, from tokens and the estimator's speed; a table by number of examples or by size where
one of them is open; and whether a time that was seen is plausible.

Verdict: hours (data and card known), by_examples (card known, no data), by_size (card known, no model), by_card (no
card, or only a size), unsized, rollouts (generating decides), no_speed.
Facts: examples, tokens_each, tokens_each_assumed, epochs, epochs_assumed, tokens, hours (low, high), speed (low,
high; all cards), rows [{examples, hours}], [{card, hours}] or [{size, hours}], count, card, took (hours seen; took_h
from one hour on), judged (plausible, too_fast, too_slow, implied where the data are not known; speed_normal, speed_slow
or speed_fast of a speed that was seen), seen_speed, implied (examples
that the time seen stands for), likely (smallest and largest size whose hours it matches), epoch (hours of one of
several), alone (hours of one card, where there are several), instead (the method that fits where the stated one does
not: its code and bytes), need and usable, memory [{name, need, gb}] where no card is settled, stages (algorithms that
follow each other).
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.estimator.speed import job_hours
from advisor.options import GOOD
from advisor.query import Kind
from advisor.stacks import Stack, short_name
from advisor.tiers import smallest
from advisor.topics import oom_help
from knowledge.schemas import Gpu

TOKENS_EACH = 512
"""Tokens of an example where nobody says: instruction data sets lie between 150 and 800."""
EPOCHS = 3.0
EXAMPLES = (1_000, 10_000, 50_000)
MOST_CARDS = 3
CARDS = ("rtx-3090", "rtx-4090", "rtx-5090")
OF_SIZE = {
    8: ("rtx-3060-ti", "rtx-4060"),
    12: ("rtx-3060-12gb", "rtx-4070"),
    16: ("t4", "rtx-4060-ti-16gb", "rtx-5080"),
    24: ("rtx-3090", "rtx-4090"),
    32: ("rtx-5090",),
    48: ("rtx-a6000", "l40s"),
    80: ("a100-80gb-sxm", "h100-sxm"),
}
"""Usual cards of a size (GB on the box), slow to fast, where only that is named."""
ROLLOUTS = frozenset({"grpo", "ppo", "rloo"})
"""Algorithms whose time is mostly generating, which no speed of training tells."""
PAIRS = frozenset({"dpo", "orpo", "simpo", "cpo", "reward"})
"""Algorithms that read two answers an example."""
SIZES_B = (3, 8, 14, 32, 70)
"""Sizes (1e9 parameters) to show where no model is named."""
SOONEST, LATEST = 0.4, 2.0
"""Times that are plausible, as multiples of the shortest and the longest estimate."""
SLOW = 0.8
"""Share of the slowest speed that we estimate below which a speed that was seen is called slow."""
HARDLY_ANY = 200
"""Examples below which a run has hardly read any data."""


def answer(case: Case) -> Advice:
    """Advice on the duration."""
    if not case.sized:
        return _unsized(case)
    query = case.query
    if "shared_memory_counts" in case.claims and not (query.dataset_examples or query.dataset_tokens):
        return oom_help.answer(case)  # hours without data say nothing; what spills is the reason
    each = tokens_each(case)
    examples, epochs = query.dataset_examples, epochs_of(case)
    tokens = query.dataset_tokens or (examples * each * answers(case) if examples else None)
    fitting = made_to_fit(case)
    hours = job(case, case.gpu, tokens, each, epochs, **fitting) if case.gpu else None
    table = rows(case, tokens, each, epochs, **fitting)
    facts = (
        _stated(case, each)
        | {
            "tokens": tokens,
            "hours": hours,
            "epoch": (hours[0] / epochs, hours[1] / epochs) if hours and epochs > 1 else None,
            "speed": _speed(tokens, hours, table, each, epochs),
            "rows": table,
            "others": other_jobs(case, tokens or EXAMPLES[1] * each * answers(case), each, epochs)
            if hours or case.gpus
            else [],
            "alone": _alone(case, tokens or EXAMPLES[1] * each * answers(case), each, epochs, **fitting),
            "memory": memory(case) if case.gpu is None else [],
        }
        | _fit(case, fitting)
    )
    facts |= judged(query.took_hours, hours, table if case.card and not tokens else [])
    facts |= judged_speed(seen_speed(case, each), facts["speed"])
    return Advice(
        kind=Kind.TIME_ESTIMATE,
        query=query,
        verdict=Verdict(code=_code(case, hours, table), facts=facts),
        setup=case.setup.model_copy(update={"method": "qlora", "weight_bits": 4.0}) if fitting else case.setup,
        needs=case.needs(**fitting),
        asks=None if tokens else "dataset_examples",
        offers=("n_gpus=2", "seq_len=1024", "method=qlora", "show=why", "kind=cost_buy_vs_rent"),
    )


def made_to_fit(case: Case) -> dict[str, Any]:
    """QLoRA in place of a 16-bit LoRA that the card does not hold; nothing where no such change helps."""
    if case.usable is None or case.lean.fit in GOOD or case.method not in ("lora", "dora"):
        return {}
    changed: dict[str, Any] = {"method": "qlora", "weight_bits": None, "quant": None}
    return changed if case.need(case.stacks[0], **changed).fit in GOOD else {}


def _fit(case: Case, fitting: dict[str, Any]) -> dict[str, Any]:
    """How the set-up stands to the card, and what was taken in its place."""
    need = case.need(case.stacks[0], **fitting)
    instead = {"method": fitting["method"], "stated": case.method, "need": need.device} if fitting else None
    return {"fit": need.fit, "instead": instead, "need": case.lean.device, "usable": case.usable}


def _alone(case: Case, tokens: int, each: int, epochs: float, **slots: Any) -> tuple[float, float] | None:
    """The hours that one of several cards takes for the same."""
    if case.n_cards < 2 or case.gpu is None:
        return None
    return job(case, case.gpu, tokens, each, epochs, **{**slots, "n_gpus": 1, "sharding": "none"})


def memory(case: Case) -> list[dict[str, Any]]:
    """What the model and the further ones of the question take, and the smallest card that holds each."""
    named = [(case.model_name, {}), *case.alternatives]
    needs = [(name, case.need(case.stacks[0], **slots)) for name, slots in named]
    return [{"name": name, "need": need.device, "gb": smallest(case, need)} for name, need in needs]


def _speed(
    tokens: int | None, hours: tuple[float, float] | None, table: list[dict[str, Any]], each: int, epochs: float
) -> tuple[float, float] | None:
    """Tokens per second, from the stated data or from a row of the table by examples."""
    row = next((row for row in table if row.get("examples") == EXAMPLES[1]), None)
    if not (tokens and hours) and row is not None:
        tokens, hours = row["examples"] * each, row["hours"]
    return (tokens * epochs / hours[1] / 3600, tokens * epochs / hours[0] / 3600) if tokens and hours else None


def _unsized(case: Case) -> Advice:
    """The common sizes on the asker's card; the formula where no card is named either."""
    query = case.query
    each, epochs = tokens_each(case), epochs_of(case)
    tokens = query.dataset_tokens or (query.dataset_examples or EXAMPLES[1]) * each
    table: list[dict[str, Any]] = []
    for size in SIZES_B if case.gpu else ():
        hours = job(case, case.gpu, tokens, each, epochs, params_b=float(size)) if case.gpu else None
        if hours:
            table.append({"size": size, "hours": hours})
    took = query.took_hours
    likely = [row["size"] for row in table if took and SOONEST * row["hours"][0] <= took <= LATEST * row["hours"][1]]
    facts = _stated(case, each) | {
        "rows": table,
        "typical": next((row for row in table if row["size"] == 8), None),
        "method": case.method,
        "examples": query.dataset_examples or (None if query.dataset_tokens else EXAMPLES[1]),
        "examples_assumed": query.dataset_examples is None,
        "tokens": tokens,
        "likely": [likely[0], likely[-1]] if len(likely) > 1 else likely,
    }
    known = query.dataset_examples is not None or query.dataset_tokens is not None
    return Advice(
        kind=Kind.TIME_ESTIMATE,
        query=query,
        verdict=Verdict(code="by_size" if table and known else "unsized", facts=facts),
        asks="model",
        offers=("params_b=8", "params_b=14", "params_b=32"),
    )


def _stated(case: Case, each: int) -> dict[str, Any]:
    query = case.query
    return {
        "examples": query.dataset_examples,
        "tokens_each": each,
        "tokens_each_assumed": query.dataset_tokens is None and query.tokens_per_example is None,
        "epochs": epochs_of(case),
        "epochs_assumed": query.epochs is None,
        "count": case.n_cards,
        "card": case.card.name if case.card else "",
        "took": (query.took_hours, query.took_hours) if query.took_hours else None,
        "took_h": query.took_hours if (query.took_hours or 0) >= 1 else None,
        "judged": None,
        "stages": [name for name in query.named.get("algorithm", ()) if name != "cpt"],
    }


def judged(took: float | None, hours: tuple[float, float] | None, table: list[dict[str, Any]]) -> dict[str, Any]:
    """Whether a time that was seen (hours) is plausible; without data, how many examples it stands for."""
    if not took:
        return {}
    if hours:
        late = "too_slow" if took > LATEST * hours[1] else "plausible"
        return {"judged": "too_fast" if took < SOONEST * hours[0] else late}
    usual = next((row for row in table if row["examples"] == EXAMPLES[1]), None)
    if usual is None:
        return {}
    implied = tuple(took / usual["hours"][end] * usual["examples"] for end in (1, 0))
    return {"implied": implied, "judged": "too_fast" if implied[1] < HARDLY_ANY else "implied"}


def seen_speed(case: Case, each: int) -> float | None:
    """Tokens per second that were seen, or that so many seconds for a step come to."""
    query = case.query
    if query.seen_tokens_per_s or not query.seen_s_per_step:
        return query.seen_tokens_per_s
    return each * case.micro_batch * (query.grad_accum or 1) * case.n_cards / query.seen_s_per_step


def judged_speed(seen: float | None, speed: tuple[float, float] | None) -> dict[str, Any]:
    """How tokens per second that were seen stand to the estimate: normal, slow or fast."""
    if not seen or speed is None:
        return {}
    late = "slow" if seen < SLOW * speed[0] else "normal"
    return {"seen_speed": (seen, seen), "judged": "speed_fast" if seen > LATEST * speed[1] else f"speed_{late}"}


def _code(case: Case, took: tuple[float, float] | None, table: list[dict[str, Any]]) -> str:
    if took:
        return "hours"
    if case.query.algorithm in ROLLOUTS:
        return "rollouts"
    if table and "card" in table[0]:
        return "by_card"
    return "by_examples" if table else "no_speed"


def answers(case: Case) -> int:
    """Sequences that an example is: two where a chosen and a rejected answer are compared."""
    return 2 if case.query.algorithm in PAIRS else 1


def epochs_of(case: Case) -> float:
    """Stated; else one pass over plain text, and the usual number over examples."""
    return case.query.epochs or (1.0 if case.query.algorithm in ("pretrain", "cpt") else EPOCHS)


def tokens_each(case: Case) -> int:
    """Tokens of an average example: stated, or the length where they are packed to it or it is short, else usual."""
    if case.query.tokens_per_example:
        return case.query.tokens_per_example
    if case.query.seq_len and (case.query.packing or case.query.seq_len < TOKENS_EACH):
        return case.query.seq_len
    return min(case.seq_len, TOKENS_EACH)


def other_jobs(case: Case, tokens: int, each: int, epochs: float) -> list[dict[str, Any]]:
    """The hours of the further models on the same data; of several cards on the first that holds each."""
    found = []
    for name, slots in case.alternatives:
        gpu = case.gpu or next((gpu for gpu in case.gpus if _holds(case, gpu, slots)), None)
        if gpu is not None and (took := job(case, gpu, tokens, each, epochs, **slots)):
            found.append({"name": name, "hours": took, "card": None if case.gpu else short_name(gpu)})
    return found


def _holds(case: Case, gpu: Gpu, slots: dict[str, Any]) -> bool:
    return case.fit(case.need(case.stacks[0], **slots), usable_bytes(gpu)) in GOOD


def job(
    case: Case,
    gpu: Gpu,
    tokens: int | None,
    each: int,
    epochs: float,
    stacks: tuple[Stack, ...] = (),
    **slots: Any,
) -> tuple[float, float] | None:
    """(shortest, longest) hours for so many tokens on the asker's number of cards, over the stacks; None if unknown."""
    if not tokens:
        return None
    found = []
    for stack in stacks or case.stacks:
        plan = case.estimate(stack, gpu=gpu.name, **slots).plan
        took = job_hours(
            plan, gpu, max(1, tokens // each), tokens_per_example=each, epochs=epochs, packed=bool(case.query.packing)
        )
        if took is None:
            return None
        found.append(took)
    return min(t.low for t in found), max(t.high for t in found)


def rows(case: Case, tokens: int | None, each: int, epochs: float, **slots: Any) -> list[dict[str, Any]]:
    """By number of examples on the asker's card; by card where several or none are named."""
    if case.card is not None and case.gpu is not None:
        if tokens:
            return []
        took = [(n, job(case, case.gpu, n * each * answers(case), each, epochs, **slots)) for n in EXAMPLES]
        return [{"examples": n, "hours": t} for n, t in took if t]
    usual = OF_SIZE.get(round(case.card.vram_gb), ()) if case.card else CARDS
    named = case.gpus[:MOST_CARDS] or [case.catalog.gpus[gpu_id] for gpu_id in usual]
    done = [(gpu, job(case, gpu, tokens or EXAMPLES[1] * each * answers(case), each, epochs)) for gpu in named]
    return [{"card": short_name(gpu), "hours": hours} for gpu, hours in done if hours]
