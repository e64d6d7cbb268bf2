"""The rule smi_is_need."""

from advisor.rules import smi_is_need
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = smi_is_need.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("smi_is_need",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert smi_is_need.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help")) is None
