"""The rule eight_bit_is_slow."""

from typing import Any

import pytest

from advisor.advisor import advise
from advisor.query import Kind, Query
from advisor.rules import eight_bit_is_slow
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case


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
    query = Query(kind=Kind.METHOD_CHOICE, params_b=7.0, named={"weight_bits": ("8", "4")})
    assert "of the speed or more" in render(advise(query, load_catalog()), "en").text


def test_who_saw_it_slow_reads_one_figure_for_it() -> None:
    """ "Five times slower" beside "costs 43 %" would contradict each other."""
    slots: dict[str, Any] = {"params_b": 7.0, "weight_bits": 8, "named": {"weight_bits": ("8", "4")}}
    query = Query(kind=Kind.METHOD_CHOICE, symptoms=("slow",), **slots)
    text = render(advise(query, load_catalog()), "en").text
    assert "several times as long" in text
    assert "of the speed or more" not in text


@pytest.mark.parametrize(("params_b", "instead"), [(7.0, "lora"), (13.0, "qlora"), (70.0, None)])
def test_what_fits_in_its_place_is_named(params_b: float, instead: str | None) -> None:
    found = eight_bit_is_slow.check(
        case(params_b=params_b, kind="fits_check", weight_bits=8, method="lora", gpus=cards("rtx-3090"))
    )
    assert found is not None
    assert found.facts["instead"] == instead


def test_silent_in_4_bit() -> None:
    assert eight_bit_is_slow.check(case(params_b=7.0, kind="method_choice", weight_bits=4)) is None


@pytest.mark.parametrize(("kind", "language", "first"), [
    ("multi_gpu", "en", "**8 bit cannot be split by FSDP or ZeRO-3**"),
    ("fits_check", "de", "**8 Bit lässt sich mit FSDP oder ZeRO-3 nicht aufteilen**"),
])  # fmt: skip
def test_no_sharding_splits_eight_bit_so_the_figures_are_for_four(kind: str, language: str, first: str) -> None:
    asked = case(kind=kind, params_b=70.0, method="lora", weight_bits=8.0, gpus=cards("rtx-3090", 2))
    advice = advise(asked.query, load_catalog())
    assert advice.setup is not None
    assert advice.setup.method == "qlora"
    assert render(advice, language).text.startswith(first)


def test_eight_bit_that_fits_each_card_needs_no_split() -> None:
    asked = case(kind="multi_gpu", params_b=8.0, method="lora", weight_bits=8.0, gpus=cards("rtx-3090", 2))
    found = eight_bit_is_slow.check(asked)
    assert found is not None
    assert not found.facts["unsplit"]


@pytest.mark.parametrize(("language", "words"), [("en", "layer by layer"), ("de", "Schicht für Schicht")])
def test_beside_other_methods_eight_bit_has_a_figure_of_its_own(language: str, words: str) -> None:
    """A table that holds 8-bit LoRA is not introduced by "what follows is 4 bit"."""
    slots: dict[str, Any] = {"params_b": 70.0, "weight_bits": 8.0, "named": {"method": ("qlora", "lora")}}
    asked = case(kind="method_choice", **slots, n_gpus=4, gpus=cards("rtx-a6000", 4))
    found = eight_bit_is_slow.check(asked)
    assert found is not None
    assert (found.gravity, found.facts["rows"]) == ("warn", True)
    assert asked.advice is not None
    text = render(asked.advice, language).text
    assert words in text
    assert "what follows is 4 bit" not in text
    assert "ist also 4 Bit" not in text
