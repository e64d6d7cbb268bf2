"""The first line answers what is asked: why it failed, how far it goes, what is enough."""

import pytest

from advisor.advisor import advise
from advisor.query import CardCount, Kind, Query
from bot.renderer import SCREEN, render
from knowledge.catalog import load_catalog

EIGHT_B = "meta-llama/Llama-3.1-8B"


def query(kind: Kind, *cards: tuple[str, int], **slots: object) -> Query:
    gpus = tuple(CardCount(gpu=gpu, count=count) for gpu, count in cards)
    stated = dict.fromkeys((*slots, "gpus"), "stated")
    return Query(kind=kind, gpus=gpus, sources=stated, **slots)  # type: ignore[arg-type]


def first_line(asked: Query, language: str = "en") -> str:
    return render(advise(asked, load_catalog()), language).text.split("\n")[0]


def test_the_lowest_zero_stage_that_fits() -> None:
    asked = query(Kind.MULTI_GPU, ("a100-80gb-sxm", 8), model=EIGHT_B, method="full", trainer="deepspeed")
    assert advise(asked, load_catalog()).verdict.code == "zero2"


def test_a_run_that_died_on_several_cards_is_helped() -> None:
    asked = query(Kind.MULTI_GPU, ("rtx-3090", 2), model=EIGHT_B, method="qlora", symptoms=("oom_load",))
    assert "before the first step" in first_line(asked)


def test_long_contexts_go_on_with_checkpoints_in_system_ram() -> None:
    asked = query(Kind.CONTEXT_LENGTH, ("a100-80gb-sxm", 1), model=EIGHT_B, trainer="unsloth", seq_len=180_000)
    assert any(change.slot == "activation_offload" for change in advise(asked, load_catalog()).changes)


def test_twice_the_length_that_ran() -> None:
    slots = {"model": EIGHT_B, "method": "full", "offload": "optimizer", "trainer": "deepspeed"}
    asked = query(Kind.CONTEXT_LENGTH, ("a100-80gb-sxm", 8), seq_len=8192, symptoms=("oom_step",), **slots)
    assert advise(asked, load_catalog()).verdict.facts["next"]["tokens"] == 16384


def test_a_server_card_that_is_only_mentioned() -> None:
    asked = query(Kind.FITS_CHECK, ("rtx-4090", 2), ("a100-80gb-sxm", 1), model=EIGHT_B, method="qlora")
    assert "A100" not in first_line(asked)


def test_cards_without_bf16_have_no_pure_bf16_way() -> None:
    asked = query(Kind.FITS_CHECK, ("v100-32gb", 8), model=EIGHT_B, method="full")
    assert {need.stack for need in advise(asked, load_catalog()).needs} == {"master_8bit", "full_adamw"}


def test_rollouts_want_room() -> None:
    plain, rollouts = (
        advise(query(Kind.WHICH_GPU, model=EIGHT_B, method="qlora", algorithm=a), load_catalog()).verdict.facts
        for a in ("sft", "grpo")
    )
    assert rollouts["minimum_gb"] > plain["minimum_gb"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("symptom", ["after_update", "too_fast", "from_scratch", "lighter_fails", "same_settings"])
def test_a_reason_stands_above_the_figures(symptom: str, language: str) -> None:
    plain = query(Kind.OOM_HELP, ("rtx-3090", 1), model=EIGHT_B, symptoms=("oom_step",))
    asked = plain.model_copy(update={"symptoms": ("oom_step", symptom)})
    assert first_line(asked, language) != first_line(plain, language)
    verdict = first_line(plain, language).split("**")[1]
    assert verdict in render(advise(asked, load_catalog()), language).text
    assert len(render(advise(asked, load_catalog()), language).text) <= SCREEN + 60


def test_a_smaller_desk_card_says_which_rescue() -> None:
    asked = query(Kind.FITS_CHECK, ("rtx-3090", 1), params_b=13.0, method="lora")
    assert "QLoRA" in first_line(asked)


def test_a_copy_on_each_of_several_cards_without_bf16_has_fp32_weights() -> None:
    asked = query(Kind.MULTI_GPU, ("gtx-1080-ti", 4), model="google-bert/bert-large-uncased", micro_batch=1)
    by_way = {need.stack: need for need in advise(asked, load_catalog()).needs}
    assert by_way["ddp"].device > by_way["zero2"].device > by_way["fsdp"].device


def test_a_budget_below_every_dated_price_gets_cards_to_look_for() -> None:
    facts = advise(Query(kind=Kind.WHICH_GPU, params_b=8.0, budget=600.0, currency="EUR"), load_catalog()).verdict.facts
    assert facts["look_for"] == ["RTX 5060 Ti 16GB", "RTX 4060 Ti 16GB", "RTX 3060 12GB"]
    little = advise(
        Query(kind=Kind.WHICH_GPU, params_b=8.0, budget=300.0, currency="EUR"), load_catalog()
    ).verdict.facts
    assert little["look_for"][0] == "RTX 3060 12GB"
    large = advise(Query(kind=Kind.WHICH_GPU, params_b=32.0, budget=600.0, currency="EUR"), load_catalog())
    assert large.verdict.facts["look_for"] == []


def test_who_names_no_card_and_no_number_hears_that_one_is_enough() -> None:
    facts = advise(query(Kind.MULTI_GPU, model=EIGHT_B, method="qlora"), load_catalog()).verdict
    assert (facts.code, facts.facts["one_gb"]) == ("one_is_enough", 12)
    two = query(Kind.MULTI_GPU, model=EIGHT_B, method="qlora", n_gpus=2)
    assert advise(two, load_catalog()).verdict.code != "one_is_enough"


def test_of_a_ranked_card_it_is_said_what_it_is_worth() -> None:
    advice = advise(query(Kind.WHICH_GPU, ("rtx-3090", 1)), load_catalog())
    assert advice.verdict.facts["worth"]["role"] == "best_value"
    assert "best value" in render(advice, "en").title
    assert advise(query(Kind.FITS_CHECK, ("rtx-3090", 1)), load_catalog()).verdict.facts["worth"] is None


def test_where_only_a_server_card_holds_it_qlora_stands_beside() -> None:
    facts = advise(query(Kind.WHICH_GPU, params_b=70.0, method="lora"), load_catalog()).verdict.facts
    assert (facts["tight"], facts["qlora_gb"]) == (True, 48)
    assert advise(query(Kind.WHICH_GPU, params_b=8.0, method="lora"), load_catalog()).verdict.facts["smaller"] is None


def test_what_stays_at_home_is_bought_not_rented() -> None:
    home = query(Kind.COST_BUY_VS_RENT, params_b=70.0, budget=3000.0, currency="EUR", symptoms=("stays_home",))
    assert advise(home, load_catalog()).kind is Kind.WHICH_GPU
    rented = query(Kind.COST_BUY_VS_RENT, params_b=70.0, budget=3000.0, currency="EUR")
    assert advise(rented, load_catalog()).kind is Kind.COST_BUY_VS_RENT


@pytest.mark.parametrize("kind", [Kind.FITS_CHECK, Kind.TIME_ESTIMATE])
def test_a_speed_that_was_seen_is_about_time(kind: Kind) -> None:
    asked = query(kind, ("rtx-4090", 1), model=EIGHT_B, method="qlora", seen_tokens_per_s=900.0)
    assert advise(asked, load_catalog()).kind is Kind.TIME_ESTIMATE


def test_a_speed_beside_a_failure_is_not() -> None:
    slots: dict[str, object] = {"seen_s_per_step": 3.0, "symptoms": ("oom_step",)}
    asked = query(Kind.OOM_HELP, ("rtx-4090", 1), model=EIGHT_B, method="qlora", **slots)
    assert advise(asked, load_catalog()).kind is Kind.OOM_HELP


def test_who_ran_out_and_asks_for_a_card_gets_a_card() -> None:
    asked = query(Kind.WHICH_GPU, model=EIGHT_B, method="qlora", symptoms=("oom_step",))
    failed = advise(asked.model_copy(update={"gpus": (CardCount(vram_gb=8.0),)}), load_catalog())
    assert (failed.kind, failed.verdict.code) == (Kind.WHICH_GPU, "owned_failed")
    assert "8 GB holds it only with Unsloth; 16 GB hold it either way" in render(failed, "en").title
    large = advise(asked.model_copy(update={"gpus": (CardCount(vram_gb=24.0),)}), load_catalog())
    assert large.kind is Kind.OOM_HELP
    short = advise(
        query(Kind.WHICH_GPU, ("rtx-3060-12gb", 1), params_b=7.0, method="lora", symptoms=("oom_step",)), load_catalog()
    )
    assert short.verdict.code == "owned_short"
    assert "with QLoRA it fits" in render(short, "en").title
    assert any(option.gpu == "rtx-3090" for option in short.options)


def test_a_budget_for_two_sizes_names_what_it_buys() -> None:
    asked = query(Kind.WHICH_GPU, params_b=13.0, models=("7B",), budget=1500.0, currency="USD")
    line = first_line(asked.model_copy(update={"gpus": ()}))
    assert "Within 1,500 USD: used RTX 3090." in line


def test_a_card_that_only_the_leanest_stack_fits_is_called_so() -> None:
    asked = query(Kind.WHICH_GPU, ("rtx-a6000", 1), params_b=70.0, method="qlora", budget=2500.0, currency="EUR")
    line = first_line(asked)
    assert "RTX A6000 holds it, only with Unsloth." in line
    assert "Within" not in line


def test_a_length_without_a_card_names_the_size_that_holds_it() -> None:
    asked = query(Kind.CONTEXT_LENGTH, model="google/gemma-3-12b-it", method="qlora", seq_len=16384)
    assert "24 GB hold it with Unsloth" in first_line(asked.model_copy(update={"gpus": ()}))
