"""Which frequent questions are answered although a model or a card is named, and which are not."""

import pytest

from bot import pipeline
from bot.messages import Question


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("loss goes to nan after 200 steps lora fp16", "nan-loss"),
        ("mein loss wird nan, qlora 8b auf einer T4", "nan-loss"),
        ("my training is stuck at 30% gpu utilization, why", "low-utilization"),
        ("save_steps fills my disk, how big is a checkpoint for 8b lora", "checkpoint-size"),
        ("my 3090 hits 95C on memory junction while training, bad?", "gpu-heat"),
        ("can I run two trainings on one 4090?", "two-runs-one-card"),
        ("kann ich zwei trainings auf einer 4090 laufen lassen?", "two-runs-one-card"),
        ("will an egpu work for training", "egpu"),
        ("batch size 1 oder 4 besser?", "batch-size"),
        ("what does gradient checkpointing give me with 8B LoRA on a 4090?", "gradient-checkpointing"),
        ("Was bringt mir gradient checkpointing bei 8B LoRA auf der 4090?", "gradient-checkpointing"),
        ("when do i use load_in_4bit? planning qwen3-235b-a22b and serve as FP8", "load-in-4bit"),
    ],
)
def test_words_are_asked_for(text: str, entry: str) -> None:
    assert pipeline.answer(Question(text=text)).query.faq == entry


@pytest.mark.parametrize(
    "text",
    [
        "13b qlora on a 3090",
        "mistral 7b lora on 16gb colab crashes after first step",
        "full ft 13b: how many gpus what vram, how much RAM, how much disk?",
        "jetson orin + llama2 7b in h2o llm studio, will it train?",
        "unsloth on amd?",
    ],
)
def test_figures_are_asked_for(text: str) -> None:
    assert pipeline.answer(Question(text=text)).query.faq is None


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("2x 3090, 34B, QLoRA. second GPU stays idle, why?", "second-gpu-idle"),
        ("unsloth multi gpu when? my 2nd card is idle", None),
        ("NCCL timeout when I train on both 3090s, with one it runs fine", "ddp-hangs"),
        ("what gpu", None),
        ("prompt tuning or lora for 7b?", "other-adapters"),
        ("gpus 0-3 all show 100% but it's as slow as a single one", None),
    ],
)
def test_questions_about_several_cards_find_their_page(text: str, entry: str | None) -> None:
    assert pipeline.answer(Question(text=text, asked="direct")).query.faq == entry


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("3090, 13B QLoRA. what does packing do?", "packing"),
        ("13B voll, 8x A100 40GB, zero3. was bringt gradient checkpointing dabei?", "gradient-checkpointing"),
        ("2x 4090, 70B, fsdp + qlora, seq 1024 what does packing do?", "packing"),
        ("what is NEFTune and should i use it", "neftune"),
        ("my 8xH100 gets 30% mfu on llama 8b full, is that normal", "mfu"),
        ("is freezing layers cheaper than lora for 7b", "freezing"),
    ],
)
def test_a_question_in_words_beside_a_set_up(text: str, entry: str) -> None:
    assert pipeline.answer(Question(text=text, asked="direct")).query.faq == entry


@pytest.mark.parametrize(
    "text",
    [
        "starcoder 15b peft 8bit on a 3090: dies when it saves the first checkpoint",
        "same dataset, swift 1.2 s/it, llamafactory 1.9 s/it. flash attn on in both",
    ],
)
def test_what_is_only_mentioned_beside_a_set_up_is_not_asked_for(text: str) -> None:
    assert pipeline.answer(Question(text=text, asked="direct")).query.faq is None


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("does NVLink bridge on 2 3090 help for qlora ddp", "nvlink"),
        ("kann ich zwei PCs mit je einer 4090 für ein training verbinden?", "several-machines"),
        ("should i shuffle 200 hand-written + 5000 synthetic examples?", "synthetic-data"),
        ("2x 3090 with nvlink, what can i train", None),
    ],
)
def test_what_a_topic_leaves_to_words(text: str, entry: str | None) -> None:
    assert pipeline.answer(Question(text=text, asked="direct")).query.faq == entry


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("can i train with two different nvidia cards", True),
        ("what is ddp", False),
        ("does flash attention save vram", False),
    ],
)
def test_a_page_that_is_only_the_nearest_says_so(text: str, said: bool) -> None:
    given = pipeline.answer(Question(text=text), pressable=False)
    assert given.query.faq
    assert given.reply.text.startswith("*My nearest page is") is said
