"""Whether a page or a topic answers: the same words with and without a case of one's own."""

import pytest

from advisor.query import Kind, Query
from bot.faq.choice import LONGEST_CASE, pages, pages_beside, with_page
from bot.faq.entries import Reach

MODEL = Query(kind=Kind.METHOD_CHOICE, params_b=7, sources={"params_b": "stated"})


def test_every_reach_but_alone_has_pages() -> None:
    assert all(pages(reach) for reach in Reach)
    assert pages_beside(Kind.MULTI_GPU)
    assert not pages_beside(Kind.OFF_TOPIC)


@pytest.mark.parametrize(
    ("text", "query", "page"),
    [
        ("what is lora alpha", Query(kind=Kind.FAQ_DEFINITION), "lora-alpha"),
        ("what is lora alpha for a 7b", MODEL, "lora-alpha"),  # the same for every model
        ("my loss is nan with a 7b", MODEL, "nan-loss"),  # meant whatever else is named
        ("why does a 7b use so much memory", MODEL, None),  # figures of the model are the answer
        ("what is qlora good for", MODEL, None),  # a page for who tells no case
        ("does nvlink help", Query(kind=Kind.MULTI_GPU), "nvlink"),
        ("is amd supported", Query(kind=Kind.TRAINER_CHOICE, trainer="axolotl", vendor="amd"), None),
    ],
)
def test_page_or_topic(text: str, query: Query, page: str | None) -> None:
    assert with_page(query, text, "en").faq == page


def test_a_page_gives_a_message_of_no_kind_one() -> None:
    assert with_page(Query(kind=Kind.OFF_TOPIC), "why is my loss nan", "en").kind is Kind.FAQ_DEFINITION
    assert with_page(Query(kind=Kind.OOM_HELP), "why is my loss nan", "en").kind is Kind.OOM_HELP


def test_a_long_text_tells_a_case() -> None:
    text = "what is lora alpha " + "word " * LONGEST_CASE
    assert with_page(MODEL, text, "en") == MODEL


@pytest.mark.parametrize(
    ("text", "language", "page"),
    [
        ("does gradient checkpointing slow training down", "en", "checkpointing-speed"),
        (
            "will checkpointing of gradients make my training slower",
            "en",
            "checkpointing-speed",
        ),  # other words, other order
        ("are 7 epochs too many", "en", "epochs-enough"),  # any number
        ("ist mein trainingstempo normal", "de", "tokens-per-second"),  # two words in one
        ("welche karte", "de", "best-gpu"),  # not the page for who has none
        ("pls more detail on how to finetune, readme too short", "en", "how-to-start"),  # the part that asks
    ],
)
def test_a_plain_question_finds_its_page(text: str, language: str, page: str) -> None:
    assert with_page(Query(kind=Kind.FAQ_DEFINITION), text, language).faq == page


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("13b qlora on 3090", Query(kind=Kind.FITS_CHECK, params_b=13, sources={"params_b": "stated"})),
        (
            "does a higher rank need more vram for 13b",
            Query(kind=Kind.FITS_CHECK, params_b=13, sources={"params_b": "stated"}),
        ),
        ("and a larger batch?", Query(kind=Kind.FITS_CHECK, sources={"params_b": "remembered"})),
        ("does a sofa slow down training", Query(kind=Kind.FAQ_DEFINITION)),  # a word that no page knows is the topic
        ("who won the game", Query(kind=Kind.OFF_TOPIC)),
        ("ok thx that worked, closing", Query(kind=Kind.OFF_TOPIC)),
        ("my loss is fine but the answers of my 7b are bad", MODEL),  # no phrase of loss and answers alone
        ("I run a finetune of a 7b on two 3090 gpus, is it fast enough", MODEL),
        ("are 7b models any good after finetuning", MODEL),
        ("does saving checkpoints before finetuning a 7b help", MODEL),
    ],
)
def test_a_case_or_another_topic_finds_none(text: str, query: Query) -> None:
    assert with_page(query, text, "en").faq is None


STORY = "Trained on a 3090 for two days, all went well, then the power was cut and the machine came up again. "


@pytest.mark.parametrize(
    ("ends", "page"),
    [
        ("The log shows nothing odd, it ended at step 900 of 4200. Do I have to start over?", "resume"),
        ("The log shows nothing odd, it ended at step 900 of 4200. I do not start over.", None),
        ("Nothing odd. Does the KV cache matter during training too? No thread says so.", "kv-cache-training"),
        ("The checkpoints filled up the disk. Do I have to start over?", "resume"),
        ("The log shows nothing odd. How much memory do 8192 tokens take when I resume?", None),
    ],
)
def test_a_story_gets_a_page_only_for_what_its_question_asks(ends: str, page: str | None) -> None:
    assert with_page(Query(kind=Kind.OOM_HELP), STORY + ends, "en").faq == page


def test_ram_for_merging_two_models_is_mergekits_page_and_for_an_adapter_the_topics_figure() -> None:
    of_7b = Query(kind=Kind.SYSTEM_RAM, params_b=7, symptoms=("oom_merge",), sources={"params_b": "stated"})
    assert with_page(of_7b, "mergekit merge of two 7B models dies on my box with 13 GB RAM", "en").faq == "mergekit"
    assert with_page(of_7b, "merging my 7B adapter dies on my box with 13 GB RAM", "en").faq is None
