"""The first sentence names the way out: a card in 4 bit, the CPU for a merge, a split where each loads a copy."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "mistral 7b lora in lit-gpt on 2 T4: 16-true gives nan, 32-true OOM. other tool?",
            "One card is enough with 4",
        ),
        ("2x T4, mistral 7b lora with litgpt, devices=2, OOM", "One card is enough with 4 bit"),
        ("LoRA für Mistral 7B mit litgpt auf zwei T4, 32-true: out of memory", "Mit 4 Bit reicht eine Karte"),
    ],
)
def test_adapters_too_large_for_several_cards_fit_one_in_4_bit(text: str, words: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.title.startswith(words)
    assert "3B with QLoRA" not in reply.text


@pytest.mark.parametrize("text", ["llama 3 70b lora on 2x 3090 with fsdp, OOM", "7b qlora on 2x T4, OOM at step 3"])
def test_where_one_card_does_not_hold_it_or_it_is_in_4_bit_nobody_hears_so(text: str) -> None:
    assert "One card is enough with 4 bit" not in answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "merging my 13B lora: CUDA out of memory on a 24GB 3090, system has 128GB RAM",
            "Nothing need be trained again",
        ),
        ("70B QLoRA on an H200 fine, save_pretrained_merged dies with OutOfMemoryError, 2 TB RAM. retrain?", "Nothing"),
        ("Beim Mergen meines Llama-3.1-8B-Adapters: CUDA out of memory auf der 4090, 64 GB RAM", "Du musst nichts neu"),
    ],
)
def test_a_merge_that_fills_the_card_is_done_in_ram(text: str, words: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.title.startswith(words)
    assert "cpu" in reply.text


@pytest.mark.parametrize(
    "text", ["merging a 70B lora: CUDA out of memory on a 3090, 64GB RAM", "merge of 70B got Killed, 96 GB RAM"]
)
def test_too_little_ram_for_a_merge_is_said(text: str) -> None:
    assert "Nothing need be trained again" not in answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mixtral-8x7B LoRA auf 8x A800 80GB, DDP, fp16: OOM schon beim Laden", "Jede der 8 Karten lädt eine"),
        ("32B full finetune on 4x A100 40GB with torchrun, OOM while loading the model", "Each of the 4 cards loads a"),
    ],
)
def test_a_copy_on_each_card_is_the_cause_and_a_split_the_way(text: str, words: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.title.startswith(words)
    assert "ZeRO-3" in reply.text


@pytest.mark.parametrize(
    "text",
    ["Megatron llama2-7b on 8x A100 40G TP=1 PP=1, OOM", "megatron-lm llama 2 7b, 8 A100 40GB, tp 1 and pp 1: OOM"],
)
def test_megatron_trains_all_weights_and_without_a_split_each_card_holds_them(text: str) -> None:
    made = answer(Question(text=text))
    assert made.query.sharding == "ddp"
    assert made.advice is not None
    assert made.advice.setup is not None
    assert made.advice.setup.method == "full"
    assert "tensor or pipeline parallel" in made.reply.text


def test_adapters_in_megatron_are_adapters() -> None:
    made = answer(Question(text="megatron lora qwen 7b on 2x A100 80GB, does it fit?"))
    assert made.advice is not None
    assert made.advice.setup is not None
    assert made.advice.setup.method == "lora"


@pytest.mark.parametrize(
    "text",
    ["Full FT of Llama 2 7B and 13B on 4 A100 40GB: OOM. did the paper use 80s?", "7b and 13b full, 4x A100 40G, oom"],
)
def test_of_two_sizes_the_cards_that_hold_both_are_named(text: str) -> None:
    assert "with 80 GB a card both do" in answer(Question(text=text)).reply.title


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("is LoRA on a 32B in bf16 realistic on an M4 Max 128GB?", "an epoch; for much more, rent"),
        ("Geht QLoRA für 8B auf einem MacBook M3 Max 64GB?", "Der Haken ist das Tempo"),
        ("Passt Qwen3-32B mit QLoRA auf eine DGX Spark?", "je Epoche mit 1.000 Beispielen"),
    ],
)
def test_a_machine_that_holds_much_is_slow_and_how_slow_is_said(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.text


def test_the_time_is_not_told_twice() -> None:
    reply = answer(Question(text="how long does QLoRA of 8B take on an M3 Max 64GB, 2000 examples?")).reply
    assert "Speed is the catch" not in reply.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "PPO on a 7B with 4 A100 40GB, full finetuning would be nice, LoRA also ok",
            "PPO with all weights trains two",
        ),
        ("PPO mit 7B, alle Gewichte, auf 8x A100 80GB, passt das?", "PPO mit allen Gewichten trainiert zwei"),
    ],
)
def test_ppo_in_full_is_four_models(text: str, words: str) -> None:
    reply = answer(Question(text=text)).reply
    assert words in reply.text
    assert len(reply.text) <= 1000


def test_grpo_has_no_four_models() -> None:
    assert "trains two models" not in answer(Question(text="GRPO 7B full on 8x A100 80GB, does it fit?")).reply.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "paper: 65B qlora in 24h. Me: 30B, A100 80G, bs1, alpaca -> ETA 85 h. where do i lose it?",
            "Compare the data",
        ),
        ("13B QLoRA, 3090, 50k Beispiele, 60 h: warum dauert es bei mir so viel länger?", "Vergleiche zuerst"),
    ],
)
def test_who_is_slower_than_a_paper_compares_the_data_first(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


def test_the_time_alone_is_no_comparison() -> None:
    reply = answer(Question(text="30B qlora on an A100 80G, alpaca, ETA 85 h, normal?")).reply
    assert "Compare the data" not in reply.text


def test_p_tuning_is_told_beside_what_is_counted() -> None:
    reply = answer(Question(text="Kann ich ChatGLM-6B per P-Tuning v2 auf der 3080 Ti trainieren?")).reply
    assert "P-Tuning" in reply.text
    plain = answer(Question(text="Kann ich ChatGLM-6B mit QLoRA auf der 3080 Ti trainieren?")).reply
    assert "P-Tuning" not in plain.text


def test_a_stated_length_far_below_the_limit_is_the_last_suspect() -> None:
    text = "A10G, Mistral-Nemo 4bit with unsloth, bs 1, max_seq 2048, OOM"
    listed = answer(Question(text=text)).reply.text
    assert listed.index("weights not in 4 bit") < listed.index("longer examples")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("llama-2-13b lora in litgpt uses 50 GB, HF PEFT about 20 GB, A100 80GB. missing a flag?", "--precision bf16"),
        ("llama-2-13b lora with peft uses 54 GB on an A100 80GB right after loading, why?", "dtype=torch.bfloat16"),
    ],
)
def test_the_setting_is_named_as_the_trainer_calls_it(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.text
