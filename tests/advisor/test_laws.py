"""What holds for every piece of advice, whatever the numbers are."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.advice import GRAVITIES, Advice
from advisor.advisor import advise
from advisor.query import CardCount, Kind
from advisor.tiers import SIZES as CARD_SIZES
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import case, stated

SIZES = (0.5, 1.5, 3.0, 7.0, 8.0, 13.0, 14.0, 30.0, 32.0, 70.0)
METHODS = ("qlora", "lora", "full")
GOOD = ("yes", "tight")
SIZE_LIMIT = CARD_SIZES[-1]


def ask(kind: Kind, **slots: object) -> Advice:
    """Advice on a query in which everything counts as stated."""
    query = stated(kind, **slots)
    return advise(query, load_catalog())


def card(gpu: str, count: int = 1) -> tuple[CardCount, ...]:
    entry = load_catalog().gpus[gpu]
    return (CardCount(gpu=gpu, name=entry.name, count=count, vram_gb=entry.vram_gb),)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", SIZES)
def test_minimum_and_comfortable_never_contradict_each_other_or_the_table(size: float, method: str) -> None:
    advice = ask(Kind.WHICH_GPU, params_b=size, method=method)
    facts = advice.verdict.facts
    if advice.verdict.code == "several":
        assert all(mark.fit not in GOOD for mark in advice.needs[0].marks)
        return
    assert facts["comfortable_gb"] is None or facts["comfortable_gb"] >= facts["minimum_gb"]
    for need in advice.needs:
        for mark in need.marks:
            if facts["comfortable_gb"] and mark.vram_gb >= facts["comfortable_gb"]:
                assert mark.fit == "yes"
    for mark in advice.needs[0].marks:
        assert (mark.fit in GOOD) == (mark.vram_gb >= facts["minimum_gb"])


@pytest.mark.parametrize(("size", "least"), [(7.0, 24), (13.0, 24), (32.0, 48)])
def test_comfort_is_never_below_the_seed_tier(size: float, least: int) -> None:
    assert ask(Kind.WHICH_GPU, params_b=size, method="qlora").verdict.facts["comfortable_gb"] >= least


def test_13b_qlora_gives_the_seed_ranking_with_dated_prices() -> None:
    options = ask(Kind.WHICH_GPU, params_b=13.0, method="qlora").options
    assert [(o.gpu, o.count) for o in options] == [("rtx-3090", 1), ("rtx-5090", 1), ("rtx-4090", 1), ("rtx-3090", 2)]
    assert all(o.price is not None and o.price.date and o.price.source for o in options)
    assert options[0].price is not None
    assert options[0].price.kind == "used"


@pytest.mark.parametrize("gpu", ["rtx-3060-12gb", "rtx-3090", "rtx-5090", "a100-80gb-sxm"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", SIZES)
def test_changes_save_in_turn_and_the_last_one_fits_or_nothing_does(size: float, method: str, gpu: str) -> None:
    advice = ask(Kind.FITS_CHECK, params_b=size, method=method, gpus=card(gpu))
    if advice.verdict.code in GOOD:
        assert not advice.changes
        return
    assert all(change.fit not in GOOD for change in advice.changes[:-1])
    assert len({change.slot for change in advice.changes}) >= len(advice.changes) - 1  # LoRA, then QLoRA
    for before, after in pairwise(advice.changes):
        assert before.after - after.saves == after.after


@settings(max_examples=40, deadline=None)
@given(size=st.sampled_from(SIZES), seq_len=st.sampled_from([256, 1024, 4096, 16384]), count=st.sampled_from([1, 2, 4]))
def test_findings_are_at_most_three_and_the_gravest_first(size: float, seq_len: int, count: int) -> None:
    advice = ask(Kind.FITS_CHECK, params_b=size, seq_len=seq_len, gpus=card("rtx-4090", count), epochs=9.0)
    weights = [GRAVITIES[finding.gravity] for finding in advice.findings]
    assert weights == sorted(weights)
    assert len(weights) <= 3
    assert len({finding.code for finding in advice.findings}) == len(advice.findings)


@pytest.mark.parametrize("budget", [200.0, 500.0, 800.0, 1500.0, 4000.0])
def test_a_budget_is_kept(budget: float) -> None:
    advice = ask(Kind.WHICH_GPU, budget=budget, currency="USD")
    for option in advice.options:
        assert option.price is not None
        assert option.price.low <= budget
    sized = ask(Kind.WHICH_GPU, params_b=13.0, method="qlora", budget=budget, currency="USD")
    pick = sized.verdict.facts["pick"]
    chosen = next((o for o in sized.options if o.gpu == pick), None)
    assert chosen is None or chosen.price is None or chosen.price.low * chosen.count <= budget


def test_a_longer_context_never_costs_less() -> None:
    advice = ask(Kind.CONTEXT_LENGTH, model="meta-llama/Llama-3.1-8B", method="qlora", gpus=card("rtx-4090"))
    for stack in range(len(advice.needs)):
        needs = [rung.needs[stack] for rung in advice.rungs]
        assert needs == sorted(needs)


def test_the_longest_length_fits_and_the_next_rung_does_not() -> None:
    advice = ask(Kind.CONTEXT_LENGTH, model="meta-llama/Llama-3.1-8B", method="qlora", gpus=card("rtx-4090"))
    longest = advice.verdict.facts["lean_longest"]
    assert (
        ask(Kind.FITS_CHECK, model="meta-llama/Llama-3.1-8B", method="qlora", gpus=card("rtx-4090"), seq_len=longest)
        .needs[0]
        .fit
        in GOOD
    )
    above = next(rung.value for rung in advice.rungs if rung.value > longest)
    fit = (
        ask(Kind.FITS_CHECK, model="meta-llama/Llama-3.1-8B", method="qlora", gpus=card("rtx-4090"), seq_len=above)
        .needs[0]
        .fit
    )
    assert fit not in GOOD


def test_where_little_is_needed_no_larger_card_is_listed() -> None:
    """7B with QLoRA: the smallest and the best value; a 13B gets the whole ranking."""
    small = ask(Kind.WHICH_GPU, params_b=7.0, method="qlora")
    assert [(o.gpu, o.count) for o in small.options] == [("rtx-3090", 1)]
    assert small.verdict.facts["entry"] is not None
    assert len(ask(Kind.WHICH_GPU, params_b=7.0, method="qlora", show="faster").options) > 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", SIZES)
def test_the_smallest_card_of_a_table_is_not_a_tight_one(size: float, method: str) -> None:
    """Where a larger size is sold that has room."""
    asked = case(kind="method_choice", params_b=size)
    assert asked.advice is not None
    for row in asked.advice.verdict.facts["rows"]:
        if row["smallest_gb"] and row["smallest_gb"] < SIZE_LIMIT:
            need = next(need for need in asked.advice.needs if need.stack == row["code"])
            assert asked.fit(need, asked.usable_of_size(row["smallest_gb"])) == "yes"
    rungs = ask(Kind.CONTEXT_LENGTH, params_b=size, method=method)
    for rung in rungs.rungs:
        for need, gb in zip(rung.needs, rung.smallest_gb, strict=True):
            assert gb is None or gb == SIZE_LIMIT or need <= 0.95 * asked.usable_of_size(gb)


def test_the_least_card_of_a_table_holds_it_and_only_just_where_a_larger_one_is_named() -> None:
    """GPT-2 XL with AdamW, 30.3 GiB: from 32 GB, tight."""
    asked = case(kind="faq_definition", model="openai-community/gpt2-xl", method="full", gpus=card("gtx-1080-ti"))
    assert asked.advice is not None
    rows = {row["code"]: row for row in asked.advice.verdict.facts["rows"]}
    assert (rows["full_adamw"]["least_gb"], rows["full_adamw"]["smallest_gb"]) == (32, 48)
    assert rows["master_8bit"]["least_gb"] == rows["master_8bit"]["smallest_gb"] == 24
