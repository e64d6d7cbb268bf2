"""The rule precompute_frees."""

from advisor.rules import precompute_frees
from tests.advisor.rules.ask import cards, case

DPO = {"kind": "fits_check", "params_b": 8.0, "algorithm": "dpo", "gpus": cards("h100-sxm", 8)}


def test_all_weights_have_a_reference_of_their_own() -> None:
    found = precompute_frees.check(case(**DPO, method="full", symptoms=("asks_precompute",)))
    assert found is not None
    assert found.facts["size"] > 14 * 10**9


def test_adapters_have_none() -> None:
    found = precompute_frees.check(case(**DPO, method="lora", symptoms=("asks_precompute",)))
    assert found is not None
    assert found.facts["adapters"]
    assert found.facts["size"] is None


def test_silent_unasked() -> None:
    assert precompute_frees.check(case(**DPO, method="full")) is None
