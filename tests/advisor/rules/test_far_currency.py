"""The rule far_currency."""

from advisor.rules import far_currency
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = far_currency.check(case(model="meta-llama/Llama-3.1-8B", kind="which_gpu", budget=20000.0, currency="CNY"))
    assert found is not None


def test_silent_in_usd() -> None:
    assert (
        far_currency.check(case(model="meta-llama/Llama-3.1-8B", kind="which_gpu", budget=2000.0, currency="USD"))
        is None
    )
