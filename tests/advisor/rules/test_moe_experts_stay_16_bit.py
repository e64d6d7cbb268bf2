"""The rule moe_experts_stay_16_bit."""

from advisor.rules import moe_experts_stay_16_bit
from advisor.topics import answer
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = moe_experts_stay_16_bit.check(
        case(model="Qwen/Qwen3-30B-A3B", kind="fits_check", gpus=cards("b200"), method="qlora")
    )
    assert found is not None


def test_silent_on_a_dense_model() -> None:
    assert (
        moe_experts_stay_16_bit.check(
            case(
                model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-pro-6000-blackwell"), method="qlora"
            )
        )
        is None
    )


def test_silent_where_not_even_4_bit_fits() -> None:
    made = case(model="deepseek-ai/DeepSeek-R1", kind="fits_check", gpus=cards("rtx-4090", 4), method="qlora")
    made.advice = answer(made)
    assert made.advice.verdict.code == "no"
    assert moe_experts_stay_16_bit.check(made) is None


def test_no_lead_where_unsloth_loads_its_own_linear_experts() -> None:
    failed = {"model": "openai/gpt-oss-20b", "kind": "oom_help", "gpus": cards("rtx-4080"), "symptoms": ("oom_step",)}
    plain = moe_experts_stay_16_bit.check(case(**failed))
    own = moe_experts_stay_16_bit.check(case(**failed, trainer="unsloth"))
    assert plain is not None
    assert plain.gravity == "stop"
    assert own is None or own.gravity == "warn"


def test_leads_where_another_loader_is_among_what_makes_it_fit() -> None:
    """Experts in 16 bit are among the reasons why it ran out: said before the list of what to change."""
    asked = {"model": "Qwen/Qwen3-Coder-Next-Base", "kind": "oom_help", "gpus": cards("a100-80gb-sxm", 2)}
    failed = case(**asked, method="qlora", symptoms=("oom_step",), seq_len=8192, micro_batch=2, lora_rank=128)
    assert failed.advice is not None
    assert "experts" in [change.slot for change in failed.advice.changes]
    found = moe_experts_stay_16_bit.check(failed)
    assert found is not None
    assert found.gravity == "stop"
