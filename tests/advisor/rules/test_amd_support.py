"""The rule amd_support."""

import pytest

from advisor.advisor import advise
from advisor.query import Kind, Query
from advisor.rules import amd_support
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = amd_support.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rx-7900-xt", 4)))
    assert found is not None


def test_silent_on_nvidia() -> None:
    assert amd_support.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_table_of_sizes_beside_a_chip_that_rocm_does_not_list(language: str) -> None:
    """A table of what 8 GB hold would contradict "a free T4 is the easier way"."""
    unlisted = advise(Query(kind=Kind.WHICH_GPU, gpus=cards("rx-6600-xt")), load_catalog())
    assert unlisted.rungs == ()
    assert "bitsandbytes" not in render(unlisted, language).text
    listed = advise(Query(kind=Kind.FITS_CHECK, gpus=cards("rx-7900-xtx")), load_catalog())
    assert listed.rungs
    assert render(listed, language).title.startswith(("Yes", "Ja"))


@pytest.mark.parametrize(("language", "words"), [("en", "By its memory"), ("de", "Vom Speicher her")])
def test_memory_alone_is_half_an_answer_there(language: str, words: str) -> None:
    slots = {"kind": "fits_check", "params_b": 3.0, "method": "lora"}
    for gpu, half in (("rx-6800-xt", True), ("jetson-agx-orin-64gb", True), ("rx-7900-xtx", False)):
        made = case(**slots, gpus=cards(gpu)).advice
        assert made is not None
        assert render(made, language).title.startswith(words) is half
