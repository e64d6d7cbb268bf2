"""The rule tpu_refused."""

from advisor.rules import tpu_refused
from tests.advisor.rules.ask import cards, case


def test_no_cuda_trainer_runs_on_a_tpu() -> None:
    found = tpu_refused.check(case(params_b=8.0, kind="fits_check", trainer="unsloth", symptoms=("names_tpu",)))
    assert found is not None
    assert found.facts["trainer"] == "unsloth"


def test_silent_in_jax_beside_a_card_and_without_one() -> None:
    assert tpu_refused.check(case(params_b=8.0, kind="fits_check", symptoms=("names_tpu", "uses_jax"))) is None
    assert tpu_refused.check(case(params_b=8.0, kind="fits_check", gpus=cards("t4"), symptoms=("names_tpu",))) is None
    assert tpu_refused.check(case(params_b=8.0, kind="fits_check")) is None
