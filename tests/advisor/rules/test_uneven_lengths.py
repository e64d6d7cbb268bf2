"""The rule uneven_lengths."""

from advisor.rules import one_card_used, uneven_lengths
from tests.advisor.rules.ask import cards, case

SPLIT = {"kind": "multi_gpu", "params_b": 8.0, "method": "lora", "gpus": cards("rtx-4090", 4)}


def test_speaks_where_the_cards_have_batches_of_their_own() -> None:
    made = case(**SPLIT, sharding="zero3", symptoms=("uneven",))
    assert uneven_lengths.check(made) is not None
    assert one_card_used.check(made) is None


def test_silent_where_layers_are_spread() -> None:
    made = case(**SPLIT, symptoms=("uneven",))
    assert uneven_lengths.check(made) is None
    assert one_card_used.check(made) is not None


def test_a_trainer_that_starts_every_card_has_uneven_batches() -> None:
    made = case(**SPLIT, trainer="deepspeed", algorithm="dpo", symptoms=("uneven",))
    found = uneven_lengths.check(made)
    assert found is not None
    assert found.facts["pairs"]
    assert one_card_used.check(made) is None
