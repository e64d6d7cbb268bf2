"""Topics: one file per kind of question, found by its name. `answer(case)` gives the Advice without its findings."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from advisor.advice import Advice
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind

ABOUT_MEMORY = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.FAQ_DEFINITION, Kind.METHOD_CHOICE})
ABOUT_WAYS = frozenset({Kind.METHOD_CHOICE, Kind.TRAINER_CHOICE, Kind.MULTI_GPU, Kind.FAQ_DEFINITION})
ABOUT_SPEED = frozenset({Kind.OOM_HELP, Kind.TIME_ESTIMATE, Kind.MULTI_GPU, Kind.FITS_CHECK})
HELPED = frozenset({Kind.OOM_HELP, Kind.FITS_CHECK})
CHOICES = frozenset({Kind.COMPARE_GPUS, Kind.WHICH_GPU})
OTHERS = ("amd", "intel", "apple")
WAYS = frozenset({"ddp", "fsdp", "zero2", "zero3", "tp", "pipeline"})


def answer(case: Case) -> Advice:
    """What the topic of the question's kind says."""
    return topic(route(case))(case)


@cache
def topic(kind: Kind) -> Callable[[Case], Advice]:
    """The answer function of a kind's file, imported when it is first asked for."""
    found: Callable[[Case], Advice] = import_module(f"{__name__}.{kind.value}").answer
    return found


def route(case: Case) -> Kind:
    """The topic that serves a question: a run that failed is helped first, a wish for cheaper or faster picks a
    card.
    """
    query = case.query
    failed = bool(case.symptoms & FAILURES)
    if query.show in ("cheaper", "faster"):
        return Kind.WHICH_GPU
    if (compared := _compared(case)) is not None:
        return compared
    if query.kind in HELPED and "it_works" in case.symptoms and not failed and case.sized:
        return Kind.FITS_CHECK
    if "killed" in case.symptoms and query.kind in (Kind.MULTI_GPU, Kind.FITS_CHECK, Kind.CONTEXT_LENGTH):
        return Kind.SYSTEM_RAM
    if query.kind is Kind.OOM_HELP and "oom_generate" in case.symptoms and not (query.algorithm or query.method):
        return Kind.INFERENCE_ONLY
    if query.kind in CHOICES and "no_gpu_found" in case.symptoms and query.candidates and not case.sized:
        return Kind.COST_BUY_VS_RENT
    if query.kind in (Kind.WHICH_GPU, Kind.FITS_CHECK) and len(query.candidates) > 1 and case.card is None:
        return Kind.COMPARE_GPUS
    if query.kind is Kind.METHOD_CHOICE and len(query.gpus) > 1 and not (case.sized or query.named or query.method):
        return Kind.COMPARE_GPUS
    if query.kind is Kind.METHOD_CHOICE and query.method and failed and case.sized and case.usable:
        return Kind.OOM_HELP
    if query.kind is Kind.TRAINER_CHOICE and (query.seen_gib or failed):
        return Kind.OOM_HELP
    if query.kind is Kind.COST_BUY_VS_RENT and "stays_home" in case.symptoms and query.budget and not case.gpus:
        return Kind.WHICH_GPU
    if query.kind is Kind.MULTI_GPU and query.also is Kind.TRAINER_CHOICE and query.trainer and not case.sized:
        return Kind.TRAINER_CHOICE
    if query.kind is Kind.MULTI_GPU and len(query.candidates) > 1 and case.usable is None:
        return Kind.COMPARE_GPUS
    if query.also is Kind.WHICH_GPU and query.kind in HELPED and failed and case.sized and case.usable:
        return Kind.WHICH_GPU
    if query.kind is Kind.MULTI_GPU and failed and case.sized and case.usable:
        return Kind.OOM_HELP
    if query.kind is Kind.FITS_CHECK and failed and (case.usable or not case.sized):
        return Kind.OOM_HELP
    if query.kind is Kind.WHICH_GPU and failed and not case.sized:
        return Kind.OOM_HELP
    if query.kind is Kind.FITS_CHECK and "asks_normal" in case.symptoms and case.sized and case.usable:
        return Kind.OOM_HELP
    if query.kind in ABOUT_MEMORY and query.seen_gib and query.claimed_gib and case.sized:
        return Kind.OOM_HELP
    if query.kind in ABOUT_MEMORY and query.trainer and query.vendor in OTHERS and not case.sized:
        return Kind.TRAINER_CHOICE
    if query.kind is Kind.FITS_CHECK and not case.sized and not case.cards and query.dataset_examples:
        return Kind.DATA_SIZE_QUALITY
    if query.kind in (Kind.FITS_CHECK, Kind.WHICH_GPU) and query.hours_per_week and case.gpus:
        return Kind.COST_BUY_VS_RENT
    if query.kind is Kind.FITS_CHECK and query.budget and case.sized and (query.dataset_examples or _rents(case)):
        return Kind.COST_BUY_VS_RENT
    if query.kind is Kind.FAQ_DEFINITION and query.seen_gib and case.sized and case.usable:
        return Kind.FITS_CHECK
    return query.kind


def _compared(case: Case) -> Kind | None:
    """The topic that judges a speed, or sets the named methods, optimizers or splits side by side."""
    query, named = case.query, case.query.named
    if query.kind in ABOUT_SPEED and "no_gain" in case.symptoms and case.n_cards > 1:
        return Kind.MULTI_GPU
    if query.kind in ABOUT_WAYS and len(WAYS.intersection(named.get("sharding", ()))) > 1:
        return Kind.MULTI_GPU
    seen = query.seen_tokens_per_s or query.seen_s_per_step
    if query.kind in ABOUT_SPEED and seen and not case.symptoms & FAILURES:
        return Kind.TIME_ESTIMATE
    if not case.sized or query.method is not None or query.lora_rank:
        return None
    methods = len(named.get("method", ())) > 1 and query.kind in ABOUT_MEMORY
    optimizers = len(named.get("optimizer", ())) > 1 and query.kind in (*ABOUT_MEMORY, Kind.OOM_HELP)
    return Kind.METHOD_CHOICE if methods or optimizers else None


def _rents(case: Case) -> bool:
    """All cards in the question are of the kind that is rented."""
    return bool(case.gpus) and all(gpu.segment == "datacenter" for gpu in case.gpus)
