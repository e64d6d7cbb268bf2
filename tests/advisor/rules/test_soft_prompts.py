"""The rule soft_prompts."""

from advisor.rules import soft_prompts
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    named = {"kind": "fits_check", "symptoms": ("soft_prompts",)}
    found = soft_prompts.check(case(**named, model="THUDM/chatglm-6b", gpus=cards("rtx-3080-ti")))
    assert found is not None
    assert found.facts["four"] < 10 * 2**30
    bare = soft_prompts.check(case(**named))
    assert bare is not None
    assert bare.facts["four"] is None


def test_silent() -> None:
    assert soft_prompts.check(case(kind="fits_check", model="THUDM/chatglm-6b")) is None
    tried = ("soft_prompts", "lighter_runs")
    assert soft_prompts.check(case(kind="oom_help", model="THUDM/chatglm-6b", symptoms=tried)) is None
