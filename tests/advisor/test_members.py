"""A family named without a size: the largest of its members that the card holds."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("rtx 4060 8gb, which gemma 4 can i finetune at home?", "google/gemma-4-E2B-it"),
        ("can i finetune gemma 4 on 8gb?", "google/gemma-4-E2B-it"),
        ("Welches Qwen3 geht auf einer 3060 12GB?", "Qwen/Qwen3-8B"),
        ("which qwen2.5 fits a 16gb card for qlora", "Qwen/Qwen2.5-14B"),
        ("what size of qwen2.5 can i train on a 4090?", "Qwen/Qwen2.5-32B"),
        ("das größte Qwen3 auf einer 4090 mit QLoRA?", "Qwen/Qwen3-32B"),
        ("qwen3 lora in 16 bit on a 12gb card?", "Qwen/Qwen3-4B"),
        ("which gemma 3 is there for 2 gb?", "google/gemma-3-270m"),
        ("welche Qwen3 Größe lohnt sich zum Feintunen auf einer 3090?", "Qwen/Qwen3-32B"),
        # silent: a size, a model that fits, no card, a choice of another kind
        ("which gpu for qwen3 14b, is a 4090 enough?", "Qwen/Qwen3-14B"),
        ("kann ich Qwen3 auf einer 4090 trainieren?", "Qwen/Qwen3-8B"),
        ("which card for gemma 4?", "google/gemma-4-E4B-it"),
        ("Qwen3-14B auf 8 GB?", "Qwen/Qwen3-14B"),
        ("gemma-4-E4B on 8gb?", "google/gemma-4-E4B-it"),
    ],
)
def test_the_member_that_the_answer_is_about(text: str, model: str) -> None:
    found = answer(Question(text=text)).advice
    assert found is not None
    assert found.setup is not None
    assert found.setup.model_id == model


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("which qwen2.5 fits a 16gb card for qlora", "Qwen2.5-14B 12.3 GiB, yes; Qwen2.5-32B 22.3 GiB, no"),
        ("Welches Qwen3 geht auf einer 3060 12GB?", "Qwen3-8B 7,9 GiB, ja; Qwen3-14B 12,1 GiB, kaum"),
    ],
)
def test_the_sizes_around_it_are_told(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    "text",
    [
        "what llama 3 context fits on a 3090 with qlora?",
        "which gemma 4 notebook of unsloth runs on a T4?",
        "what mistral 7b settings for a 3060 12gb?",
        "which gpu for gemma 4?",
    ],
)
def test_what_else_is_asked_about_a_model_is_no_member(text: str) -> None:
    assert "which_member" not in answer(Question(text=text)).query.named
