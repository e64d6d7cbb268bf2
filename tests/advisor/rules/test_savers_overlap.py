"""The rule savers_overlap."""

from advisor.rules import savers_overlap
from tests.advisor.rules.ask import case

ASKED = {"kind": "trainer_choice", "fused_loss": True, "symptoms": ("asks_stacking",)}


def test_speaks_of_unsloth_beside_liger() -> None:
    assert savers_overlap.check(case(**ASKED, trainer="unsloth")) is not None


def test_silent_beside_another_trainer() -> None:
    assert savers_overlap.check(case(**ASKED, trainer="axolotl")) is None


def test_silent_unasked() -> None:
    assert savers_overlap.check(case(**(ASKED | {"symptoms": ()}), trainer="unsloth")) is None
