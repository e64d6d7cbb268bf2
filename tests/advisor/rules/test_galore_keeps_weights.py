"""The rule galore_keeps_weights."""

from advisor.rules import galore_keeps_weights
from advisor.stacks import GIB
from tests.advisor.rules.ask import card, case

MISTRAL = {"model": "mistralai/Mistral-7B-v0.3", "optimizer": "galore_adamw", "method": "full", "seq_len": 1024}


def test_the_weights_alone_fill_a_card_of_16_gb() -> None:
    """Reported: layer-wise GaLore of a 7B dies on 16 GB with 14.75 GiB allocated; the authors measured 22.8 GB."""
    made = case(kind="oom_help", gpus=(card("rtx-5080"),), symptoms=("oom_step", "by_layer"), **MISTRAL)
    found = galore_keeps_weights.check(made)
    assert found is not None
    assert found.facts["weights"] > 13 * GIB
    assert not found.facts["fits"]
    assert found.facts["failed"]
    assert made.stacks[0].code == "galore_by_layer"


def test_it_fits_24_gb_layer_by_layer_only() -> None:
    made = case(kind="fits_check", gpus=(card("rtx-3090"),), **MISTRAL)
    found = galore_keeps_weights.check(made)
    assert found is not None
    assert (found.facts["fits"], found.facts["fits_whole"]) == (True, False)
    assert made.advice is not None
    assert made.advice.verdict.code == "yes"


def test_silent_for_other_optimizers_several_cards_and_a_comparison() -> None:
    adam = MISTRAL | {"optimizer": "adamw_8bit"}
    assert galore_keeps_weights.check(case(kind="fits_check", gpus=(card("rtx-3090"),), **adam)) is None
    assert galore_keeps_weights.check(case(kind="fits_check", gpus=(card("rtx-3090", 2),), **MISTRAL)) is None
    named = {"optimizer": ("galore_adamw", "adamw_8bit")}
    assert galore_keeps_weights.check(case(kind="fits_check", gpus=(card("rtx-3090"),), named=named, **MISTRAL)) is None
