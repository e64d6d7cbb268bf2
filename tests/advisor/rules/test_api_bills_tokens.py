"""The rule api_bills_tokens."""

import pytest

from advisor.rules import api_bills_tokens
from tests.advisor.rules.ask import case


def test_tokens_times_epochs_are_priced() -> None:
    found = api_bills_tokens.check(case(kind="cost_buy_vs_rent", dataset_examples=5000, symptoms=("via_api",)))
    assert found is not None
    assert found.facts["tokens"] == 5000 * 512 * 3
    assert found.facts["mini"][0] == pytest.approx(23.04)
    assert found.facts["open"][0] < found.facts["mini"][0] < found.facts["large"][0]


def test_silent() -> None:
    assert api_bills_tokens.check(case(kind="cost_buy_vs_rent", dataset_examples=5000)) is None
    assert api_bills_tokens.check(case(kind="inference_only", params_b=8.0, symptoms=("via_api",))) is None
