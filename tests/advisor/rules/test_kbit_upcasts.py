"""The rule kbit_upcasts."""

from advisor.rules import kbit_upcasts
from advisor.stacks import GIB
from tests.advisor.rules.ask import case

LLAMA = {"kind": "oom_help", "model": "meta-llama/Llama-3.1-8B", "method": "qlora"}


def test_an_8b_grows_by_two_gigabytes() -> None:
    """128,256 words × 4,096, twice, two bytes more each."""
    found = kbit_upcasts.check(case(**LLAMA, symptoms=("asks_kbit",)))
    assert found is not None
    assert 1.9 * GIB < found.facts["size"] < 2.1 * GIB


def test_silent_where_nothing_is_quantised() -> None:
    assert kbit_upcasts.check(case(**(LLAMA | {"method": "lora"}), symptoms=("asks_kbit",))) is None


def test_silent_unasked() -> None:
    assert kbit_upcasts.check(case(**LLAMA)) is None
