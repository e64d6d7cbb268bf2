"""The rule rank_drives_vram."""

from advisor.rules import rank_drives_vram
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = rank_drives_vram.check(
        case(model="meta-llama/Llama-3.1-8B", kind="faq_definition", claims=("rank_drives_vram",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert rank_drives_vram.check(case(model="meta-llama/Llama-3.1-8B", kind="faq_definition")) is None


def test_speaks_of_targets() -> None:
    told = {"kind": "oom_help", "symptoms": ("oom_step", "targets_drive_vram")}
    found = rank_drives_vram.check(case(model="meta-llama/Llama-3.1-8B", **told))
    assert found is not None
    assert found.facts["targets"]
