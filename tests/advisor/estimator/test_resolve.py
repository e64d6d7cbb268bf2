"""What a set-up's words come to: trainers, optimizers, targets, models; and what is refused."""

import pytest

from advisor.errors import BadValue, MissingModel, UnknownName
from advisor.estimator import estimate, resolve
from advisor.estimator.models import find_model, size_in_name
from advisor.estimator.moments import moments
from advisor.query import SetUp
from knowledge.catalog import load_catalog

CATALOG = load_catalog()
LLAMA = "meta-llama/Llama-3.1-8B"
GIB = 2**30


def plan(**slots):
    return resolve(SetUp(**{"model": LLAMA, **slots}), CATALOG)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hf", "trl"),
        ("hf (sft_trainer, accelerated-peft-bnb-foak-liger)", "trl"),
        ("Unsloth", "unsloth"),
        ("lit-llama", "litgpt"),
        ("fsdp_qlora train.py", "fsdp-qlora"),
        ("ms-swift", "ms-swift"),
        ("alpaca-lora", "trl"),
        ("LLaMA-Factory", "llama-factory"),
    ],
)
def test_a_trainer_is_found_in_free_text(text, name):
    assert plan(trainer=text).profile.name == name


def test_variants_of_a_trainer_differ_where_they_do():
    assert plan(trainer="hf", method="qlora").kbit
    assert not plan(trainer="hf (sft_trainer, accelerated-peft-bnb)", method="qlora").kbit
    assert plan(trainer="llm-foundry", method="full", weight_bits=16).trainable_bytes == 4


def test_an_unknown_trainer_is_named_with_the_nearest_and_the_plain_stack_stands_in():
    found = plan(trainer="axolotle")
    asked, nearest = found.unknown["trainer"]
    assert asked == "axolotle"
    assert "axolotl" in nearest
    assert "trainer" in found.assumed
    assert found.profile.name == "trl"


@pytest.mark.parametrize(
    ("text", "optimizer"),
    [
        ("adamw_torch_fused", "adamw_fused"),
        ("paged_adamw_8bit", "paged_adamw_8bit"),
        ("paged_adamw_32bit", "paged_adamw"),
        ("adamw_bnb_8bit", "adamw_8bit"),
        ("adamw_8bit (torchao)", "adamw_8bit_torchao"),
        ("galore_adamw8bit_per_layer", "galore_8bit"),
        ("lion_8bit", "lion_8bit"),
        ("Adafactor", "adafactor"),
        ("sgd", "sgd"),
        ("muon", "muon"),
    ],
)
def test_optimizers_go_by_many_names(text, optimizer):
    assert plan(optimizer=text, method="full").optimizer == optimizer


@pytest.mark.parametrize(
    ("targets", "roles"),
    [
        (["q_proj", "v_proj"], {"q", "v"}),
        ("all-linear", {"q", "k", "v", "o", "gate", "up", "down"}),
        ("attention", {"q", "k", "v", "o"}),
        (["query", "key", "value", "proj", "mlp", "head"], {"q", "k", "v", "o", "gate", "up", "down", "head"}),
        (["c_attn", "c_proj", "w1", "w2"], {"q", "k", "v", "o", "gate", "up", "down"}),
        (["model.layers.0.self_attn.q_proj"], {"q"}),
        ("mlp", {"gate", "up", "down"}),
    ],
)
def test_targets_go_by_many_names(targets, roles):
    assert plan(method="lora", lora_targets=targets).targets == roles


def test_one_unknown_target_among_known_ones_is_passed_over_but_none_known_is_refused():
    assert plan(method="lora", lora_targets=["q_proj", "flux_capacitor"]).targets == {"q"}
    with pytest.raises(UnknownName) as fault:
        plan(method="lora", lora_targets=["qproj"])
    assert "q_proj" in fault.value.facts["nearest"]


@pytest.mark.parametrize(
    "name",
    [
        "unsloth/Llama-3.1-8B-Instruct-bnb-4bit",
        "meta-llama/Llama-3.1-8B-Instruct",
        "someone/Llama-3.1-8B",
        "LLAMA-3.1-8B",
    ],
)
def test_a_model_is_found_without_owner_and_suffix(name):
    found = find_model(CATALOG, name)
    assert found is not None
    assert found.id == LLAMA


@pytest.mark.parametrize(
    ("name", "size"), [("my-llama-8b", 8), ("smol-360M", 0.36), ("x-1.5B-v2", 1.5), ("gpt", None), ("a100b", None)]
)
def test_the_size_stands_in_many_names(name, size):
    assert size_in_name(name) == size


def test_a_size_alone_gets_a_typical_shape_a_wider_range_and_says_so():
    guessed = estimate(SetUp(params_b=8, method="qlora", trainer="unsloth"), CATALOG)
    known = estimate(SetUp(model=LLAMA, method="qlora", trainer="unsloth"), CATALOG)
    assert "arch" in guessed.assumed
    assert guessed.plan.shape.params == pytest.approx(8e9, rel=1e-6)
    assert guessed.high / guessed.low > known.high / known.low
    assert guessed.device == pytest.approx(known.device, rel=0.1)


def test_a_stated_shape_wins_over_the_model():
    arch = {"hidden_size": 1024, "layers": 10, "heads": 16, "intermediate_size": 4096, "vocab_size": 32000}
    assert plan(arch=arch).shape.layers == 10


def test_everything_that_is_not_stated_is_listed_as_assumed():
    assert set(plan().assumed) >= {
        "trainer",
        "method",
        "seq_len",
        "micro_batch",
        "optimizer",
        "lora_rank",
        "lora_targets",
    }
    assert "seq_len" not in plan(seq_len=1024).assumed


@pytest.mark.parametrize(
    "slots",
    [
        {"seq_len": 0},
        {"seq_len": -5},
        {"seq_len": 10**9},
        {"seq_len": 10**7, "micro_batch": 10**4},
        {"micro_batch": 0},
        {"lora_rank": 0, "method": "lora"},
        {"lora_rank": 5000, "method": "lora"},
        {"n_gpus": -1},
        {"params_b": float("nan")},
        {"params_b": 1e9},
        {"weight_bits": 0},
        {"lora_dropout": 1.5},
        {"arch": {"hidden_size": 4096, "layers": 0, "heads": 32, "vocab_size": 32000}},
        {"arch": {"hidden_size": -1, "layers": 4, "heads": 32, "vocab_size": 32000}},
        {"arch": {"layers": 4}},
        {"arch": {"hidden_size": 64, "layers": 4, "heads": 4, "kv_heads": 8, "vocab_size": 100}},
    ],
)
def test_impossible_values_are_refused_with_a_way_out(slots):
    with pytest.raises(BadValue) as fault:
        plan(**slots)
    assert fault.value.fix
    assert fault.value.facts["field"]


def test_no_model_and_no_size_is_refused():
    with pytest.raises(MissingModel):
        resolve(SetUp(method="qlora"), CATALOG)


def test_an_unknown_model_without_a_size_is_refused_with_the_nearest():
    with pytest.raises(UnknownName) as fault:
        resolve(SetUp(model="meta-llama/Lama-3.1"), CATALOG)
    assert any("llama-3.1" in name for name in fault.value.facts["nearest"])


@pytest.mark.parametrize(("field", "value"), [("optimizer", "turbo"), ("method", "magic")])
def test_other_unknown_names_are_refused(field, value):
    with pytest.raises(UnknownName) as fault:
        plan(**{field: value})
    assert fault.value.facts["asked"] == value


def test_long_samples_are_not_assumed_for_large_batches():
    assert plan(micro_batch=16).seq_len == 512
    assert plan(micro_batch=1).seq_len == 2048
    assert plan(micro_batch=16, seq_len=4096).seq_len == 4096


@pytest.mark.parametrize(("bits", "trained"), [(4, 2), (8, 2), (16, 2), (32, 4)])
def test_full_fine_tuning_never_trains_fewer_than_sixteen_bits(bits, trained):
    assert plan(method="full", weight_bits=bits, autocast=False).trainable_bytes == trained


def test_an_unknown_method_with_a_rank_is_some_adapter():
    found = plan(method="moonbeam", lora_rank=8)
    assert found.method == "lora"
    assert found.unknown["method"][0] == "moonbeam"


def test_unknown_targets_do_not_matter_when_the_number_of_trained_parameters_is_known():
    found = plan(method="lora", lora_targets=["zz_top"], trainable_params=1_000_000)
    assert found.adapters == 1_000_000
    assert "lora_targets" in found.assumed


def test_an_open_trainer_reaches_down_to_the_leanest_stack():
    slots = {"model": LLAMA, "method": "qlora", "seq_len": 2048, "micro_batch": 1}
    lean = estimate(SetUp(trainer="unsloth", **slots), CATALOG)
    open_ = estimate(SetUp(**slots), CATALOG)
    assert open_.low <= lean.reserved
    assert open_.reserved > lean.reserved


@pytest.mark.parametrize(
    ("model", "trainer", "gpu", "attention"),
    [
        ("google/gemma-2-9b", "hf", None, "eager"),
        ("google/gemma-2-9b", "unsloth", "A100 80GB", "eager"),
        ("google/gemma-3-27b-it", "hf", None, "flash"),
        ("google/gemma-3-27b-it", "unsloth", "A100 80GB", "flash"),
        ("google/gemma-3-4b-it", "unsloth", "Tesla T4", "eager"),
        ("openai/gpt-oss-20b", "trl", None, "eager"),
        ("openai/gpt-oss-20b", "unsloth", None, "flash"),
    ],
)
def test_models_without_a_fused_kernel_run_eager_where_nothing_better_is(model, trainer, gpu, attention):
    assert resolve(SetUp(model=model, trainer=trainer, gpu=gpu, method="qlora"), CATALOG).attention == attention


def test_ludwig_checkpoints_nothing_and_trains_query_and_value():
    found = plan(trainer="ludwig", method="qlora")
    assert (found.checkpointing, found.rank, found.targets, found.autocast) == ("none", 8, frozenset("qv"), False)


def test_mlx_trains_the_last_sixteen_layers():
    assert (
        plan(trainer="mlx-lm", method="lora").adapters
        == plan(trainer="mlx-lm", lora_rank=4, method="lora").adapters * 2
    )
    few, all_of_them = plan(trainer="mlx-lm", method="lora"), plan(trainer="hf", method="lora", lora_rank=8)
    assert few.adapters == all_of_them.adapters * 16 // 32


@pytest.mark.parametrize(
    ("dtype", "bits"),
    [("fp32", 4), ("tf32", 4), ("bf16 mixed", 4), ("fp16", 4), ("bf16", 2), ("pure_bf16", 2), ("fp16-true", 4)],
)
def test_mixed_precision_and_fp16_train_fp32_weights(dtype, bits):
    assert plan(method="full", trainer="hf", compute_dtype=dtype).trainable_bytes == bits


@pytest.mark.parametrize(
    ("words", "sharding"),
    [
        ("fully sharded data parallel", "fsdp"),
        ("HSDP", "fsdp"),
        ("FSDP v2", "fsdp2"),
        ("SHARD_GRAD_OP", "zero2"),
        ("deepspeed stage 3", "zero3"),
        ("DataParallel", "ddp"),
        ("model parallel", "pipeline"),
        ("device_map=auto", "pipeline"),
        ("megatron", "tp"),
        ("ulysses", "sp"),
        ("parameter sharing", "ddp"),
    ],
)
def test_ways_to_shard_by_their_many_names(words, sharding):
    assert plan(n_gpus=4, sharding=words).sharding == sharding


def test_an_algorithm_given_as_the_method_is_one():
    found = plan(method="DPO", trainer="trl")
    assert (found.algorithm, found.method, found.sequences) == ("dpo", "qlora", 2)
    assert "method" in found.assumed


@pytest.mark.parametrize(
    ("pattern", "targets"),
    [
        (".*proj", "qkvo gate up down"),
        (r".*language_model.*\.(q_proj|v_proj)$", "qv"),
        ("^model.*mlp.*", "gate up down"),
    ],
)
def test_patterns_of_target_modules_are_read(pattern, targets):
    wanted = set(targets.replace("qkvo", "q k v o").replace("qv", "q v").split())
    assert plan(method="lora", lora_targets=pattern).targets == wanted


@pytest.mark.parametrize(("quant", "widened"), [("bnb nf4", True), ("awq", True), ("gptq", False), ("hqq", False)])
def test_kbit_preparation_widens_nothing_beside_gptq_and_its_kin(quant, widened):
    assert plan(method="qlora", trainer="hf", quant=quant).kbit is widened


@pytest.mark.parametrize(
    ("method", "low", "high"),
    [("full", 48, 66), ("lisa", 16, 24), ("badam", 17, 24), ("freeze", 14, 20), ("llamapro", 17, 22), ("lomo", 13, 21)],
)
def test_methods_that_train_a_part_at_a_time_take_no_more_than_that(method, low, high):
    """Published on 7B and 8B: full 59, LISA 23 (arXiv:2403.17919), BAdam 23.5, LOMO 21.5 GB (arXiv:2404.02827)."""
    found = estimate(SetUp(model="meta-llama/Llama-2-7b-hf", method=method, seq_len=1024, micro_batch=1), CATALOG)
    assert low < found.device / 2**30 < high


def test_a_stated_number_of_trained_parameters_is_the_part():
    assert plan(method="freeze", trainable_params=400_000_000).part == 400_000_000
    assert plan(method="full", trainable_params=8_030_261_248).part == 0


@pytest.mark.parametrize(("compiled", "loss"), [(True, "chunked_compiled"), (False, "chunked")])
def test_torchtune_compiles_its_chunks_with_the_rest(compiled, loss):
    assert plan(trainer="torchtune", compile=compiled).loss == loss


@pytest.mark.parametrize(
    ("name", "hub_id"),
    [
        ("gpt oss 20b", "openai/gpt-oss-20b"),
        ("qwen2.5:7b", "Qwen/Qwen2.5-7B"),
        ("llama3.1:8b-instruct-q4_K_M", "meta-llama/Llama-3.1-8B"),
        ("phi4", "microsoft/phi-4"),
        ("llama4 scout", "meta-llama/Llama-4-Scout-17B-16E-Instruct"),
    ],
)
def test_names_in_other_spellings_are_the_catalogs(name, hub_id):
    assert find_model(CATALOG, name) is find_model(CATALOG, hub_id)


@pytest.mark.parametrize("name", ["qwen3", "llama-3", "nobody/nothing", "gpt", "7b"])
def test_a_beginning_that_many_families_share_is_no_name(name):
    assert find_model(CATALOG, name) is None


@pytest.mark.parametrize(
    ("slots", "trained"),
    [
        ({}, 4),
        ({"weight_bits": 16}, 4),
        ({"compute_dtype": "pure_bf16"}, 2),
        ({"n_gpus": 8, "sharding": "zero3"}, 2),
        ({"method": "badam"}, 2),
    ],
)
def test_llama_factory_trains_fp32_weights_unless_told_otherwise(slots, trained):
    """Its own table: 7B full 120 GB under AMP, 60 GB in pure bf16."""
    assert plan(**{"method": "full", "trainer": "llama-factory"} | slots).trainable_bytes == trained


def test_experts_are_joined_while_they_are_loaded():
    """transformers 5: read one by one, joined, then quantised where the stack quantises them."""
    one_layer = 2 * 128 * 2 * 768 * 2048
    sixteen = resolve(SetUp(model="Qwen/Qwen3-30B-A3B", method="lora", trainer="hf"), CATALOG)
    four = resolve(SetUp(model="Qwen/Qwen3-30B-A3B", method="qlora", trainer="unsloth"), CATALOG)
    assert moments(sixteen)["load"]["temporaries"] == one_layer
    assert moments(four)["load"]["temporaries"] == 2 * one_layer
    stored_joined = resolve(SetUp(model="openai/gpt-oss-20b", method="qlora", trainer="unsloth"), CATALOG)
    assert moments(stored_joined)["load"]["temporaries"] == 2 * 32 * 2 * 2880 * 2880


def test_trl_of_today_makes_no_logits_and_widens_nothing():
    """trl 1.16 trainer/sft_trainer.py: fused head since 1.7, no k-bit preparation, bf16 adapters on 4-bit weights."""
    quantised, whole = plan(method="qlora", trainer="trl"), plan(method="lora", trainer="trl")
    assert (quantised.loss, quantised.kbit, quantised.adapter_bytes) == ("fused", False, 2)
    assert (whole.loss, whole.adapter_bytes) == ("fused", 4)
    assert plan(method="qlora", trainer="TRL SFTTrainer").loss == "fused"
    stock = plan(method="qlora", trainer="hf")
    assert (stock.loss, stock.kbit, stock.adapter_bytes) == ("hf", True, 4)


def test_a_checkpoint_in_fp32_is_trained_so_unless_its_weights_are_said_to_be_16_bit():
    gpt2 = "openai-community/gpt2-large"
    assert plan(model=gpt2, method="full", weight_bits=16).trainable_bytes == 4
    assert plan(model=gpt2, method="full", compute_dtype="pure_bf16").trainable_bytes == 2
    assert plan(model="meta-llama/Llama-3.2-1B", method="full", weight_bits=16).trainable_bytes == 2


@pytest.mark.parametrize(
    ("method", "trained"),
    # Llama-3.1-8B: 32 layers, h 4,096, k and v 1,024, I 14,336
    [("ia3", 524_288), ("prefix_tuning", 1_310_720), ("prompt_tuning", 81_920), ("ln_tuning", 266_240)],
)
def test_methods_of_few_vectors_train_few_parameters(method, trained):
    assert plan(model="meta-llama/Llama-3.1-8B", method=method, trainer="hf").adapters == trained


def test_a_very_small_model_has_a_small_vocabulary():
    assert plan(model=None, params_b=0.11, method="full").shape.vocab < 60_000


def test_fsdp2_keeps_fp32_weights_under_mixed_precision_where_accelerate_prepares_it():
    split = {"model": "meta-llama/Llama-3.1-8B", "method": "full", "n_gpus": 8, "sharding": "fsdp2"}
    assert plan(**split, trainer="hf").trainable_bytes == 4
    assert plan(**split, trainer="hf", autocast=False, compute_dtype="bf16").trainable_bytes == 2
    assert plan(**split, trainer="axolotl").trainable_bytes == 2
    assert plan(**split, trainer="torchtune").trainable_bytes == 2


@pytest.mark.parametrize(
    ("sharding", "offload", "away"),
    [
        ("zero3+cpu_offload", None, "params"),
        ("ZeRO-3 offload", None, "params"),
        ("zero2_offload", None, "optimizer"),
        ("fsdp+cpu_offload", None, "params"),
        ("zero3", None, "none"),
        ("zero3", "cpu", "params"),
        ("zero3", "optimizer", "optimizer"),
        ("zero3", "optimizer+params", "params"),
        ("zero3", "cpu offload of params", "params"),
        ("zero3", "offload_param and offload_optimizer", "params"),
        ("zero2", "cpu", "optimizer"),  # stage 2 has only states to put aside
        ("zero-2", "params", "optimizer"),
        ("stage 3", "true", "params"),
        ("deepspeed", "params", "params"),
        ("fsdp", "optimizer", "params"),  # FSDP puts aside parameters with all that is theirs
        ("zero3", "none", "none"),
        ("zero3", "nvme", "params"),
        ("zero3", "activations", "activations"),
    ],
)
def test_what_is_offloaded_by_its_many_names(sharding, offload, away):
    plan = resolve(SetUp(params_b=7, method="full", n_gpus=4, sharding=sharding, offload=offload), CATALOG)
    assert plan.offload == away
    assert plan.sharding == ("zero2" if "2" in sharding else "fsdp" if "fsdp" in sharding else "zero3")
