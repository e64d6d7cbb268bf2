"""What was asked, resolved to catalog ids and numbers: never the user's words."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_serializer, field_validator

Source = Literal["stated", "remembered", "assumed"]
"""Where a slot's value comes from: this message, the conversation so far, or our own default."""


class Kind(StrEnum):
    """The kinds of question that there are."""

    WHICH_GPU = "which_gpu"
    FITS_CHECK = "fits_check"
    COMPARE_GPUS = "compare_gpus"
    CONTEXT_LENGTH = "context_length"
    OOM_HELP = "oom_help"
    MULTI_GPU = "multi_gpu"
    SYSTEM_RAM = "system_ram"
    TRAINER_CHOICE = "trainer_choice"
    METHOD_CHOICE = "method_choice"
    DATA_SIZE_QUALITY = "data_size_quality"
    TIME_ESTIMATE = "time_estimate"
    COST_BUY_VS_RENT = "cost_buy_vs_rent"
    FAQ_DEFINITION = "faq_definition"
    INFERENCE_ONLY = "inference_only"
    OFF_TOPIC = "off_topic"
    MIXED = "mixed"
    HELP = "help"


class CardCount(BaseModel):
    """So many cards of one kind. `gpu` is a catalog id, None when only a size was named ("a 24 GB card")."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gpu: str | None = None
    name: str = ""
    """As the catalog writes it; as the asker did when the catalog has no such card; "" (JSON: null) without a name."""
    count: int = Field(default=1, ge=1, le=100_000)
    vram_gb: float | None = Field(default=None, gt=0)
    """GB on the box, as stated or from the catalog."""

    @field_validator("name", mode="before")
    @classmethod
    def _no_name(cls, name: object) -> object:
        return "" if name is None else name

    @field_serializer("name", when_used="json")
    def _null_without_name(self, name: str) -> str | None:
        return name or None


class SetUp(BaseModel):
    """A training set-up in the field's words; None means not stated, and the trainer's default applies.

    `arch` is a raw shape (keys as in Hugging Face configs: hidden_size, layers, heads, kv_heads, head_dim,
    intermediate_size, vocab_size, tie_embeddings, moe, attention, model_type ...) and wins over `model`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    model: str | None = None
    params_b: float | None = None
    arch: Mapping[str, Any] | None = None
    method: str | None = None
    weight_bits: float | None = None
    compute_dtype: str | None = None
    seq_len: int | None = None
    micro_batch: int | None = None
    grad_accum: int | None = None
    grad_checkpointing: bool | str | None = None
    attention: str | None = None
    optimizer: str | None = None
    lora_rank: int | None = None
    lora_targets: tuple[str, ...] | str | None = None
    trainer: str | None = None
    fused_loss: bool | None = None
    packing: bool | None = None
    n_gpus: int | None = None
    sharding: str | None = None
    offload: str | None = None
    algorithm: str | None = None
    """sft (default), dpo, orpo, kto, grpo, ppo, reward, pretrain."""

    # Only for `estimate`: details that a person rarely states.
    autocast: bool | None = None
    adapter_dtype: str | None = None
    loss: str | None = None
    kbit_prepare: bool | None = None
    double_quant: bool | None = None
    quant: str | None = None
    kernels: str | None = None
    lora_dropout: float | None = None
    optimizer_in_backward: bool | None = None
    optimizer_state_dtype: str | None = None
    activation_offload: bool | None = None
    compile: bool | None = None
    trainable_params: int | None = None
    gpu: str | None = None


class Query(SetUp):
    """A question as slots. Every slot that is set has an entry in `sources`."""

    kind: Kind = Kind.HELP
    also: Kind | None = None
    """The second need of a message that has two."""

    gpus: tuple[CardCount, ...] = ()
    """The cards that the asker has or names; alternatives to compare are in `candidates`."""
    candidates: tuple[tuple[CardCount, ...], ...] = ()
    """Set-ups to compare: ("two 3090s", "one 5090") is two entries."""
    models: tuple[str, ...] = ()
    """Further models or sizes named as alternatives ("7/13/34B"), the first one is in `model` / `params_b`."""
    named: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Slot (method, optimizer, sharding, trainer) → all its values in the message, where it names several."""
    dataset_examples: int | None = None
    dataset_tokens: int | None = None
    epochs: float | None = None
    ram_gb: float | None = None
    os: str | None = None
    vendor: str | None = None
    """amd, intel or apple, named without a card; none for a processor's maker."""
    budget: float | None = None
    currency: str | None = None
    max_hours: float | None = None

    faq: str | None = None
    """The id of the FAQ entry that this asks for."""
    faq_nearly: bool = False
    """That entry is only the nearest one: the answer says so."""
    show: str | None = None
    """What a follow-up wants to see of the last answer: why, config, fit, prices, more, cheaper, faster, or thanks."""
    symptoms: tuple[str, ...] = ()
    """Codes of what went wrong: oom_step, oom_later, oom_load, oom_eval, oom_save, killed, fragmented, ..."""
    claims: tuple[str, ...] = ()
    """Codes of beliefs that the text shows: vram_adds_up, active_params_only, shared_memory_counts, ..."""
    tried_allocate_gib: float | None = None
    capacity_gib: float | None = None
    """From a pasted traceback: what was asked for, and the card's total capacity as CUDA sees it."""
    seen_gib: float | None = None
    """Memory in use as the asker saw it ("needs 38 GB here")."""
    claimed_gib: float | None = None
    """What a calculator, a table, a guide or the asker's own guess says that it takes."""
    ran_seq_len: int | None = None
    """The longest sequence that the asker saw to run, where a longer one ran out of memory or is asked about."""
    failed_seq_len: int | None = None
    """The sequence length at which the asker says that it ran out of memory."""
    seen_tokens_per_s: float | None = None
    seen_s_per_step: float | None = None
    """How fast a run was seen to be: tokens per second, seconds per step."""
    hourly: Mapping[str, float | tuple[float, float]] = Field(default_factory=dict)
    """Card id → USD per hour that the asker was offered, or the ends of a range."""
    asked_prices: Mapping[str, float] = Field(default_factory=dict)
    """Card id → what it costs to buy, as the asker says, where two or more have a price."""
    providers: tuple[str, ...] = ()
    """Where the asker rents or would rent, as facts/prices.yaml has the names."""
    tokens_per_example: int | None = None
    """Average tokens of an example, as stated."""
    nodes: int | None = None
    """Machines that the cards stand in; RAM is counted per machine."""
    hours_per_week: float | None = None
    took_hours: float | None = None
    """Hours that a run took, or that its progress bar shows ("ETA 88 hours", "done in 1 minute")."""
    done_share: float | None = None
    done_of: Literal["epoch", "run"] | None = None
    done_hours: float | None = None
    """How far a run that is going has come: the share of an epoch or of the whole run, and the hours it took."""
    supply_w: float | None = None
    """Watts of the power supply at hand."""
    ambiguous: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Slot → catalog ids that the name could have meant; the slot holds the one that was taken."""
    unknown: Mapping[str, str] = Field(default_factory=dict)
    """Slot → the name as asked (cut short) that the catalog does not have."""
    nearest: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Slot → nearest known names to an unknown one."""
    sources: Mapping[str, Source] = Field(default_factory=dict)

    @property
    def stated(self) -> tuple[str, ...]:
        """The slots that this message itself states."""
        return tuple([slot for slot, source in self.sources.items() if source == "stated"])
