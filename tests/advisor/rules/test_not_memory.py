"""The rule not_memory."""

from typing import Any

import pytest

from advisor.rules import not_memory
from tests.advisor.rules.ask import cards, case

QLORA: dict[str, Any] = {"params_b": 8.0, "method": "qlora", "kind": "oom_help", "gpus": cards("rtx-3090")}


@pytest.mark.parametrize("code", not_memory.CODES)
def test_every_sign_has_its_answer(code: str) -> None:
    found = not_memory.check(case(**QLORA, symptoms=(code,)))
    assert found is not None
    assert found.facts["why"] == code
    assert found.facts["beside"] is (code in not_memory.BESIDE)


def test_what_memory_ran_out_of_is_another_matter() -> None:
    for code in not_memory.OF_WORDS:
        assert not_memory.check(case(**QLORA, symptoms=(code, "oom_step"))) is None


def test_an_assert_is_none_of_memory_whatever_is_believed() -> None:
    found = not_memory.check(case(**QLORA, symptoms=("device_assert", "oom_step")))
    assert found is not None


def test_one_card_holds_it_where_layers_lie_on_two() -> None:
    found = not_memory.check(case(**QLORA | {"gpus": cards("t4", 2)}, symptoms=("two_devices",)))
    assert found is not None
    assert found.facts["alone_fit"] == "yes"


def test_silent_where_a_card_is_chosen_and_without_a_sign() -> None:
    assert not_memory.check(case(**QLORA | {"kind": "which_gpu"}, symptoms=("session_ends",))) is None
    assert not_memory.check(case(**QLORA)) is None


@pytest.mark.parametrize("full", sorted(not_memory.FULL_RAM))
def test_a_machine_that_stands_still_with_its_ram_full_lacks_memory(full: str) -> None:
    assert not_memory.check(case(kind="system_ram", symptoms=("hangs", full))) is None
    assert not_memory.check(case(kind="system_ram", symptoms=("hangs",))) is not None
