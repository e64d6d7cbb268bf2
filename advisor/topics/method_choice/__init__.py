"""Full, LoRA or QLoRA? What each takes for this model, which the card holds, how fast each is, and when each is right.

Facts: rows [{code, family, device, low, high, fit, smallest_gb, split, split_fit, longest; stock, stock_fit, stock_gb
(adapters on the plainest stack, where no trainer is named)}], families (what the question sets side by side), pick
(row), pick_split (only split), slower {family: share of 16-bit LoRA's speed that it loses}, few (examples: too few for
all weights), high_rank (a rank from which LoRA stands against full training), card, usable, rank, full_alone (whether
training all weights pays is all that is asked), embeddings (plain text: bytes of the leanest row with embeddings and
head trained as well).
Of two sizes and two methods ("8B with QLoRA or 3B in full"): grid.py; of optimizers: optimizers.py; of SFT, DPO and the
like: algorithms.py.
"""

from typing import Any

from advisor.advice import Advice, Setup, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import AND_EMBEDDINGS, GOOD, STOCK, UNSLOTH, Stack
from advisor.tiers import roomy
from advisor.topics.method_choice.algorithms import algorithms
from advisor.topics.method_choice.algorithms import named as algorithm_names
from advisor.topics.method_choice.grid import grid
from advisor.topics.method_choice.optimizers import optimizers
from advisor.topics.method_choice.ways import (
    EIGHT_B,
    METHOD_OF,
    Way,
    bits_named,
    is_plain_text,
    leans,
    longest_split,
    row,
    slower,
    usual_rank,
    ways,
)
from advisor.topics.sizes import METHODS

MANY = 2
MUCH = 50_000
"""Examples from which on all weights may learn what adapters no longer hold ("LoRA Without Regret", 2025; S53)."""
HIGH_RANK = 64
ADAPTED = frozenset({"qlora", "lora_8bit", "lora"})


def answer(case: Case) -> Advice:
    """Advice on the method."""
    stack = case.stacks[0] if case.query.trainer else case.loaded(UNSLOTH)
    if (other := _not_methods_alone(case, stack)) is not None:
        return other
    found = list(ways(case, stack))
    rows = [row(case, way) | _plainest(case, way, stack) | {"longest": longest_split(case, way)} for way in found]
    needs = tuple(row.pop("need") for row in rows)
    families = _with_what_fits(rows, asked_for(case))
    slower_by = slower(case, [way for way in found if way.family in families])
    return Advice(
        kind=Kind.METHOD_CHOICE,
        query=case.query,
        verdict=Verdict(
            code="methods" if case.sized else "methods_8b",
            facts=_asked(case, families)
            | _picked(case, rows, families)
            | _taken(rows)
            | {
                "slower": slower_by,
                "embeddings": _with_embeddings(case, [way for way in found if way.family in families]),
            },
        ),
        setup=_setup(case),
        needs=needs,
        asks=None if case.sized else "model",
        offers=("method=qlora", "method=lora", "method=full", "show=why", "show=config"),
    )


def _with_what_fits(rows: list[dict[str, Any]], families: tuple[str, ...]) -> tuple[str, ...]:
    """The families that are asked for; QLoRA as well where the card holds none of them, and holds that."""
    held = {row["family"] for row in rows if row["fit"] in GOOD}
    none = held and not held & set(families)
    return ("qlora", *families) if none and "qlora" in held else families


def _setup(case: Case) -> Setup | None:
    """What the rows assume."""
    if not case.sized:
        return None
    return case.setup if case.full else case.setup.model_copy(update={"lora_rank": usual_rank(case)})


def _plainest(case: Case, way: Way, stack: Stack) -> dict[str, Any]:
    """What adapters take with the library's own loss, where nobody named a trainer."""
    many = case.n_cards > 1 and case.usable
    experts = case.model is not None and case.model.moe is not None  # what their loaders differ in is a finding
    if case.query.trainer or stack is not UNSLOTH or way.family not in ADAPTED or many or experts:
        return {"stock": None, "stock_fit": None, "stock_gb": None}
    need = case.need(STOCK, **way.values)
    return {"stock": need.device, "stock_fit": need.fit, "stock_gb": roomy(case, need)}


def _with_embeddings(case: Case, shown: list[Way]) -> int | None:
    """Bytes of the leanest adapters where continued pretraining trains embeddings and head in full beside them."""
    if not is_plain_text(case) or not case.sized or case.lora_targets == AND_EMBEDDINGS:
        return None
    way = next((way for way in shown if way.family in ADAPTED), None)
    return case.need(way.stack, **way.values | {"lora_targets": AND_EMBEDDINGS}).device if way else None


def _not_methods_alone(case: Case, stack: Stack) -> Advice | None:
    """The answer where optimizers, sizes with methods, or algorithms are set side by side."""
    whole = case.query.method is None or case.full
    if case.sized and whole and len(case.query.named.get("optimizer", ())) > 1 and len(leans(case)) < MANY:
        return optimizers(case)
    methods = {METHOD_OF.get(name, name) for name in case.query.named.get("method", ())}
    if case.sized and len(case.alternatives) == 1 and len(methods) == MANY and methods <= set(METHODS):
        return grid(case, stack)
    if len(methods) < MANY and len(algorithm_names(case)) >= MANY:
        return algorithms(case)
    return None


def _asked(case: Case, families: tuple[str, ...]) -> dict[str, Any]:
    """What the question says, and what follows from that alone."""
    examples = case.query.dataset_examples or MUCH
    return {
        **case.where,
        "families": families,
        "few": examples if "full" in families and examples < MUCH else None,
        "much": examples if "full" in families and (case.query.dataset_examples or 0) >= MUCH else None,
        "high_rank": (case.query.lora_rank or 0) >= HIGH_RANK,
        "rank": usual_rank(case),
        "method": case.query.method,
        "full_alone": case.query.method == "full" and not case.query.dataset_examples and not case.symptoms,
        "sized": case.sized,
        "params_b": case.query.params_b or EIGHT_B,
        "seq_len": case.seq_len,
    }


def _picked(case: Case, rows: list[dict[str, Any]], families: tuple[str, ...]) -> dict[str, Any]:
    """The rows that the question asks for, and the best of them that fits."""
    shown = [row for row in rows if row["family"] in families]
    order = ("lora", "qlora", "lora_8bit", *leans(case), "full")
    pick = next((row for name in order for row in shown if row["family"] == name and row["fit"] in GOOD), None)
    return {
        "rows": shown,
        "pick": pick["code"] if pick else None,
        "pick_split": bool(pick and pick["split"] and pick["alone"] not in GOOD),
    }


def _taken(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the three usual methods take, whichever are asked for."""
    by_family = {row["family"]: row for row in reversed(rows)}
    lora, qlora = by_family["lora"]["device"], by_family["qlora"]["device"]
    return {
        "fits_full": by_family["full"]["fit"],
        "fits_full_split": by_family["full"]["fit"] in GOOD,
        "fit_adamw": rows[-1]["fit"],
        "saved": lora - qlora,
        "qlora": qlora,
        "lora": lora,
        "full_8bit": rows[-2]["device"],
        "full_adamw": rows[-1]["device"],
    }


def asked_for(case: Case) -> tuple[str, ...]:
    """The methods that the question sets side by side; the three usual ones where it names fewer than two."""
    said = {METHOD_OF.get(name, name) for name in case.query.named.get("method", ())} | set(leans(case))
    if case.query.method:
        said.add(METHOD_OF.get(case.query.method, case.query.method))
    bits = bits_named(case)
    by_bits = {"4": "qlora", "8": "lora_8bit", "16": "lora"}
    if len(case.query.named.get("weight_bits", ())) >= MANY:
        said = (said - {"qlora", "lora"}) | {by_bits[name] for name in bits if name in by_bits}
    named = len(case.query.named.get("method", ())) >= MANY or len(bits) >= MANY or bool(leans(case))
    if not named or len(said) < MANY:
        said = {*METHODS, *leans(case)}
    if "8" in bits:
        said |= {"lora_8bit", "qlora", "lora"}
    return tuple(name for name in ("qlora", "lora_8bit", "lora", *leans(case), "full") if name in said)
