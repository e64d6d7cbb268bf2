"""The rule pcie_only."""

from advisor.rules import pcie_only
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = pcie_only.check(case(params_b=70.0, kind="multi_gpu", gpus=cards("rtx-4090", 2)))
    assert found is not None


def test_silent_with_nvlink() -> None:
    assert pcie_only.check(case(params_b=70.0, kind="multi_gpu", gpus=cards("rtx-3090", 2))) is None
