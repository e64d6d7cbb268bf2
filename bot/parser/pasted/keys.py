"""What the keys of the trainers' configurations mean: key → slot and how its value is read.

Names as of axolotl 0.19, llamafactory 0.9.5, trl 1.16, peft 0.21, unsloth 2026.10, ms-swift 4.6, torchtune 0.6,
litgpt 0.5.13, accelerate, DeepSpeed, mlx-lm, and their predecessors. "section.key" is looked up before "key".
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.parser.pasted import values
from bot.parser.pasted.values import Read


@dataclass(frozen=True, slots=True)
class Meaning:
    """A key's slot. Of two keys for one slot the higher `rank` wins, then the first."""

    slot: str
    read: Read
    rank: int = 2


def _all(slot: str, read: Read, *keys: str, rank: int = 2) -> dict[str, Meaning]:
    return {key: Meaning(slot, read, rank) for key in keys}


TUNERS = {
    "lora": "lora",
    "qlora": "qlora",
    "dora": "dora",
    "full": "full",
    "freeze": "freeze",
    "oft": "oft",
    "adalora": "adalora",
}
ALGORITHMS = {
    **dict.fromkeys(("pt", "pretrain"), "pretrain"),
    **dict.fromkeys(("rm", "reward"), "reward"),
    **{name: name for name in ("sft", "dpo", "orpo", "kto", "grpo", "ppo", "simpo", "cpo", "rloo", "gkd")},
    "ipo": "dpo",
}
LITGPT_TARGETS = ("lora_query", "lora_key", "lora_value", "lora_projection", "lora_mlp", "lora_head")

KEYS: Mapping[str, Meaning] = {
    **_all("model", values.model_name, "base_model", "model_name_or_path", "pretrained_model_name_or_path", rank=4),
    **_all(
        "model",
        values.model_name,
        "model_id_or_path",
        "model_id",
        "model_name",
        "model_path",
        "from_pretrained",
        rank=3,
    ),
    **_all(
        "model",
        values.model_name,
        "base_model_name_or_path",
        "hf_model_name",
        "checkpoint_dir",
        "model_checkpoint",
        "load",
    ),
    **_all("model", values.model_name, "model", rank=2),
    **_all("component", values.word, "model.component", "model.target"),
    **_all(
        "seq_len",
        values.whole,
        "sequence_len",
        "cutoff_len",
        "max_seq_length",
        "max_seq_len",
        "seq_len",
        "seq_length",
        rank=4,
    ),
    **_all("seq_len", values.whole, "sequence_length", "max_length", "context_length", "block_size", rank=3),
    **_all(
        "seq_len", values.whole, "model_max_length", "max_sequence_length", "max_source_length", "ctx_len", "max_len"
    ),
    **_all("seq_len", values.whole, "ctx", "context", "cutoff", rank=1),
    **_all("prompt_len", values.whole, "max_prompt_length"),
    **_all("completion_len", values.whole, "max_completion_length"),
    **_all("micro_batch", values.whole, "per_device_train_batch_size", "micro_batch_size", "micro_batch", rank=4),
    **_all(
        "micro_batch",
        values.whole,
        "train_micro_batch_size_per_gpu",
        "per_gpu_train_batch_size",
        "per_device_batch_size",
        rank=3,
    ),
    **_all("micro_batch", values.whole, "batch_size", "local_batch_size"),
    **_all("micro_batch", values.whole, "bs", "bsz", "batch", "mbs", rank=1),
    **_all("grad_accum", values.whole, "gradient_accumulation_steps", "grad_accum", "gradient_accumulation", rank=3),
    **_all(
        "grad_accum", values.whole, "accumulate_grad_batches", "grad_accumulation_steps", "gradient_accumulation_iters"
    ),
    **_all("grad_accum", values.whole, "ga", "gas", rank=1),
    **_all(
        "grad_checkpointing",
        values.checkpointing,
        "gradient_checkpointing",
        "use_gradient_checkpointing",
        "grad_checkpointing",
    ),
    **_all(
        "grad_checkpointing",
        values.yes_no,
        "enable_activation_checkpointing",
        "activation_checkpointing",
        "grad_checkpoint",
    ),
    **_all(
        "grad_checkpointing", values.yes_no, "fsdp_activation_checkpointing", "fsdp_config.activation_checkpointing"
    ),
    **_all("grad_checkpointing", values.opposite, "disable_gradient_checkpointing", rank=3),
    **_all("grad_checkpointing", values.when_true("unsloth"), "use_unsloth_gc", rank=3),
    **_all("offload", values.when_true("activations"), "activation_offloading", "enable_activation_offloading", rank=1),
    **_all(
        "offload", lambda pair: "activations" if values.word(pair) == "offload" else None, "gradient_checkpointing+"
    ),
    **_all("grad_checkpointing", values.when_set(True), "recompute_granularity", rank=1),
    **_all("fused_loss", values.when_true(True), "cross_entropy_loss_fusion"),
    **_all("attention", values.attention, "attn_implementation", "attn_impl", "flash_attn", rank=3),
    **_all("attention", values.when_true("flash"), "flash_attention", "use_flash_attn", "use_flash_attention_2"),
    **_all("attention", values.when_true("sdpa"), "sdp_attention", "sdpa_attention"),
    **_all("attention", values.when_true("xformers"), "xformers_attention"),
    **_all("attention", values.when_true("flex"), "flex_attention"),
    **_all("attention", values.when_true("eager"), "eager_attention"),
    **_all(
        "optimizer", values.optimizer, "optim", "optimizer.component", "optimizer.type", "optimizer.class_path", rank=3
    ),
    **_all("optimizer", values.optimizer, "optimizer", "optimizer_name", "optim_type", "optimizer_type"),
    **_all("optimizer", values.when_true("galore_adamw"), "use_galore", rank=4),
    **_all("optimizer", values.when_true("apollo_adamw"), "use_apollo", rank=4),
    **_all("optimizer", values.when_true("badam"), "use_badam", rank=4),
    **_all(
        "lora_rank",
        values.whole,
        "lora_r",
        "lora_rank",
        "loraconfig.r",
        "get_peft_model.r",
        "lora_parameters.rank",
        rank=3,
    ),
    **_all("lora_rank", values.whole, "peft.dim", "lora_dim", "adapter.rank"),
    **_all("lora_rank", values.whole, "r", "rank", rank=1),
    **_all("lora_targets", values.targets, "lora_target_modules", "target_modules", "lora_target", "lora_attn_modules"),
    **_all("lora_targets", values.when_true("all-linear"), "lora_target_linear", rank=3),
    **_all("with_mlp", values.yes_no, "apply_lora_to_mlp"),
    **_all("litgpt", values.yes_no, *LITGPT_TARGETS),
    **_all(
        "adapter",
        values.table(TUNERS),
        "adapter",
        "finetuning_type",
        "train_type",
        "tuner_type",
        "sft_type",
        "fine_tune_type",
    ),
    **_all("adapter", values.table({"lora": "lora", "adalora": "adalora", "ia3": "ia3"}), "peft_type"),
    **_all("adapter", values.when_true("lora"), "use_lora", "use_peft", rank=1),
    **_all("adapter", values.when_true("full"), "full_finetuning", "full_finetune", rank=4),
    **_all("adapter", values.table(TUNERS), "method", rank=1),
    **_all("dora", values.yes_no, "use_dora", "peft_use_dora", "lora_use_dora"),
    **_all("weight_bits", values.when_true(4.0), "load_in_4bit", "q_lora", "use_qlora", rank=3),
    **_all("weight_bits", values.when_true(8.0), "load_in_8bit", rank=3),
    **_all("weight_bits", values.when_true(4.0), "quantize_base"),
    **_all("weight_bits", values.number, "quantization_bit", "quant_bits", "weight_bits", "bits"),
    **_all("weight_bits", values.containing({"nf4": 4.0, "fp4": 4.0, "int8": 8.0}), "quantize", "quant_method+"),
    **_all("compute_dtype", values.dtype, "bnb_4bit_compute_dtype", rank=4),
    **_all("compute_dtype", values.dtype, "mixed_precision", "precision", "torch_dtype", "dtype"),
    **_all("compute_dtype", values.when_true("bf16"), "bf16", "pure_bf16", "bf16.enabled", rank=3),
    **_all("compute_dtype", values.when_true("fp16"), "fp16", "fp16.enabled", rank=3),
    **_all("packing", values.yes_no, "sample_packing", "packing", "dataset.packed", "padding_free", "neat_packing"),
    **_all(
        "fused_loss", values.when_true(True), "use_liger_kernel", "enable_liger_kernel", "use_liger", "use_liger_loss"
    ),
    **_all(
        "fused_loss",
        values.when_true(True),
        "liger_fused_linear_cross_entropy",
        "cut_cross_entropy",
        "use_cce",
        "liger_kernel",
    ),
    **_all("n_gpus", values.whole, "num_processes", "n_gpus", "world_size", rank=3),
    **_all("per_node", values.whole, "nproc_per_node", "num_gpus", "gpus_per_node", "num_gpus_per_node", "devices"),
    **_all("nodes", values.whole, "nnodes", "num_machines", "num_nodes"),
    **_all("visible", lambda pair: pair.value, "cuda_visible_devices", "hip_visible_devices", "visible_devices"),
    **_all("include", lambda pair: pair.value, "include"),
    **_all(
        "sharding", values.sharding, "deepspeed", "deepspeed_config", "fsdp", "deepspeed_config_file", "ds_file", rank=3
    ),
    **_all("sharding", values.stage, "zero_optimization.stage", "zero_stage", "deepspeed_config.zero_stage", rank=4),
    **_all(
        "sharding", values.when_set("fsdp"), "fsdp_version", "fsdp_sharding_strategy", "fsdp_offload_params", rank=1
    ),
    **_all(
        "sharding",
        values.when_set("fsdp"),
        "transformer_layer_cls_to_wrap",
        "reshard_after_forward",
        rank=1,
    ),
    **_all("sharding", values.table({"fsdp": "fsdp", "multi_gpu": "ddp"}), "distributed_type", rank=1),
    **_all("offload", values.device("optimizer"), "offload_optimizer.device", "offload_optimizer_device"),
    **_all("offload", values.device("params"), "offload_param.device", "offload_param_device", rank=3),
    **_all("offload", values.when_true("params"), "fsdp_offload_params", "offload_params", "fsdp_cpu_offload", rank=3),
    **_all("offload", values.offload, "deepspeed+", "deepspeed_config_file+", "ds_file+", "fsdp+"),
    **_all("algorithm", values.table(ALGORITHMS), "rl", "stage", "rlhf_type", "pref_loss+"),
    **_all("epochs", values.number, "num_train_epochs", "num_epochs", "epochs", "max_epochs", "train.epochs"),
}
"""A "+" after a key: a second meaning of the same key."""

FOREIGN = frozenset(
    {
        "resolution",
        "instance_prompt",
        "instance_data_dir",
        "network_module",
        "network_dim",
        "network_alpha",
        "caption_column",
    }
    | {
        "train_text_encoder",
        "sample_prompts",
        "unet_lr",
        "train_unet_only",
        "noise_offset",
        "snr_gamma",
        "class_prompt",
    }
)
"""Keys of image trainers: a paste with one of them is none of ours."""
