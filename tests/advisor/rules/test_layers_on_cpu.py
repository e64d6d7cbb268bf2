"""The rule layers_on_cpu."""

from advisor.rules import layers_on_cpu
from tests.advisor.rules.ask import cards, case


def test_speaks_with_what_4_bit_takes() -> None:
    asked = {"kind": "oom_help", "params_b": 13.0, "gpus": cards("rtx-3060-12gb")}
    found = layers_on_cpu.check(case(**asked, symptoms=("slow", "oom_step", "layers_on_cpu")))
    assert found is not None
    assert 0 < found.facts["need"] < found.facts["usable"] * 1.2


def test_silent_without_it() -> None:
    assert layers_on_cpu.check(case(kind="oom_help", params_b=13.0, symptoms=("slow", "oom_step"))) is None
