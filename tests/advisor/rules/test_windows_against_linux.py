"""The rule windows_against_linux."""

from advisor.rules import windows_against_linux
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    told = case(kind="oom_help", os="windows", symptoms=("oom_step", "windows_or_linux"))
    assert windows_against_linux.check(told) is not None


def test_silent_on_windows_alone() -> None:
    assert windows_against_linux.check(case(kind="oom_help", os="windows", symptoms=("oom_step",))) is None
