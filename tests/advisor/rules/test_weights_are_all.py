"""The rule weights_are_all."""

from advisor.rules import weights_are_all
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = weights_are_all.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("weights_are_all",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert weights_are_all.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help")) is None


def test_the_rule_of_thumb_is_not_said_twice() -> None:
    asked = {"model": "openai-community/gpt2-xl", "method": "full", "claims": ("weights_are_all",)}
    for kind, told in (("oom_help", False), ("faq_definition", True)):
        found = weights_are_all.check(case(kind=kind, **asked))
        assert found is not None
        assert (found.facts["states_gb"] is None) is told
