"""One question with everything resolved that topics and rules share: cards, model, defaults, estimates. Lazily, and
once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from advisor.advice import Advice, Fit, Mark, Need, Setup
from advisor.estimator import estimate as estimate_set_up
from advisor.estimator import usable_bytes
from advisor.query import CardCount, Query, SetUp
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu, Model

GIB = 2**30
BILLION = 1_000_000_000

SEQ_LEN = 2048
MICRO_BATCH = 1
LORA_RANK = 16
LORA_TARGETS = "all-linear"
ASSUMABLE = ("method", "seq_len", "micro_batch", "lora_rank", "trainer")
"""Slots that an answer names as assumed when nobody stated them."""
UNBOUND = 131_072
"""Context of a model of which only the size is known."""
"""What our answers assume where nobody states it; every answer says so."""

COMFORT_OF_CARD = 0.95
"""Share of a card above which a need counts as tight, as in ../shared/score: a few per cent go to spikes of long
batches.
"""

USABLE_SHARE = 0.985
"""GiB that CUDA hands out per GB on the box, for a size that no catalogued card has (24 GB cards: 23.5 to 23.7 GiB)."""

SET_UP_FIELDS = tuple(SetUp.model_fields)
NO_TRAINERS = frozenset({"llama-cpp-finetune", "llama.cpp", "ollama"})
"""Named as trainers, but nobody's memory figures stand for them."""
FULL_METHODS = frozenset({"full", "freeze", "galore", "badam", "lomo", "apollo", "lisa"})
ADAPTERS = frozenset({"lora", "qlora", "dora", "qdora", "loha", "lokr", "adalora", "rslora", "vera", "oft"})


@dataclass(frozen=True, slots=True)
class Stack:
    """A trainer with the settings that make its memory what it is. `code` is its name in answers."""

    code: str
    trainer: str
    changes: tuple[tuple[str, Any], ...] = ()


UNSLOTH = Stack("unsloth", "unsloth")
TRL = Stack("trl", "trl")
FULL_ADAMW = Stack("full_adamw", "trl", (("optimizer", "adamw"), ("autocast", True)))
FULL_8BIT = Stack("full_8bit", "unsloth", (("optimizer", "adamw_8bit"), ("autocast", False), ("compute_dtype", "bf16")))
MLX = Stack("mlx-lm", "mlx-lm")


@dataclass(frozen=True, slots=True)
class Card:
    """So many cards of one kind that the asker has or names; `usable` is bytes per card that CUDA can hand out.

    `name` is the catalog's, "" for a bare size or for a size that the named card never had.
    """

    name: str
    count: int
    vram_gb: float
    usable: int
    gpu: Gpu | None = None


class _ById:
    """A catalog as a cache key: the same object, not an equal one."""

    __slots__ = ("catalog",)

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def __hash__(self) -> int:
        return id(self.catalog)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.catalog is self.catalog


@lru_cache(maxsize=4096)
def _estimate(set_up: SetUp, catalog: _ById) -> Any:
    return estimate_set_up(set_up, catalog.catalog)


def estimate(set_up: SetUp, catalog: Catalog) -> Any:
    """The estimate of a set-up, remembered: the same default set-ups come back in nearly every answer."""
    if set_up.arch is not None or isinstance(set_up.lora_targets, list):
        return estimate_set_up(set_up, catalog)
    return _estimate(set_up, _ById(catalog))


def fit_of(device: int, low: int, usable: int) -> Fit:
    """How a need (device bytes, low end of its interval) stands to what a card hands out."""
    if device <= COMFORT_OF_CARD * usable:
        return "yes"
    if device <= usable:
        return "tight"
    return "unlikely" if low <= usable else "no"


@lru_cache(maxsize=512)
def _usable_of_size(vram_gb: float, catalog: _ById) -> int:
    same = sorted(
        usable_bytes(g)
        for g in catalog.catalog.gpus.values()
        if g.vram_gb == vram_gb and not g.unified_memory and g.vendor == "nvidia"
    )
    return same[len(same) // 2] if same else int(vram_gb * USABLE_SHARE * GIB)


class Case:
    """The query with what follows from it. Everything is computed at first use and kept."""

    def __init__(self, query: Query, catalog: Catalog) -> None:
        self.query = query
        self.catalog = catalog
        self._key = _ById(catalog)
        self.claims = frozenset(query.claims)
        self.symptoms = frozenset(query.symptoms)
        self.advice: Advice | None = None
        """What the topic said, for the rules that come after it."""

    # --- cards -------------------------------------------------------------------------------------------------

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The asker's cards, kind by kind; those that only stand for comparison are not the asker's."""
        compared = {count.gpu for option in self.query.candidates for count in option}
        return self.resolve_cards(
            tuple(count for count in self.query.gpus if not compared or count.gpu not in compared)
        )

    def resolve_cards(self, counts: tuple[CardCount, ...]) -> tuple[Card, ...]:
        """Cards with their usable bytes; entries without any size are left out."""
        return tuple(card for count in counts if (card := self._card(count)) is not None)

    def _card(self, count: CardCount) -> Card | None:
        gpu = self.catalog.gpus.get(count.gpu) if count.gpu else None
        vram_gb = count.vram_gb or (gpu.vram_gb if gpu else None)
        if vram_gb is None:
            return None
        if gpu is not None and (gpu.unified_memory or gpu.memory_options_gb):
            usable = int(usable_bytes(gpu) * vram_gb / gpu.vram_gb)
            return Card(short_name(gpu), count.count, vram_gb, usable, gpu)
        if gpu is not None and (count.vram_gb is None or abs(count.vram_gb - gpu.vram_gb) <= 0.15 * gpu.vram_gb):
            usable = usable_bytes(gpu, desktop=self.query.os == "windows")
            return Card(short_name(gpu), count.count, gpu.vram_gb, usable, gpu)
        return Card("", count.count, vram_gb, self.usable_of_size(vram_gb), gpu)

    def usable_of_size(self, vram_gb: float) -> int:
        """Usable bytes of the usual catalogued card of this size (GB on the box)."""
        return _usable_of_size(vram_gb, self._key)

    @cached_property
    def card(self) -> Card | None:
        """The card that sets the limit: the smallest one, since every card holds its part of the same plan."""
        return min(self.cards, key=lambda card: card.usable, default=None)

    @cached_property
    def n_cards(self) -> int:
        """How many cards the asker names; at least 1."""
        return max(1, sum(card.count for card in self.cards) or self.query.n_gpus or 1)

    @cached_property
    def usable(self) -> int | None:
        """Bytes that one card (the smallest) hands out; a pasted traceback's total wins over the catalog."""
        if self.query.capacity_gib:
            return int(self.query.capacity_gib * GIB)
        return self.card.usable if self.card else None

    @property
    def gpu(self) -> Gpu | None:
        """The catalogued card that sets the limit."""
        return self.card.gpu if self.card else None

    @cached_property
    def gpus(self) -> tuple[Gpu, ...]:
        """All catalogued cards in the question: owned ones and those to compare."""
        named = [c.gpu for c in self.cards]
        named += [c.gpu for option in self.query.candidates for c in self.resolve_cards(option)]
        return tuple({g.id: g for g in named if g is not None}.values())

    @cached_property
    def apple(self) -> bool:
        """Everything runs on a Mac's unified memory."""
        return bool(self.gpus) and all(g.vendor == "apple" for g in self.gpus)

    # --- the model and the method ------------------------------------------------------------------------------

    @cached_property
    def model(self) -> Model | None:
        """The catalogued model; None for a bare size or an unknown name."""
        if not self.query.model:
            return None
        return self.catalog.models.get(self.query.model) or self.catalog.by_sibling.get(self.query.model.lower())

    @cached_property
    def params(self) -> int | None:
        """All stored parameters, None when nothing says how large the model is."""
        if self.model is not None:
            return int(self.model.params_total)
        if self.query.params_b:
            return int(self.query.params_b * BILLION)
        if self.query.arch:
            return int(self.estimate(self.stacks[0]).plan.shape.params_total)
        return None

    @property
    def generic(self) -> bool:
        """Only a size was named; the model in the query merely lends its shape."""
        return self.query.model is None or self.query.sources.get("model") == "assumed"

    @cached_property
    def sized(self) -> bool:
        """Whether an estimate is possible at all."""
        return self.model is not None or bool(self.query.params_b) or bool(self.query.arch)

    @cached_property
    def method(self) -> str:
        """Stated, or what the bits imply; QLoRA where nothing is said (the seed's advice assumes it: S03)."""
        query = self.query
        if query.method:
            return "qlora" if query.method == "lora" and query.weight_bits in (3, 4) else query.method
        if query.weight_bits in (8, 16, 32):
            return "lora"
        if self.max_context <= 1024:
            return "full"  # GPT-2's generation: nobody quantises those
        return "qlora"

    @property
    def full(self) -> bool:
        """Every weight is trained."""
        return self.method in FULL_METHODS

    @cached_property
    def seq_len(self) -> int:
        """Tokens per sequence; our default never exceeds what the model was made for."""
        if self.query.seq_len:
            return self.query.seq_len
        return min(SEQ_LEN, self.max_context)

    @property
    def max_context(self) -> int:
        """Tokens that the named model was made for; no limit of ours where only a size was named."""
        return self.model.max_context if self.model is not None and not self.generic else UNBOUND

    @property
    def micro_batch(self) -> int:
        """Sequences per card and step."""
        return self.query.micro_batch or MICRO_BATCH

    @cached_property
    def stacks(self) -> tuple[Stack, ...]:
        """The worlds to show, the leanest first: the stated trainer alone, else fused and stock loss side by side."""
        query = self.query
        if query.trainer and query.trainer not in NO_TRAINERS:
            return (Stack(query.trainer, query.trainer),)
        if self.apple:
            return (MLX,)
        if self.full:
            return (FULL_ADAMW,) if query.optimizer else (FULL_8BIT, FULL_ADAMW)
        return (UNSLOTH, TRL)

    # --- estimates ---------------------------------------------------------------------------------------------

    @cached_property
    def _base(self) -> dict[str, Any]:
        base = {name: value for name in SET_UP_FIELDS if (value := getattr(self.query, name)) is not None}
        base.setdefault("seq_len", self.seq_len)
        base.setdefault("micro_batch", MICRO_BATCH)
        base.setdefault("grad_checkpointing", True)
        base["method"] = self.method
        if not self.full:
            base.setdefault("lora_rank", LORA_RANK)
            base.setdefault("lora_targets", LORA_TARGETS)
            base.setdefault("optimizer", "adamw_8bit")
        base["n_gpus"] = self.n_cards
        base.pop("sharding", None)
        base.pop("gpu", None)  # some stacks fill what the card has; what counts here is what they need
        return base

    @cached_property
    def sharding(self) -> str:
        """Stated; else a copy per card where one card holds the model, split where it does not; none for one card."""
        if self.query.sharding:
            return self.query.sharding
        if self.n_cards == 1:
            return "none"
        if self.usable is None or not self.sized:
            return "ddp"
        alone = self.need(self.stacks[0], n_gpus=1, sharding="none")
        return "ddp" if alone.fit in ("yes", "tight") else "fsdp"

    def set_up(self, stack: Stack, **changes: Any) -> SetUp:
        """The set-up that a stack's numbers stand for, with some slots changed (None takes a slot back)."""
        values = self._base | {"trainer": stack.trainer}
        for name, value in stack.changes:
            if name not in self.query.sources:
                values[name] = value
        values |= changes
        if "sharding" not in values:
            values["sharding"] = self.sharding
        if changes.get("method") in FULL_METHODS:
            for name in ("lora_rank", "lora_targets", "weight_bits", "quant"):
                values.pop(name, None)
        return SetUp(**{name: value for name, value in values.items() if value is not None})

    def estimate(self, stack: Stack, **changes: Any) -> Any:
        """The estimator's word on it. Raises advisor.errors.AdvisorError on impossible values."""
        return estimate(self.set_up(stack, **changes), self.catalog)

    def need(self, stack: Stack, tiers: tuple[int, ...] = (), **changes: Any) -> Need:
        """Memory per card of one stack, with marks for card sizes and the verdict on the asker's card."""
        e = self.estimate(stack, **changes)
        beside = e.device - e.reserved
        low, high = e.low + beside, e.high + beside
        return Need(
            stack=stack.code,
            trainer=stack.trainer,
            device=e.device,
            low=low,
            high=high,
            allocated=e.allocated,
            reserved=e.reserved,
            host_ram=e.host_ram,
            components=dict(e.components),
            moment=e.moment,
            tokens_per_s=e.tokens_per_s,
            tokens_per_s_low=getattr(e, "tokens_per_s_low", None),
            tokens_per_s_high=getattr(e, "tokens_per_s_high", None),
            marks=tuple(Mark(vram_gb=gb, fit=fit_of(e.device, low, self.usable_of_size(gb))) for gb in tiers),
            fit=fit_of(e.device, low, self.usable) if self.usable else None,
        )

    def needs(self, tiers: tuple[int, ...] = (), **changes: Any) -> tuple[Need, ...]:
        """One need per stack."""
        if not tiers and not changes:
            return self._needs
        return tuple(self.need(stack, tiers, **changes) for stack in self.stacks)

    @cached_property
    def _needs(self) -> tuple[Need, ...]:
        return tuple(self.need(stack) for stack in self.stacks)

    def fit(self, need: Need, usable: int) -> Fit:
        """How a need stands to so many usable bytes."""
        return fit_of(need.device, need.low, usable)

    @cached_property
    def lean(self) -> Need:
        """The need of the leanest stack at what the asker states, our defaults elsewhere."""
        return self._needs[0]

    @cached_property
    def setup(self) -> Setup:
        """What the numbers assume."""
        plan = self.estimate(self.stacks[0]).plan
        query = self.query
        assumed = [name for name in ASSUMABLE if getattr(query, name) is None or query.sources.get(name) == "assumed"]
        if query.weight_bits or query.quant:
            assumed = [name for name in assumed if name != "method"]
        if self.full:
            assumed = [name for name in assumed if name != "lora_rank"]
        return Setup(
            model=self.model_name,
            model_id=self.model.id if self.model else None,
            generic=self.model is None or self.generic,
            params=self.params or 0,
            params_active=self.model.params_active if self.model else None,
            vocab=plan.shape.vocab,
            hidden=plan.shape.hidden,
            layers=plan.shape.layers,
            method=self.method,
            weight_bits=_bits(plan, self.method),
            seq_len=self.seq_len,
            micro_batch=self.micro_batch,
            lora_rank=None if self.full else (query.lora_rank or LORA_RANK),
            lora_targets=None if self.full else (query.lora_targets or LORA_TARGETS),
            optimizer=query.optimizer,
            algorithm=query.algorithm,
            grad_checkpointing=query.grad_checkpointing not in (False, "false", "none"),
            n_gpus=self.n_cards,
            sharding=self.sharding,
            offload=query.offload or "none",
            assumed=tuple(assumed),
        )

    @cached_property
    def model_name(self) -> str:
        """The model's short name, or its size as people write it ("13B")."""
        if self.query.model and not self.generic:
            return self.query.model.split("/")[-1]
        return size_name(int((self.query.params_b or 0) * BILLION) or self.params or 0)


def short_name(gpu: Gpu) -> str:
    """A card's name without the words that nobody says: RTX 3090, not GeForce RTX 3090."""
    return gpu.name.removeprefix("NVIDIA ").removeprefix("GeForce ").removeprefix("Radeon ")


def size_name(params: int) -> str:
    """A parameter count as people write it: 13B, 1.5B, 345M."""
    if params >= BILLION:
        return f"{params / BILLION:.3g}B"
    return f"{params / 1_000_000:.3g}M"


def _bits(plan: Any, method: str) -> float:
    bits = getattr(plan, "weight_bits", None)
    return float(bits) if bits else (4.0 if method in ("qlora", "qdora") else 16.0)


def facts_of(card: Card) -> Mapping[str, Any]:
    """A card's facts for a sentence."""
    return {"card": card.name, "count": card.count, "vram_gb": card.vram_gb, "usable": card.usable}
