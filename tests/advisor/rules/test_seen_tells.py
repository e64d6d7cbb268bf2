"""The rule seen_tells."""

from advisor.query import CardCount
from advisor.rules import seen_tells
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B", kind="oom_help", method="lora", gpus=cards("a100-80gb-sxm"), seen_gib=38.0
    )
    assert seen_tells.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="oom_help", method="lora", gpus=cards("a100-80gb-sxm"))
    assert seen_tells.check(made) is None


def test_all_weights_split_over_an_unsaid_number_of_cards_are_normal() -> None:
    found = seen_tells.check(case(params_b=7.0, kind="fits_check", method="full", sharding="fsdp", seen_gib=60.0))
    assert found is not None
    assert found.facts["why"] == "split"
    assert [count for count, _ in found.facts["closed"]] == [2, 4, 8]
    assert found.facts["closed"][0][1] > found.facts["closed"][1][1] > found.facts["closed"][2][1]
    assert all(
        kept > checked for (_, kept), (_, checked) in zip(found.facts["open"], found.facts["closed"], strict=True)
    )
    assert (
        seen_tells.check(case(params_b=7.0, kind="fits_check", method="full", sharding="fsdp", seen_gib=300.0)) is None
    )


def test_silent_where_the_answer_sets_both_figures_side_by_side() -> None:
    given = {"params_b": 8.0, "method": "qlora", "seq_len": 2048, "gpus": cards("rtx-3090")}
    normal = case(kind="oom_help", **given, seen_gib=11.0)
    assert normal.advice is not None
    assert normal.advice.verdict.code == "normal"
    assert seen_tells.check(normal) is None
    unquantised = seen_tells.check(case(kind="oom_help", **given, seen_gib=21.0))
    assert unquantised is not None
    assert unquantised.facts["why"] == "sixteen"


def test_what_fp32_adds_is_told_and_what_it_does_not_explain() -> None:
    """7B with LoRA at 38 GB: fp32 weights add 12.6 GiB of the 23 that are too many; at 30 GB they are all of it."""
    slots = {"model": "huggyllama/llama-7b", "kind": "oom_help", "method": "lora", "gpus": cards("a100-80gb-sxm")}
    more, enough = (seen_tells.check(case(**slots, seen_gib=seen)) for seen in (38.0, 29.0))
    assert more is not None
    assert enough is not None
    assert (more.facts["why"], enough.facts["why"]) == ("fp32", "fp32")
    assert (more.facts["left"], enough.facts["left"]) == (True, False)
    assert 12 < more.facts["wider"] / 2**30 < 13


def test_a_published_figure_that_the_card_confirms_is_said_to_be_right() -> None:
    """A paper trains 65B on 48 GB, the asker's script takes 60: the settings differ, nobody lies."""
    given = {"kind": "fits_check", "model": "huggyllama/llama-65b", "method": "qlora", "gpus": cards("l40s")}
    found = seen_tells.check(case(**given, seen_gib=60.0, claims=("table_covers_me",)))
    assert found is not None
    assert found.facts["right"]
    unclaimed = seen_tells.check(case(**given, seen_gib=60.0))
    assert unclaimed is not None
    assert not unclaimed.facts["right"]


OSS = {"kind": "oom_help", "model": "openai/gpt-oss-20b", "method": "lora", "gpus": cards("rtx-3090", 4)}


def test_a_figure_from_another_card_is_no_share_of_ones_own() -> None:
    """50 GB on one A100 is what it takes there, and says nothing of a quarter of it on four 3090."""
    other = ((CardCount(gpu="a100-80gb-sxm", name="A100 80GB SXM", vram_gb=80.0),),)
    asked = {**OSS, "symptoms": ("oom_step",), "seen_gib": 50.0, "trainer": "llama-factory"}
    assert seen_tells.check(case(**asked, candidates=other)) is None


def test_what_is_wrong_there_is_wrong_here() -> None:
    other = ((CardCount(gpu="a100-80gb-sxm", name="A100 80GB SXM", vram_gb=80.0),),)
    found = seen_tells.check(
        case(kind="oom_help", params_b=8.0, method="lora", gpus=cards("rtx-3090", 2), candidates=other, seen_gib=36.0)
    )
    assert found is not None
    assert found.facts["why"] == "fp32"


def test_ones_own_figure_stays_ones_own() -> None:
    given = {"kind": "oom_help", "params_b": 8.0, "method": "lora", "gpus": cards("rtx-3090", 2)}
    assert not seen_tells.seen_elsewhere(case(**given, seen_gib=20.0))
    assert not seen_tells.seen_elsewhere(case(**given, seen_gib=36.0))
