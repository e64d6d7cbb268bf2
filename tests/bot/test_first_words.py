"""What the first sentence of an answer says to questions as people ask them, and what the answer does not say."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("can i finetune a q4 gguf directly with llama.cpp? 200 iterations, improvement 0", "A GGUF file cannot be"),
        ("Lässt sich ein Q4-GGUF direkt mit llama.cpp trainieren?", "Eine GGUF-Datei lässt sich nicht"),
        ("kann ich das gguf direkt finetunen? hab 0,5 Mio Token Text", "Eine GGUF-Datei lässt sich nicht"),
    ],
)
def test_who_trains_a_file_for_running_hears_what_to_train_instead(text: str, words: str) -> None:
    reply = answer(Question(text=text)).reply
    assert reply.title.startswith(words)
    assert "safetensors" in reply.text


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hab 0,5 Mio Token Text, LoRA für 7B auf einer 3060, geht das?", 500_000),
        ("i have 0.8M tokens, lora 7b on a 3060?", 800_000),
    ],
)
def test_half_a_million_tokens_are_data(text: str, tokens: int) -> None:
    query = answer(Question(text=text)).query
    assert (query.dataset_tokens, query.seq_len) == (tokens, None)


def test_half_a_million_of_context_is_a_length() -> None:
    assert answer(Question(text="llama 8b with 0.5M context on 8 H100, lora?")).query.seq_len == 524_288


def test_in_an_evaluation_that_dies_nobody_sums_cards_up_first() -> None:
    asked = "2x RTX 6000 Ada, qlora 70b, device_map balanced, 8k. training runs, the eval loop OOMs. 96 gigs, how?"
    assert "does not add up" not in answer(Question(text=asked)).reply.text


@pytest.mark.parametrize("text", ["mlx lora mistral 7b 8bit on an M2 Max 64GB, crashes after a while, swap full, slow"])
def test_eight_bit_on_a_mac_is_none_of_bitsandbytes(text: str) -> None:
    assert "LLM.int8" not in answer(Question(text=text)).reply.text
