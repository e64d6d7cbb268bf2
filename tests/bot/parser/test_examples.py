"""Tokens of an example, of a prompt with its answer, and what an arrow or a file's size is."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("How long for 20k chat samples of ~800 tokens, llama 3.1 8b qlora on a 3090?", 800),
        ("je Beispiel ca. 1500 Token, 8000 Beispiele, Mistral 7B QLoRA, 4090. Dauer?", 1500),
        ("8000 rows, 600 tokens per conversation, 7b qlora 3090, how long?", 600),
        ("12k examples, each example has 300 tokens for the prompt and 700 for the answer, 7b qlora, time?", 1000),
        ("examples up to 4096 tokens, 10k of them, 7b qlora 3090, how long?", None),
        ("7b qlora, 2048 tokens, 10k examples, 3090, how long?", None),
    ],
)
def test_tokens_of_an_example(text: str, each: int | None) -> None:
    assert read(Question(text=text)).query.tokens_per_example == each


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("Prompt 1024, response 3072, DPO on qwen2.5 7b with lora, A100 40GB. Fits?", 4096),
        ("GRPO, max_prompt_length 256, max_completion_length 512, qwen2.5 7b lora, 4090", 768),
        ("7b lora on a 3090, input 512 output 256", 768),
        ("tokenizer.model is 500K, will a 3060 12gb manage qwen2.5 7b qlora?", None),
        ("lora sft llama2 7b, 数据一个576K英文一个3.6M中文", None),
        ("my dataset is 120k, 7b qlora on a 3090?", None),
        ("7b qlora at 32k on a 4090?", 32768),
        ("context 512k on 8x H100, 8b lora?", 524288),
        ("max_seq_length 2048→4096 on gemma 2 9b qlora, 3090: OOM", 4096),
    ],
)
def test_length(text: str, length: int | None) -> None:
    assert read(Question(text=text)).query.seq_len == length


def test_what_an_arrow_changes_is_no_count_and_no_card() -> None:
    query = read(Question(text="qwen2 7b lora, 2048 bs2 28→32G, why?")).query
    assert not query.gpus
    query = read(Question(text="batch 4 -> 1, grad accum 4 -> 16, still OOM, 3080 10gb, 8b 4bit")).query
    assert (query.micro_batch, query.grad_accum, query.gpus[0].count) == (1, 16, 1)
    for arrow in ("->", "=>", "-->", "\u21d2"):
        query = read(Question(text=f"8x A100 80gb {arrow} 2x H200, 70b lora, still ok?")).query
        assert [[card.count for card in option] for option in query.candidates] == [[8], [2]], arrow


@pytest.mark.parametrize(
    "text",
    [
        "reichen 12.000 Beispiele à 400 Tokens oder brauch ich 50k? Llama 3 8B LoRA",
        "I have 10k pdfs, 3.2GB total. which model can learn that on 24gb",
    ],
)
def test_thousands_of_things_are_no_length(text: str) -> None:
    assert read(Question(text=text)).query.seq_len is None


def test_the_size_of_a_model_on_disk_is_no_card() -> None:
    query = read(Question(text="adapter is 1.2G on disk for r=64 on llama 3 8b, is that right? base is 16G")).query
    assert not query.gpus
    query = read(Question(text="optimizer.pt 2.7G, model is 8G, will resume fit a 12GB card? 4b full finetune")).query
    assert [card.vram_gb for card in query.gpus] == [12.0]
    query = read(Question(text="is a 13b model 24gb enough? llama 3 8b base 4k too")).query
    assert ([card.vram_gb for card in query.gpus], query.seq_len) == ([24.0], 4096)


def test_the_number_behind_rank_is_the_rank() -> None:
    assert read(Question(text="top_p 0.9 rank 32 lora_alpha 64 seq 4096 llama3 8b a5000 fits?")).query.lora_rank == 32
