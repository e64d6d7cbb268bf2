"""The rule smaller_model_less_memory."""

from advisor.rules import smaller_model_less_memory
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = smaller_model_less_memory.check(
        case(model="google/gemma-2b", kind="oom_help", claims=("smaller_model_less_memory",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert smaller_model_less_memory.check(case(model="google/gemma-2b", kind="oom_help")) is None


GEMMA = {"model": "google/gemma-2b", "kind": "oom_help", "method": "lora", "seq_len": 4096, "micro_batch": 4}


def test_a_larger_model_that_takes_less_is_set_against_it() -> None:
    """Reported: LoRA of gemma-2b runs out of memory where Mistral 7B runs with the same command."""
    found = smaller_model_less_memory.check(
        case(**GEMMA, models=("mistralai/Mistral-7B-v0.3",), symptoms=("oom_step",), gpus=cards("a100-40gb-pcie"))
    )
    assert found is not None
    assert found.gravity == "stop"
    assert found.facts["vocab"] == [256_000, 32_768]
    assert found.facts["logits"][0] > 7 * found.facts["logits"][1]
    assert found.facts["need"][0] > found.facts["need"][1]


def test_silent_where_the_larger_one_takes_more_or_nothing_failed() -> None:
    mistral = ("mistralai/Mistral-7B-v0.3",)
    assert smaller_model_less_memory.check(case(**GEMMA, models=mistral)) is None
    small = {**GEMMA, "model": "meta-llama/Llama-3.2-1B", "seq_len": 256, "micro_batch": 1, "symptoms": ("oom_step",)}
    assert smaller_model_less_memory.check(case(**small, models=mistral)) is None
