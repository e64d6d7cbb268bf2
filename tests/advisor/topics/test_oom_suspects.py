"""A set-up that should fit, and failed: what is likely, in order, each with the figure that would explain it."""

from typing import Any

import pytest

from advisor.query import CardCount
from bot.renderer import render
from tests.advisor.rules.ask import cards, case
from tests.advisor.topics.oom import ask

EIGHT = {"model": "meta-llama/Llama-3.1-8B", "method": "lora", "seq_len": 2048}
LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])


def suspects(**slots: Any) -> dict[str, int]:
    facts = ask(**slots, symptoms=("oom_step",)).verdict.facts
    return {suspect["why"]: suspect["bytes"] for suspect in facts["suspects"]}


def test_a_suspect_explains_the_failure_by_itself() -> None:
    found = suspects(**EIGHT, gpus=cards("v100-32gb"))
    made = case(kind="oom_help", **EIGHT, gpus=cards("v100-32gb"))
    assert made.usable is not None
    assert list(found)[:2] == ["batch", "checkpointing"]
    assert all(size > made.usable for code, size in found.items() if code != "length")


@pytest.mark.parametrize(
    ("stated", "cleared"),
    [
        ({"micro_batch": 1}, "batch"),
        ({"grad_checkpointing": True}, "checkpointing"),
        ({"weight_bits": 16}, "precision"),
    ],
)
def test_what_was_stated_is_no_suspect(stated: dict[str, Any], cleared: str) -> None:
    known = {"micro_batch": 1, "grad_checkpointing": True} if cleared == "precision" else {}
    assert cleared in suspects(**EIGHT, gpus=cards("v100-32gb"), **known)
    assert cleared not in suspects(**EIGHT, gpus=cards("v100-32gb"), **known, **stated)


def test_what_only_together_does_not_fit_is_told_together() -> None:
    given = {"params_b": 7.0, "method": "lora", "seq_len": 2048, "gpus": cards("a40")}
    found = suspects(**given)
    assert not {"batch", "checkpointing"}.intersection(found)
    assert found["both"] > 44 * 2**30
    assert "both" not in suspects(**given, micro_batch=1)


def test_all_processes_on_one_card_are_suspected_only_where_each_holds_a_copy() -> None:
    given = {"params_b": 13.0, "method": "qlora", "seq_len": 512, "micro_batch": 1, "grad_checkpointing": True}
    assert "gpu0" in suspects(**given, gpus=cards("rtx-3090", 8), sharding="ddp")
    assert "gpu0" not in suspects(**given, gpus=cards("rtx-3090", 8), sharding="fsdp")


@LANGUAGES
def test_without_a_suspect_another_process_is_left(language: str) -> None:
    tiny = {"model": "openai-community/gpt2", "micro_batch": 2, "gpus": cards("v100-16gb")}
    advice = ask(**tiny, symptoms=("oom_step",))
    assert advice.verdict.facts["suspects"] == []
    assert "nvidia-smi" in render(advice, language).text
    assert "1. " not in render(advice, language).text


@pytest.mark.parametrize("symptoms", [("oom_step",), ("oom_step", "oom_later")])
def test_the_limits_without_checkpointing_and_at_the_default_batch_are_told(symptoms: tuple[str, ...]) -> None:
    facts = ask(params_b=8.0, method="lora", gpus=cards("rtx-a6000"), symptoms=symptoms).verdict.facts
    assert 0 <= facts["limit_unchecked"] < facts["limit"]
    assert 0 <= facts["limit_batch"] < facts["limit"]


@LANGUAGES
def test_more_cards_that_hold_copies_add_no_memory(language: str) -> None:
    given = {"params_b": 7.0, "method": "lora", "seq_len": 12_288, "micro_batch": 1, "symptoms": ("oom_step",)}
    said = {"en": "more cards add no memory", "de": "mehr Karten bringen also keinen Speicher"}[language]
    four = ask(**given, gpus=cards("rtx-3090", 4))
    assert four.verdict.facts["copies"] is True
    assert said in render(four, language).text
    assert said not in render(ask(**given, gpus=cards("rtx-3090")), language).text


@LANGUAGES
def test_what_ran_before_the_update_is_not_too_large(language: str) -> None:
    given = {"params_b": 4.0, "gpus": cards("rtx-5090")}
    reason = {"en": "that is the reason", "de": "ist das der Grund"}[language]
    plain = ask(**given, symptoms=("oom_step",))
    assert plain.verdict.code == "method"
    assert reason in render(plain, language).text
    assert reason not in render(ask(**given, symptoms=("oom_step", "after_update")), language).text


@LANGUAGES
def test_after_an_update_the_version_is_the_suspect(language: str) -> None:
    given = {"params_b": 8.0, "method": "lora", "seq_len": 1024, "gpus": cards("v100-32gb")}
    assert "1. " in render(ask(**given, symptoms=("oom_step",)), language).text
    assert "1. " not in render(ask(**given, symptoms=("oom_step", "after_update")), language).text


def test_a_number_format_without_a_method_is_not_called_qlora() -> None:
    advice = ask(params_b=4.0, compute_dtype="bf16", gpus=cards("a100-80gb-sxm"), symptoms=("oom_step",))
    assert advice.verdict.code == "method"
    assert "QLoRA" not in render(advice, "en").text.split("\n")[0]


@pytest.mark.parametrize(
    ("slots", "code"),
    [
        ({"claims": ("table_covers_me",)}, "calculated"),
        ({"seen_gib": 22.0}, "calculated"),
        ({"seen_gib": 22.0, "symptoms": ("oom_step",)}, "unsized"),
        ({}, "no_error"),
        ({"symptoms": ("oom_step",)}, "unsized"),
    ],
)
def test_without_a_model_the_answer_is_to_what_was_told(slots: dict[str, Any], code: str) -> None:
    assert ask(**slots, gpus=cards("rtx-4090")).verdict.code == code


@LANGUAGES
def test_the_default_batch_leads_where_it_is_what_breaks_dpo(language: str) -> None:
    given = {"params_b": 0.5, "algorithm": "dpo", "gpus": cards("rtx-3090"), "symptoms": ("oom_step",)}
    title = render(ask(**given), language).title
    assert ("batch of 8" in title) or ("Batch 8" in title)
    assert render(ask(**given, micro_batch=2), language).title.startswith("DPO")


@LANGUAGES
def test_saving_8_bit_weights_names_the_second_copy(language: str) -> None:
    given = {"params_b": 15.0, "method": "lora", "gpus": cards("rtx-3090"), "symptoms": ("oom_step", "oom_save")}
    assert "bitsandbytes" in render(ask(**given, weight_bits=8), language).title
    assert "bitsandbytes" not in render(ask(**given, weight_bits=4), language).title


@LANGUAGES
def test_states_that_no_batch_shrinks_are_named(language: str) -> None:
    gpu, tight = cards("rtx-a4000"), {"method": "full", "optimizer": "adamw", "autocast": True, "seq_len": 256}
    advice = ask(params_b=0.72, micro_batch=1, gpus=gpu, symptoms=("oom_step",), **tight)
    assert advice.verdict.code == "close"
    assert advice.verdict.facts["standing"] > 0.7 * advice.verdict.facts["stock"]
    said = {"en": "no batch and no length shrinks", "de": "keine Batch und keine Länge verkleinert"}[language]
    assert said in render(advice, language).text


@pytest.mark.parametrize(
    ("params_b", "gpu", "count", "ram_gb", "least"),
    [
        (70.0, "a100-80gb-sxm", 8, 1024.0, 1100),
        (33.0, "a100-40gb-pcie", 8, 600.0, 700),
        (7.0, "a100-40gb-pcie", 1, 94.0, 100),
    ],
)
@pytest.mark.parametrize("kind", ["oom_help", "system_ram"])
def test_offload_that_outgrew_the_stated_ram_died_of_it(
    kind: str, params_b: float, gpu: str, count: int, ram_gb: float, least: int
) -> None:
    """Three reports: 70B not in 1 TB, 33B not in 600 GB (it ran in 750 to 800), 7B not in 94 GB."""
    given = {"params_b": params_b, "method": "full", "sharding": "zero3", "offload": "params", "trainer": "deepspeed"}
    advice = ask(kind, **given, gpus=cards(gpu, count), ram_gb=ram_gb, symptoms=("oom_step",))
    assert (advice.kind, advice.verdict.code) == ("system_ram", "offload")
    assert advice.verdict.facts["enough"] is False
    assert advice.verdict.facts["plan_gb"] >= least
    assert render(advice, "en").title.startswith("System RAM")
    assert render(advice, "de").title.startswith("Voll war der RAM")


def test_offload_with_enough_ram_ran_out_on_the_card() -> None:
    given = {"params_b": 7.0, "method": "full", "sharding": "zero3", "offload": "params", "trainer": "deepspeed"}
    assert ask("system_ram", **given, gpus=cards("rtx-3090"), ram_gb=512.0, symptoms=("oom_step",)).verdict.code == (
        "gpu_oom"
    )
    short = {"gpus": cards("rtx-3090"), "ram_gb": 64.0, "symptoms": ("oom_step", "oom_gpu")}
    assert ask("system_ram", **given, **short).verdict.code == "gpu_oom"


@LANGUAGES
def test_dpo_is_no_second_optimizer_and_the_answer_starts_with_no(language: str) -> None:
    given = {"params_b": 7.0, "algorithm": "dpo", "method": "lora", "gpus": cards("a100-80gb-sxm")}
    title = render(ask(**given, symptoms=("oom_step",), claims=("dpo_is_double",)), language).title
    assert title.startswith({"en": "No: ", "de": "Nein: "}[language])
    assert not render(ask(**given, symptoms=("oom_step",)), language).title.startswith(("No:", "Nein:"))


def test_a_reading_of_the_whole_card_is_where_it_died() -> None:
    given = {"params_b": 6.0, "method": "lora", "gpus": cards("v100-32gb")}
    full = ask(**given, seen_gib=30.8)
    assert full.verdict.code in ("length", "should_fit")
    assert full.verdict.facts["seen"] is None
    assert ask(**given, seen_gib=20.0).verdict.code in ("normal", "too_much")


@LANGUAGES
def test_far_above_the_estimate_is_not_called_normal(language: str) -> None:
    given = {"params_b": 7.0, "method": "qlora", "gpus": cards("a100-80gb-sxm"), "claims": ("smi_is_need",)}
    near, far = (render(ask(**given, seen_gib=seen), language).title for seen in (9.0, 60.0))
    assert near.startswith("Normal")
    assert not far.startswith("Normal")


def test_a_claimed_and_a_seen_figure_are_set_side_by_side_whatever_the_kind() -> None:
    given = {"params_b": 13.0, "method": "qlora", "seen_gib": 14.0, "claimed_gib": 10.0, "claims": ("table_covers_me",)}
    for kind in ("fits_check", "faq_definition", "oom_help"):
        advice = ask(kind, **given)
        assert (advice.kind, advice.verdict.code) == ("oom_help", "normal")
        assert "10.0 GiB" in render(advice, "en").text
        assert "14.0 GiB" in render(advice, "en").title


@pytest.mark.parametrize(("os", "code"), [("windows", "spill"), ("windows-wsl2", "spill"), ("linux", "length")])
def test_on_windows_slow_is_the_driver_spilling(os: str, code: str) -> None:
    given = {"params_b": 7.0, "method": "qlora", "gpus": cards("rtx-4070"), "symptoms": ("oom_step", "slow")}
    assert ask(**given, os=os).verdict.code == code


@LANGUAGES
def test_layers_over_the_cards_are_named_where_a_split_does_not_fit(language: str) -> None:
    given = {"params_b": 65.0, "method": "qlora", "micro_batch": 1, "symptoms": ("oom_step",)}
    small = ask(**given, gpus=(CardCount(count=4, vram_gb=12.0),))
    layered = small.verdict.facts["layered"]
    assert layered["device"] <= small.verdict.facts["usable"]
    assert "device_map" in render(small, language).text
    split = ask(**given, gpus=(CardCount(count=4, vram_gb=12.0),), sharding="fsdp")
    assert split.verdict.facts["layered"] is None


def test_no_ladder_where_no_rung_fits() -> None:
    assert ask(params_b=70.0, method="lora", gpus=cards("rtx-3090"), symptoms=("oom_step",)).rungs == ()
    assert ask(params_b=14.0, method="qlora", gpus=cards("rtx-3060-12gb"), symptoms=("oom_step",)).rungs


@LANGUAGES
def test_the_buffers_of_zero_3_are_among_the_suspects(language: str) -> None:
    given = {"params_b": 13.0, "method": "full", "gpus": cards("l40s", 8), "symptoms": ("oom_step",)}
    assert "stage3_max_live_parameters" in render(ask(**given, sharding="zero3"), language).text
    assert "stage3_max_live_parameters" not in render(ask(**given, sharding="fsdp"), language).text


@pytest.mark.parametrize("symptom", ["slow_spill", "disk_full", "oom_eval", "oom_later", "oom_save"])
def test_what_needs_no_model_asks_for_none(symptom: str) -> None:
    assert ask(symptoms=(symptom,)).asks is None
    assert ask(symptoms=("oom_step",)).asks == "model"


@pytest.mark.parametrize("symptom", ["oom_load", "oom_eval", "oom_save"])
def test_what_dies_outside_the_step_hears_nothing_of_a_smaller_step(symptom: str) -> None:
    assert ask(params_b=8.0, method="lora", gpus=cards("rtx-3060-12gb"), symptoms=("oom_step", symptom)).changes == ()
    assert ask(params_b=8.0, method="lora", gpus=cards("rtx-3060-12gb"), symptoms=("oom_step",)).changes


def test_where_only_a_split_fits_a_copy_per_card_is_suspected_first() -> None:
    found = suspects(params_b=13.0, method="lora", gpus=cards("rtx-4090", 2))
    assert next(iter(found)) == "copied"
    assert found["limit_batch"] >= 0


def test_at_a_long_stated_length_longer_examples_are_the_first_suspect() -> None:
    a40 = {"params_b": 8.0, "method": "qlora", "gpus": cards("a40", 4), "sharding": "fsdp"}
    assert next(iter(suspects(**a40, seq_len=8192))) == "length"
    assert next(iter(suspects(**a40, seq_len=2048))) != "length"
