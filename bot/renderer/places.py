"""Where findings stand: above the first line, right under it, alone, or below the figures."""

from advisor.verdicts import FITS

LEADS = frozenset(
    {
        "adapter_knobs", "images_are_tokens", "impossible_card", "odd_value", "plan_system_ram",
        "sharding_does_not_shrink_activations", "stays_home", "unknown_name",
    }
)  # fmt: skip
"""Findings without which the first line may be about another card or model than meant."""
SECOND_NEED = frozenset(
    {
        "also_asked",
        "api_bills_tokens",
        "hour_price",
        "in_time",
        "nothing_leaves",
        "resume_it",
        "second_need",
        "swap_keeps_alive",
        "claimed_figure",
        "counts_steps",
        "data_enough",
        "first_steps",
        "little_text",
        "making_data_costs",
        "one_card_used",
        "loaded_in_fp32",
        "ppo_in_full",
        "ram_beside",
        "ram_enough",
        "supply_of_each",
        "which_member",
        "without_flash",
        "train_short",
        "which_stage",
        "lighter_runs",
    }
)
"""Findings that answer what else was asked: right under the first line."""
FIRST = frozenset(
    {
        "activation_formula", "adapters_are_fast", "after_update", "allocated_is_not_all", "arm_board",
        "batch_finder", "bill_of_a_run", "cache_keeps", "card_refused", "claimed_cards", "compile_costs",
        "continued_pretraining", "converting_killed", "copies_cost_more", "data_lost", "dies_in_loss",
        "fails_at_import", "each_full", "epoch_boundary", "eval_generates", "eval_takes_long", "facts_by_finetuning",
        "few_long_examples", "first_card_fuller", "flag_does_not_act", "for_free", "four_bit_costs_time",
        "four_bit_under_fsdp", "from_scratch", "gain_is_lost", "galore_does_not_shard", "galore_keeps_weights",
        "gguf_is_not_trainable",
        "googles_bert", "host_ram_grows", "huge_block", "intel_mac", "it_works", "kbit_upcasts",
        "language_by_base", "last_layers", "layers_on_cpu", "lengths_by_card", "leaner_elsewhere", "lighter_fails",
        "loads_through_ram", "longest_first", "memory_is_a_line", "merging_killed", "mlx_keeps_activations",
        "moe_is_slow", "more_processes", "more_ranks_share", "native_windows", "newer_than_build",
        "no_gpu_trains", "no_kernels", "not_memory", "not_split_at_load", "nothing_to_split",
        "nvlink_pools_memory", "offload_sets_pace", "offload_takes_time", "one_card_is_enough", "optimizer_share",
        "own_data_is_longer", "own_power_price", "packing_fills", "padded_to_longest", "ppo_loads_four",
        "precision_off", "precompute_frees", "ram_adds_nothing", "ram_is_no_vram", "rank_drives_vram",
        "ranks_beside", "same_pace", "same_settings", "same_steps", "savers_overlap", "saving_gathers",
        "second_run", "seen_tells", "share_trained", "shared_memory_counts", "slower_than_told", "spills_over",
        "splitting_costs_time", "sum_of_full", "tokenising_fills_ram", "too_fast", "tpu_refused",
        "trainer_decides", "where_it_goes", "which_figure", "whole_pc", "windows_against_linux", "works_for_others",
        "vllm_takes_its_share", "wsl_pins", "smaller_is_faster", "zero3_gathers",
    }
)  # fmt: skip
"""Findings that are the answer itself: they stand above the figures."""
FIRST_IF_GRAVE = frozenset(
    {
        "active_params_only",
        "also_asked",
        "dpo_is_double",
        "smaller_model_less_memory",
        "amd_support",
        "apple_support",
        "bf16_anywhere",
        "claimed_figure",
        "dataset_drives_vram",
        "dora_is_slower",
        "eight_bit_is_slow",
        "embeddings_trained",
        "few_but_long",
        "flash_attention_needs_ampere",
        "forgetting",
        "fp4_is_unpacked",
        "fp8_needs_ada",
        "high_rank",
        "in_time",
        "jax_takes_one_card",
        "loaded_in_fp32",
        "making_data_costs",
        "old_generation",
        "peft_makes_all_small",
        "moe_experts_stay_16_bit",
        "offload_does_not_shrink_activations",
        "mig_slice",
        "power_and_heat",
        "ppo_in_full",
        "prequantised_does_not_shard",
        "shared_with_others",
        "tflops_decide",
        "uneven_lengths",
        "unsloth_on_several_cards",
        "windows_wants_wsl",
        "zero2_copies_weights",
        "zero3_with_4_bit",
    }
)
"""Findings that answer only where they are called grave; remarks elsewhere."""
ABOUT_CARDS = frozenset({"flash_attention_needs_ampere", "fp8_needs_ada", "windows_wants_wsl"})
"""Findings about what was named beside a card: the answer where no model is named."""
WHY = frozenset(
    {
        "accumulation_costs", "active_params_only", "dataset_drives_vram", "dpo_is_double", "eval_oom_means_no_fit",
        "fp16_halves_all", "global_batch_is_micro", "killed_is_vram", "offload_does_not_shrink_activations",
        "peft_makes_all_small", "rank_drives_vram", "sharding_does_not_shrink_activations", "smaller_model_less_memory",
        "smi_is_need", "vram_adds_up", "weights_are_all", "zero2_copies_weights",
    }
)  # fmt: skip
"""Beliefs that explain a surprise: where the question is why, their correction is the answer."""
WHOLE = frozenset(
    {
        "adapters_are_fast", "bill_of_a_run", "converting_killed", "flag_does_not_act", "for_free",
        "four_bit_costs_time", "fp4_is_unpacked", "gguf_is_not_trainable", "intel_mac",
        "last_layers", "leaner_elsewhere", "loads_through_ram",
        "merging_killed",
        "no_gpu_trains", "own_power_price", "not_memory", "nothing_to_split", "offload_sets_pace", "offload_takes_time",
        "peft_makes_all_small", "same_pace", "saving_gathers", "spills_over", "splitting_costs_time", "tflops_decide",
        "tokenising_fills_ram",
        "tpu_refused", "unsloth_on_several_cards", "which_figure", "whole_pc", "wsl_pins",
    }
)  # fmt: skip
"""Findings about something else than what fits: memory figures beside them would answer another question."""
REFUSALS = frozenset({"amd_support", "arm_board", "card_refused", "no_kernels"})
"""Findings that, where grave, deny what a verdict on memory grants: it is then called one of memory alone."""
GRANTS = FITS | {"should_fit", "length"}
