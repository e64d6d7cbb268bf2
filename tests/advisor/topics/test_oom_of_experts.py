"""A mixture of experts that dies while loading: the two sizes are those of 16 and of 4 bit."""

import pytest

from advisor.advisor import advise
from advisor.query import CardCount, Kind
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case, stated

GIB = 2**30


def test_four_bit_is_far_below_sixteen() -> None:
    slots = {
        "model": "Qwen/Qwen3-30B-A3B",
        "weight_bits": 4.0,
        "gpus": (CardCount(gpu="rtx-4090", name="RTX 4090", vram_gb=24),),
        "symptoms": ("oom_load",),
    }
    query = stated(Kind.OOM_HELP, **slots)
    verdict = advise(query, load_catalog()).verdict
    assert verdict.code == "moe_load"
    assert 55 < verdict.facts["load_16"] / GIB < 58
    assert 14 < verdict.facts["weights_lean"] / GIB < 19


@pytest.mark.parametrize(("language", "words"), [("en", "is not enough here"), ("de", "genügt hier nicht")])
def test_a_loader_that_quantises_experts_is_no_cure_on_24_gb(language: str, words: str) -> None:
    """29.6 GB were reported in Unsloth itself; on 48 GB the loader is the cure."""
    slots = {"kind": "oom_help", "model": "Qwen/Qwen3-30B-A3B", "weight_bits": 4.0, "symptoms": ("oom_load",)}
    small, large = (case(**slots, gpus=cards(name)).advice for name in ("rtx-4090", "l40s"))
    assert small is not None
    assert large is not None
    assert small.verdict.facts["lean_gb"] >= 32
    assert words in render(small, language).text
    assert words not in render(large, language).text
