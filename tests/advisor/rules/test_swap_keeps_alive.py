"""The rule swap_keeps_alive."""

from advisor.rules import swap_keeps_alive
from tests.advisor.rules.ask import case

ASKED = {"params_b": 7.0, "kind": "system_ram", "symptoms": ("killed", "asks_swap")}


def test_offloaded_states_crawl_in_it() -> None:
    found = swap_keeps_alive.check(case(method="full", offload="optimizer", **ASKED))
    assert found is not None
    assert found.facts == {"states": True, "nvme": False}


def test_nvme_is_as_slow() -> None:
    found = swap_keeps_alive.check(case(method="full", offload="nvme", **ASKED))
    assert found is not None
    assert found.facts["nvme"]


def test_a_merge_gets_through() -> None:
    found = swap_keeps_alive.check(case(method="lora", **ASKED))
    assert found is not None
    assert not found.facts["states"]


def test_silent_where_nobody_asks() -> None:
    assert swap_keeps_alive.check(case(params_b=7.0, kind="system_ram", symptoms=("killed",))) is None


def test_silent_beside_a_pointer() -> None:
    assert swap_keeps_alive.check(case(params_b=7.0, kind="faq_definition", symptoms=("asks_swap",))) is None
