"""A set-up with every default resolved: what the memory terms read. Plain numbers, nothing optional."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar

from advisor.estimator.parts import ENDS
from advisor.estimator.profile import Profile
from advisor.estimator.shape import Shape

T = TypeVar("T")


@dataclass(eq=False)
class Plan:
    """One training run, resolved. Widths in elements, `*_bytes` per element, `tokens` per micro batch and GPU.

    Nobody changes one; frozen it would take three times as long to make, and every estimate makes one.
    """

    shape: Shape
    profile: Profile
    method: str
    """full, lora or qlora: what the base weights are and whether they are trained."""
    variant: str
    """The method as named: lora, dora, adapter, ia3, galore, ...; equal to `method` for the plain ones."""
    seq_len: int
    micro_batch: int
    grad_accum: int
    checkpointing: str
    """none, layer (a residual stream per layer is kept), selective (some products too) or offload (to system RAM)."""
    attention: str
    """flash, efficient or eager."""
    optimizer: str
    loss: str
    """hf, hf_old, inplace, chunked or fused."""
    rank: int
    targets: frozenset[str]
    """Roles that carry an adapter: q k v o gate up down qkv head embed experts."""
    dropout: float
    weight_bits: float
    """Bits of a stored base weight: 32, 16, 8, 4."""
    quant: str
    """none, nf4, gptq, awq, int8, torchao ..."""
    double_quant: bool
    autocast: bool
    kbit: bool
    """prepare_model_for_kbit_training: norms, embedding and head in fp32."""
    adapter_bytes: int
    trainable_bytes: int
    """Bytes of a trained weight and of its gradient (not the adapters)."""
    state_bytes: float
    """Bytes of one AdamW moment per element, before 8-bit and the like."""
    n_gpus: int = 1
    sharding: str = "none"
    offload: str = "none"
    on_disk: bool = False
    """What is offloaded lies on an NVMe drive."""
    sequence_parallel: int = 1
    """GPUs that share one sequence (context or sequence parallelism)."""
    deepspeed: bool = False
    """ZeRO: 16-bit weights and gradients, fp32 master copy."""
    activation_offload: bool = False
    optimizer_in_backward: bool = False
    compiled: bool = False
    fused_kernels: bool = False
    """Triton RMSNorm, RoPE and SwiGLU (Liger, fms foak, Unsloth): less is kept per layer."""
    algorithm: str = "sft"
    sequences: int = 1
    """Rows of the batch per sample: 2 where a chosen and a rejected answer run side by side."""
    part: int = 0
    """Full fine-tuning of a part of the weights: parameters trained at one time; 0: all."""
    adapters: int = 0
    """Adapter parameters, or the stated number of trainable ones; 0 for full."""
    gpu: str = ""
    model: str = ""
    room: int = 0
    """Usable bytes of one card where the set-up names it; 0 else."""
    tiled_mlp: bool = False
    """The MLP runs over a part of the tokens at a time."""
    masks_windows: bool = False
    """Attention sees its sliding window as a mask of all pairs of tokens."""
    windowed_experts: bool = False
    """Quantised experts are dequantised a few at a time."""
    kernels: str = ""
    """Stated kernels and trainer in lower case: what runs fast where memory does not tell (speed)."""
    assumed: tuple[str, ...] = ()
    unknown: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """Slot → the name that nobody knows, and the nearest known ones."""

    tokens: int = field(init=False)
    """T = B s: tokens of one micro batch on one GPU."""
    terms: dict[str, Any] = field(init=False, repr=False, default_factory=dict)
    """Terms that no length changes, by name; shared by all plans of one set-up. A changed plan begins anew."""

    def __post_init__(self) -> None:
        self.tokens = self.micro_batch * self.sequences * self.seq_len // self.sequence_parallel

    def at(self, seq_len: int, **others: Any) -> "Plan":
        """The same run at another length (batch, accumulation): what these do not change is shared, worked out once."""
        other = object.__new__(Plan)
        other.__dict__.update(self.__dict__, seq_len=seq_len, **others)
        other.__post_init__()
        return other

    @property
    def trains_head(self) -> bool:
        """The head (and the embedding) get gradients."""
        return self.method == "full" and (not self.part or self.variant in ENDS)

    @property
    def sharded(self) -> bool:
        """Parameters are split over the GPUs and gathered layer by layer."""
        return self.n_gpus > 1 and self.sharding in ("fsdp", "fsdp2", "zero3")

    @property
    def residual_bytes(self) -> int:
        """e: bytes of an element of the residual stream. FORMULAS.md, Symbols."""
        if self.method == "full":
            return 4 if self.trainable_bytes == 4 and self.autocast and not self.sharded else 2
        return 4 if self.kbit else 2

    @property
    def mlp_bytes(self) -> int:
        """m: bytes of an MLP activation: Linear4bit returns its input's dtype. FORMULAS.md, Symbols."""
        return 4 if self.kbit else 2


def of_set_up(term: Callable[[Plan], T]) -> Callable[[Plan], T]:
    """A term that reads neither length, batch nor accumulation: worked out once for a set-up at all its lengths."""
    name = f"{term.__module__}.{term.__name__}"

    @wraps(term)
    def known(plan: Plan) -> T:
        terms: dict[str, T] = plan.terms
        if name not in terms:
            terms[name] = term(plan)
        return terms[name]

    return known


def unless_eager(term: Callable[[Plan], T]) -> Callable[[Plan], T]:
    """The same for terms in which only the scores of eager attention depend on the length."""
    once = of_set_up(term)

    @wraps(term)
    def known(plan: Plan) -> T:
        return term(plan) if plan.attention == "eager" else once(plan)

    return known
