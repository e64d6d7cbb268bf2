"""The rule newer_than_build."""

from advisor.rules import newer_than_build
from tests.advisor.rules.ask import cards, case

ASKS = {"params_b": 7.0, "method": "qlora", "kind": "fits_check", "symptoms": ("too_new_for_build",)}


def test_a_card_that_old_builds_do_not_know() -> None:
    found = newer_than_build.check(case(**ASKS, gpus=cards("rtx-5090")))
    assert found is not None
    assert found.facts["chip"] == "sm_120"


def test_an_error_without_kernels_on_such_a_card() -> None:
    assert newer_than_build.check(case(**ASKS | {"symptoms": ("no_kernels",)}, gpus=cards("rtx-5080"))) is not None


def test_silent_on_older_cards_and_without_the_error() -> None:
    assert newer_than_build.check(case(**ASKS, gpus=cards("rtx-3090"))) is None
    assert newer_than_build.check(case(**ASKS | {"symptoms": ()}, gpus=cards("rtx-5090"))) is None
