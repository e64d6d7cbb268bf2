"""Which trainer? By card, number of cards, system and method; about the trainer that was named; with the memory that
the choice makes when a model is named.

Verdict: asked_best, asked_works, asked_not (the trainer named: the first choice here, another one, or none at all),
between (several were named: the better one here), pick, tricks (tricks.py: what saves memory is not the trainer).
Facts: pick (trainer id), why (code: beginner, one_card, several_cards, apple, amd, intel, windows, old), second, asked,
limits (what the asked trainer lacks here: windows, amd, apple, intel, multi_gpu, ampere, algorithm, model, ended;
{axis: partly or no}), vendor, os, count, lean, stock, asked_need (device bytes: fused kernels, the library's own
loss, the asked trainer), one_holds (of several cards one is enough), parted (bytes a card of what only several hold,
split), on_mac (bytes with MLX), faster (speed of fused kernels over stock on one card), together (speed of that many
stock cards over one),
alone_used (Unsloth on several cards: older releases use one), beaten (that many plain cards are faster
than Unsloth on one, even by its makers' word), others (trainers named beside the pick, with what they lack
here), ahead (speed over the other one of two), algorithm, cannot (trainers that do not train with it), gap (why the
asked trainer is not for this model: facts/trainers.yaml, `not_for`), said (rules.trainer_decides or
rules.same_settings is the whole answer), no_gain (a trainer made nothing faster),
whole_base (the base is in 16 bit), unchecked (gradient checkpointing is off).
"""

from typing import Any, NamedTuple

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.refused import OTHERS
from advisor.stacks import (
    ENCODERS,
    STOCK,
    UNSLOTH,
    Stack,
)
from advisor.topics import tricks
from advisor.topics.compare_gpus import SCALING
from advisor.topics.trainer_memory import needs_of, taken
from advisor.topics.usual import EIGHT_B
from knowledge.schemas import NotFor

ROWS = ("unsloth", "axolotl", "llama-factory", "trl")
TELL = frozenset(
    {"unsloth", "axolotl", "llama-factory", "trl", "hf", "ms-swift", "torchtune", "litgpt", "mlx-lm", "deepspeed"}
    | {"fsdp-qlora", "h2o-llm-studio", "nemo-automodel", "ktransformers", "llama-cpp-finetune"}
)
"""Trainers that the answers have a sentence about."""
ONE_CARD = ("unsloth", "axolotl", "llama-factory", "ms-swift", "trl", "hf", "torchtune", "litgpt")
SEVERAL = ("axolotl", "llama-factory", "ms-swift", "trl", "unsloth", "hf", "torchtune", "litgpt")
"""Of several named trainers the first in this order, on one card and on several; for images see SEEING."""
MAKERS_SPEED = 2.0
"""How many times as fast as stock Unsloth is on one card, by its makers (facts/trainers: unsloth)."""
FIRST_STEPS = ("llama-factory", "unsloth", "axolotl", "ms-swift", "trl", "hf", "torchtune", "litgpt")
"""The same for who trains for the first time: a web page or a ready notebook before files and code."""
SEEING = ("llama-factory", "ms-swift")
"""Trainers with the most models that see, and recipes for them: before Axolotl and TRL."""
AMPERE = (8, 0)
WANT_AMPERE = frozenset({"axolotl"})
"""Trainers whose recipes need bf16 and FlashAttention."""
PLAIN = frozenset({"hf", "transformers"})
"""Trainers of any model that transformers has."""
ENDED = "development stopped"
"""How facts/trainers begins the status of a trainer that nobody develops any more."""
ALSO = {"mlx": "mlx-lm"}
USUAL_CARD = "GeForce RTX 3090"
"""The card by which trainers are compared in speed where none is named."""


class Choice(NamedTuple):
    """What is advised, why, and what of it was asked about: one trainer, or several to choose between."""

    pick: str
    second: str
    why: str
    asked: str | None
    between: list[str]


def answer(case: Case) -> Advice:
    """Advice on the trainer."""
    if tricks.are_asked(case):
        return tricks.told(case)
    choice = chosen(case)
    limits = limits_of(case, choice.asked) if choice.asked else {}
    needs = needs_of(case)
    offers = ("show=config", f"trainer={choice.pick}", f"trainer={choice.second}", "kind=method_choice")
    return Advice(
        kind=Kind.TRAINER_CHOICE,
        query=case.query,
        verdict=Verdict(
            code="between" if choice.between else _code(choice.asked, choice.pick, limits),
            facts=_facts(case, choice, limits) | taken(case, choice.asked, needs),
        ),
        setup=case.setup if case.sized else None,
        needs=needs,
        offers=tuple(dict.fromkeys(offers)),
    )


def chosen(case: Case) -> Choice:
    """The first and the second choice, of those that were named where several were, and of those that are able."""
    usual, second, why = choose(case)
    pick = usual
    if case.vendor != "apple":
        able = [name for name in dict.fromkeys((pick, second, *SEVERAL)) if _able(case, name)]
        pick, second = able[0], (able[1:] or able)[0]
    between = ranked(case)
    if between and between[0] == "unsloth" and "no_gain" in case.symptoms:
        return Choice("unsloth", between[1], why, "unsloth", [])  # it was tried beside the other
    if between:
        return Choice(between[0], between[1], "beginner" if "beginner" in case.symptoms else why, None, between)
    named = case.query.trainer if case.query.trainer in TELL else usual if pick != usual else None
    return Choice(pick, second, why, named, between)


def _facts(case: Case, choice: Choice, limits: dict[str, str]) -> dict[str, Any]:
    """What is advised, and what speaks for and against it here."""
    pick, asked, between = choice.pick, choice.asked, choice.between
    return {
        "pick": pick,
        "second": choice.second,
        "why": choice.why,
        "asked": asked,
        "limits": limits,
        "vendor": vendor if (vendor := case.vendor) in OTHERS else None,
        "told": facts_told(case, pick if "no" in limits.values() else asked or pick),
        "os": case.query.os,
        "count": case.n_cards,
        "faster": _faster(case),
        "together": 1 + (case.n_cards - 1) * SCALING if case.n_cards > 1 else None,
        "beaten": 1 + (case.n_cards - 1) * SCALING > MAKERS_SPEED,
        "alone_used": asked == "unsloth" and case.n_cards > 1 and _faster(case) is not None,
        "others": [(name, limits_of(case, name)) for name in between[1:]],
        "ahead": _faster(case, Stack(between[1], between[1])) if _fused_first(case, between) else None,
        "no_gain": bool(case.symptoms & {"no_gain", "claims_speed"}),
        "claimed": "claims_speed" in case.symptoms,
        "whole_base": case.sized and case.method == "lora",
        "unchecked": case.query.grad_checkpointing is False,
        "said": savers_decide(case) or "same_settings" in case.symptoms,
        "algorithm": case.query.algorithm,
        "gap": gap.why if (gap := _gap(case, asked or pick)) else None,
        "cannot": [name for name in dict.fromkeys((pick, *ROWS)) if _cannot(case, name)],
        "rows": [*ROWS, *(name for name in (pick, asked) if name and name not in ROWS and name == "mlx-lm")],
    }


def _code(asked: str | None, pick: str, limits: dict[str, str]) -> str:
    if asked is None:
        return "pick"
    if "no" in limits.values():
        return "asked_not"
    return "asked_best" if asked == pick else "asked_works"


def choose(case: Case) -> tuple[str, str, str]:
    """(first choice, second choice, code of the reason)."""
    vendor = case.vendor
    if vendor == "apple":
        return "mlx-lm", "unsloth", "apple"
    if vendor == "intel":
        return "unsloth", "trl", "intel"
    if vendor == "amd":
        return ("axolotl", "llama-factory", "amd") if several(case) else ("unsloth", "trl", "amd")
    if not case.tensor_cores:
        return "trl", "llama-factory", "old"
    if several(case):
        return "axolotl", "llama-factory", "several_cards"
    if case.query.os == "windows":
        return "unsloth", "llama-factory", "windows"
    return "unsloth", "axolotl", "one_card"


def savers_decide(case: Case) -> bool:
    """A trainer took less because of savers that others have as well."""
    query = case.query
    named = query.kind is Kind.TRAINER_CHOICE and (query.fused_loss or query.activation_offload)
    return bool(query.trainer and (named or "trainer_decides" in case.claims))


def several(case: Case) -> bool:
    """Several cards are named, or meant: "multi node", "multi gpu"."""
    return case.n_cards > 1 or (case.query.also is Kind.MULTI_GPU and not case.cards)


def ranked(case: Case) -> list[str]:
    """The trainers that were named as alternatives, the better one here first; none where fewer than two were."""
    said = (ALSO.get(name, name) for name in case.query.named.get("trainer", ()))
    named = [name for name in said if name in TELL]
    if len(named) < len(SEEING):
        return []
    order = FIRST_STEPS if "beginner" in case.symptoms else SEVERAL if several(case) else ONE_CARD
    return sorted(
        named,
        key=lambda name: (
            "no" in limits_of(case, name).values(),
            case.vendor == "apple" and name != "mlx-lm",
            case.sees and name not in (order[0], *SEEING),
            order.index(name) if name in order else len(order),
        ),
    )


def facts_told(case: Case, name: str) -> dict[str, str] | None:
    """Which version of a trainer says so, and the day on which somebody looked; for cards that are not NVIDIA's."""
    trainer = case.catalog.trainers.get("trl" if name == "hf" else name)
    if trainer is None or case.vendor not in OTHERS:
        return None
    return {"trainer": name, "version": str(trainer.version_seen).split(";")[0], "day": str(trainer.checked)}


def limits_of(case: Case, asked: str) -> dict[str, str]:
    """What of this case the trainer supports only partly, or not: {axis: partly or no}, from facts/trainers."""
    trainer = case.catalog.trainers.get("trl" if asked == "hf" else asked)
    if trainer is None:
        return {}
    vendor = case.vendor or "nvidia"
    axes: list[str] = [vendor] if vendor in OTHERS else []
    axes += ["windows"] * (case.query.os == "windows") + ["multi_gpu"] * several(case)
    found = {axis: _level(str(getattr(trainer, axis))) for axis in axes}
    if _cannot(case, asked):
        found["algorithm"] = "no"
    if gap := _gap(case, asked):
        found["model"] = "partly" if gap.why == "unproven" else "no"
    if (trainer.status or "").startswith(ENDED):
        found["ended"] = "no"
    capability = case.gpu.cuda_capability if case.gpu and vendor == "nvidia" else None
    if capability and capability < AMPERE and asked in WANT_AMPERE:
        found["ampere"] = "partly"
    if asked == "unsloth" and not case.tensor_cores:
        found["card"] = "no"
    if asked == "mlx-lm" and vendor == "nvidia" and case.cards:
        found["nvidia"] = "no"
    if asked == "llama-cpp-finetune":
        found["runs_only"] = "no"
    if vendor == "amd" and case.query.os == "windows":
        found["amd_windows"] = "partly"
    return {axis: level for axis, level in found.items() if level != "yes"}


def _cannot(case: Case, name: str) -> bool:
    """Whether a trainer lacks the algorithm that was named; facts/trainers says only what a trainer does not have."""
    trainer = case.catalog.trainers.get(name)
    return trainer is not None and trainer.methods.get(case.query.algorithm or "") is False


def _gap(case: Case, name: str) -> NotFor | None:
    """Why a trainer is not for the model; those of chat models train decoders only."""
    encoders = gap if (gap := case.gap("unsloth")) and gap.why in ENCODERS else None
    return encoders if encoders and name not in PLAIN else case.gap(name)


def _able(case: Case, name: str) -> bool:
    """Whether a trainer has the algorithm, and trains the model as its figures say."""
    return not _cannot(case, name) and _gap(case, name) is None


def _level(said: str) -> str:
    first = said.lower().split()[0].strip(",;:") if said.strip() else "no"
    return "yes" if first.startswith(("yes", "rocm")) else "no" if first == "no" else "partly"


def _fused_first(case: Case, between: list[str]) -> bool:
    """Whether Unsloth stands against one trainer that has figures, on one card."""
    return len(between) == len(SEEING) and between[0] == "unsloth" and not several(case) and between[1] in ONE_CARD


def _faster(case: Case, other: Stack = STOCK) -> float | None:
    """Speed of fused kernels over the library's own code, or another trainer, with QLoRA on an 8B on one card."""
    if case.vendor not in (None, "nvidia"):
        return None
    gpu = case.gpu.name if case.gpu else USUAL_CARD
    fused, stock = (case.tokens_per_s(stack, gpu, **EIGHT_B) for stack in (UNSLOTH, other))
    return fused / stock if fused and stock else None
