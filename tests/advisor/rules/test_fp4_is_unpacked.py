"""The rule fp4_is_unpacked."""

from advisor.rules import fp4_is_unpacked
from tests.advisor.rules.ask import cards, case

OSS = {"model": "openai/gpt-oss-120b", "kind": "oom_help", "method": "lora"}


def test_is_the_reason_where_it_died() -> None:
    found = fp4_is_unpacked.check(case(**OSS, gpus=cards("h100-sxm", 8), symptoms=("oom_step",)))
    assert found is not None
    assert found.gravity == "stop"
    assert found.facts["stored"] < 80e9 < 2e11 < found.facts["unpacked"]
    assert found.facts["copies"]


def test_a_remark_elsewhere() -> None:
    found = fp4_is_unpacked.check(case(**OSS | {"kind": "fits_check"}, gpus=cards("h100-sxm")))
    assert found is not None
    assert found.gravity == "warn"


def test_silent_where_4_bit_is_kept() -> None:
    for slots in ({"method": "qlora"}, {"trainer": "unsloth"}, {"model": "Qwen/Qwen3-30B-A3B"}):
        assert fp4_is_unpacked.check(case(**OSS | slots, gpus=cards("h100-sxm", 8), symptoms=("oom_step",))) is None


def test_fp8_on_disk_is_bf16_in_training_but_not_for_what_was_distilled() -> None:
    found = fp4_is_unpacked.check(case(**OSS | {"model": "deepseek-ai/DeepSeek-V3"}, gpus=cards("h100-sxm", 8)))
    assert found is not None
    assert (found.facts["format"], found.facts["four_bits"]) == ("FP8", False)
    distilled = OSS | {"model": "deepseek-ai/DeepSeek-R1-Distill-Llama-8B"}
    assert fp4_is_unpacked.check(case(**distilled, gpus=cards("h100-sxm"))) is None


def test_layer_by_layer_takes_less_than_gathering() -> None:
    found = fp4_is_unpacked.check(
        case(
            kind="oom_help",
            model="openai/gpt-oss-20b",
            method="lora",
            gpus=cards("rtx-3090", 4),
            symptoms=("oom_load",),
        )
    )
    assert found is not None
    assert found.facts["layered"] < found.facts["split"]
    assert found.facts["ready"] == "unsloth/gpt-oss-20b-BF16"
