"""The big effects that published runs show, each by itself (knowledge/measured/README.md)."""

import pytest

from advisor.estimator import estimate, outside, resolve
from advisor.query import SetUp
from knowledge.catalog import load_catalog

CATALOG = load_catalog()
GIB = 2**30
LLAMA = "meta-llama/Llama-3.1-8B"


def of(**slots):
    return estimate(SetUp(**{"model": LLAMA, "trainer": "hf", "seq_len": 2048, "micro_batch": 1, **slots}), CATALOG)


def test_pure_bf16_adamw_peaks_at_ten_bytes_a_parameter():
    found = of(method="full", weight_bits=16, optimizer="adamw", seq_len=256)
    assert found.moment == "optimizer"
    assert found.allocated / found.plan.shape.params == pytest.approx(10, rel=0.01)


def test_fsdp_widens_what_is_trained_to_twenty_bytes_a_parameter():
    found = of(method="full", sharding="fsdp", n_gpus=2, optimizer="adamw", seq_len=256)
    assert 2 * found.allocated / found.plan.shape.params == pytest.approx(20, rel=0.01)


def test_deepspeed_keeps_master_weights_and_buckets():
    found = of(model="Qwen/Qwen-1_8B", method="full", trainer="deepspeed", seq_len=256)
    assert 20 < found.allocated / found.plan.shape.params < 25


def test_a_fused_loss_saves_twenty_gib_of_logits():
    """fms-acceleration: Llama-3-8B LoRA, batch 8 x 4096: 55.0 to 31.3 GiB."""
    stock = of(method="lora", micro_batch=8, seq_len=4096, loss="triton", lora_targets="attention")
    fused = of(method="lora", micro_batch=8, seq_len=4096, loss="fused", lora_targets="attention")
    assert (stock.allocated - fused.allocated) / GIB == pytest.approx(23.7, abs=1)


def test_k_bit_preparation_costs_gigabytes():
    """Its fp32 embedding, head and norms, and an fp32 residual stream."""
    prepared = of(method="qlora", kbit_prepare=True, micro_batch=4, seq_len=4096)
    plain = of(method="qlora", kbit_prepare=False, micro_batch=4, seq_len=4096)
    assert (prepared.allocated - plain.allocated) / GIB > 3


def test_qlora_is_not_always_below_lora():
    """Without checkpointing, after k-bit preparation, at long context (FORMULAS.md, "What surprised")."""
    long = {"grad_checkpointing": False, "seq_len": 16_384}
    assert of(method="qlora", **long).allocated > of(method="lora", **long).allocated


def test_optimizer_in_backward_needs_no_room_for_all_gradients():
    usual = of(method="full", weight_bits=16, optimizer="adamw_8bit", trainer="torchtune")
    fused = of(method="full", weight_bits=16, optimizer="adamw_8bit", trainer="torchtune", optimizer_in_backward=True)
    assert usual.allocated - fused.allocated > 8 * GIB


def test_all_experts_are_resident_and_only_the_active_ones_work():
    dense = of(model="Qwen/Qwen3-32B", method="lora")
    sparse = of(model="Qwen/Qwen3-30B-A3B", method="lora", lora_targets="attention")
    assert sparse.components["weights"] > 0.9 * dense.components["weights"]
    assert sparse.components["activations"] < dense.components["activations"]


def test_experts_are_often_not_quantised():
    stock = of(model="Qwen/Qwen3-30B-A3B", method="qlora", trainer="trl")
    unsloth = of(model="Qwen/Qwen3-30B-A3B", method="qlora", trainer="unsloth")
    assert stock.components["weights"] > 50 * GIB
    assert unsloth.components["weights"] < 20 * GIB


def test_eager_attention_grows_with_the_square_of_the_context():
    def moving(seq_len):
        found = of(method="lora", attention="eager", seq_len=seq_len, loss="fused")
        return found.allocated - found.components["weights"]

    assert moving(16_384) / moving(8_192) > 3


def test_a_card_with_room_shows_more_than_a_full_one():
    """fms-acceleration: 45.3 GiB allocated, 74.2 shown on 80 GB."""
    slots = {"method": "lora", "micro_batch": 4, "seq_len": 4096, "loss": "triton", "lora_targets": "attention"}
    roomy, full = of(gpu="A100 80GB", **slots), of(gpu="RTX 6000 Ada 48GB", **slots)
    assert roomy.allocated == full.allocated
    assert roomy.reserved > full.reserved
    assert roomy.needed == full.needed


def test_a_reference_model_is_free_under_adapters_only():
    assert of(method="lora", algorithm="dpo").components["weights"] == of(method="lora").components["weights"]
    full, sft = of(method="full", algorithm="dpo"), of(method="full")
    assert full.components["weights"] - sft.components["weights"] == pytest.approx(16.06e9, rel=0.01)


def test_a_whole_trained_embedding_comes_on_top_of_the_adapters():
    """Qwen README: 12.7 GiB more for 1.24e9 parameters in bf16."""
    slots = {"model": "Qwen/Qwen-7B", "method": "lora", "trainer": "hf (Qwen finetune.py)", "seq_len": 256}
    adapters = ["c_attn", "c_proj", "w1", "w2"]
    more = of(lora_targets=[*adapters, "wte (full)", "lm_head (full)"], **slots).allocated
    assert (more - of(lora_targets=adapters, **slots).allocated) / GIB == pytest.approx(11.6, abs=1)


def test_a_shared_sequence_is_divided():
    alone = resolve(SetUp(model=LLAMA, seq_len=65_536), CATALOG)
    shared = resolve(SetUp(model=LLAMA, seq_len=65_536, n_gpus=8, sharding="sequence_parallel8"), CATALOG)
    assert alone.tokens == 8 * shared.tokens


def test_a_tower_stays_in_sixteen_bit_under_unsloth():
    found = of(model="Qwen/Qwen2.5-VL-7B-Instruct", method="qlora", trainer="unsloth")
    assert found.plan.shape.tower_params > 6e8
    assert found.components["weights"] > 5.5 * GIB


def test_evaluation_builds_the_logits_that_a_fused_loss_avoided():
    """Liger fuses only while training, and the Trainer's evaluation batch is 8."""
    found = of(method="lora", loss="fused", seq_len=4096)
    peaks = outside(found.plan)
    assert peaks.eval_batch == 8
    assert peaks.evaluation > found.allocated
    unsloth = of(method="lora", trainer="unsloth", seq_len=4096)
    assert outside(unsloth.plan).evaluation < peaks.evaluation


def test_merging_takes_all_weights_in_sixteen_bit():
    quantised = of(method="qlora")
    assert outside(quantised.plan).merge > 2 * quantised.plan.shape.params
    assert outside(of(method="full").plan).merge is None


@pytest.mark.parametrize("trainer", ["trl", "unsloth"])
def test_preference_losses_without_a_fused_head_hold_whole_logits(trainer):
    """TRL 1.16: DPO, KTO and GRPO score tokens in a fused head, ORPO and CPO (SimPO) read whole fp32 logits."""
    slots = {"trainer": trainer, "method": "qlora"}
    logits = 4 * 2 * 2048 * 128_256  # one fp32 copy of a pair
    for algorithm in ("orpo", "simpo", "cpo"):
        assert of(algorithm=algorithm, **slots).components["logits"] > 2 * logits
        assert of(algorithm=algorithm, loss="fused", **slots).allocated < of(algorithm=algorithm, **slots).allocated
    for algorithm in ("dpo", "kto", "grpo"):
        assert of(algorithm=algorithm, **slots).components.get("logits", 0) < logits / 2


def test_a_sliding_window_is_a_mask_of_all_pairs_for_sdpa_alone():
    """transformers 5.24 masking_utils.py: a mask from the window's length on; FlashAttention takes a width."""
    slots = {"model": "mistralai/Mistral-7B-v0.1", "method": "lora", "loss": "fused"}
    for checkpointing, masks in ((True, 1 + 2), (False, 2 * 32)):
        sdpa, flash = (
            of(seq_len=8192, grad_checkpointing=checkpointing, attention=attention, **slots).allocated
            for attention in (None, "flash_attention_2")
        )
        assert sdpa - flash == pytest.approx(masks * 8192**2, rel=0.01)
        short = of(seq_len=4095, grad_checkpointing=checkpointing, **slots).allocated
        assert (
            short
            == of(seq_len=4095, grad_checkpointing=checkpointing, attention="flash_attention_2", **slots).allocated
        )


def test_flex_attention_needs_no_mask_of_a_window():
    slots = {"model": "google/gemma-3-4b-it", "method": "lora", "seq_len": 32_768}
    plans = [
        resolve(SetUp(trainer=trainer, **slots), CATALOG) for trainer in ("hf", "llama-factory", "unsloth", "axolotl")
    ]
    assert [plan.masks_windows for plan in plans] == [True, True, False, False]


def test_kto_trains_one_sequence_and_looks_at_others_without_gradients():
    """TRL 1.16 kto_trainer.py: the mismatched completion and the reference run under no_grad."""
    sft, kto, dpo = (of(method="qlora", trainer="trl", algorithm=name).allocated for name in ("sft", "kto", "dpo"))
    assert kto == sft < dpo


def test_llama_factory_keeps_both_models_logits():
    slots = {"method": "lora", "trainer": "llama-factory"}
    pair = 2 * 2048 * 128_256
    sft, dpo, orpo = (of(algorithm=name, **slots) for name in ("sft", "dpo", "orpo"))
    assert dpo.components["logits"] == orpo.components["logits"] >= 16 * pair
    assert sft.components["logits"] < 7 * pair


@pytest.mark.parametrize(
    ("run", "then", "card_gib"),
    [
        # LLaMA-Factory#3638 (May 2024): before the fused loss
        (
            {"model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "seq_len": 100_000, "lora_targets": "qv"},
            {"loss": "inplace"},
            78.8,
        ),
        # unsloth#2366 (April 2025): before flex attention
        (
            {"model": "google/gemma-3-27b-it", "method": "qlora", "seq_len": 17_500, "lora_rank": 256},
            {"attention": "eager"},
            138.9,
        ),
    ],
)
def test_runs_that_died_with_an_old_version_need_less_today(run, then, card_gib):
    today = estimate(SetUp(**run, micro_batch=1, trainer="unsloth"), CATALOG)
    before = estimate(SetUp(**run, **then, micro_batch=1, trainer="unsloth"), CATALOG)
    assert today.device < card_gib * 2**30 / 2 < card_gib * 2**30 < before.device


def test_gradients_kept_between_steps_explain_a_run_of_2020():
    """ru-gpts#27: 13.25 GiB allocated when it failed. PyTorch before 2.0 set gradients to zero, not to None."""
    run = {"model": "ai-forever/rugpt3large_based_on_gpt2", "method": "full", "seq_len": 256, "micro_batch": 1}
    kept = estimate(SetUp(**run, weight_bits=16, grad_accum=2, grad_checkpointing=False), CATALOG)
    assert kept.allocated / 2**30 == pytest.approx(13.25, rel=0.06)


def test_a_tiled_mlp_leaves_the_attention_and_runs_forward_once_more():
    """Unsloth docs, "500K context length fine-tuning": gpt-oss-20b QLoRA on 80 GB, 290k as it is and over 500k tiled,
    40 % less memory, 1.3 times as long a step; the notebook's run, adapters on attention only, took 70.45 GiB."""
    run = {"model": "openai/gpt-oss-20b", "method": "qlora", "micro_batch": 1, "trainer": "unsloth", "lora_rank": 8}
    run["trainable_params"] = 3_981_312
    plain, tiled = (
        estimate(SetUp(**run, seq_len=500_000, kernels=kernels, gpu="A100 80GB"), CATALOG)
        for kernels in (None, "tiled mlp")
    )
    assert tiled.allocated / plain.allocated == pytest.approx(0.6, abs=0.06)
    assert tiled.low < 70.45 * GIB < tiled.high
    assert estimate(SetUp(**run, seq_len=290_000), CATALOG).device < 78.8 * GIB < plain.low
    small = {
        "model": LLAMA,
        "method": "qlora",
        "micro_batch": 1,
        "trainer": "unsloth",
        "seq_len": 32_768,
        "gpu": "H100",
    }
    rates = [estimate(SetUp(**small, kernels=kernels), CATALOG).tokens_per_s for kernels in (None, "tiled mlp")]
    assert rates[0] / rates[1] == pytest.approx(1.2, abs=0.12)
