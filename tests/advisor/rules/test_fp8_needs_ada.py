"""The rule fp8_needs_ada."""

from advisor.rules import fp8_needs_ada
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = fp8_needs_ada.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), compute_dtype="fp8")
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        fp8_needs_ada.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), compute_dtype="bf16")
        )
        is None
    )


def test_names_the_card_that_has_it_beside_one_that_has_not() -> None:
    both = (*cards("rtx-3090", 2), *cards("rtx-4090"))
    found = fp8_needs_ada.check(case(kind="compare_gpus", gpus=both, compute_dtype="fp8"))
    assert found is not None
    assert (found.facts["card"], found.facts["has"]) == ("RTX 3090", "RTX 4090")
