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


def test_figures_far_above_are_checkpointing_that_is_off() -> None:
    """Reported: Ministral 8B at 4,096 tokens, 63 GB in NF4 without the call and 81 GB with it."""
    told = {"kind": "fits_check", "model": "mistralai/Ministral-8B-Instruct-2410", "method": "qlora", "seq_len": 4096}
    found = kbit_upcasts.check(case(**told, symptoms=("asks_kbit",)))
    assert found is not None
    assert found.facts["on"][0] < found.facts["on"][1] < 24 * GIB
    assert 38 * GIB < found.facts["off"][0] < found.facts["off"][1]
