"""An answer on a failed run says each thing once, and no figure against another."""

import pytest

from advisor.advice import Advice
from advisor.query import CardCount
from bot.renderer import render
from tests.advisor.rules.ask import cards, case

LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])
MISTRAL = {"model": "mistralai/Mistral-7B-v0.3", "method": "qlora"}


def ask(**slots: object) -> Advice:
    made = case(kind="oom_help", **slots)
    assert made.advice is not None
    return made.advice


@LANGUAGES
def test_a_single_change_is_told_once(language: str) -> None:
    """The first line names it with what is left; a list of one says nothing more."""
    advice = ask(
        model="meta-llama/Llama-3.1-8B", method="lora", seq_len=4096, micro_batch=4, gpus=cards("rtx-3090"),
        symptoms=("oom_step",), fused_loss=True,
    )  # fmt: skip
    assert len(advice.changes) == 1
    text = render(advice, language).text
    assert "1. " not in text
    assert ("with batch 1 per card it fits" if language == "en" else "mit Batch 1 je Karte passt es") in text


def test_no_ladder_beside_the_longest_length_that_fits() -> None:
    """Where the card holds lengths up to a limit, that limit is told, and no table of lengths besides."""
    for slots in ({"model": "Qwen/Qwen-14B", "method": "qlora", "gpus": cards("rtx-3090", 4)},
                  {**MISTRAL, "gpus": cards("rtx-3090")}):  # fmt: skip
        advice = ask(**slots, symptoms=("oom_step",))
        assert advice.verdict.code in ("close", "length")
        assert advice.verdict.facts["limit"]
        assert advice.rungs == ()


def test_the_default_batch_is_told_where_it_is_tight() -> None:
    tight = ask(model="Qwen/Qwen-14B", method="qlora", gpus=cards("rtx-3090", 4), symptoms=("oom_step",))
    assert tight.verdict.code == "close"
    assert tight.verdict.facts["default_batch"] > 24e9
    stated = ask(
        model="Qwen/Qwen-14B", method="qlora", micro_batch=1, gpus=cards("rtx-3090", 4), symptoms=("oom_step",)
    )
    assert stated.verdict.facts["default_batch"] is None


def test_a_suspect_names_the_shorter_length_that_would_do() -> None:
    advice = ask(model="THUDM/chatglm-6b", method="lora", gpus=cards("v100-32gb"), symptoms=("oom_step",))
    found = {suspect["why"]: suspect for suspect in advice.verdict.facts["suspects"]}
    assert 512 <= found["batch"]["tokens"] < 2048
    stated = ask(model="THUDM/chatglm-6b", method="lora", seq_len=2048, gpus=cards("v100-32gb"), symptoms=("oom_step",))
    assert all(suspect.get("tokens") is None for suspect in stated.verdict.facts["suspects"])


@LANGUAGES
def test_late_although_every_batch_of_that_length_fits(language: str) -> None:
    """It dies at step 431 with a length that fits by far: no long batch of that length, so the cut or an evaluation."""
    slots = {**MISTRAL, "micro_batch": 2, "trainer": "unsloth", "gpus": cards("rtx-4070"), "symptoms": ("oom_later",)}
    assert "input_ids.shape" in render(ask(**slots, seq_len=2048), language).text
    assert "input_ids.shape" not in render(ask(**slots), language).text
    long = ask(**slots, seq_len=32_768)
    assert long.verdict.code == "too_big"


@LANGUAGES
def test_what_only_runs_models_needs_no_length(language: str) -> None:
    advice = ask(params_b=70.0, trainer="llama.cpp", symptoms=("oom_step",))
    assert advice.rungs == ()
    assert advice.asks is None
    assert "checkpointing" not in render(advice, language).text.lower()


def test_layers_spread_over_cards_come_before_offload() -> None:
    """65B in 4 bit over four 12 GB cards: which flags are left."""
    advice = ask(
        params_b=65.0, weight_bits=4.0, micro_batch=1, gpus=(CardCount(vram_gb=12.0, count=4),), symptoms=("oom_step",)
    )
    text = render(advice, "en").text
    assert text.index("`device_map`") < text.index("of system RAM (slow)")
    for flag in ("bnb_4bit_use_double_quant", "paged_adamw_8bit", "max_memory"):
        assert flag in text


def test_a_guide_for_another_model_is_no_contrast() -> None:
    """ "The guide says 70B works on 4x 24 GB, why does my 8B fail": only the 8B is the writer's."""
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "models": ("meta-llama/Meta-Llama-3-70B",), "method": "qlora"}
    setup = {"seq_len": 8192, "sharding": "fsdp", "gpus": cards("a40", 4), "symptoms": ("oom_step",)}
    assert ask(**slots, **setup, claims=("table_covers_me",)).verdict.code == "should_fit"


def test_standby_is_by_design_only_where_the_pool_was_seen() -> None:
    slots = {"model": "Qwen/Qwen2.5-1.5B", "algorithm": "grpo", "gpus": cards("rtx-4080")}
    assert "STANDBY" not in render(ask(**slots), "en").text
    assert "STANDBY" in render(ask(**slots, symptoms=("oom_generate",)), "en").text


def test_a_pair_of_preferences_has_its_limit() -> None:
    """Batch 2 on 80 GB: by the sum it fits, so from which length it does not is told."""
    advice = ask(
        params_b=4.0, method="lora", algorithm="dpo", micro_batch=2, gpus=cards("a100-80gb-sxm"), symptoms=("oom_step",)
    )
    assert advice.verdict.facts["limit"] > 4096
    assert advice.rungs == ()


def test_the_first_optimizer_step_leads_with_what_it_takes() -> None:
    advice = ask(
        model="meta-llama/Llama-3.1-8B", method="full", optimizer="adamw", gpus=cards("a100-80gb-sxm"),
        symptoms=("oom_step", "oom_second"),
    )  # fmt: skip
    title = render(advice, "en").title
    assert title.startswith("All weights with AdamW take 1")
    assert "has 78" in title
    assert advice.verdict.facts["lean_full"] < advice.verdict.facts["full"] / 2


def test_fsdp_takes_no_device_map() -> None:
    slots = {"model": "meta-llama/Meta-Llama-3-70B", "method": "qlora", "symptoms": ("oom_load",)}
    split = render(ask(**slots, sharding="fsdp", gpus=cards("rtx-4090", 2)), "en").text
    assert '`device_map="auto"`' not in split
    assert "without a `device_map`" in split
    assert '`device_map="auto"`' in render(ask(**slots, gpus=cards("rtx-4090")), "en").text


@LANGUAGES
def test_ppo_holds_more_than_the_policy(language: str) -> None:
    """PPO: policy, reference, reward and value model; vLLM's pool is not its first cause."""
    slots = {"params_b": 7.0, "trainer": "trl", "micro_batch": 1, "gpus": cards("a100-40gb-pcie", 2)}
    ppo = render(ask(**slots, algorithm="ppo", symptoms=("oom_step",)), language)
    assert "Value" in ppo.title or "value model" in ppo.title
    assert "gpu_memory_utilization" not in ppo.text
    assert "gpu_memory_utilization" in render(ask(**slots, algorithm="grpo", symptoms=("oom_step",)), language).text


def test_layers_over_the_cards_are_named_only_where_nothing_simpler_does() -> None:
    """Mixtral on two 24 GB cards: experts in 4 bit, not a `device_map`."""
    slots = {"model": "mistralai/Mixtral-8x7B-v0.1", "method": "qlora", "gpus": cards("rtx-3090", 2)}
    advice = ask(**slots, symptoms=("oom_step",))
    assert advice.verdict.facts["layered"]
    text = render(advice, "en").text
    assert "device_map" not in text
    assert "experts in 4 bit" in text


@LANGUAGES
def test_a_small_block_means_a_full_card(language: str) -> None:
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "gpus": cards("rtx-3090")}
    word = "full already" if language == "en" else "schon voll"
    for size, said in ((0.02, True), (2.0, False)):
        advice = ask(**slots, tried_allocate_gib=size, symptoms=("oom_step",))
        assert (word in render(advice, language).text) == said


def test_a_batch_that_runs_is_not_called_too_large() -> None:
    """22.7 GB at batch 16 run, batch 32 spills into shared memory: the estimate does not contradict what ran."""
    slots = {"params_b": 13.0, "method": "lora", "weight_bits": 8.0, "micro_batch": 16, "gpus": cards("rtx-3090")}
    more = {"os": "windows", "symptoms": ("slow_spill",), "claims": ("shared_memory_counts",)}
    text = render(ask(**slots, **more, seen_gib=22.7), "en").text
    assert "The 22.7 GiB at batch 16 are what the card holds" in text
    assert "takes" not in text.split("\n")[0]
    assert "takes" in render(ask(**slots, **more), "en").text.split("\n")[0]


def test_states_that_fill_the_cards_are_no_long_batch() -> None:
    """Dies at step 2, all weights over two 80 GB cards: no length of a batch is the reason."""
    full = ask(
        model="meta-llama/Llama-3.1-8B", method="full", sharding="fsdp", gpus=cards("h100-sxm", 2),
        symptoms=("oom_step", "oom_later"),
    )  # fmt: skip
    assert full.verdict.code == "too_big"
    assert "long batch" not in render(full, "en").title
    lora = ask(
        model="meta-llama/Llama-3.1-8B", method="lora", micro_batch=6, seq_len=8192, gpus=cards("a100-80gb-sxm"),
        symptoms=("oom_step", "oom_later"),
    )  # fmt: skip
    assert "long batch" in render(lora, "en").title


@LANGUAGES
def test_pairs_that_fit_on_paper_are_said_to(language: str) -> None:
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "algorithm": "dpo", "gpus": cards("rtx-4090")}
    word = "nvidia-smi"
    stated = ask(**slots, seq_len=2048, micro_batch=1, symptoms=("oom_step",))
    assert word in render(stated, language).text
    assert word not in render(ask(**slots, symptoms=("oom_step",)), language).text


def test_standby_asks_for_nothing() -> None:
    advice = ask(model="Qwen/Qwen2.5-1.5B", algorithm="grpo", gpus=cards("a100-40gb-pcie"), symptoms=("oom_generate",))
    assert (advice.changes, advice.rungs, advice.asks) == ((), (), None)


def test_the_states_of_all_weights_stand_over_no_set_up_of_adapters() -> None:
    """Nobody said how: the answer counts all weights, so no line says QLoRA."""
    slots = {"params_b": 7.0, "gpus": cards("a100-80gb-sxm", 2), "symptoms": ("oom_step", "oom_second", "asks_normal")}
    reply = render(ask(**slots), "en")
    assert reply.title.startswith("Normal: all weights")
    assert "QLoRA" not in reply.text
    assert "full fine-tuning" in render(ask(**slots, method="full"), "en").text


@LANGUAGES
def test_who_dies_while_loading_hears_whether_training_fits(language: str) -> None:
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "seq_len": 1024, "symptoms": ("oom_load",)}
    said = "on Unsloth: it fits" if language == "en" else "mit Unsloth: Es passt"
    assert said in render(ask(**slots, gpus=cards("rtx-3080-10gb")), language).text
    assert said not in render(ask(**slots, gpus=cards("rtx-4090")), language).text


def test_the_leaner_way_to_train_all_weights_is_told_where_it_fails_too() -> None:
    slots = {"model": "meta-llama/Llama-3.1-8B", "method": "full", "optimizer": "adamw_8bit", "seq_len": 4096}
    small = ask(**slots, gpus=cards("a100-40gb-pcie"), symptoms=("oom_step",))
    assert "even with bf16 weights" in render(small, "en").title
    large = ask(**slots, gpus=cards("a100-80gb-sxm"), symptoms=("oom_step",))
    assert "even with" not in render(large, "en").title


def test_tight_without_a_cure_says_so() -> None:
    slots = {"model": "Qwen/Qwen3-14B", "method": "qlora", "trainer": "unsloth", "gpus": cards("rtx-3060-12gb")}
    bare = ask(**slots, seq_len=512, symptoms=("oom_step",))
    assert (bare.verdict.code, bare.changes) == ("close", ())
    assert "smaller model" in render(bare, "en").text


@LANGUAGES
def test_changes_that_hardly_do_are_named_with_what_they_leave(language: str) -> None:
    """A 7B at 2,048 tokens on a GTX 1080 Ti, which runs no fused loss: even shortened it hardly fits."""
    asked = {"model": "Qwen/Qwen-7B", "method": "qlora", "seq_len": 2048, "gpus": cards("gtx-1080-ti")}
    advice = ask(**asked, symptoms=("oom_step",))
    assert advice.changes[-1].fit == "unlikely"
    assert {"en": "hardly (", "de": "kaum ("}[language] in render(advice, language).title


@LANGUAGES
def test_savers_that_are_on_are_not_recommended(language: str) -> None:
    """Of the usual five what is left; all five where nothing is said."""
    on = {"micro_batch": 1, "grad_checkpointing": True, "method": "qlora", "trainer": "unsloth"}
    told = render(ask(symptoms=("oom_step",), **on), language).text
    bare = render(ask(symptoms=("oom_step",)), language).text
    for word in ("heckpointing", "QLoRA (4", "Liger", {"en": "accumulation", "de": "Accumulation"}[language]):
        assert word in bare.split("*")[2]
        assert word not in told.split("*")[2]
    late = render(ask(symptoms=("oom_later",), **on, params_b=8.0, gpus=cards("rtx-3090")), language).text
    assert "ccumulation" not in late
