"""The rule ram_adds_nothing."""

from advisor.rules import ram_adds_nothing
from tests.advisor.rules.ask import cards, case


def test_the_card_decides() -> None:
    found = ram_adds_nothing.check(case(kind="system_ram", gpus=cards("rtx-3090"), symptoms=("more_ram",)))
    assert found is not None
    assert found.facts["largest"] == "32B"


def test_silent_where_ram_is_used_or_lacks() -> None:
    told = {"gpus": cards("rtx-3090"), "params_b": 7.0}
    assert ram_adds_nothing.check(case(kind="system_ram", offload="params", symptoms=("more_ram",), **told)) is None
    assert ram_adds_nothing.check(case(kind="system_ram", symptoms=("more_ram", "killed"), **told)) is None
    assert ram_adds_nothing.check(case(kind="system_ram", gpus=cards("apple-m4"), symptoms=("more_ram",))) is None
    assert ram_adds_nothing.check(case(kind="system_ram", **told)) is None
