"""The rule smi_is_need."""

from advisor.rules import smi_is_need
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = smi_is_need.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("smi_is_need",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert smi_is_need.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help")) is None


def test_silent_where_shared_memory_is_the_reason() -> None:
    spilt = case(
        params_b=8.0,
        kind="oom_help",
        method="qlora",
        os="windows-wsl2",
        gpus=cards("rtx-4080"),
        symptoms=("slow",),
        claims=("smi_is_need",),
    )
    assert spilt.advice is not None
    assert spilt.advice.verdict.code == "spill"
    assert smi_is_need.check(spilt) is None
