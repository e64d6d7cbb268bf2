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
