"""Which trainer a paste is for: by its command, by a name that only it has, or by the shape of its keys."""

import re
from collections.abc import Collection, Mapping

from bot.parser.pasted.scan import Scanned

COMMANDS: tuple[tuple[str, str], ...] = (
    ("llamafactory-cli", "llama-factory"),
    ("llama-factory", "llama-factory"),
    ("axolotl train", "axolotl"),
    ("axolotl.cli", "axolotl"),
    ("axolotl preprocess", "axolotl"),
    ("axolotl version", "axolotl"),
    ("site-packages/axolotl", "axolotl"),
    ("src/axolotl", "axolotl"),
    ("swift sft", "ms-swift"),
    ("swift rlhf", "ms-swift"),
    ("swift pt", "ms-swift"),
    ("megatron sft", "ms-swift"),
    ("swift/cli", "ms-swift"),
    ("tune run", "torchtune"),
    ("torchtune.", "torchtune"),
    ("litgpt finetune", "litgpt"),
    ("litgpt pretrain", "litgpt"),
    ("lit_gpt", "litgpt"),
    ("mlx_lm", "mlx-lm"),
    ("mlx-lm", "mlx-lm"),
    ("nemo_automodel", "nemo-automodel"),
    ("automodel finetune", "nemo-automodel"),
    ("site-packages/llamafactory", "llama-factory"),
    ("src/llamafactory", "llama-factory"),
    ("src/llmtuner", "llama-factory"),
    ("import unsloth", "unsloth"),
    ("from unsloth", "unsloth"),
    ("unsloth_zoo", "unsloth"),
    ("site-packages/unsloth", "unsloth"),
    ("fast llama patching", "unsloth"),
    ("num gpus used =", "unsloth"),
    ("num gpus =", "unsloth"),
    ("trl sft", "trl"),
    ("trl dpo", "trl"),
    ("trl grpo", "trl"),
    ("trl kto", "trl"),
    ("from trl", "trl"),
    ("site-packages/trl", "trl"),
    ("trl/scripts", "trl"),
)
"""Text in small letters → trainer; the first one found wins."""

CALLS: Mapping[str, str] = {
    **dict.fromkeys(
        ("FastLanguageModel", "FastModel", "FastVisionModel", "UnslothTrainer", "UnslothTrainingArguments"), "unsloth"
    ),
    **dict.fromkeys(
        ("SFTTrainer", "SFTConfig", "DPOTrainer", "DPOConfig", "GRPOTrainer", "GRPOConfig", "KTOTrainer"), "trl"
    ),
    **dict.fromkeys(
        ("ORPOTrainer", "ORPOConfig", "KTOConfig", "RewardTrainer", "RewardConfig", "PPOTrainer", "PPOConfig"), "trl"
    ),
    **dict.fromkeys(("TrainingArguments", "Seq2SeqTrainingArguments", "Trainer", "Seq2SeqTrainer"), "trl"),
}

SHAPES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("axolotl", ("sequence_len",), ("base_model", "micro_batch_size", "adapter", "sample_packing", "datasets")),
    (
        "axolotl",
        ("base_model", "micro_batch_size"),
        ("datasets", "adapter", "num_epochs", "lora_target_linear", "sample_packing"),
    ),
    ("axolotl", ("lora_target_linear",), ("adapter", "base_model", "micro_batch_size", "sample_packing", "lora_r")),
    (
        "axolotl",
        ("adapter", "base_model"),
        ("datasets", "lora_r", "gradient_accumulation_steps", "micro_batch_size", "load_in_4bit"),
    ),
    ("llama-factory", ("finetuning_type",), ()),
    ("llama-factory", ("lora_target",), ()),
    ("llama-factory", ("cutoff_len",), ("model_name_or_path", "template", "stage", "dataset", "do_train")),
    ("llama-factory", ("stage", "do_train"), ()),
    ("ms-swift", ("tuner_type",), ()),
    ("ms-swift", ("train_type",), ("model", "torch_dtype", "target_modules", "lora_rank")),
    ("ms-swift", ("sft_type",), ()),
    ("ms-swift", ("model_id_or_path", "model_type"), ()),
    ("litgpt", ("lora_query",), ()),
    ("litgpt", ("checkpoint_dir", "lora_r"), ()),
    ("torchtune", ("apply_lora_to_mlp",), ()),
    ("torchtune", ("enable_activation_checkpointing",), ()),
    ("mlx-lm", ("lora_parameters",), ()),
    ("mlx-lm", ("fine_tune_type",), ()),
)
"""(trainer, keys that must all be there, keys of which one must be there, or none is asked for)."""

RECIPES: Mapping[str, tuple[str, str]] = {
    "qlora_finetune": ("qlora", ""),
    "lora_finetune_single_device": ("lora", "none"),
    "lora_finetune_distributed": ("lora", "fsdp"),
    "lora_dpo_single_device": ("lora", "none"),
    "lora_dpo_distributed": ("lora", "fsdp"),
    "full_finetune_single_device": ("full", "none"),
    "full_finetune_distributed": ("full", "fsdp"),
    "full_dpo_distributed": ("full", "fsdp"),
    "finetune_full": ("full", ""),
    "finetune_lora": ("lora", ""),
    "finetune_adapter_v2": ("adapter_v2", ""),
    "finetune_adapter": ("adapter", ""),
    "pretrain": ("full", ""),
}
"""Recipes of torchtune and commands of litgpt: (method, sharding)."""
RECIPE = re.compile(
    r"(?:t(?<!\w.)une run|l(?<!\w.)itgpt)\b[^\n]{0,200}?"
    r"\b(" + "|".join(RECIPES) + r")\b(?:[ \t]+([\w.-]+/[\w.-]+))?"
)
TUNE_CONFIG = re.compile(r"--config[ =]+([\w.]+)/([\w.]+)")
COMPONENT = re.compile(r"torchtune\.models\.(\w+)\.(?:(qlora|lora|dora)_)?(\w+)")


def recognise(text: str, scanned: Scanned, keys: Collection[str], settings: Collection[str]) -> str | None:
    """The catalog id of the trainer that this paste is for, or None. `settings` are the keys that are not flags."""
    small = text.lower()
    for words, trainer in COMMANDS:
        if words in small:
            return trainer
    called = [part for name, _ in scanned.calls for part in name.split(".")]
    found = {CALLS[part] for part in called if part in CALLS}
    if found:
        return "unsloth" if "unsloth" in found else "trl"
    for trainer, all_of, one_of in SHAPES:
        among = settings if trainer == "axolotl" else keys
        if all(key in among for key in all_of) and (not one_of or any(key in among for key in one_of)):
            return trainer
    return None


def component(value: str) -> tuple[str, str | None]:
    """torchtune's `torchtune.models.llama3_1.qlora_llama3_1_8b` → ("llama3.1 8b", "qlora")."""
    found = COMPONENT.search(value)
    if found is None:
        return "", None
    family, method, builder = found[1], found[2], found[3]
    size = builder.removeprefix(family).strip("_")
    return f"{version(family)} {size.replace('_', ' ')}".strip(), method


def version(family: str) -> str:
    """llama3_1 → llama3.1."""
    return re.sub(r"(\d)_(\d)", r"\1.\2", family)
