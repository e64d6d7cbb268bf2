"""The one schema of every entry in facts/: one class per kind of thing.

Units stand in the field names: GB as on the box, GiB = 2**30 bytes, GB/s, TFLOPS (dense, FP32 accumulate), W, USD.
What each field means is told in knowledge/README.md.
"""

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from knowledge.entry import Count, Entry, PartialDate, Positive, Sourced, Sources, Text, Word
from knowledge.parameters import Parameters, parameters


class Supports(Entry):
    """What the software of this chip generation can do. Texts are facts for a person ("yes", "no (SDPA fallback)")."""

    bf16: bool
    fp8: bool = False
    fp4: bool = False
    flash_attention_2: Word
    bitsandbytes_4bit: Word
    unsloth: Word


class Capability(Sourced):
    """A chip generation by compute capability ("8.6"), gfx name, "xpu" or "metal": what its cards have in common."""

    supports: Supports


class Gpu(Sourced):
    """One card as sold. The id never changes and is never reused."""

    groups: ClassVar[tuple[str, ...]] = ("memory", "compute", "board", "sold")

    id: str
    name: Text
    aliases: tuple[Word, ...] = ()
    family: Text
    vendor: Literal["nvidia", "amd", "intel", "apple"]
    architecture: Text
    segment: Literal["consumer", "laptop", "workstation", "datacenter", "soc"]
    compute_capability: Word
    supports: Supports

    vram_gb: Positive
    """GB on the box; for unified memory the size that `name` or the default stands for."""
    memory_options_gb: tuple[Count, ...] | None = None
    usable_gib: Positive | None = None
    """GiB that the driver shows; None where nobody looked (the estimator then derives it)."""
    unified_memory: bool = False
    mem_type: Text
    bandwidth_gb_s: Positive

    fp16_dense_tflops: Positive | None = None
    bf16_dense_tflops: Positive | None = None
    fp16_acc16_dense_tflops: Positive | None = None
    fp8_dense_tflops: Positive | None = None
    fp32_tflops: Positive | None = None

    nvlink: str | bool = False
    """False, or which bridge or fabric."""
    tdp_w: Positive | None = None
    slot: Word | None = None
    power: Word | None = None

    release_year: Annotated[int, Field(ge=2010, le=2100)]
    launch_msrp_usd: Positive | None = None
    still_sold_new: Word
    note: Text | None = None
    verified: Annotated[int, Field(ge=0, le=2)] = 1
    """2: an outside table agrees on bandwidth and memory; 1: one source; 0: rumour."""
    disagreements: tuple[Text, ...] = ()

    @property
    def cuda_capability(self) -> tuple[int, int] | None:
        """(8, 6) for an NVIDIA card, None for the others."""
        if self.vendor != "nvidia":
            return None
        major, minor = self.compute_capability.split(".")
        return int(major), int(minor)


class Moe(Entry):
    """Mixture of experts. `shared`: total width of the shared ones; `dense_layers` come first, without experts."""

    experts: Count
    active: Count
    moe_intermediate: Count
    shared: Count | None = None
    dense_layers: Annotated[int, Field(ge=0)] = 0


class Shape(Entry):
    """The size of every matrix of a model. kv_heads defaults to heads, head_dim to hidden_size / heads."""

    groups: ClassVar[tuple[str, ...]] = ("shape",)

    arch: Word = "llama"
    """The layer plan, one function in knowledge/parameters/; `arch_args` are its details."""
    arch_args: Mapping[str, Any] = {}
    hidden_size: Count
    layers: Count
    heads: Count
    kv_heads: Count
    head_dim: Count
    intermediate_size: Count | None = None
    vocab_size: Count
    tie_embeddings: bool = False
    max_context: Count
    moe: Moe | None = None
    attention: Text = "full"
    sliding_window: Count | None = None

    @model_validator(mode="before")
    @classmethod
    def _defaults(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        inner = values.get("shape")
        shape = dict(inner) if isinstance(inner, dict) else values
        heads, hidden = shape.get("heads"), shape.get("hidden_size")
        filled: dict[str, Any] = {}
        if isinstance(heads, int) and heads > 0:
            filled["kv_heads"] = heads
            if isinstance(hidden, int):
                filled["head_dim"] = hidden // heads
        shape = filled | shape
        return {**values, "shape": shape} if isinstance(inner, dict) else shape

    @cached_property
    def parameters(self) -> Parameters:
        """Every parameter of the model, counted from its shape."""
        return parameters(self)

    @property
    def params_total(self) -> int:
        """What a loader puts into memory: vision tower included, multi-token prediction left out."""
        return self.parameters.total

    @property
    def params_text(self) -> int:
        """The language model alone."""
        return self.parameters.text

    @property
    def params_active(self) -> int | None:
        """Parameters that one token passes through, embeddings and head included; None for a dense model."""
        return self.parameters.active if self.moe else None


class Model(Shape, Sourced):
    """One model on the hub. `siblings` are hub ids of the same shape (chat, instruct, coder, distilled ...)."""

    id: str
    family: Text
    aliases: tuple[Word, ...] = ()
    siblings: tuple[Text, ...] = ()
    kind: Literal["base", "instruct", "reasoning", "hybrid-thinking"] = "base"
    params_published: Count | None = None
    """The count that the publisher or the hub states, less what `published_note` says."""
    published_note: Text | None = None
    mtp_params: Count | None = None
    """Extra multi-token-prediction weights in the files that training stacks drop."""
    license: Text | None = None
    gated: bool = False
    """True when the hub asks to accept a licence first."""
    released: PartialDate | None = None
    multimodal: bool = False
    note: Text | None = None
    verified: Annotated[int, Field(ge=0, le=2)] = 1


class Price(Entry):
    """What a card cost, to buy (USD per card) or to rent (USD per hour and card), on a day, at a place."""

    gpu: str
    kind: Literal["cloud", "retail", "used"]
    price: Positive
    low: Positive | None = None
    high: Positive | None = None
    provider: Text
    tier: Text | None = None
    date: PartialDate
    source: Sources
    trust: Literal["low", "medium", "high"] = "medium"
    note: Text | None = None

    @property
    def unit(self) -> str:
        """Rent is per hour and card, a purchase per card."""
        return "USD/h per GPU" if self.kind == "cloud" else "USD per card"


class Instance(Sourced):
    """A rented machine or notebook by the name people use: which card, how many."""

    id: str
    name: Text
    aliases: tuple[Word, ...] = ()
    provider: Text
    gpu: str
    count: Count = 1
    ram_gb: Positive | None = None
    note: Text | None = None


class Machine(Sourced):
    """Machines that people own, by the segment of the card in them: how much system RAM they have."""

    id: Literal["consumer", "laptop", "workstation", "datacenter"]
    ram_per_card_gb: Positive
    note: Text | None = None


class Dataset(Sourced):
    """A public data set by the name people use: how many examples it trains on."""

    id: str
    name: Text
    aliases: tuple[Word, ...] = ()
    examples: Count
    note: Text | None = None


class Ambiguous(Entry):
    """An alias that several entries answer to; `default` is taken and said, None means ask."""

    alias: Word
    catalog: Literal["gpus", "models", "trainers"]
    candidates: tuple[str, ...] = Field(min_length=1)
    default: str | None = None
    resolution: Text


class NotFor(Entry):
    """Models that a trainer does not load, or trains without what its figures stand for."""

    why: Literal["encoder_decoder", "encoder", "remote_code", "unproven", "missing"]
    models: tuple[Word, ...] = Field(min_length=1)
    """Families or layer plans of our catalog, or `model_type` of a config.json."""
    source: Text


class Trainer(Sourced):
    """A training stack as a person chooses it. Its memory behaviour is facts too: see `stack`."""

    id: str
    name: Text
    aliases: tuple[Word, ...] = ()
    version_seen: Text
    licence: Text
    status: Text | None = None
    multi_gpu: Word
    windows: Word
    amd: Word
    apple: Word
    intel: Word
    methods: Mapping[str, bool | str]
    long_context: Text | None = None
    offload: Text | None = None
    config: Text | None = None
    min_hw: Text | None = None
    claims: tuple[Mapping[str, str], ...] = ()
    """Memory and speed claims as its own pages make them: `claim`, `source`."""
    doubts: Text | None = None
    note: Text | None = None
    not_for: tuple[NotFor, ...] = ()
    stack: Mapping[str, Any] = {}
    """The defaults that the estimator assumes for this trainer (loss, kernels, optimizer ...), by field name."""

    def gap(self, names: Collection[str]) -> NotFor | None:
        """What of `not_for` speaks of a model of these names (family, layer plan, model_type)."""
        return next((gap for gap in self.not_for if not set(names).isdisjoint(gap.models)), None)


class SourceText(Entry):
    """A source that many entries name by a short key."""

    id: str
    title: Text
    url: Text | None = None
    seen: PartialDate | None = None
    note: Text | None = None
