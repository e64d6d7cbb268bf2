"""What is kept of a set-up between answers is what the estimator says of it, however it is asked."""

from typing import Any

import pytest

from advisor.estimator import estimate, resolve
from advisor.estimator.speed import gpu_of, job_hours, tokens_per_second
from advisor.query import SetUp
from advisor.remembered import needed_by, pace_of, plan_of, speed_of
from advisor.signs import signs_of
from advisor.stacks import SET_UP_FIELDS, STOCK, UNSLOTH
from advisor.topics.oom_help.contrast import _apart
from advisor.topics.time_estimate import job
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case

SHAPE = {
    "hidden_size": 4096,
    "layers": 32,
    "heads": 32,
    "kv_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}
SET_UPS: tuple[dict[str, Any], ...] = (
    {"params_b": 8.0, "method": "qlora", "seq_len": 2048, "trainer": "unsloth"},
    {"model": "Qwen/Qwen3-30B-A3B", "method": "lora", "micro_batch": 4, "n_gpus": 4, "sharding": "fsdp"},
    {"model": "gpt2", "method": "full", "attention": "eager", "seq_len": 700, "grad_accum": 8},
    {"arch": SHAPE, "method": "lora", "lora_targets": ["q_proj", "v_proj"]},
)


def _values(slots: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(map(slots.get, SET_UP_FIELDS))


@pytest.mark.parametrize("slots", SET_UPS)
def test_a_need_is_the_estimators_word(slots: dict[str, Any]) -> None:
    found = estimate(SetUp(**slots), load_catalog())
    for _ in range(2):
        needed = needed_by(_values(slots), load_catalog())
        assert (needed["device"], needed["components"]) == (found.device, found.components)
        assert needed["high"] - found.high == needed["low"] - found.low == found.device - found.reserved


@pytest.mark.parametrize("slots", SET_UPS)
def test_values_resolve_as_the_set_up_that_they_stand_for(slots: dict[str, Any]) -> None:
    ours, plain = plan_of(_values(slots), load_catalog()), resolve(SetUp(**slots), load_catalog())
    assert vars(ours) | {"terms": None} == vars(plain) | {"terms": None}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("slots", SET_UPS)
def test_a_pace_times_a_job_is_the_estimators_hours(slots: dict[str, Any], packed: bool) -> None:
    catalog, gpu = load_catalog(), load_catalog().gpus["rtx-4090"]
    plan = resolve(SetUp(**slots, gpu=gpu.name), catalog)
    pace = pace_of(_values(slots | {"gpu": gpu.name}), gpu.id, 400, packed, catalog)
    hours = job_hours(plan, gpu, 1000, tokens_per_example=400, packed=packed)
    assert pace is not None
    assert hours is not None
    took = 1000 * pace.each / pace.rate.mid / pace.n_gpus / 3600
    assert took == pytest.approx(hours.mid)


def test_a_speed_alone_is_the_speed_of_the_whole_estimate() -> None:
    slots = SET_UPS[0] | {"gpu": "RTX 4090"}
    rate = tokens_per_second(resolve(SetUp(**slots), load_catalog()), gpu_of("RTX 4090", load_catalog()))
    assert rate is not None
    assert speed_of(_values(slots), load_catalog()) == rate.mid == estimate(SetUp(**slots), load_catalog()).tokens_per_s
    assert speed_of(_values(SET_UPS[0]), load_catalog()) is None


def test_a_plan_at_another_length_is_that_length_resolved() -> None:
    plan = resolve(SetUp(**SET_UPS[2]), load_catalog())
    longer = resolve(SetUp(**SET_UPS[2] | {"seq_len": 900}), load_catalog())
    assert vars(plan.at(900)) | {"terms": None} == vars(longer) | {"terms": None}
    assert plan.seq_len == 700


def test_twice_the_data_takes_twice_the_time() -> None:
    made = case(kind="time_estimate", params_b=8.0, method="qlora", gpus=cards("rtx-4090"))
    assert made.gpu is not None
    once, twice = (job(made, made.gpu, tokens, 512, 1.0, (UNSLOTH, STOCK)) for tokens in (512_000, 1_024_000))
    assert once is not None
    assert twice is not None
    assert twice == pytest.approx([2 * hours for hours in once])


def test_signs_name_the_kind_of_card_and_model() -> None:
    old = case(kind="fits_check", model="Qwen/Qwen3-30B-A3B", gpus=cards("t4"))
    assert {"card_without_bf16", "experts", "gpus", "model"} <= signs_of(old)
    assert not {"card_before_volta", "several", "apple_card"} & signs_of(old)
    assert {"amd_card", "several"} <= signs_of(case(kind="fits_check", gpus=cards("mi50-32gb", 2)))
    mac = signs_of(case(kind="fits_check", params_b=8.0, gpus=cards("apple-m3-max")))
    assert {"apple_card", "unified_card"} <= mac
    assert "experts" not in mac


def test_parts_that_differ_as_much_are_told_apart_in_their_order() -> None:
    """Two components of equal difference: the first of the estimate's order is named, in every run."""
    slots: dict[str, Any] = {"kind": "fits_check", "params_b": 8.0, "method": "qlora", "gpus": cards("rtx-4090")}
    least = case(**slots).lean
    more = {name: size + 2**30 for name, size in least.components.items() if name in ("weights", "activations")}
    most = least.model_copy(update={"components": {**least.components, **more}})
    assert _apart(most, least)["part"] == "weights"
