"""A mixture of experts that dies while loading: the two sizes are those of 16 and of 4 bit."""

from advisor.advisor import advise
from advisor.query import CardCount, Kind
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import stated

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
