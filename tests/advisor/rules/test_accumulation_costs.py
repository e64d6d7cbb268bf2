"""The rule accumulation_costs."""

from advisor.rules import accumulation_costs
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = accumulation_costs.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("accumulation_costs",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert accumulation_costs.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", grad_accum=8)) is None


def test_a_pipeline_keeps_several_in_flight() -> None:
    for slots in ({"trainer": "qlora-pipe"}, {"sharding": "pipeline"}):
        found = accumulation_costs.check(case(kind="oom_help", claims=("accumulation_costs",), **slots))
        assert found is not None
        assert found.facts["pipeline"] is True
