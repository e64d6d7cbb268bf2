"""The words that a packed query can hold, by number.

Append only: a button lives as long as its message, so a number never gets another word. A word that is not here is
not packed, and the answer then travels by the store alone.
"""

from advisor.query import Kind

KINDS = (
    Kind.WHICH_GPU,
    Kind.FITS_CHECK,
    Kind.COMPARE_GPUS,
    Kind.CONTEXT_LENGTH,
    Kind.OOM_HELP,
    Kind.MULTI_GPU,
    Kind.SYSTEM_RAM,
    Kind.TRAINER_CHOICE,
    Kind.METHOD_CHOICE,
    Kind.DATA_SIZE_QUALITY,
    Kind.TIME_ESTIMATE,
    Kind.COST_BUY_VS_RENT,
    Kind.FAQ_DEFINITION,
    Kind.INFERENCE_ONLY,
    Kind.OFF_TOPIC,
    Kind.MIXED,
    Kind.HELP,
)

METHODS = (
    *("full", "lora", "qlora", "dora", "freeze", "galore", "oft", "qdora", "badam", "adalora", "ia3", "prefix_tuning"),
    *(
        "prompt_tuning",
        "ptuning",
        "lora_fa",
        "lisa",
        "lomo",
        "llama_pro",
        "adapter",
        "adapter_v2",
        "vera",
        "rslora",
        "loftq",
    ),
    *("pissa", "qalora", "longlora", "apollo", "qoft", "loha", "lokr", "boft", "reft", "spectrum"),
)
OPTIMIZERS = (
    *("adamw", "adamw_8bit", "paged_adamw_8bit", "paged_adamw_32bit", "adafactor", "sgd", "lion", "lion_8bit", "muon"),
    *(
        "paged_lion_8bit",
        "galore_adamw",
        "galore_adamw_8bit",
        "adamw_4bit",
        "adam",
        "apollo_adamw",
        "ademamix",
        "adalomo",
    ),
    *(
        "lomo",
        "badam",
        "adamw_fused",
        "ademamix_8bit",
        "paged_adamw",
        "schedule_free_adamw",
        "shampoo",
        "soap",
        "adamw_fp8",
    ),
    *("paged_lion", "sgd_8bit", "came", "rmsprop", "adagrad", "lamb"),
)
TRAINERS = (
    *(
        "unsloth",
        "axolotl",
        "llama-factory",
        "trl",
        "torchtune",
        "ms-swift",
        "litgpt",
        "h2o-llm-studio",
        "nemo-automodel",
    ),
    *(
        "mlx-lm",
        "llama-cpp-finetune",
        "fsdp-qlora",
        "deepspeed",
        "ktransformers",
        "hf",
        "peft",
        "mlx",
        "llama.cpp",
        "nemo",
    ),
    *("qlora-pipe", "ipex-llm", "open-instruct", "mergekit", "lit-llama", "alpaca-lora", "deepspeed-chat", "megatron"),
    *(
        "autotrain",
        "colossalai",
        "lmflow",
        "fastchat",
        "xtuner",
        "firefly",
        "openrlhf",
        "verl",
        "torchtitan",
        "mcore-bridge",
    ),
)
SHARDING = ("none", "ddp", "zero2", "zero3", "fsdp", "pipeline", "zero1", "tensor", "tp", "fsdp2")
OFFLOAD = ("none", "optimizer", "params", "activations", "cpu", "nvme")
ATTENTION = ("flash", "sdpa", "eager", "flex", "xformers")
DTYPES = ("bf16", "fp16", "fp32", "fp8", "tf32")
ALGORITHMS = ("sft", "dpo", "orpo", "kto", "grpo", "ppo", "reward", "pretrain", "simpo", "cpo", "rloo", "gkd")
SYSTEMS = ("linux", "windows", "windows-wsl2", "macos")
CURRENCIES = (
    "USD",
    "EUR",
    "GBP",
    "CHF",
    "INR",
    "CNY",
    "JPY",
    "CAD",
    "AUD",
    "BRL",
    "PLN",
    "SEK",
    "NOK",
    "DKK",
    "CZK",
    "RUB",
    "KRW",
)
CHECKPOINTING: tuple[bool | str, ...] = (False, True, "unsloth")
SYMPTOMS = (
    *("oom_step", "oom_later", "oom_load", "oom_eval", "oom_save", "oom_merge", "oom_generate", "killed", "fragmented"),
    *("growing", "slow", "slow_spill", "no_gain", "one_card_used", "uneven", "disk_full", "no_gpu_found", "no_bf16"),
    *("overfit", "forgets", "big_checkpoint", "oom_second", "stays_home", "asks_speed", "with_media"),
    *("asks_batch", "translates_data", "writes_data", "asks_normal", "uses_jax", "via_api", "long_unsaid"),
    *("with_video", "asks_run", "asks_cheapest", "asks_power", "asks_enough_data", "same_price", "asks_faster"),
    *("beginner", "goal_tone", "goal_task", "goal_classes", "asks_least", "asks_largest", "asks_enough", "sees_util"),
    *("after_update", "too_fast", "from_scratch", "same_settings", "data_lost", "lighter_fails", "it_works"),
    *("switches_off", "trains_embeddings", "oom_gpu", "no_batch_left", "loss_flat", "second_run", "asks_padding"),
    *("tests_slowly", "short_training", "asks_parts", "shared_card", "works_for_others", "asks_saving"),
    *("never_freed", "allocated_only", "first_card_fuller", "taken_by_others", "packing_ooms", "asks_stacking"),
    *("asks_kbit", "oom_at_epoch", "windows_or_linux", "host_grows", "in_the_loss", "asks_compile", "layers_on_cpu"),
    *("asks_precompute", "eval_takes_long", "few_long", "asks_optimizer", "asks_formula", "mig_slice", "more_per_card"),
    *("tokenising_ram", "asks_line", "eval_generates", "eval_rises", "precision_off", "only_fp32"),
    *("same_steps", "segments_on", "lighter_runs", "others_ran_out", "eval_batch_1", "asks_layers"),
    *("efficient_loading", "split_saves_nothing", "gets_slower", "at_the_end", "no_kernels", "exports"),
    *("hangs", "low_use", "session_ends", "taken_back", "on_battery", "bus_error", "device_assert", "illegal_access"),
    *("segfault", "two_devices", "not_seen", "mac_with_intel", "slow_net", "claims_speed", "names_tpu", "wsl_slow"),
    *("stored_small", "too_new_for_build", "each_process", "qlora_slower", "converts"),
    *("wants_formula", "same_pace", "each_full", "leaner_elsewhere", "newer_is_slower", "asks_newer", "new_language"),
    *("parts_list",),
    *("until_morning", "at_weekend", "within_days", "asks_through", "no_money", "asks_wsl", "offline"),
    *("asks_model_too", "asks_card_too", "asks_stage", "eval_through"),
    *("slower_than_told", "soft_prompts"),
    *("bnb_allocates", "log_cache", "asks_more", "asks_larger", "asks_bug", "own_metrics", "asks_what_counts"),
    *("targets_drive_vram", "split_covers_all"),
    *("more_ram", "start_over", "asks_epoch", "whole_pc"),
    *("counts_active", "guesses_larger", "adapters_save_nothing", "asks_faster_model", "blames_flash", "asks_size"),
    *("cut_off", "fears_loss", "resumed", "loss_rises", "on_quantised", "merges_or_serves", "disk_ran_out"),
    *("saves_merged", "dora_slow", "raw_text", "asks_text_form", "worse_than_base"),
    *("asks_spill", "asks_must_buy"),
    *("asks_layers_over", "by_layer"),
    *("asks_stages",),
    *("merges_it",),
    *("oom_at_resume",),
    *("asks_swap", "at_import", "is_split", "loads_adapter", "vllm_loads"),
    *("never_stops", "asks_alpha", "limits_power", "fears_slowness", "adapter_large", "asks_rope_factor"),
    *("expects_speed",),
)
