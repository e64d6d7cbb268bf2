"""A question in words beside a set-up: its page stands above the figures, or that nobody knows a name; else nothing."""

import pytest

from bot import faq, pipeline
from bot.faq import point
from bot.messages import Question


def first(text: str) -> str:
    return pipeline.answer(Question(text=text)).reply.text.split("\n\n", 1)[0]


@pytest.mark.parametrize(
    ("text", "page", "language"),
    [
        ("llama 3 8b qlora on a 3090, 2048 tokens. pad_token = eos_token?", "special-tokens", "en"),
        ("llama 3 8b qlora, 3090, 2048 tokens. should I use packing?", "packing", "en"),
        ("llama 2 7b lora on an A6000, 40 GB used at 4k. logits or attention?", "logits", "en"),
        ("single A100 80GB for llama 3.1 8b, all weights. and with adamw_8bit?", "adam-8bit", "en"),
        ("mistral 7b qlora auf einer 3060 12gb. bringt NEFTune was?", "neftune", "de"),
    ],
)
def test_the_page_stands_above_the_figures(text: str, page: str, language: str) -> None:
    answered = pipeline.answer(Question(text=text))
    assert first(text) == point(page, language)
    assert answered.advice is not None
    assert "GiB" in answered.reply.text
    assert answered.reply.title in point(page, language).replace("*", "").replace("`", "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("qwen2.5 7b lora, 4090, 4k. do I need use_reentrant=False there?", "use_reentrant"),
        ("DPO of llama 3 8b in 4bit on a 40GB card. is reference_free better?", "reference_free"),
        ("mistral 7b qlora auf einer 3060 12gb. was macht find_unused dabei?", "find_unused"),
    ],
)
def test_a_name_that_nobody_knows_is_said_before_any_yes(text: str, name: str) -> None:
    assert f"`{name}`" in first(text)
    assert "GiB" not in first(text)


@pytest.mark.parametrize(
    "text",
    [
        "llama 3 8b qlora on a 3090 at 2048 tokens, does it fit?",
        "which card for 13b qlora?",
        "can I finetune llama 3.1 8b on a 3060 12GB at 4k context?",
        "recipe for Qwen3-30B-A3B on one 3090: nf4? 8bit? paged optimizer? offload?",  # a list
        "13B on a 24GB card, some samples near 4k tokens. What am I overlooking?",
        "mistral 7b lora with max_seq_length 4096 on a 4090, is it enough?",  # a setting that is read
        "Reicht eine 3090 für QLoRA mit 13B?",
        "7B auf einer T4. was ist los?",
    ],
)
def test_what_a_topic_takes_up_has_nothing_above_it(text: str) -> None:
    query = pipeline.answer(Question(text=text))
    alone = pipeline.answer_query(query.query, query.language)
    assert query.reply.blocks[0] == alone.reply.blocks[0]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("How comparable are loss values between llama 3 8b and qwen 2.5 7b on the same 5k rows? 0.9 vs 1.4", "loss"),
        ("DPO of a 7B on an A100 40GB: rewards go down while margins grow. Should I stop?", "rewards"),
        ("2 epochs with batch 16 = 38 steps, 8b lora, 4090, warmup 100. why is nothing changed?", "warmup"),
        ("8B LoRA auf einer 4090: was heißt der Dropout hier genau für mich?", "dropout"),
    ],
)
def test_a_word_that_no_figure_answers_is_named_before_them(text: str, word: str) -> None:
    assert f"{word}”" in first(text) or f"{word}“" in first(text)


@pytest.mark.parametrize(
    "text",
    [
        "llama 3 8b lora, dropout 0.05, 24 GB card, does it fit?",  # the figures are asked for
        "7b lora on a T4 goes out of memory in the loss, why?",  # what went wrong is known
        "now the 8B trains at 13.9 GB on my 4080, loss 1.21. Very happy, thanks",  # nothing is asked
        "300 rows, lr 2e-5, batch 128: the 7B ignores them. Why?",  # the topic counts the steps
    ],
)
def test_the_word_alone_is_no_reason(text: str) -> None:
    assert "not sure what you ask" not in first(text)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("vicuna 7b 8-bit lora, so a single 24GB card is hopeless?", "**vicuna-7b"),
        ("is 24GB too small for a 13b qlora at 2k?", "**13B"),
        ("qlora of a 70b on a single 4090, is that simply impossible?", "**It does not fit: 70B"),
        ("Muss ich für ein 8B QLoRA mieten, hab ne 3060 12GB?", "**Nur mit Unsloth: 8B"),
        ("13b qlora, is a 3090 enough?", "**Yes, 13B"),  # put straight
        ("13b qlora on my 3090 looked impossible to me. does it fit?", "**Yes, 13B"),
        ("70b qlora on a 4090, does it fit?", "**No: 70B"),
    ],
)
def test_no_yes_where_the_question_is_put_the_other_way_round(text: str, begins: str) -> None:
    assert first(text).startswith(begins)


def test_a_no_about_something_else_stays() -> None:
    said = first("13b qlora, 3060 12gb, is 12 too little, can I add the shared GPU memory?")
    assert not said.startswith("**It does not fit: system RAM")


def test_both_fit_a_screen_and_the_rest_is_kept() -> None:
    text = "llama 3 8b qlora on a 3090, 2048 tokens. pad_token = eos_token?"
    led = pipeline.answer(Question(text=text))
    alone = pipeline.answer_query(led.query, "en")
    told = [*led.reply.blocks[1:], *led.reply.more]
    assert all(block in told for block in alone.reply.blocks)


@pytest.mark.parametrize(
    ("text", "page", "language"),
    [
        ("Kann mir wer in einfachen Worten ZeRO 1/2/3 erklären? Hab zwei 3090, 8B LoRA, brauch ich das?", "zero", "de"),
        ("can someone explain zero stage 1, 2 and 3? I have two 4090s and want to train a 7B lora", "zero", "en"),
        ("explain deepspeed zero stages please, do I need it for a 13B on 2x 4090?", "zero", "en"),
        ("Was macht FSDP eigentlich, und brauch ich das für ein 8B LoRA auf 2x 3090?", "fsdp", "de"),
        ("explain packing to me, will an 8b qlora still fit on my 3090?", "packing", "en"),
    ],
)
def test_an_explanation_stands_before_whether_it_is_needed(text: str, page: str, language: str) -> None:
    answered = pipeline.answer(Question(text=text))
    assert first(text) == point(page, language)
    assert answered.advice is not None
    assert not any(found.code == "zero2_copies_weights" for found in answered.advice.findings)


@pytest.mark.parametrize(
    "text",
    [
        "what is the max context for 8b qlora on a 3090?",
        "what does a 13b lora need on two 3090s?",
        "Was ist das größte Modell für meine 4090?",
        "Was bringt eine zweite 3090 für 13B LoRA?",
        "deepspeed zero 2 with a 7b lora on two 3090s, fits?",
        "2x Titan RTX 24GB, qlora on Mixtral 8x7b in axolotl, OOM with zero2 and zero3 all the same",
    ],
)
def test_a_figure_is_no_explanation(text: str) -> None:
    answered = pipeline.answer(Question(text=text))
    assert answered.query.faq is None
    assert first(text) not in {point(page, language) for language in ("en", "de") for page in faq.entries_of(language)}


def test_the_stages_alone_are_a_page() -> None:
    assert pipeline.answer(Question(text="was heißt eigentlich zero stage 1/2/3")).query.faq == "zero"
