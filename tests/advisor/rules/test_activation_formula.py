"""The rule activation_formula."""

from advisor.rules import activation_formula
from tests.advisor.rules.ask import case

LLAMA = {"kind": "fits_check", "model": "meta-llama/Llama-2-7b-hf", "seq_len": 4096}


def test_counts_what_checkpointing_keeps() -> None:
    """2 bytes × 4,096 tokens × 4,096 wide × 32 layers is one gigabyte, 34 are seventeen."""
    found = activation_formula.check(case(**LLAMA, symptoms=("asks_formula",)))
    assert found is not None
    assert found.facts["kept"] == 2**30
    assert found.facts["flash"] == 17 * 2**30


def test_silent_unasked() -> None:
    assert activation_formula.check(case(**LLAMA)) is None
