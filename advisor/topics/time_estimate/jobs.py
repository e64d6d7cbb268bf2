"""Hours of a job: its tokens, passes and cards, and what is taken where nobody says."""

from typing import Any, NamedTuple

from advisor.asked import PLAIN_TEXT
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.estimator.speed import hours, job_tokens
from advisor.query import Kind
from advisor.stacks import GOOD, Stack, short_name
from advisor.tiers import cards_that_hold, roomy, split
from knowledge.schemas import Gpu

TOKENS_EACH = 512
"""Tokens of an example where nobody says: instruction data sets lie between 150 and 800."""
SHORT = 1024
"""Tokens below which a stated length is that of the examples: nobody cuts so short."""
EPOCHS = 3.0
EXAMPLES = (1_000, 10_000, 50_000)
"""Numbers of examples that are told where none is named: a curated set, a usual one, a large one such as Alpaca's."""
TEXT_TOKENS = (10_000_000, 100_000_000, 1_000_000_000)
"""Amounts of plain text that are told where none is named."""
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
PAIRS = frozenset({"dpo", "orpo", "simpo", "cpo", "reward"})
"""Algorithms that read two answers an example."""


def answers(case: Case) -> int:
    """Sequences that an example is: two where a chosen and a rejected answer are compared."""
    return 2 if case.query.algorithm in PAIRS else 1


def epochs_of(case: Case) -> float:
    """Stated; else one pass over plain text, over so many tokens or where one is asked about, and the usual number over
    examples.
    """
    query = case.query
    counted = query.sources.get("dataset_tokens") == "stated" and query.dataset_examples is None
    one = counted or query.algorithm in PLAIN_TEXT or "asks_epoch" in case.symptoms
    return case.query.epochs or (1.0 if one else EPOCHS)


def tokens_each(case: Case) -> int:
    """Tokens of an average example: stated, or the length where they are packed to it or it is short, else usual."""
    if case.query.tokens_per_example:
        return case.query.tokens_per_example
    if case.query.seq_len and (case.query.packing or case.query.seq_len < SHORT):
        return case.query.seq_len
    if case.query.algorithm in PLAIN_TEXT:
        return case.seq_len  # text is cut into pieces of the full length
    return min(case.seq_len, TOKENS_EACH)


def usual_examples(case: Case) -> int:
    """Examples that are assumed where no number is named: fewer where each of them is paid for."""
    return EXAMPLES[0] if case.query.kind is Kind.COST_BUY_VS_RENT and "writes_data" in case.symptoms else EXAMPLES[1]


class Run(NamedTuple):
    """What one run reads: tokens of a pass over the data, of an example, and passes."""

    tokens: int
    each: int
    epochs: float


def run_of(case: Case) -> Run:
    """One run of the stated, or a usual, amount of data."""
    each = tokens_each(case)
    examples = case.query.dataset_examples or usual_examples(case)
    return Run(case.query.dataset_tokens or examples * each * answers(case), each, epochs_of(case))


def made_to_fit(case: Case) -> dict[str, Any]:
    """QLoRA in place of a 16-bit LoRA that the card does not hold; nothing where no such change helps."""
    if case.usable is None or case.lean.fit in GOOD or case.method not in ("lora", "dora"):
        return {}
    changed: dict[str, Any] = {"method": "qlora", "weight_bits": None, "quant": None}
    return changed if case.need(case.stacks[0], **changed).fit in GOOD else {}


def as_many(case: Case) -> Case | None:
    """The question with as many of the server's cards as hold it split, where one does not and nobody says how many."""
    query = case.query
    alone = case.gpu is not None and case.gpu.segment == "datacenter" and case.n_cards == 1 and not query.candidates
    if not alone or query.n_gpus or query.sharding or query.offload or not case.sized or case.usable is None:
        return None
    if case.lean.fit in GOOD or made_to_fit(case) or query.took_hours or query.done_hours:
        return None
    count = cards_that_hold(case, split(case.stacks[0]), case.usable, least=2)
    if count is None:
        return None
    cards = tuple(card.model_copy(update={"count": count}) for card in query.gpus)
    return Case(query.model_copy(update={"gpus": cards, "n_gpus": count, "sharding": "fsdp"}), case.catalog)


def memory(case: Case) -> list[dict[str, Any]]:
    """What the model and the further ones of the question take, and the smallest card that holds each."""
    named = [(case.model_name, {}), *case.alternatives]
    needs = [(name, case.need(case.stacks[0], **slots)) for name, slots in named]
    return [{"name": name, "need": need.device, "gb": roomy(case, need)} for name, need in needs]


def counts(case: Case) -> tuple[int, ...]:
    """Cards that were named for the model and for each further one ("7B on 1 GPU and 70B on 4"); () where they were
    not.
    """
    said = tuple(int(count) for count in case.query.named.get("n_gpus", ()))
    return said if len(said) == 1 + len(case.alternatives) else ()


def shared(case: Case, gpu: Gpu, count: int, slots: dict[str, Any]) -> dict[str, Any]:
    """So many cards of a kind for a model: a copy on each where one holds it, else split over them."""
    alone = slots | {"n_gpus": 1, "sharding": "none"}
    if count == 1 or case.fit(case.need(case.stacks[0], **alone), usable_bytes(gpu)) in GOOD:
        return slots | {"n_gpus": count, "sharding": "none" if count == 1 else "ddp"}
    return slots | {"n_gpus": count, "sharding": "fsdp"}


def place(case: Case, gpu: Gpu, slots: dict[str, Any]) -> dict[str, Any]:
    """Whether so many cards hold a set-up: bytes per card, what one hands out, and the verdict."""
    need, usable = case.need(case.stacks[0], **slots), usable_bytes(gpu)
    return {"card": short_name(gpu), "need": need.device, "usable": usable, "fit": case.fit(need, usable)}


def other_jobs(case: Case, tokens: int, each: int, epochs: float) -> list[dict[str, Any]]:
    """The hours of the further models on the same data: on the asker's cards, or on each that is named beside another;
    on so many of them as were named for that model.
    """
    found = []
    named = counts(case)
    for place_of, (name, slots) in enumerate(case.alternatives, start=1):
        count = named[place_of] if named else case.n_cards if case.gpu else 1
        for gpu in (case.gpu,) if case.gpu else case.gpus[:MOST_CARDS]:
            set_up = shared(case, gpu, count, slots)
            if took := job(case, gpu, tokens, each, epochs, **set_up):
                found.append({"name": name, "hours": took, "count": count} | place(case, gpu, set_up))
    holding = [row for row in found if row["fit"] in GOOD]
    return holding or found


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
        pace = case.pace(stack, gpu, each, **slots)
        if pace is None:
            return None
        found.append(hours(pace.rate, job_tokens(max(1, tokens // each), pace.each, epochs), pace.n_gpus))
    return min(t.low for t in found), max(t.high for t in found)


def large_sets(case: Case, made: list[dict[str, Any]], others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The hours of each model on the first of its cards with as much data as a large set has."""
    first = [{"name": case.model_name, **row} for row in made[:1]]
    first += [next(row for row in others if row["name"] == name) for name in dict.fromkeys(o["name"] for o in others)]
    more = EXAMPLES[2] / EXAMPLES[1]
    return [{"name": row["name"], "hours": tuple(more * end for end in row["hours"])} for row in first]


def rows(case: Case, tokens: int | None, each: int, epochs: float, **slots: Any) -> list[dict[str, Any]]:
    """By number of examples, or amount of plain text, on the asker's card; by card where several or none are named."""
    if case.card is not None and case.gpu is not None:
        if tokens:
            return []
        if case.query.algorithm in PLAIN_TEXT:
            by_text = [(n, job(case, case.gpu, n, each, epochs, **slots)) for n in TEXT_TOKENS]
            return [{"tokens": n, "hours": took} for n, took in by_text if took]
        took_by = [(n, job(case, case.gpu, n * each * answers(case), each, epochs, **slots)) for n in EXAMPLES]
        row = {"tokens": None, "answers": answers(case)}
        return [row | {"examples": n, "hours": took} for n, took in took_by if took]
    usual = OF_SIZE.get(round(case.card.vram_gb), ()) if case.card else CARDS
    named = case.gpus[:MOST_CARDS] or [case.catalog.gpus[gpu_id] for gpu_id in usual]
    count = counts(case)[0] if counts(case) else case.n_cards
    made = []
    told = {option[0].gpu: option[0].count for option in case.query.candidates if len(option) == 1}
    for gpu in named:
        count = told.get(gpu.id, count)
        set_up = shared(case, gpu, count, {})
        if took := job(case, gpu, tokens or EXAMPLES[1] * each * answers(case), each, epochs, **set_up):
            made.append({"hours": took, "count": count} | place(case, gpu, set_up))
    return made
