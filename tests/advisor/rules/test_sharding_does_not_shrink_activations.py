"""The rule sharding_does_not_shrink_activations."""

from advisor.rules import sharding_does_not_shrink_activations
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = sharding_does_not_shrink_activations.check(
        case(params_b=70.0, kind="fits_check", gpus=cards("a100-80gb-sxm", 8), sharding="fsdp", seq_len=32768)
    )
    assert found is not None


def test_silent_at_a_short_length() -> None:
    assert (
        sharding_does_not_shrink_activations.check(
            case(params_b=70.0, kind="context_length", gpus=cards("a100-80gb-sxm", 8), sharding="fsdp", seq_len=2048)
        )
        is None
    )


def test_who_believes_that_all_is_split_is_told_at_any_length() -> None:
    run = {"params_b": 8.0, "kind": "oom_help", "gpus": cards("l20", 4), "sharding": "zero3", "seq_len": 2048}
    found = sharding_does_not_shrink_activations.check(case(**run, symptoms=("split_covers_all",)))
    assert found is not None
    assert (found.gravity, found.facts["way"]) == ("stop", "ZeRO-3")
