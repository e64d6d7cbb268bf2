"""The rule dpo_is_double."""

from advisor.rules import dpo_is_double
from advisor.stacks import GIB
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = dpo_is_double.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), algorithm="dpo")
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert dpo_is_double.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None


def test_who_asks_whether_there_are_two_copies_hears_it_first() -> None:
    asked = {"params_b": 7.0, "kind": "fits_check", "algorithm": "dpo", "claims": ("dpo_is_double",)}
    lora = dpo_is_double.check(case(**asked, method="qlora", gpus=cards("rtx-3090")))
    assert lora is not None
    assert (lora.gravity, lora.facts["full"]) == ("stop", False)
    full = dpo_is_double.check(case(**asked, method="full", gpus=cards("a100-80gb-sxm")))
    assert full is not None
    assert full.facts["full"]
    assert full.facts["copy"] > 13 * GIB
