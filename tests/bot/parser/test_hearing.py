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


@pytest.mark.parametrize(
    "text",
    [
        "qlora 70b fits on my 2x 3090 with 2k context, super nice",
        "my 3090 arrived, gonna train llama 3 8b on the weekend",
        "finetuned a 13b qlora on my 3090 yesterday, loss looks good",
        "I have 2x 3090 and 128gb ram in my box",
        "new paper: lora matches full finetuning when rank is high enough",
        "unsloth just added multi gpu support, 4x 3090 runs great",
        "got my 4x A100 node, let's go",
        "tip: use gradient checkpointing, it saves a lot of vram on a 4090",
        "you need about 24gb for a 13b qlora",
        "you could try zero3, 8x a100 is more than enough for 13b full",
        "no, 16gb is not enough for 13b lora, take qlora",
        "I rented an H100 for 2 dollars an hour, 70b qlora took 10 hours",
        "we trained a 7b on 64 H100s for 3 days",
        "das 13b lief auf meiner 4090 gut durch",
        "bei mir passt 32b qlora auf die 3090, 22 GB belegt",
        "gerade 5090 bestellt für 2400 Euro",
        "the 4090 is faster than the 3090 by 70% in my lora runs",
        "ddp doesn't split the model, each card needs the whole model, use fsdp",
        "axolotl 0.9 released, supports qwen3 now",
        "my cat sat on the 4090 lol",
        "reading about FSDP and zero3 today",
        "we use 8xH100 with fsdp for 70b",
        "this 7b model is so good for its size",
        "A100 80GB is 1.2$/h on vast right now",
        "can't wait for the 5090 super 24gb",
        "Hat schon wer das neue Qwen probiert?",
        "what's everyone working on this weekend?",
        "is the server down?",
        "which quant of qwen3 32b for a 3090?",
        "does anyone have a discount code for runpod?",
        "what monitor goes well with a 4090?",
        "how do i get llama.cpp to use both gpus?",
        "ram prices are crazy, 64gb ddr5 for 400 eur",
        "is 64gb ram enough for gaming in 2025?",
        "why does my pc crash when i launch cyberpunk, 3080 10gb",
    ],
)
def test_news_and_advice_are_no_questions(text: str) -> None:
    assert not speaks(text)


@pytest.mark.parametrize(
    "text",
    [
        "does vram grow linearly or quadratically with sequence length when flash attention is on?",
        "are 500 examples enough to teach mistral 7b my writing style?",
        "phi4 14b qlora @ 16k on 1 x 5090, go or no go",
        "Is QLoRA of DBRX imaginable with 4x48GB?",
        "Mistral nemo 12b full on 8 A100: tokens per second?",
        "deepseek-moe-16b lora: only 2.8B active so 24GB should be fine or",
        "2x4060ti16 or 1x3090 for qlora",
        "lambda a100 1.29/h vs buying 2 used 3090s, i'd train ~40h a month",
        "looking for a gpu recommendation: llama 3 8b full finetuning, 4k context, no cloud",
        "多卡训练时显存没有减少, 2张A100跑chatglm3 lora, 怎么用模型并行",
        "bigger model 4bit or smaller model 16 bit for tuning, given 24gb?",
    ],
)
def test_some_questions_have_no_mark(text: str) -> None:
    assert speaks(text)
