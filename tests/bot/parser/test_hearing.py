"""When to speak unasked."""

import pytest

from bot.messages import Question
from bot.parser import read


def speaks(text: str) -> bool:
    return read(Question(text=text, asked="overheard")).speak


@pytest.mark.parametrize(
    "text",
    [
        "can i finetune llama 3.1 8b on a 3060 12GB at 4k context?",
        "Qwen3-14B qlora on 2x3060 12gb with axolotl, oom in first step, why",
        "which gpu should i buy for finetuning 7b models",
        "Reicht eine 3090 für QLoRA mit 13B?",
        "unsloth vs axolotl for a single 4090?",
    ],
)
def test_a_question_of_ours_is_answered(text: str) -> None:
    assert speaks(text)


@pytest.mark.parametrize(
    "text",
    [
        "hi",
        "moin, jemand da?",
        "anyone selling a 3090 cheap?",
        "comfyui flux lora training on 12gb possible?",
        "3090 runs llama 8b at 90 tok/s in ollama, nice",
        "genshin stuck at 60 fps on my 3090",
        "thanks, that fixed it!",
        "lol",
        "the 5090 is 2000 usd now",
        "which llm should i run on 8gb vram for roleplay?",
        "training is going well, see you tomorrow",
    ],
)
def test_anything_else_is_silence(text: str) -> None:
    assert not speaks(text)


def test_a_question_to_the_bot_is_always_answered() -> None:
    assert read(Question(text="hi", asked="mention")).speak


@pytest.mark.parametrize(
    "text",
    [
        "just finished my first lora on the 4090, took only 3 hours, super happy",
        "@mike did you try lowering the batch size like i said?",
        "thanks! that worked, oom is gone",
        "has anyone seen the new llama release?",
        "does anyone play factorio here",
        "why is my internet so slow today",
        "bin gleich zurück, Training läuft noch",
        "was kostet bei euch der Döner?",
        "how do I update my nvidia driver on ubuntu?",
        "which quant do you run on your 3090?",
        "vllm oom with 32b awq on 24gb, what flags?",
        "is 850W enough for a 4090?",
        "rtx 5060 for 1080p gaming worth it?",
        "the paper says lora is enough, interesting read",
        "SD3.5 training oom on 16gb, help",
    ],
)
def test_chatter_is_silence(text: str) -> None:
    assert not speaks(text)
