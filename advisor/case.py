"""One question with everything that topics and rules share: what it names, and estimates. Lazily, and once."""

import re
from collections.abc import Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from advisor.advice import Fit, Mark, Need, Setup
from advisor.asked import FAILURES, Asked
from advisor.assumptions import setup_of
from advisor.estimator import Plan
from advisor.estimator.sharding import SHARDED
from advisor.lazily import lazily
from advisor.made import made
from advisor.query import Query
from advisor.remembered import Pace, needed_by, pace_of, plan_of, speed_of
from advisor.spread import sharding_of
from advisor.stacks import (
    AXOLOTL,
    BILLION,
    BY_LAYER_OF,
    FULL_8BIT,
    FULL_ADAMW,
    FULL_METHODS,
    GIB,
    GOOD,
    LORA_RANK,
    MASTER_8BIT,
    MASTER_FP32,
    MICRO_BATCH,
    MLX,
    NO_TRAINERS,
    SET_UP_FIELDS,
    STOCK,
    TRL,
    UNSLOTH,
    Stack,
    fit_of,
    gap_of,
    size_name,
    split_in_bf16,
    with_optimizer,
)
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu, NotFor

LOADS = frozenset({"remote_code", "unproven"})
"""Gaps of a trainer (facts/trainers.yaml, `not_for`) with which it may still run, only not as its figures say."""
MOST_OTHERS = 3
"""Alternatives that an answer has room for."""
UNCHANGED: Mapping[str, Any] = MappingProxyType({})
STATED = itemgetter(*SET_UP_FIELDS)
PLACE = {name: place for place, name in enumerate(SET_UP_FIELDS)}
SHARDING, TRAINER, FUSED = PLACE["sharding"], PLACE["trainer"], PLACE["fused_loss"]
WHOLE = itemgetter("sharding", "autocast", "compute_dtype", "n_gpus", "offload")(PLACE)
OF_ADAPTERS = tuple(PLACE[name] for name in ("lora_rank", "lora_targets", "weight_bits", "quant"))
"""Slots that mean nothing where all weights are trained."""


class Case(Asked):
    """The question with its estimates. Everything is computed at first use and kept."""

    def __init__(self, query: Query, catalog: Catalog) -> None:
        super().__init__(query, catalog)
        self._needs_known: dict[Any, Need] = {}
        self._gaps: dict[tuple[str, str | None], NotFor | None] = {}
        self._loads: dict[Stack, Stack] = {}
        self._of_stacks: dict[Stack, list[Any]] = {}

    @lazily
    def params(self) -> int | None:
        """All stored parameters, None when nothing says how large the model is."""
        if self.model is not None:
            return int(self.model.params_total)
        if self.query.params_b:
            return int(self.query.params_b * BILLION)
        if self.query.arch:
            return int(self.plan(self.stacks[0]).shape.params)
        return None

    @lazily
    def seen(self) -> int:
        """Bytes that the asker saw in use; 0 where nobody names any."""
        return int((self.query.seen_gib or 0) * GIB)

    @lazily
    def stacks(self) -> tuple[Stack, ...]:
        """The worlds to show, the leanest first: the stated trainer alone, else fused and stock loss side by side; what
        is split over cards is Axolotl's, not Unsloth's.
        """
        if self.stacks_of_one[0] is not UNSLOTH or self.sharding not in SHARDED:
            return self.stacks_of_one
        return (AXOLOTL, *self.stacks_of_one[1:])

    @lazily
    def stacks_of_one(self) -> tuple[Stack, ...]:
        """The worlds of one card, or of a copy on each."""
        query = self.query
        if query.trainer == "megatron" and self.full and query.optimizer is None:
            return (FULL_ADAMW,)  # fp32 master weights and gradients
        if query.trainer and query.trainer not in NO_TRAINERS and not self.arm_board:
            if query.trainer == BY_LAYER_OF.trainer and self.full and self.n_cards == 1 and not self.no_bf16:
                return (BY_LAYER_OF,)
            refused = query.trainer == UNSLOTH.trainer and not self.tensor_cores
            refused = refused or ((gap := self.gap(query.trainer)) is not None and gap.why not in LOADS)
            return (STOCK,) if refused else (Stack(query.trainer, query.trainer),)
        if self.apple:
            return (self.loaded(MLX),)
        if self.full:
            if query.optimizer:
                if self.no_bf16 or self.keeps_fp32:
                    return (MASTER_FP32,)
                return with_optimizer(query.optimizer, one=self.n_cards == 1, by_layer="by_layer" in self.symptoms)
            if query.offload not in (None, "none"):
                return (FULL_ADAMW,)
            return (self.loaded(self.lean_full), FULL_ADAMW)
        if not self.tensor_cores or self.arm_board:
            return (STOCK,)
        gap = self.gap(UNSLOTH.trainer)
        return (UNSLOTH, STOCK) if gap is None else (TRL, STOCK) if gap.why == "unproven" else (STOCK,)

    def gap(self, trainer: str, changes: Mapping[str, Any] = UNCHANGED) -> NotFor | None:
        """Why a trainer does not load the model of this set-up, or trains it without its kernels."""
        other = changes.get("model")
        if not other and changes.get("params_b"):
            return None
        if (trainer, other) not in self._gaps:
            model, arch = self.model, self.query.arch
            if other:
                model, arch = self.catalog.models.get(other) or self.catalog.by_sibling.get(other.lower()), None
            self._gaps[trainer, other] = gap_of(trainer, model, arch, self.catalog)
        return self._gaps[trainer, other]

    def loaded(self, stack: Stack, changes: Mapping[str, Any] = UNCHANGED) -> Stack:
        """The stack, or its settings on Hugging Face's trainer where its own, that nobody asked for, has a gap."""
        if "model" in changes or "params_b" in changes:
            return self._loaded(stack, changes)
        if stack not in self._loads:
            self._loads[stack] = self._loaded(stack, changes)
        return self._loads[stack]

    def _loaded(self, stack: Stack, changes: Mapping[str, Any]) -> Stack:
        if stack.trainer == self.query.trainer or self.gap(stack.trainer, changes) is None:
            return stack
        return STOCK if stack in (UNSLOTH, MLX) else stack._replace(trainer=STOCK.trainer)

    @property
    def lean_full(self) -> Stack:
        """The leanest way to train every weight on these cards."""
        return MASTER_8BIT if self.no_bf16 or self.keeps_fp32 else FULL_8BIT

    @lazily
    def _base(self) -> list[Any]:
        """What is stated or assumed whatever the stack, in the order of SET_UP_FIELDS."""
        base = list(STATED(vars(self.query)))
        assumed: dict[str, Any] = {"seq_len": self.seq_len, "micro_batch": MICRO_BATCH, "grad_checkpointing": True}
        # some stacks fill what the card has; what counts here is what they need
        settled: dict[str, Any] = {"method": self.method, "n_gpus": self.n_cards, "sharding": None, "gpu": None}
        if not self.full:
            assumed |= {"lora_rank": LORA_RANK, "optimizer": "adamw_8bit"}
            settled["lora_targets"] = self.lora_targets
        for name, value in assumed.items():
            if base[PLACE[name]] is None:
                base[PLACE[name]] = value
        for name, value in settled.items():
            base[PLACE[name]] = value
        return base

    @lazily
    def sharding(self) -> str:
        """Stated; else a copy per card where one card holds the model, split where it does not; none for one card."""
        return sharding_of(self)

    def _values(self, stack: Stack, changes: Mapping[str, Any]) -> list[Any]:
        """The set-up that a loaded stack's numbers stand for, with some slots changed (None takes a slot back), in the
        order of SET_UP_FIELDS.
        """
        known = self._of_stacks
        values = [*(known[stack] if stack in known else self._unchanged(stack))]
        for name, value in changes.items():
            values[PLACE[name]] = value
        if values[SHARDING] is None and "sharding" not in changes:
            values[SHARDING] = self.sharding
        if "method" in changes and changes["method"] in FULL_METHODS:
            for place in OF_ADAPTERS:
                values[place] = None
        if split_in_bf16(*(values[place] for place in WHOLE)):
            if values[TRAINER] == "unsloth" and values[FUSED] is None:
                values[FUSED] = True  # as it does of its own
            values[SHARDING], values[TRAINER] = "fsdp2", "axolotl"  # the first FSDP keeps its shards in fp32
        return values

    def _unchanged(self, stack: Stack) -> list[Any]:
        """The values of a stack as the asker states them, without what depends on the changes."""
        values = self._of_stacks[stack] = self._base.copy()
        values[TRAINER] = stack.trainer
        for name, value in stack.changes:
            if name not in self.query.sources:
                values[PLACE[name]] = value
        return values

    def plan(self, stack: Stack, **changes: Any) -> Plan:
        """The set-up with every default resolved. Raises advisor.errors.AdvisorError on impossible values."""
        return plan_of(self._values(self.loaded(stack, changes), changes), self.catalog)

    def tokens_per_s(self, stack: Stack, gpu: str, **changes: Any) -> float | None:
        """The speed on a card by its name, without what it takes; None where that is not known."""
        changes["gpu"] = gpu
        return speed_of(self._values(self.loaded(stack, changes), changes), self.catalog)

    def pace(self, stack: Stack, gpu: Gpu, each: int, **changes: Any) -> Pace | None:
        """How examples of so many tokens go through on a catalogued card; None where that is not known."""
        changes["gpu"] = gpu.name
        values = self._values(self.loaded(stack, changes), changes)
        return pace_of(values, gpu.id, each, bool(self.query.packing), self.catalog)

    def need(self, stack: Stack, tiers: tuple[int, ...] = (), **changes: Any) -> Need:
        """Memory per card of one stack, with marks for card sizes and the verdict on the asker's card."""
        key = (stack, tiers, *changes.items())
        known = self._needs_known
        try:
            if key in known:
                return known[key]
        except TypeError:  # a list among the changes
            return self._need(self.loaded(stack, changes), tiers, changes)
        found = known[key] = self._need(self.loaded(stack, changes), tiers, changes)
        return found

    def _need(self, stack: Stack, tiers: tuple[int, ...], changes: dict[str, Any]) -> Need:
        needed = needed_by(self._values(stack, changes), self.catalog)
        device, low = needed["device"], needed["low"]
        marks = [Mark(vram_gb=gb, fit=fit_of(device, low, self.usable_of_size(gb))) for gb in tiers] if tiers else ()
        fit = fit_of(device, low, self.usable) if self.usable else None
        stated = {"stack": stack.code, "trainer": stack.trainer}
        return made(Need, {**stated, **needed, "marks": tuple(marks), "fit": fit})

    def needs(self, tiers: tuple[int, ...] = (), **changes: Any) -> tuple[Need, ...]:
        """One need per stack."""
        if not tiers and not changes:
            return self._needs
        return tuple(self.need(stack, tiers, **changes) for stack in self.stacks)

    @lazily
    def _needs(self) -> tuple[Need, ...]:
        return tuple(self.need(stack) for stack in self.stacks)

    @lazily
    def alternatives(self) -> list[tuple[str, dict[str, Any]]]:
        """The further models or sizes of the question: (name, what replaces the model in a set-up)."""
        made: list[tuple[str, dict[str, Any]]] = []
        for name in self.query.models[:MOST_OTHERS]:
            size = re.fullmatch(r"(\d+(?:\.\d+)?)[bB]", name)
            slots = {"model": None, "params_b": float(size[1])} if size else {"model": name, "params_b": None}
            made.append((name.split("/")[-1], slots | {"arch": None}))
        return made

    def fit(self, need: Need, usable: int) -> Fit:
        """How a need stands to so many usable bytes."""
        return fit_of(need.device, need.low, usable)

    @lazily
    def lean(self) -> Need:
        """The need of the leanest stack at what the asker states, our defaults elsewhere."""
        return self.need(self.stacks[0])

    @property
    def batch_too_large(self) -> bool:
        """The stated batch does not fit at the leanest, or as it ran: a smaller one, accumulated, trains the same."""
        if self.micro_batch == 1 or self.usable is None:
            return False
        return (self.plain if self.symptoms & FAILURES else self.lean).fit not in GOOD

    @lazily
    def plain(self) -> Need:
        """The need of the plainest stack, the last of them."""
        return self.need(self.stacks[-1])

    @lazily
    def setup(self) -> Setup:
        """What the numbers assume."""
        return setup_of(self)

    @lazily
    def model_name(self) -> str:
        """The model's short name, or its size as people write it ("13B")."""
        if self.query.model and not self.generic:
            return self.query.model.split("/")[-1]
        return size_name(int((self.query.params_b or 0) * BILLION) or self.params or 0)
