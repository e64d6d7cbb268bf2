"""The rule impossible_card."""

from advisor.query import CardCount
from advisor.rules import impossible_card
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = impossible_card.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="fits_check",
            gpus=(CardCount(gpu="rtx-3060-ti", name="RTX 3060 Ti", vram_gb=6),),
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        impossible_card.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3060-ti")))
        is None
    )


def test_no_second_verdict_where_the_answer_is_about_the_card_as_sold() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B",
        kind="fits_check",
        gpus=(CardCount(gpu="rtx-3060-ti", name="RTX 3060 Ti", vram_gb=6),),
    )
    assert made.advice is not None
    verdict = made.advice.verdict
    for sold in (None, 8.0):
        facts = {**verdict.facts, "sold": sold}
        made.advice = made.advice.model_copy(update={"verdict": verdict.model_copy(update={"facts": facts})})
        found = impossible_card.check(made)
        assert found is not None
        assert (found.facts["fit"] is None) == (sold is not None)
