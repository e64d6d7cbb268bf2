"""The rule trainer_decides."""

import pytest

from advisor.rules import trainer_decides
from tests.advisor.rules.ask import case


def test_speaks_of_savers_that_are_named_beside_a_trainer() -> None:
    assert trainer_decides.check(case(kind="trainer_choice", trainer="unsloth", fused_loss=True)) is not None


@pytest.mark.parametrize("kind", ["trainer_choice", "oom_help"])
def test_speaks_where_two_trainers_differ(kind: str) -> None:
    assert trainer_decides.check(case(kind=kind, trainer="axolotl", claims=("trainer_decides",))) is not None


def test_silent() -> None:
    assert trainer_decides.check(case(kind="trainer_choice", trainer="unsloth")) is None
    assert trainer_decides.check(case(kind="fits_check", params_b=8.0, trainer="axolotl", fused_loss=True)) is None
