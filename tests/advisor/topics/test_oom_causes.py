"""Why a run died: the states of the first step, the length that still fits, no question beside the point."""

from typing import Any

import pytest

from advisor.advisor import advise
from advisor.query import CardCount, Query
from advisor.stacks import GIB
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case


def cause(**slots: Any) -> str:
    made = case(kind="oom_help", **slots)
    assert made.advice is not None
    return made.advice.verdict.code


@pytest.mark.parametrize("method", [None, "full"])
def test_the_second_step_has_the_states_of_the_first(method: str | None) -> None:
    given = {"params_b": 7.0, "gpus": cards("a100-80gb-sxm", 2), "symptoms": ("oom_step", "oom_second")}
    assert cause(**given, **({"method": method} if method else {})) == "states"


def test_adapters_have_hardly_any_states() -> None:
    given = {"params_b": 7.0, "method": "lora", "gpus": cards("a100-80gb-sxm"), "seq_len": 2048, "micro_batch": 1}
    assert cause(**given, symptoms=("oom_step", "oom_second")) != "states"


def test_the_limit_is_a_length_that_fits_and_is_told() -> None:
    made = case(
        kind="oom_help", model="google/gemma-3-4b-it", method="qlora", gpus=cards("rtx-5090"), symptoms=("oom_step",)
    )
    assert made.advice is not None
    assert made.advice.verdict.code == "length"
    facts = made.advice.verdict.facts
    assert 2048 <= facts["limit"] <= facts["limit_lean"]
    assert made.need(made.stacks[-1], seq_len=facts["limit"]).fit in ("yes", "tight")


def test_where_every_length_fits_the_set_up_is_at_fault_and_no_length_is_asked_for() -> None:
    made = case(kind="oom_help", params_b=1.0, method="lora", gpus=cards("h200-sxm"), symptoms=("oom_step",))
    assert made.advice is not None
    assert made.advice.verdict.code == "should_fit"
    assert made.advice.asks != "seq_len"


@pytest.mark.parametrize("optimizer", ["galore_adamw", "adafactor", "lomo"])
def test_an_optimizer_for_all_weights_means_all_weights(optimizer: str) -> None:
    assert case(kind="fits_check", params_b=7.0, optimizer=optimizer, gpus=cards("rtx-3090")).method == "full"
    assert case(kind="fits_check", params_b=7.0, method="lora", optimizer=optimizer).method == "lora"


def test_two_bytes_a_parameter_more_are_mended_and_other_differences_are_normal() -> None:
    slots = {"params_b": 7.0, "method": "lora", "seq_len": 2048, "trainer": "hf", "gpus": cards("rtx-3090")}
    assert cause(**slots, seen_gib=38.0) == "too_much"
    assert cause(**slots, seen_gib=17.0) == "normal"


def test_shared_memory_is_the_answer_where_hours_have_no_data() -> None:
    given = {"params_b": 13.0, "method": "lora", "weight_bits": 8, "micro_batch": 16, "gpus": cards("rtx-3090")}
    spilling = case(kind="time_estimate", **given, claims=("shared_memory_counts",), seen_gib=22.7)
    assert spilling.advice is not None
    assert spilling.advice.verdict.code == "shared"
    assert spilling.advice.verdict.facts["held"]
    assert not spilling.advice.changes  # what the card holds runs: no list of savers
    counted = case(kind="time_estimate", **given, claims=("shared_memory_counts",), dataset_examples=5000)
    assert counted.advice is not None
    assert counted.advice.verdict.code == "hours"


@pytest.mark.parametrize("model", ["google-t5/t5-base", "bigscience/mt0-xxl"])
def test_relative_positions_set_no_limit(model: str) -> None:
    made = case(kind="oom_help", model=model, gpus=cards("rtx-3090", 8), symptoms=("oom_step",))
    assert made.max_context > 4096
    assert made.seq_len == 512


@pytest.mark.parametrize(("method", "count", "gathers"), [("full", 4, True), ("full", 1, False), ("lora", 4, False)])
def test_whole_weights_are_gathered_where_the_shards_of_all_are_saved(method: str, count: int, gathers: bool) -> None:
    made = case(
        kind="oom_help", params_b=8.0, method=method, gpus=cards("a100-40gb-pcie", count), symptoms=("oom_save",)
    )
    assert made.advice is not None
    assert made.advice.verdict.code == "save"
    assert made.advice.verdict.facts["gathers"] is gathers


def test_what_should_fit_says_up_to_which_length_and_whether_one_card_alone_would_do() -> None:
    made = case(
        kind="oom_help",
        params_b=13.0,
        method="qlora",
        seq_len=1024,
        sharding="fsdp",
        gpus=cards("rtx-3090", 2),
        symptoms=("oom_step",),
    )
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert made.advice.verdict.code == "should_fit"
    assert facts["limit"] > 1024
    assert facts["alone"] < facts["usable"]
    assert facts["copied"] is None


def test_a_copy_per_card_is_named_where_only_a_split_fits() -> None:
    made = case(
        kind="oom_help",
        params_b=13.0,
        method="full",
        seq_len=2048,
        gpus=cards("a100-80gb-sxm", 8),
        symptoms=("oom_step",),
    )
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert facts["copied"] > facts["usable"] > facts["stock"]
    assert facts["alone"] is None


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("gpu", "count", "told"),
    [
        ("l40s", 4, "GPU 0"),
        ("l40s", 1, "nvidia-smi"),
        ("rtx-3090", 1, "dtype=torch.bfloat16"),
        ("rtx-3060-12gb", 1, "load_in_4bit"),
    ],
)
def test_a_crash_before_the_first_step_names_what_the_numbers_leave(
    gpu: str, count: int, told: str, language: str
) -> None:
    made = case(kind="oom_help", params_b=7.0, method="lora", gpus=cards(gpu, count), symptoms=("oom_step", "oom_load"))
    assert made.advice is not None
    text = render(made.advice, language).text.split("\n\n")[0]
    assert told in text
    assert ("dtype=torch.bfloat16" in text) == (gpu == "rtx-3090")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_default_batch_is_told_where_it_is_what_does_not_fit(language: str) -> None:
    given = {"params_b": 3.0, "method": "lora", "gpus": cards("rtx-3090"), "symptoms": ("oom_step",)}
    made = case(kind="oom_help", **given)
    assert made.advice is not None
    assert made.advice.verdict.facts["default_batch"] > made.usable
    assert "Batch 8" in (text := render(made.advice, language).text) or "batch of 8" in text
    stated = case(kind="oom_help", micro_batch=1, **given)
    assert stated.advice is not None
    assert stated.advice.verdict.facts["default_batch"] is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_only_dpo_and_kto_have_a_reference(language: str) -> None:
    for algorithm in ("orpo", "simpo", "reward"):
        made = case(kind="oom_help", params_b=1.5, algorithm=algorithm, gpus=cards("rtx-3090"), symptoms=("oom_step",))
        assert made.advice is not None
        assert "precompute_ref_log_probs" not in render(made.advice, language).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_card_that_vllm_fills_is_standby_unless_it_ran_out(language: str) -> None:
    given = {"params_b": 3.0, "algorithm": "grpo", "gpus": cards("a100-40gb-pcie")}
    for symptoms, standby in ((("oom_generate",), True), (("oom_generate", "oom_step"), False)):
        made = case(kind="oom_help", symptoms=symptoms, **given)
        assert made.advice is not None
        assert ("UNSLOTH_VLLM_STANDBY" in render(made.advice, language).text) == standby


def test_no_limit_is_told_where_every_length_of_the_model_fits() -> None:
    """GPT-2 was made for 1,024 tokens, which fit: 512 would be no limit."""
    made = case(kind="oom_help", model="openai-community/gpt2", gpus=cards("v100-16gb"), symptoms=("oom_step",))
    assert made.advice is not None
    assert (made.advice.verdict.code, made.advice.verdict.facts["limit"]) == ("should_fit", None)


def test_who_asks_whether_a_use_is_normal_hears_of_it_and_not_of_a_crash() -> None:
    made = case(kind="fits_check", params_b=8.0, method="qlora", gpus=cards("rtx-3090"), symptoms=("asks_normal",))
    assert made.advice is not None
    assert (made.advice.kind, made.advice.verdict.code) == ("oom_help", "normal")
    assert made.advice.verdict.facts["most"] > made.advice.verdict.facts["stock"]
    assert "normal" not in cause(params_b=8.0, method="qlora", gpus=cards("rtx-3090"), symptoms=("oom_step",))


@pytest.mark.parametrize("language", ["en", "de"])
def test_weights_come_first_then_activations_then_states(language: str) -> None:
    """14 GB after loading, 77 in the first step, dead in the second: 16-bit weights of a 7B, then all the rest."""
    given = {"kind": "oom_help", "params_b": 7.0, "gpus": cards("a100-80gb-sxm", 2)}
    made = case(**given, symptoms=("oom_step", "oom_second", "asks_normal"))
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert 12.5 * 2**30 < facts["load_16"] < 13.5 * 2**30
    assert 0 < facts["step"] < facts["full"] - facts["load_16"]
    text = render(made.advice, language).text
    assert {"en": "in 16 bit", "de": "in 16 Bit"}[language] in text
    assert {"en": "frees little", "de": "spart davon wenig"}[language] not in text  # the length was not said


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("mac", [{"gpus": cards("apple-m2")}, {"gpus": (CardCount(vram_gb=8.0),), "os": "macos"}])
def test_a_mac_that_is_too_small_for_rollouts_gets_no_table_of_lengths(language: str, mac: dict[str, Any]) -> None:
    small = case(kind="oom_help", params_b=0.5, algorithm="grpo", symptoms=("oom_step",), **mac)
    assert small.advice is not None
    assert small.advice.rungs == ()
    assert small.advice.changes == ()
    assert small.advice.asks is None
    assert render(small.advice, language).title.startswith({"en": "Practically no", "de": "Praktisch nicht"}[language])


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_broke_it_is_not_recommended(language: str) -> None:
    """Accumulation ended it: the answer says why, and does not say to accumulate."""
    late = {"kind": "oom_help", "symptoms": ("oom_later",)}
    words = {"en": "with gradient accumulation", "de": "mit Gradient Accumulation"}[language]
    blamed = advise(Query(**late, claims=("accumulation_costs",)), load_catalog())
    assert words not in render(blamed, language).text
    assert words in render(advise(Query(**late), load_catalog()), language).text


MAC = {"model": "Qwen/Qwen2.5-1.5B", "method": "lora", "trainer": "mlx", "gpus": cards("apple-m2-max")}


def test_a_mac_hears_what_mlx_does_unless_told() -> None:
    made = case(kind="oom_help", **MAC, seen_gib=27.0, symptoms=("oom_step",))
    assert made.advice is not None
    assert made.advice.verdict.facts["as_shipped"] > 3 * made.advice.verdict.facts["stock"]
    text = render(advise(made.query, load_catalog()), "en").text
    assert "iogpu.wired_limit_mb" in text
    assert "nvidia-smi" not in text


def test_evaluation_that_fits_by_its_batch_is_told_by_its_logits() -> None:
    slots = {"model": "openai/gpt-oss-120b", "method": "qlora", "trainer": "unsloth", "seq_len": 32768}
    two = cards("rtx-pro-6000-blackwell", 2)
    made = case(kind="oom_help", **slots, gpus=two, sharding="pipeline", symptoms=("oom_eval",))
    assert made.advice is not None
    assert made.advice.verdict.facts["eval_sample"] == 4 * 32768 * 201_088


def test_long_examples_of_a_first_step_are_counted() -> None:
    slots = {"params_b": 7.0, "gpus": cards("a100-80gb-sxm", 2), "symptoms": ("oom_second", "long_unsaid")}
    made = case(kind="oom_help", **slots)
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert facts["step_long"] > 10 * facts["step"]
    assert facts["pure"] < facts["full"]


def test_copies_on_several_cards_are_told_what_one_takes() -> None:
    slots = {"model": "Qwen/Qwen-14B", "method": "qlora", "gpus": cards("rtx-3090", 4), "symptoms": ("oom_step",)}
    made = case(kind="oom_help", **slots)
    assert made.advice is not None
    assert made.advice.verdict.code == "close"
    assert made.advice.verdict.facts["one_card"]["tokens"] == 1024
    text = render(advise(made.query, load_catalog()), "en").text
    assert "even one card alone does" in text
    assert "ZeRO-3, that is the likely cause" in text


def test_layers_over_the_cards_lead_where_a_split_does_not_fit() -> None:
    slots = {"params_b": 65.0, "method": "qlora", "micro_batch": 1, "symptoms": ("oom_step",)}
    four = (CardCount(gpu=None, count=4, vram_gb=12.0),)
    query = case(kind="oom_help", **slots, gpus=four).query
    assert render(advise(query, load_catalog()), "en").text.startswith("**At the limit: layer by layer")


def test_pairs_are_counted_from_what_sft_took() -> None:
    slots = {"params_b": 7.0, "algorithm": "orpo", "gpus": cards("rtx-3090"), "symptoms": ("oom_step",)}
    made = case(kind="oom_help", **slots, seen_gib=14.0, named={"algorithm": ("orpo", "sft")})
    assert made.advice is not None
    assert made.advice.verdict.facts["from_sft"] > 20 * GIB
    assert "about 2" in render(advise(made.query, load_catalog()), "en").text


@pytest.mark.parametrize(
    ("language", "words"), [("en", "no long batch is behind it"), ("de", "eine lange Batch ist es")]
)
def test_packed_rows_that_die_late_are_no_long_batch(language: str, words: str) -> None:
    run = {"kind": "oom_help", "symptoms": ("oom_step", "oom_later"), "params_b": 8.0, "method": "qlora"}
    packed = case(**run, seq_len=2048, micro_batch=1, packing=True, gpus=cards("rtx-4090")).advice
    assert packed is not None
    assert packed.verdict.code == "later"
    assert words in render(packed, language).title
    padded = case(**run, seq_len=2048, micro_batch=1, gpus=cards("rtx-4090")).advice
    assert padded is not None
    assert words not in render(padded, language).title


def test_what_dies_in_the_second_step_of_rollouts_dies_of_the_states() -> None:
    """Reported: GRPO in full of a 7B on four cards, 40 GB in the first step, out of memory in the second."""
    given = {"params_b": 7.0, "gpus": cards("a100-80gb-sxm", 4), "algorithm": "grpo", "method": "full"}
    assert cause(**given, symptoms=("oom_step", "oom_generate", "oom_second")) == "states"
    assert cause(**given, symptoms=("oom_step", "oom_generate")) != "states"
    made = case(**given, kind="oom_help", symptoms=("oom_step", "oom_second"), claims=("leak_after_steps",))
    told = advise(made.query, load_catalog())
    assert "**No leak**" in render(told, "en").text
    assert "**Kein Leck**" in render(told, "de").text
