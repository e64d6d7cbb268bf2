"""The rule wsl_pins."""

from typing import Any

from advisor.rules import wsl_pins
from tests.advisor.rules.ask import cards, case

OOM: dict[str, Any] = {
    "params_b": 8.0,
    "method": "qlora",
    "kind": "oom_help",
    "trainer": "unsloth",
    "gpus": cards("rtx-3090"),
    "symptoms": ("oom_step",),
}


def test_much_of_the_card_is_free() -> None:
    found = wsl_pins.check(case(**OOM, os="windows-wsl2", seen_gib=8.7))
    assert found is not None
    assert found.facts["need"] < found.facts["usable"] // 2


def test_silent_where_the_card_is_full_or_not_under_wsl() -> None:
    assert wsl_pins.check(case(**OOM, os="windows-wsl2", seen_gib=23.0)) is None
    assert wsl_pins.check(case(**OOM, os="linux", seen_gib=8.7)) is None
    assert wsl_pins.check(case(**OOM | {"trainer": "trl"}, os="windows-wsl2", seen_gib=8.7)) is None


def test_bitsandbytes_own_message_speaks_by_itself() -> None:
    run = {"kind": "oom_help", "params_b": 7.0, "method": "qlora", "gpus": cards("rtx-4090")}
    wsl = wsl_pins.check(case(**run, os="windows-wsl2", symptoms=("oom_step", "bnb_allocates")))
    linux = wsl_pins.check(case(**run, symptoms=("oom_step", "bnb_allocates")))
    assert wsl is not None
    assert linux is not None
    assert (wsl.facts["paged"], wsl.facts["wsl"], linux.facts["wsl"]) == (True, True, False)
