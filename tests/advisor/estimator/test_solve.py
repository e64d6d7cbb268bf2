"""Inverse questions: the answer fits, the next larger one does not; the changes do what they say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.estimator import estimate, estimate_plan, resolve, usable_bytes
from advisor.estimator.solve import (
    fewest_cards,
    fits,
    largest_micro_batch,
    largest_models,
    largest_rank,
    largest_seq_len,
    largest_size_b,
    largest_whole,
    make_it_fit,
    smallest_cards,
    smallest_vram_gb,
)
from advisor.estimator.solve.cards import COUNTS
from advisor.estimator.solve.limits import _at_least
from advisor.query import SetUp
from knowledge.catalog import load_catalog

CATALOG = load_catalog()
GIB = 2**30

setups = st.builds(
    SetUp,
    model=st.sampled_from(
        ["meta-llama/Llama-3.2-1B", "meta-llama/Llama-3.1-8B", "Qwen/Qwen2.5-14B", "google/gemma-2-9b"]
    ),
    method=st.sampled_from(["full", "lora", "qlora"]),
    seq_len=st.sampled_from([512, 2048, 4096, 30_000]),
    micro_batch=st.sampled_from([1, 2, 8]),
    trainer=st.sampled_from(["hf", "trl", "unsloth", "axolotl", "torchtune", "litgpt"]),
    grad_checkpointing=st.sampled_from([None, True, False]),
    lora_rank=st.sampled_from([8, 64]),
)
usables = st.integers(4 * GIB, 100 * GIB)


def device(setup, **changes):
    return estimate(setup.model_copy(update=changes), CATALOG).device


@given(limit=st.integers(0, 10_000), most=st.integers(1, 10_000), hint=st.integers(1, 20_000))
def test_bisection_finds_the_last_one(limit, most, hint):
    found = largest_whole(lambda n: n <= limit, most, hint)
    assert found == (min(limit, most) or None)


@settings(max_examples=40, deadline=None)
@given(setup=setups, usable=usables)
def test_the_longest_context_fits_and_one_token_more_does_not(setup, usable):
    longest = largest_seq_len(setup, usable, CATALOG)
    if longest is None:
        assert device(setup, seq_len=1) > usable
    else:
        assert device(setup, seq_len=longest) <= usable < device(setup, seq_len=longest + 1)


@settings(max_examples=40, deadline=None)
@given(setup=setups, usable=usables)
def test_the_largest_batch_fits_and_one_more_does_not(setup, usable):
    largest = largest_micro_batch(setup, usable, CATALOG)
    if largest is None:
        assert device(setup, micro_batch=1) > usable
    else:
        assert device(setup, micro_batch=largest) <= usable < device(setup, micro_batch=largest + 1)


@settings(max_examples=20, deadline=None)
@given(setup=setups, usable=usables)
def test_the_largest_rank_fits_and_one_more_does_not(setup, usable):
    largest = largest_rank(setup, usable, CATALOG)
    if largest is None:
        assert setup.method == "full" or device(setup, lora_rank=1) > usable
    else:
        assert device(setup, lora_rank=largest) <= usable
        if largest < resolve(setup, CATALOG).shape.hidden:
            assert device(setup, lora_rank=largest + 1) > usable


@settings(max_examples=20, deadline=None)
@given(setup=setups, usable=usables)
def test_the_largest_size_fits_and_the_next_does_not(setup, usable):
    size = largest_size_b(setup, usable, CATALOG)
    if size is not None:
        assert (
            device(setup, model=None, params_b=size)
            <= usable
            < device(setup, model=None, params_b=round(size + 0.1, 1))
        )


@settings(max_examples=40, deadline=None)
@given(setup=setups, n_gpus=st.sampled_from([1, 2]), sharding=st.sampled_from(["none", "ddp", "fsdp", "zero2"]))
def test_the_quick_first_look_is_a_lower_bound(setup, n_gpus, sharding):
    plan = resolve(setup.model_copy(update={"n_gpus": n_gpus, "sharding": sharding}), CATALOG)
    assert _at_least(plan) <= estimate_plan(plan).device


@settings(max_examples=10, deadline=None)
@given(setup=setups, usable=usables)
def test_largest_models_fit_and_come_in_order(setup, usable):
    found = largest_models(setup, usable, CATALOG, n=4)
    assert [fit.params for fit in found] == sorted((fit.params for fit in found), reverse=True)
    for fit in found:
        assert device(setup, model=fit.model) == fit.estimate.device <= usable


@settings(max_examples=30, deadline=None)
@given(setup=setups)
def test_the_smallest_card_holds_it_and_no_smaller_one_does(setup):
    need = device(setup)
    found = smallest_cards(setup, CATALOG, n=3)
    for fit in found:
        assert fit.device == need <= fit.usable == usable_bytes(CATALOG.gpus[fit.gpu])
    if found:
        smallest = CATALOG.gpus[found[0].gpu].vram_gb
        smaller = [
            g for g in CATALOG.gpus.values() if g.vendor == "nvidia" and g.vram_gb < smallest and not g.unified_memory
        ]
        assert all(usable_bytes(g) < need for g in smaller)
    size = smallest_vram_gb(setup, CATALOG)
    assert size is None or need <= size * GIB


@settings(max_examples=30, deadline=None)
@given(setup=setups, usable=usables)
def test_the_fewest_cards_hold_it_and_fewer_do_not(setup, usable):
    count = fewest_cards(setup, usable, CATALOG)
    for fewer in COUNTS if count is None else COUNTS[: COUNTS.index(count)]:
        assert device(setup, n_gpus=fewer, sharding="fsdp" if fewer > 1 else "none") > usable
    if count is not None:
        assert device(setup, n_gpus=count, sharding="fsdp" if count > 1 else "none") <= usable


def test_two_24_gb_cards_for_a_70b_with_qlora():
    setup = SetUp(model="meta-llama/Llama-2-70b-hf", method="qlora", seq_len=512, trainer="axolotl", fused_loss=True)
    assert fewest_cards(setup, int(23.6 * GIB), CATALOG) in (2, 3)


@settings(max_examples=60, deadline=None)
@given(setup=setups, usable=usables, n_gpus=st.sampled_from([1, 1, 2, 4]))
def test_changes_add_up_and_none_is_needless(setup, usable, n_gpus):
    setup = setup.model_copy(update={"n_gpus": n_gpus})
    need = device(setup)
    changes = make_it_fit(setup, usable, CATALOG)
    if need <= usable:
        assert changes == ()
        return
    together = [change for change in changes if not change.alternative]
    now = setup
    for change in changes:
        now = now.model_copy(update=dict(change.updates))
        after = device(now)
        assert after == change.device
        assert change.saves == need - after
        assert change.fits == (after <= usable)
        assert change.speed > 0
        need = after
    if together and together[-1].fits:
        for change in together:
            rest = [other for other in together if other is not change]
            without = setup
            for other in rest:
                without = without.model_copy(update=dict(other.updates))
            assert device(without) > usable, change.slot
    elif changes:
        assert changes[-1].fits or not changes[-1].alternative


def slots(changes):
    return [change.slot for change in changes]


def test_a_large_vocabulary_on_a_stock_stack_needs_only_a_lean_loss():
    setup = SetUp(model="meta-llama/Llama-3.1-8B", method="qlora", seq_len=4096, trainer="hf")
    changes = make_it_fit(setup, int(15.5 * GIB), CATALOG)
    assert slots(changes) in (["fused_loss"], ["trainer"])
    assert changes[0].speed >= 0.95


@pytest.mark.parametrize(
    ("model", "may"),
    [
        ("google/flan-t5-xl", set()),  # encoder and decoder: never loaded
        ("baichuan-inc/Baichuan2-7B-Base", set()),  # code from the hub: neither kernels nor a fused loss
        ("meta-llama/Llama-3.1-8B", {"trainer", "fused_loss"}),
    ],
)
def test_no_trainer_or_loss_is_proposed_that_the_model_does_not_have(model, may):
    setup = SetUp(model=model, method="lora", seq_len=4096, micro_batch=8, trainer="hf")
    for usable in (6, 10, 14, 20):
        found = make_it_fit(setup, usable * GIB, CATALOG)
        assert {"trainer", "fused_loss"} & set(slots(found)) <= may
    lean = make_it_fit(setup, device(setup) - 100 * 2**20, CATALOG)
    assert bool({"trainer", "fused_loss"} & set(slots(lean))) == bool(may)


def test_full_fine_tuning_of_a_13b_becomes_adapters_on_24_gb():
    changes = make_it_fit(SetUp(params_b=13, method="full", trainer="hf"), int(23.6 * GIB), CATALOG)
    assert changes[-1].fits
    assert "method" in slots(changes)


def test_several_cards_are_used_before_anything_is_given_up():
    setup = SetUp(
        model="meta-llama/Llama-3.1-8B",
        method="full",
        n_gpus=4,
        sharding="ddp",
        trainer="axolotl",
        optimizer="adamw_8bit",
    )
    assert "sharding" in slots(make_it_fit(setup, int(40 * GIB), CATALOG))


def test_a_smaller_model_is_named_where_nothing_else_helps():
    changes = make_it_fit(SetUp(model="meta-llama/Llama-3.1-70B", method="qlora"), int(7.5 * GIB), CATALOG)
    *_, last = changes
    assert last.fits
    assert last.alternative is (last.slot == "params_b")


def test_a_batch_that_is_halved_is_accumulated():
    setup = SetUp(
        model="meta-llama/Llama-3.1-8B", method="lora", micro_batch=16, grad_accum=2, seq_len=4096, trainer="unsloth"
    )
    batch = next(c for c in make_it_fit(setup, int(30 * GIB), CATALOG) if c.slot == "micro_batch")
    assert batch.updates["micro_batch"] * batch.updates["grad_accum"] >= 32


def test_fits_compares_what_the_card_shows():
    found = estimate(SetUp(params_b=1, method="qlora"), CATALOG)
    assert fits(found, found.device)
    assert not fits(found, found.device - 1)
    assert not fits(found._replace(device=found.device + 1), found.device)


@pytest.mark.parametrize("usable", [0, 1, 10**6])
def test_a_card_without_memory_holds_nothing(usable):
    setup = SetUp(params_b=8, method="qlora")
    assert largest_seq_len(setup, usable, CATALOG) is None
    assert largest_models(setup, usable, CATALOG) == ()
    assert largest_size_b(setup, usable, CATALOG) is None
    assert not any(change.fits for change in make_it_fit(setup, usable, CATALOG))
