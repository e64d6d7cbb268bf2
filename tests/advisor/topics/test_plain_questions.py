"""Plain questions, as people type them: the first line answers in their terms."""

from typing import Any

import pytest

from advisor.advisor import advise
from advisor.query import CardCount, Kind, Query
from bot.messages import Question
from bot.pipeline import answer
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import case


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "what's the cheapest gpu to finetune llama 3 8b"), ("de", "günstigste Karte für Llama 3 8B?")],
)
def test_the_cheapest_card_is_named_first(language: str, text: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    assert made.advice.kind is Kind.WHICH_GPU
    first = made.reply.title
    assert first.startswith(
        {"en": "The cheapest that holds it: RTX 4060", "de": "Die günstigste, die reicht: RTX 4060"}[language]
    )
    prices = [
        option.price.low * option.count for option in made.advice.options if option.price and option.role != "rent"
    ]
    assert prices == sorted(prices)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # the batch that is asked for
        ("what batch size for 7b on 24gb", "Batch"),
        ("welche Batchgröße für 7B auf 24 GB?", "Batch"),
        # what no home holds
        ("can i finetune deepseek v3 at home", "Not at home"),
        ("DeepSeek V3 zu Hause finetunen, geht das?", "Zu Hause nicht"),
        # a usual number of passes is no overfitting
        ("is 3 epochs on 800 examples with lora overfitting?", "Hardly overfitting: 3 epochs"),
        ("is 20 epochs on 800 examples overfitting?", "That is overfitting"),
        ("Sind 3 Epochen auf 800 Beispielen schon Overfitting?", "Kaum Überanpassung: 3 Epochen"),
        # the pick before the missing price
        ("best gpu under 600 dollars for training loras", "For 600 USD look for a used"),
        ("Beste GPU unter 600 Dollar für LoRA Training?", "Für 600 USD sieh dich gebraucht nach"),
    ],
)
def test_the_answer_begins_with_it(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # an old card is worth it only when cheap
        ("used v100 32gb worth it?", "only well below a used RTX 3090"),
        ("lohnt sich eine gebrauchte v100 32gb?", "nur deutlich unter einer gebrauchten RTX 3090"),
        # a card that is more than needed
        ("which gpu for 8B LoRA? is an RTX 6000 Ada overkill?", "24 GB would be comfortable too"),
        # further models
        ("pick between Llama 3.1 8B and Qwen3 14B for a 16GB card, qlora, does it fit?", "Qwen3-14B: 12."),
        # the split over several cards, and that much data may change the choice
        ("qlora vs full for 7b on 4xA100 40GB, 200k examples", "a card, split, for full fine-tuning"),
        ("qlora vs full for 7b on 4xA100 40GB, 200k examples", "With 200,000 examples full fine-tuning may pay"),
        # German in its case after "mit"
        ("llama-13b voll finetunen auf 8x Tesla V100 32GB, passt das?", "nur mit 8-Bit-AdamW und fp32-Gewichten"),
        ("llama-13b voll finetunen auf 8x Tesla V100 32GB, passt das?", "Mit AdamW in gemischter Genauigkeit"),
    ],
)
def test_the_first_line_says_it(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.title


@pytest.mark.parametrize("text", ["8x7b mixtral: can a 4090 24g run it? and how much for qlora?"])
def test_whether_it_runs_is_said_beside_what_training_takes(text: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    assert next(f for f in made.advice.findings if f.code == "also_asked").facts["what"] == "run"
    assert "GGUF" in made.reply.text


def test_a_size_on_each_stack_and_a_split_only_where_it_holds_more() -> None:
    advice = answer(Question(text="what can i train on 2x 3060 12gb?")).advice
    assert advice is not None
    facts = advice.verdict.facts
    assert (facts["largest"], facts["largest_plain"], facts["split"]) == ("8B", "3B", None)


@pytest.mark.parametrize(
    "text", ["4, 8 or 16 bit lora for 13b on a 3090?", "does llama 2 13b fit a 3090 in 8 bit or 4 bit?"]
)
def test_bits_that_are_listed_get_a_verdict_each(text: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    rows = {row["code"]: row["fit"] for row in made.advice.verdict.facts["rows"]}
    assert rows["qlora"] == rows["lora_8bit"] == "yes"
    assert rows["lora"] == "no"
    assert made.reply.title.count(": yes") == 2
    assert ": no" in made.reply.title


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("flan-t5-xl on a 3060 6G laptop, trainable?? whats the min", "The least: 6 GB"),
        ("llama 3 8b qlora auf einer 3090, was ist das Minimum?", "Das Minimum: 8 GB mit Unsloth, 16 GB mit"),
    ],
)
def test_the_least_that_does_it_is_told_where_it_is_asked_for(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.text


def test_one_card_with_every_weight_is_a_question_of_fit() -> None:
    """ "a single 24GB card but everywhere else I read ..." is about one card, not about several."""
    text = "Full finetune of llama 3.1 8B on one 4090 with torchtune: README says a single 24GB card, others 60-120GB?"
    made = answer(Question(text=text))
    assert made.advice is not None
    assert (made.advice.kind, made.advice.verdict.code) == (Kind.FITS_CHECK, "yes")


def test_sizes_leave_room_for_generating_as_the_range_says() -> None:
    """1.5B: up to 14.6 GiB with generation beside it, so 8 GB is no comfort, and 6 GB only the least."""
    advice = answer(Question(text="which gpu for 1.5b grpo")).advice
    assert advice is not None
    low, high = advice.verdict.facts["rollouts"]
    assert low < high < advice.verdict.facts["comfortable_gb"] * 2**30
    assert advice.verdict.facts["comfortable_gb"] == 16


def test_optimizers_side_by_side_name_the_step_in_the_backward_pass() -> None:
    advice = answer(Question(text="adafactor or 8bit adam for full ft of 3b on 24gb?")).advice
    assert advice is not None
    assert advice.verdict.facts["by_layer"] < advice.verdict.facts["pure"] < advice.verdict.facts["rows"][0]["device"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_embeddings_that_are_trained_count_in_every_figure(language: str) -> None:
    """Qwen3-4B ties its 151,936 x 2,560 embeddings: weights, gradients and states of them are gigabytes."""
    slots: dict[str, Any] = {"kind": Kind.FITS_CHECK, "model": "Qwen/Qwen3-4B", "method": "lora", "lora_rank": 64}
    gpus = (CardCount(gpu=None, name="", count=1, vram_gb=16.0),)
    plain = advise(Query(**slots, gpus=gpus), load_catalog())
    trained = advise(Query(**slots, gpus=gpus, symptoms=("trains_embeddings",)), load_catalog())
    assert trained.needs[0].device > plain.needs[0].device + 2 * 2**30
    assert ("embeddings trained" if language == "en" else "Embeddings mittrainiert") in render(trained, language).text


def test_much_text_without_examples_is_continued_pretraining() -> None:
    made = answer(
        Question(text="5 GB of plain text in Latvian, I want the 8B model to speak it. LoRA or full? one 4090")
    )
    assert made.advice is not None
    assert made.reply.title.startswith("Continued pretraining works with LoRA")
    rows = {row["code"]: row["device"] for row in made.advice.verdict.facts["rows"]}
    assert made.advice.verdict.facts["embeddings"] > rows["lora"]


def test_who_runs_and_trains_is_told_of_training_first() -> None:
    made = answer(Question(text="we want to run and finetune mistral small 24b on the same 2x3090 machine"))
    assert made.advice is not None
    assert made.advice.kind is Kind.FITS_CHECK
    assert "**Running it**" in made.reply.text


def test_the_largest_size_is_told_for_every_method_that_is_named() -> None:
    gpus = (CardCount(gpu="rtx-3090", name="RTX 3090", count=1, vram_gb=24.0),)
    advice = advise(Query(kind=Kind.FITS_CHECK, gpus=gpus, named={"method": ("full", "lora", "qlora")}), load_catalog())
    assert advice.verdict.facts["by_method"] == [("qlora", "32B", None), ("lora", "8B", None), ("full", None, "8B")]
    assert render(advice, "en").title.startswith("RTX 3090: QLoRA up to about 32B, LoRA up to about 8B")


def test_a_mixture_is_planned_with_its_experts_in_4_bit() -> None:
    """Qwen3-30B-A3B loads in some 30 GB: 32 is the least, 48 gives room; 141 GB is no advice for it."""
    made = answer(Question(text="Do I need 48GB for 30B-A3B or does 32 do?"))
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert (facts["minimum_gb"], facts["comfortable_gb"]) == (32, 48)
    assert made.advice.tiers[-1] == 48
    assert "unquantised" in made.reply.title


@pytest.mark.parametrize(
    "text",
    [
        "adamw_8bit or paged_adamw_8bit for a full finetune of llama 2 7b on one A100 80GB?",
        "adamw_8bit oder paged_adamw_8bit für volles Finetuning von Llama 2 7B auf einer A100 80GB?",
    ],
)
def test_optimizers_are_set_side_by_side_where_all_weights_are_trained(text: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    assert made.advice.verdict.code == "paged"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Which is the largest Qwen3 I can QLoRA on a 4090 with 4k context?", "Qwen3-14B"),
        ("Welches ist das größte Gemma 3 für QLoRA auf 16 GB?", "gemma-3-12b-it"),
    ],
)
def test_the_largest_of_a_family_is_named(text: str, name: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    assert made.advice.setup is not None
    assert made.advice.setup.model == name
    assert name in made.reply.title


def test_the_usual_one_where_nobody_asks_for_the_largest() -> None:
    advice = answer(Question(text="can I qlora Qwen3 on a 4090?")).advice
    assert advice is not None
    assert advice.setup is not None
    assert advice.setup.model == "Qwen3-8B"


@pytest.mark.parametrize(
    "text",
    ["lora or full for llama 3 8b on a 4070 12gb?", "LoRA oder volles Finetuning für Llama 3 8B auf einer 4070 12GB?"],
)
def test_qlora_is_set_beside_methods_none_of_which_fits(text: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    assert made.advice.verdict.facts["pick"] == "qlora"


@pytest.mark.parametrize(
    ("language", "words"), [("en", "everything would be 15.0 GiB"), ("de", "alles wären 15,0 GiB")]
)
def test_a_large_adapter_is_held_against_all_weights(language: str, words: str) -> None:
    slots = {"model": "meta-llama/Llama-3.1-8B", "method": "lora", "symptoms": ("big_checkpoint",)}
    advice = case(kind="faq_definition", **slots).advice
    assert advice is not None
    assert words in render(advice, language).title
