"""Merging an adapter: what RAM it takes, and the ways with less, each by the name of its trainer."""

import pytest

from bot.renderer import render
from tests.advisor.rules.ask import case


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_merge_that_does_not_fit_is_not_sent_back_to_the_cpu(language: str) -> None:
    """Falcon 40B on 83 GB: the disk takes the rest in PEFT; Unsloth, which does not load it, is not named."""
    asked = {"model": "tiiuae/falcon-40b-instruct", "ram_gb": 83.0, "symptoms": ("oom_merge",), "method": "qlora"}
    advice = case(kind="system_ram", **asked).advice
    assert advice is not None
    assert advice.verdict.code == "merge"
    text = render(advice, language).text
    assert "offload_folder" in text
    assert 'device_map="cpu"' not in text
    assert "maximum_memory_usage" not in text
    llama = case(kind="system_ram", **{**asked, "model": "meta-llama/Llama-3.1-70B"}).advice
    assert llama is not None
    told = render(llama, language).text
    assert told.index("Unsloth") < told.index("maximum_memory_usage")
