"""The rule dataset_drives_vram."""

from advisor.rules import dataset_drives_vram
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = dataset_drives_vram.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("dataset_drives_vram",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        dataset_drives_vram.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help", dataset_examples=1000000))
        is None
    )
