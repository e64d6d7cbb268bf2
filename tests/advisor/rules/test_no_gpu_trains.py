"""The rule no_gpu_trains."""

from advisor.rules import no_gpu_trains
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = no_gpu_trains.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", symptoms=("no_gpu_found",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert no_gpu_trains.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check")) is None
