"""Settings of a run, money, and what is never marked as stated."""

import pytest

from advisor.query import Kind, Query
from bot.messages import Question
from bot.parser import read


def query(text: str) -> Query:
    return read(Question(text=text)).query


def test_five_bare_integers_and_their_names() -> None:
    found = query(
        "2*3090 24g each, llama-2-70b, fsdp + qlora: sequence_len 512, micro_batch_size 1, ga 4, lora_r 32. still OOM"
    )
    assert (found.seq_len, found.micro_batch, found.grad_accum, found.lora_rank) == (512, 1, 4, 32)
    assert found.n_gpus == 2


def test_settings_without_separators() -> None:
    found = query("llama 7b bs 24 micro bs 1 epochs 3 cutoff 400 r 8")
    assert (found.micro_batch, found.epochs, found.seq_len, found.lora_rank) == (1, 3, 400, 8)


def test_a_unit_of_data_is_no_batch() -> None:
    assert query("mb 1 ga 8").micro_batch == 1
    assert query("7b lora, 50 MB, 3 epochs").micro_batch is None


def test_alpha_is_no_rank() -> None:
    found = query("lora rank 128, alpha 256, cutoff 512")
    assert (found.lora_rank, found.seq_len) == (128, 512)


def test_rows_and_their_length() -> None:
    found = query("seq 4096, bs 1, ~1.5M rows of around 3k tokens, lora")
    assert (found.seq_len, found.dataset_examples) == (4096, 1_500_000)


@pytest.mark.parametrize(
    ("text", "seq_len"),
    [
        ("7b lora, 2k ctx fine, 8k ctx OOM", 8192),
        ("24K context trains, 32K goes OOM, 72b qlora", 32768),
        ("lora, Länge 256", 256),
        ("500K ctx on 80GB, lora", 512_000),
        ("lora with 20K token samples", 20_480),
        ("7b 64k lora?", 65_536),
        ("7b lora 2048", 2048),
    ],
)
def test_lengths(text: str, seq_len: int) -> None:
    assert query(text).seq_len == seq_len


@pytest.mark.parametrize(
    "text", ["44k characters, lora", "45k texts, lora", "$2k for a lora rig", "8h/epoch, lora", "512x512 images, grpo"]
)
def test_what_is_no_length(text: str) -> None:
    assert query(text).seq_len is None


def test_millions_of_tokens_are_a_data_set() -> None:
    found = query("dataset: 3.2M tokens, 1.2k docs, 8k ctx, lora")
    assert (found.dataset_tokens, found.dataset_examples, found.seq_len) == (3_200_000, 1200, 8192)


def test_qlora_is_four_bit() -> None:
    found = query("13b qlora")
    assert (found.method, found.weight_bits) == ("qlora", 4)
    assert found.sources["weight_bits"] == "assumed"  # the text does not say so
    assert query("13b lora in 4bit").sources["weight_bits"] == "stated"


def test_eight_bit_optimizer_is_not_eight_bit_weights() -> None:
    found = query("7b lora with adamw_8bit")
    assert (found.optimizer, found.weight_bits) == ("adamw_8bit", None)


def test_a_choice_states_no_method() -> None:
    assert query("lora or full for a 7b?").method is None
    assert query("lora or full for a 7b?").kind is Kind.METHOD_CHOICE


def test_methods_whose_results_are_compared_state_none() -> None:
    assert query("known tools full ft 95% / lora 91%, unseen tools full ft 78% / lora 87%, why?").method is None


@pytest.mark.parametrize("text", ["why not qlora on a 3090, 8b?", "warum nicht qlora auf der 3090, 8b?"])
def test_a_why_before_a_no_denies_nothing(text: str) -> None:
    assert query(text).method == "qlora"
    assert query(text.split(maxsplit=1)[1]).method != "qlora"


def test_two_trainers_are_a_choice() -> None:
    found = query("llama-factory or axolotl, what is the difference?")
    assert found.trainer is None
    assert found.kind is Kind.TRAINER_CHOICE


def test_money() -> None:
    found = query("best gpu for lora, budget 1.500 €, 7b")
    assert (found.budget, found.currency) == (1500, "EUR")


def test_a_price_per_hour_is_no_budget() -> None:
    found = query("runpod 4090 at $0.69/hr for a 7b lora, or buy?")
    assert found.budget is None
    assert found.kind is Kind.COST_BUY_VS_RENT


def test_every_slot_that_is_set_has_a_source_and_defaults_are_none() -> None:
    found = query("13b qlora on a 3090")
    assert set(found.stated) == {"params_b", "method", "gpus", "n_gpus"}
    assert found.seq_len is None


def test_killed_is_about_ram() -> None:
    found = query("llama-2-70B, 3 nodes x 8 x A100 40G, max len 256, per device bs 64. return code -9")
    assert "killed" in found.symptoms
    assert (found.seq_len, found.micro_batch) == (256, 64)


def test_nine_is_no_signal() -> None:
    assert "killed" not in query("rank 8-9 or 9 layers of lora").symptoms


def test_arguments_of_a_command() -> None:
    asked = Question(
        options={"model": "llama 3.1 8b", "gpu": "3090", "context": "8k", "batch": "2", "method": "qlora"},
        asked="command",
    )
    found = read(asked).query
    assert (found.model, found.seq_len, found.micro_batch, found.method) == (
        "meta-llama/Llama-3.1-8B",
        8192,
        2,
        "qlora",
    )
    assert read(Question(text="7b 3090", options={"kind": "oom_help"})).query.kind is Kind.OOM_HELP


def test_what_is_asked_back_is_one_thing_in_order() -> None:
    assert read(Question(text="will a 7b qlora fit?")).asks_for == "gpus"
    assert read(Question(text="cuda oom with lora on my 3090, why?")).asks_for == "model"
    assert read(Question(text="cuda oom with 7b lora on my 3090, why?")).asks_for == "seq_len"
    assert read(Question(text="what is lora")).asks_for is None


@pytest.mark.parametrize(
    ("text", "locale", "language"),
    [
        ("reicht eine 3090 für 13b?", "en", "de"),
        ("does 13b fit on a 3090?", "de", "en"),
        ("13b qlora", "de-AT", "de"),
        ("13b qlora", None, "en"),
        ("单卡4090 微调 7b 够吗", "de", "de"),
        ("хватит ли 3060 12гб для qlora 7b", None, "en"),
        ("Training abgebrochen, checkpoint-500 liegt da, alles verloren?", None, "de"),
    ],
)
def test_the_language_of_the_answer(text: str, locale: str | None, language: str) -> None:
    assert read(Question(text=text, locale=locale)).language == language


def test_what_belongs_to_a_run_besides() -> None:
    found = query(
        "~1.5M rows of around 3k tokens, 10 hours a week, 3 nodes x 8 x A100 40G, lora sits at 31 GB, 850 W psu"
    )
    assert (found.tokens_per_example, found.hours_per_week, found.nodes) == (3072, 10, 3)
    assert (found.seen_gib, found.supply_w) == (31, 850)


@pytest.mark.parametrize(
    "text", ["", "  \n", "🤖🔥", "\x00\x1b", "help", "/help", "Hilfe!", "what can you do?", "was kannst du"]
)
def test_who_needs_help_gets_it(text: str) -> None:
    assert query(text).kind is Kind.HELP


@pytest.mark.parametrize(
    ("text", "algorithm"),
    [
        ("SFT works on my 3090 but DPO goes oom, qwen2.5 7b", "dpo"),
        ("ORPO oom on a 4090 with 8b lora, sft was fine", "orpo"),
        ("sft läuft problemlos, grpo gibt OOM, 8b auf 4090", "grpo"),
        ("8b sft on a 3090", "sft"),
    ],
)
def test_the_stage_that_fails_is_meant(text: str, algorithm: str) -> None:
    assert read(Question(text=text)).query.algorithm == algorithm


@pytest.mark.parametrize(("name", "quant"), [("Qwen1.5-72B-Chat-GPTQ-Int4", "gptq"), ("Llama 3.3 70B AWQ", "awq")])
def test_weights_that_come_quantised(name: str, quant: str) -> None:
    assert read(Question(text=f"{name} lora on 2x 4090 with fsdp")).query.quant == quant


@pytest.mark.parametrize("text", ["should I get 32 or 64 GB RAM for 7b qlora on a 3090", "reichen 32 oder 64 GB RAM?"])
def test_amounts_to_choose_from_are_not_stated(text: str) -> None:
    asked = query(text)
    assert asked.sources["ram_gb"] == "assumed"
    assert asked.named["ram_gb"] == ("32", "64")


def test_one_amount_is_stated() -> None:
    assert query("reichen 64 GB RAM für 7b qlora auf einer 3090 oder 4090?").sources["ram_gb"] == "stated"


def test_an_amount_that_others_tell_of_is_not_stated() -> None:
    assert not query("the docs say 24GB is enough for lora, we would like full for phi-4").gpus
    assert query("the docs say a 24GB card is enough for lora on phi-4").sources["gpus"] == "assumed"
    assert query("is 24GB enough for lora on phi-4?").sources["gpus"] == "stated"


def test_a_rank_that_was_raised_is_the_one_that_it_is_now() -> None:
    query = read(Question(text="bumped lora rank from 16 to 256 on llama 3 8b, oom on 24GB")).query
    assert (query.lora_rank, query.seq_len) == (256, None)


def test_a_device_map_spreads_layers_over_several_cards() -> None:
    text = 'Kaggle 2xT4, gemma 2 2b LoRA, device_map="auto": GPU 0 full'
    assert read(Question(text=text)).query.sharding == "pipeline"


def test_zero3_of_another_run_does_not_make_an_fsdp_run_one_of_deepspeed() -> None:
    both = query("llama 70b qlora + fsdp on 8xA100, 32k tokens: OOM. lora zero3 on 16xA100 too")
    assert (both.sharding, both.trainer) == ("fsdp", None)
    assert query("llama 70b lora zero3 on 16xA100: OOM").trainer == "deepspeed"
    assert query("full fine-tuning of 7b on 4x A100: fsdp or zero-3?").trainer == "deepspeed"
