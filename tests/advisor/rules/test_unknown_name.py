"""The rule unknown_name."""

from advisor.query import CardCount
from advisor.rules import unknown_name
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = unknown_name.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="fits_check",
            unknown={"gpus": "rtx 3909"},
            nearest={"gpus": ("RTX 3090",)},
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert unknown_name.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check")) is None


def test_a_stated_size_counts_more_than_the_name() -> None:
    sized = case(params_b=65.0, kind="oom_help", gpus=(CardCount(count=4, vram_gb=12.0),), unknown={"gpus": "titan"})
    bare = case(params_b=65.0, kind="which_gpu", unknown={"gpus": "titan"})
    found, alone = unknown_name.check(sized), unknown_name.check(bare)
    assert found is not None
    assert alone is not None
    assert (found.gravity, alone.gravity) == ("warn", "stop")


def test_no_card_of_another_size_than_the_stated_one_is_offered() -> None:
    titans = {"unknown": {"gpus": "titan"}, "nearest": {"gpus": ("titan-rtx", "titan-v")}}
    sized = unknown_name.check(case(params_b=65.0, kind="oom_help", gpus=(CardCount(count=4, vram_gb=12.0),), **titans))
    bare = unknown_name.check(case(params_b=65.0, kind="which_gpu", **titans))
    assert sized is not None
    assert bare is not None
    assert sized.facts["close"] == ["TITAN V"]
    assert bare.facts["close"] == ["TITAN RTX", "TITAN V"]
