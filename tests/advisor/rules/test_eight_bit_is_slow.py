"""The rule eight_bit_is_slow."""

import pytest

from advisor.advisor import advise
from advisor.query import Kind, Query
from advisor.rules import eight_bit_is_slow
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = eight_bit_is_slow.check(case(params_b=7.0, kind="method_choice", weight_bits=8))
    assert found is not None


@pytest.mark.parametrize(
    ("language", "words"), [("en", "**Yes, that is normal"), ("de", "**Ja, das ist bei 8 Bit normal")]
)
def test_who_finds_it_slow_reads_that_it_is_normal(language: str, words: str) -> None:
    slots = {"model": "huggyllama/llama-7b", "weight_bits": 8, "named": {"weight_bits": ("8", "4")}}
    query = Query(kind=Kind.METHOD_CHOICE, symptoms=("slow",), **slots)
    text = render(advise(query, load_catalog()), language).text
    assert words in text
    assert text.index("8") < text.index("QLoRA")


def test_the_loss_of_speed_in_the_answer_is_a_lower_end() -> None:
    """Reported: five times slower than bf16; we reckon a good 40 % with full batches."""
    query = Query(kind=Kind.METHOD_CHOICE, params_b=7.0, weight_bits=8, named={"weight_bits": ("8", "4")})
    assert "of the speed or more" in render(advise(query, load_catalog()), "en").text


def test_silent_in_4_bit() -> None:
    assert eight_bit_is_slow.check(case(params_b=7.0, kind="method_choice", weight_bits=4)) is None
