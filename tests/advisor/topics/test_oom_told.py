"""What is told of a failed run steers the answer: a suspected leak, a sequence that no split shares, vLLM's copy."""

import pytest

from advisor.rules import full_takes_cards, offload_does_not_shrink_activations, seen_tells
from bot.renderer import render
from tests.advisor.rules.ask import cards, case
from tests.advisor.topics.oom import ask, asked

LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])
LONG = {"model": "Qwen/Qwen2-7B", "method": "full", "micro_batch": 1, "symptoms": ("oom_step",)}
GLM = {"model": "THUDM/chatglm3-6b", "method": "lora", "micro_batch": 1, "gpus": cards("rtx-4090")}


@LANGUAGES
def test_a_split_shares_no_sequence_and_sharing_it_does(language: str) -> None:
    split = ask(**LONG, seq_len=122_880, sharding="zero3", gpus=cards("h100-sxm", 8))
    shared = split.verdict.facts["shared_sequence"]
    assert shared["tokens"] == 122_880 // 8
    assert shared["device"] < split.verdict.facts["usable"]
    assert {"en": "Sequence parallelism", "de": "Sequence Parallel"}[language] in render(split, language).text
    small = ask(**LONG, seq_len=2048, sharding="zero3", gpus=cards("rtx-3090", 2))
    assert small.verdict.facts["shared_sequence"] is None
    batched = {**LONG, "micro_batch": 6, "seq_len": 122_880, "sharding": "zero3", "gpus": cards("h100-sxm", 8)}
    assert ask(**batched).verdict.facts["shared_sequence"] is None


def test_more_cards_are_named_only_where_states_are_what_does_not_fit() -> None:
    long = case(kind="oom_help", **LONG, seq_len=122_880, sharding="zero3", gpus=cards("h100-sxm", 8))
    assert full_takes_cards.check(long) is None
    short = case(kind="oom_help", **LONG, seq_len=2048, sharding="zero3", gpus=cards("rtx-3090", 4))
    assert full_takes_cards.check(short) is not None


@LANGUAGES
def test_a_suspected_leak_gets_its_no_first(language: str) -> None:
    """Memory creeps up with longer examples, and without checkpointing few tokens fill the card."""
    no = {"en": "No leak", "de": "Kein Leck"}[language]
    leak = {"claims": ("leak_after_steps",), "symptoms": ("oom_step",)}
    creeps = ask(**GLM, seq_len=2560, **leak)
    assert (creeps.verdict.code, creeps.verdict.facts["unchecked_short"]) == ("later", True)
    assert render(creeps, language).title.startswith(no)
    assert render(ask(**GLM, **leak), language).title.startswith(no)
    large = ask(**LONG, seq_len=32_768, gpus=cards("a100-80gb-sxm", 4), claims=leak["claims"])
    assert render(large, language).title.startswith(no)
    assert no not in render(ask(**GLM, seq_len=2560, symptoms=("oom_step",)), language).text


@LANGUAGES
def test_weights_that_fill_the_card_are_no_fault_of_loading(language: str) -> None:
    """ "A blog says that LoRA fits in 16 GB": the weights alone are that."""
    llama = {"model": "meta-llama/Meta-Llama-3-8B", "method": "lora", "symptoms": ("oom_step", "oom_load")}
    full = ask(**llama, gpus=cards("rtx-4080"))
    assert full.verdict.facts["fills"] is True
    assert "QLoRA" in render(full, language).title
    assert ask(**llama, gpus=cards("rtx-4090")).verdict.facts["fills"] is False
    assert ask(**{**llama, "method": "qlora"}, gpus=cards("rtx-4080")).verdict.facts["fills"] is False


@LANGUAGES
def test_all_weights_are_not_told_to_load_in_4_bit(language: str) -> None:
    llama = {"params_b": 7.0, "symptoms": ("oom_step", "oom_load"), "gpus": cards("rtx-3090", 8)}
    full = render(ask(**llama, method="full", sharding="fsdp"), language).text
    assert "load_in_4bit" not in full
    assert "sync_module_states" in full
    lora = render(ask(**llama, method="lora"), language).text
    assert "load_in_4bit" in lora
    assert "sync_module_states" not in lora


@LANGUAGES
def test_vllms_copy_that_fills_the_cards_is_told_first(language: str) -> None:
    grpo = {"model": "Qwen/Qwen3-8B", "algorithm": "grpo", "symptoms": ("oom_step",), "seq_len": 1024}
    given = {**grpo, "sharding": "zero3", "offload": "params"}
    small = ask(**given, method="lora", compute_dtype="fp16", gpus=cards("v100-16gb", 4))
    assert small.verdict.facts["pool_fills"] is True
    assert {"en": "It cannot fit", "de": "So kann es nicht passen"}[language] in render(small, language).title
    assert "`vllm_tensor_parallel_size` 4" in render(small, language).text
    assert ask(**given, method="lora", gpus=cards("v100-32gb", 4)).verdict.facts["pool_fills"] is False
    assert ask(**grpo, method="qlora", gpus=cards("v100-16gb")).verdict.facts["pool_fills"] is False


@pytest.mark.parametrize("symptom", ["oom_save", "oom_load"])
def test_offload_is_no_matter_where_the_step_is_not_the_peak(symptom: str) -> None:
    full = {
        "params_b": 13.0,
        "method": "full",
        "sharding": "fsdp",
        "offload": "params",
        "gpus": cards("a100-40gb-pcie", 8),
    }
    died = case(kind="oom_help", **full, symptoms=("oom_step", symptom))
    assert offload_does_not_shrink_activations.check(died) is None
    assert offload_does_not_shrink_activations.check(case(kind="oom_help", **full, symptoms=("oom_step",))) is not None


def test_weights_in_fp32_are_mended_and_no_other_suspect_is_named() -> None:
    llama = {"params_b": 13.0, "method": "lora", "micro_batch": 2, "trainer": "litgpt", "gpus": cards("a100-80gb-sxm")}
    assert ask(**llama, seen_gib=50.0, symptoms=("oom_step",)).verdict.code == "too_much"
    assert ask(**llama, symptoms=("oom_step",)).verdict.code != "too_much"


def test_unsloth_is_taken_for_adapters() -> None:
    llama = {"params_b": 8.0, "seq_len": 2048, "gpus": cards("rtx-3090"), "symptoms": ("oom_step",)}
    assert ask(**llama, trainer="unsloth").verdict.code != "method"
    assert ask(**llama).verdict.code == "method"


@pytest.mark.parametrize(
    ("text", "code", "leads"),
    [
        ("LoRA on a 7B, 4090, memory creeps up until it dies with OOM. is this a leak?", "later", None),
        ("LoRA, 7B, 4090: der Speicher steigt bis OOM. ist das ein Leak?", "later", None),
        (
            "7B qlora with FSDP on 8x RTX 3080 10GB: everything loads on GPU0 only and it OOMs",
            "length",
            "four_bit_under_fsdp",
        ),
        ("trl sft on opt-350m on a V100 32GB: peft makes it worse, OOM", "length", "peft_makes_all_small"),
        ("mlx_lm.lora Qwen2.5-1.5B, M2 Max 96 GB: [METAL] Command buffer execution failed", "length", None),
    ],
)
def test_how_it_is_told_is_read(text: str, code: str, leads: str | None) -> None:
    advice = asked(text)
    found = [finding.code for finding in advice.findings]
    assert advice.kind == "oom_help"
    assert advice.verdict.code in (code, "should_fit")
    assert leads is None or found[:1] == [leads]


@LANGUAGES
def test_an_evaluation_at_batch_1_hears_nothing_of_its_batch(language: str) -> None:
    qwen = {"model": "Qwen/Qwen-7B", "method": "lora", "seq_len": 4096, "gpus": cards("rtx-4090")}
    one = render(ask(**qwen, symptoms=("oom_step", "oom_eval", "eval_batch_1")), language).text
    assert "per_device_eval_batch_size" not in one
    assert "eval_accumulation_steps=1" in one
    assert "per_device_eval_batch_size" in render(ask(**qwen, symptoms=("oom_step", "oom_eval")), language).text


@LANGUAGES
def test_whether_it_is_normal_that_it_does_not_fit_is_said(language: str) -> None:
    gemma = {"model": "google/gemma-2-2b", "method": "full", "seq_len": 4096, "gpus": cards("rtx-4090")}
    title = render(ask(**gemma, symptoms=("oom_step", "asks_normal")), language).title
    assert title.startswith("Normal, ")
    assert not render(ask(**gemma, symptoms=("oom_step",)), language).title.startswith("Normal")


def test_what_sft_took_is_not_judged_as_what_dpo_takes() -> None:
    dpo = {"params_b": 8.0, "method": "full", "algorithm": "dpo", "sharding": "zero3", "gpus": cards("h100-sxm", 8)}
    given = {**dpo, "seen_gib": 60.0, "symptoms": ("oom_step",)}
    assert seen_tells.check(case(kind="oom_help", **given, named={"algorithm": ("dpo", "sft")})) is None
    assert seen_tells.check(case(kind="oom_help", **given)) is not None


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        (
            "mistral 7b qlora on a 3090, OOM at loading, nvidia-smi shows 18 GB used before I start",
            "shared_with_others",
        ),
        ("i reduced rank from 64 to 4 and still OOM, 13b qlora on a 4080", "rank_drives_vram"),
        ("7b lora, 3090, bs 4, 2k: lowering gradient accumulation to 4 didn't fix the OOM", "accumulation_costs"),
        ("7B LoRA, 3090, Batch 4, 2k: Akkumulation gesenkt, trotzdem OOM", "accumulation_costs"),
    ],
)
def test_what_was_tried_is_answered_first(text: str, leads: str) -> None:
    assert [finding.code for finding in asked(text).findings][:1] == [leads]


def test_unsloth_checkpoints_unless_told_otherwise() -> None:
    nemo = {"model": "mistralai/Mistral-Nemo-Instruct-2407", "method": "qlora", "seq_len": 2048, "micro_batch": 1}
    given = {**nemo, "gpus": cards("a10g"), "symptoms": ("oom_step",)}
    named = [suspect["why"] for suspect in ask(**given, trainer="unsloth").verdict.facts["suspects"]]
    assert "checkpointing" not in named
    assert "checkpointing" in [suspect["why"] for suspect in ask(**given).verdict.facts["suspects"]]


@LANGUAGES
def test_experts_in_16_bit_are_copied_to_each_card(language: str) -> None:
    """LoRA on Mixtral with a copy per card: no expert is left out of 4 bit there."""
    moe = {
        "model": "mistralai/Mixtral-8x7B-v0.1",
        "gpus": cards("a800-80gb-sxm", 8),
        "symptoms": ("oom_step", "oom_load"),
    }
    lora = ask(**moe, method="lora", sharding="ddp")
    assert lora.verdict.code == "load"
    assert {"en": "loads a whole copy (that is DDP)", "de": "eine ganze Kopie (das ist DDP)"}[language] in render(
        lora, language
    ).text
    assert lora.verdict.facts["split"]["fit"] == "yes"
    assert ask(**moe, method="qlora").verdict.code == "moe_load"


@LANGUAGES
def test_two_models_in_full_differ_by_states_and_so_do_the_cures(language: str) -> None:
    both = {"params_b": 13.0, "models": ("7B",), "method": "full", "gpus": cards("a100-40gb-pcie", 4)}
    full = ask(**both, sharding="fsdp", symptoms=("oom_step",))
    assert full.verdict.code == "contrast"
    text = render(full, language).text.split("\n")[0]
    assert "AdamW in bf16" in text
    assert "Liger" not in text
    assert {"en": "a shorter length", "de": "kürzere Beispiele"}[language] not in text
