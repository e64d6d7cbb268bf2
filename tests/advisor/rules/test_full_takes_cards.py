"""The rule full_takes_cards."""

from advisor.rules import full_takes_cards
from tests.advisor.rules.ask import cards, case

MOE = "Qwen/Qwen3-30B-A3B"


def test_speaks_with_the_number_of_cards_and_the_states() -> None:
    found = full_takes_cards.check(
        case(model=MOE, kind="multi_gpu", method="full", gpus=cards("h800-sxm", 4), n_gpus=4)
    )
    assert found is not None
    assert found.facts["eight"] == 4  # 6 bytes a parameter, 46 GB of states a card
    assert found.facts["adamw"] == 8
    assert 400 < found.facts["states"] / 2**30 < 500


def test_silent_where_they_fit() -> None:
    fits = case(params_b=3.0, kind="multi_gpu", method="full", gpus=cards("h800-sxm", 4), n_gpus=4)
    assert full_takes_cards.check(fits) is None


def test_silent_with_adapters_and_on_one_card() -> None:
    assert full_takes_cards.check(case(model=MOE, kind="multi_gpu", gpus=cards("rtx-3090", 2), n_gpus=2)) is None
    assert full_takes_cards.check(case(model=MOE, kind="fits_check", method="full", gpus=cards("h800-sxm"))) is None
