"""The rule loaded_in_fp32."""

from advisor.rules import loaded_in_fp32
from tests.advisor.rules.ask import case

TOLD = {"loaded_wide": ("7", "28")}


def test_speaks() -> None:
    found = loaded_in_fp32.check(case(kind="oom_help", params_b=7.0, named=TOLD))
    assert found is not None
    assert found.facts["half_gb"] == 14
    beside = loaded_in_fp32.check(case(kind="oom_help", params_b=13.0, models=("7B",), named=TOLD))
    assert beside is not None
    assert beside.gravity == "warn"


def test_silent() -> None:
    assert loaded_in_fp32.check(case(kind="oom_help", params_b=7.0)) is None
    assert loaded_in_fp32.check(case(kind="oom_help", params_b=7.0, method="full", named=TOLD)) is None
