"""Which findings are to the point beside an answer.

Dropped is what concerns a part that the question is not about (the training step, where a merge or a disk is asked),
what another finding says as well, and a remark without a figure of its own beside ones that have one. A correction of
what the asker wrote is never off the point.
"""

from collections.abc import Mapping, Sequence

from advisor.advice import Advice, Finding
from advisor.query import Kind

OF_THE_STEP = frozenset(
    {
        "batch_finder", "bf16_anywhere", "checkpointing_first", "flash_attention_needs_ampere", "fragmentation",
        "high_rank", "logits_dominate", "old_generation", "plain_trainer", "trl_fuses", "vram_twins",
    }
)  # fmt: skip
"""Findings about a training step on the card, its memory and its number format."""
BESIDE_THE_STEP = frozenset(
    {
        (Kind.SYSTEM_RAM, "merge"), (Kind.SYSTEM_RAM, "disk"), (Kind.SYSTEM_RAM, "nvme"),
        (Kind.OOM_HELP, "save"), (Kind.OOM_HELP, "disk"), (Kind.OOM_HELP, "adapter"),
    }
)  # fmt: skip
"""(kind, verdict) of answers in which no training step on the card is the point."""
NOT_OF_A_CARD = frozenset({Kind.FAQ_DEFINITION, Kind.DATA_SIZE_QUALITY, Kind.COST_BUY_VS_RENT, Kind.SYSTEM_RAM})
"""Kinds whose question is not what a card can do: how it computes is no remark for them."""
HOW_IT_COMPUTES = frozenset({"bf16_anywhere", "flash_attention_needs_ampere", "pcie_only"})
BESIDE_ANOTHER_MATTER = frozenset(
    {
        "active_params_only", "checkpointing_first", "dpo_is_double", "killed_is_vram", "logits_dominate",
        "one_epoch_is_enough", "other_methods", "plan_system_ram",
    }
)  # fmt: skip
"""Remarks on a training step, beside an answer that is about something else."""
COVERS: Mapping[str, frozenset[str]] = {
    "card_refused": frozenset(
        {"bf16_anywhere", "flash_attention_needs_ampere", "impossible_card", "old_generation", "rent_or_colab"}
    ),
    "intel_mac": BESIDE_ANOTHER_MATTER
    | frozenset({"amd_support", "no_gpu_trains", "old_generation", "rent_or_colab", "unknown_name"}),
    "allocated_is_not_all": frozenset({"seen_tells", "seen_against_estimate", "fragmentation"}),
    "cache_keeps": frozenset({"eight_bit_is_slow", "smi_is_need", "leak_after_steps", "seen_tells"}),
    "dies_in_loss": frozenset({"logits_dominate", "huge_block"}),
    "peft_makes_all_small": frozenset({"trl_fuses"}),
    "last_layers": frozenset({"checkpointing_first", "embeddings_trained", "other_methods", "share_trained"}),
    "layers_on_cpu": frozenset({"offload_does_not_shrink_activations"}),
    "precompute_frees": frozenset({"dpo_is_double"}),
    "eval_takes_long": frozenset({"eval_oom_means_no_fit"}),
    "few_long_examples": frozenset({"leak_after_steps"}),
    "memory_is_a_line": frozenset({"seen_tells"}),
    "mig_slice": frozenset({"smi_is_need", "weights_are_all"}),
    "eval_oom_means_no_fit": frozenset({"smaller_model_less_memory"}),
    "one_card_used": frozenset({"smi_is_need"}),
    "each_full": frozenset({"copies_cost_more", "seen_tells", "vram_adds_up"}),
    "leaner_elsewhere": BESIDE_ANOTHER_MATTER | {"seen_tells", "torchtune_is_legacy", "trainer_decides", "trl_fuses"},
    "offload_sets_pace": BESIDE_ANOTHER_MATTER | {"more_gpus_faster", "offload_takes_time", "pcie_only"},
    "loaded_in_fp32": frozenset({"other_methods", "seen_tells"}),
    "ppo_in_full": frozenset({"other_methods", "rollouts_need_room"}),
    "slower_than_told": frozenset(
        {"adapters_are_fast", "four_bit_costs_time", "same_pace", "table_covers_me", "works_for_others"}
    ),
    "smaller_model_less_memory": frozenset({"logits_dominate"}),
    "soft_prompts": frozenset({"adapter_knobs", "logits_dominate", "other_methods"}),
    "same_pace": BESIDE_ANOTHER_MATTER | {"adapters_are_fast", "four_bit_costs_time"},
    "copies_cost_more": frozenset({"seen_tells"}),
    "tokenising_fills_ram": BESIDE_ANOTHER_MATTER | {"host_ram_grows", "leak_after_steps", "torchtune_is_legacy"},
    "epoch_boundary": frozenset({"leak_after_steps"}),
    "host_ram_grows": frozenset({"leak_after_steps", "cache_keeps", "killed_is_vram"}),
    "kbit_upcasts": frozenset({"seen_tells"}),
    "windows_against_linux": frozenset({"windows_wants_wsl"}),
    "adapters_are_fast": BESIDE_ANOTHER_MATTER,
    "offload_takes_time": BESIDE_ANOTHER_MATTER | {"offload_does_not_shrink_activations", "spills_over", "vram_twins"},
    "four_bit_costs_time": BESIDE_ANOTHER_MATTER | {"spills_over", "adapters_are_fast"},
    "flag_does_not_act": BESIDE_ANOTHER_MATTER,
    "loads_through_ram": BESIDE_ANOTHER_MATTER | {"host_ram_grows"},
    "saving_gathers": BESIDE_ANOTHER_MATTER,
    "not_memory": BESIDE_ANOTHER_MATTER
    | {"bf16_anywhere", "embeddings_trained", "leak_after_steps", "no_gpu_trains", "power_and_heat", "spills_over"},
    "converting_killed": BESIDE_ANOTHER_MATTER,
    "merging_killed": BESIDE_ANOTHER_MATTER | {"loads_through_ram", "merge_wants_ram"},
    "no_kernels": frozenset({"amd_support", "old_generation"}),
    "wsl_pins": frozenset({"smi_is_need", "checkpointing_first", "seen_tells", "fragmentation"}),
    "fp4_is_unpacked": frozenset({"active_params_only", "table_covers_me", "vram_adds_up"}),
    "one_card_is_enough": BESIDE_ANOTHER_MATTER | {"also_asked", "ram_for_offload", "vram_adds_up"},
    "vllm_takes_its_share": frozenset({"rollouts_need_room"}),
    "nothing_to_split": BESIDE_ANOTHER_MATTER | {"zero2_copies_weights", "zero3_with_4_bit"},
    "splitting_costs_time": BESIDE_ANOTHER_MATTER | {"also_asked", "more_gpus_faster", "pcie_only"},
    "tpu_refused": BESIDE_ANOTHER_MATTER | {"unknown_name", "rent_or_colab"},
    "not_split_at_load": frozenset(
        {"seen_against_estimate", "vram_adds_up", "weights_are_all", "zero2_copies_weights", "zero3_with_4_bit"}
    ),
    "spills_over": BESIDE_ANOTHER_MATTER | {"leak_after_steps", "shared_memory_counts"},
    "first_card_fuller": frozenset({"one_card_used", "uneven_lengths"}),
    "longest_first": frozenset({"leak_after_steps"}),
    "gguf_is_not_trainable": frozenset({"checkpointing_first", "rent_or_colab", "vram_twins"}),
    "moe_is_slow": frozenset({"active_params_only"}),
    "no_gpu_trains": BESIDE_ANOTHER_MATTER | {"rent_or_colab", "tiny_dataset"},
    "four_bit_under_fsdp": frozenset({"one_card_used"}),
    "old_generation": frozenset({"bf16_anywhere"}),
    "mlx_keeps_activations": frozenset({"apple_support"}),
    "packing_fills": frozenset({"leak_after_steps", "packing_multiplies"}),
    "same_steps": frozenset({"leak_after_steps"}),
    "savers_overlap": frozenset({"trainer_decides"}),
    "padded_to_longest": frozenset({"leak_after_steps"}),
    "where_it_goes": frozenset({"smi_is_need", "weights_are_all", "peft_makes_all_small", "works_for_others"}),
    "shared_with_others": frozenset({"smi_is_need", "seen_tells"}),
    "share_trained": frozenset({"embeddings_trained", "checkpointing_first", "nearest_possible"}),
}
"""A finding → those that would say the same again, or speak of cards that do not train at all."""
IN_GENERAL = frozenset({"table_covers_me"})
"""Findings that, without a figure, only fill an answer which has something of this case to say."""
DECIDES = frozenset({"gguf_is_not_trainable", "intel_mac", "no_gpu_trains", "mlx_keeps_activations"})
"""Findings that are the whole answer where no model is named: a table of sizes beside them would contradict them."""


def to_the_point(found: Sequence[Finding], advice: Advice) -> list[Finding]:
    """The findings that stay, in their order."""
    if not found:
        return []
    covered = {code for finding in found for code in COVERS.get(finding.code, ())}
    told = [f for f in found if f.code not in covered]
    kept = [f for f in told if f.gravity == "correct" or not _aside(f.code, advice)]
    own = any(f.gravity != "note" and not _general(f) for f in kept)
    return [f for f in kept if not (own and _general(f))]


def decided(found: Sequence[Finding], advice: Advice) -> bool:
    """A finding is the answer, and what the card holds in theory is beside the point."""
    return advice.verdict.code == "what_trains" and any(_decides(f) for f in found)


def _decides(finding: Finding) -> bool:
    """It is the whole answer where no model is named; of AMD only where the chip is on no list."""
    unlisted = finding.code == "amd_support" and not finding.facts["official"]
    return finding.gravity == "stop" and (finding.code in DECIDES or unlisted)


def _aside(code: str, advice: Advice) -> bool:
    """It concerns a part that this answer is not about."""
    if (code, advice.kind, advice.verdict.code) == ("apple_support", Kind.OOM_HELP, "generate"):
        return True  # no setting of the step helps where it generates beside training
    if code in OF_THE_STEP and (advice.kind, advice.verdict.code) in BESIDE_THE_STEP:
        return True
    if code == "logits_dominate" and advice.kind is Kind.DATA_SIZE_QUALITY:
        return True
    return code in HOW_IT_COMPUTES and advice.kind in NOT_OF_A_CARD


def _general(finding: Finding) -> bool:
    """Said of tables and calculators as such, with no figure of this case."""
    return finding.code in IN_GENERAL and not any(finding.facts.values())
