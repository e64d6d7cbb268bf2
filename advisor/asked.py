"""One question with what it names resolved: cards, model, method, lengths. No estimates yet; see case.py."""

from dataclasses import dataclass
from typing import Any

from advisor.advice import Advice
from advisor.estimator import usable_bytes
from advisor.estimator.usable import APPLE_SHARE
from advisor.estimator.usual_ram import too_little, usual_ram_bytes
from advisor.implied import method_of
from advisor.lazily import lazily
from advisor.model_names import OLD, RELATIVE, VIDEO_LEN, made_for, sees
from advisor.query import CardCount, Kind, Query
from advisor.signs import BOARDS, VOLTA, signs_of
from advisor.stacks import (
    AND_EMBEDDINGS,
    BILLION,
    FULL_METHODS,
    GIB,
    LARGEST_AT_HOME,
    LORA_TARGETS,
    MICRO_BATCH,
    SEQ_LEN,
    UNBOUND,
    is_some_mac,
    short_name,
    usable_of_size,
)
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu, Model

FAILURES = frozenset(
    {"oom_step", "oom_later", "oom_load", "oom_eval", "oom_save", "oom_merge", "oom_generate", "growing", "killed"}
)
"""Symptoms of a run that did not hold."""
ROLLOUTS = frozenset({"grpo", "ppo", "rloo", "gspo", "dapo"})
"""Algorithms that generate while they train: what they train with is not all, nor how fast."""
OF_MACS = frozenset({"mlx", "mlx-lm"})
"""Trainers that run on Macs only."""
PLAIN_TEXT = frozenset({"pretrain", "cpt"})
"""Algorithms that read text as it is, without examples."""
REFERENCED = frozenset({"dpo", "kto", "ppo"})
"""Algorithms that compare with a frozen copy of the model; with adapters the base is that copy (TRL, DPO Trainer)."""


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


BESIDE = frozenset({Kind.COMPARE_GPUS, Kind.COST_BUY_VS_RENT})
"""Kinds in which cards stand beside each other, not in one machine."""


def is_on_a_mac(query: Query) -> bool:
    """By the system or the trainer, whatever card is named."""
    return query.os == "macos" or query.trainer in OF_MACS


class Asked:
    """The query with what it names. Everything is looked up at first use and kept."""

    def __init__(self, query: Query, catalog: Catalog) -> None:
        self.query = query
        self.catalog = catalog
        self.claims = frozenset(query.claims)
        self.symptoms = frozenset(query.symptoms)
        self.advice: Advice | None = None
        """What the topic said, for the rules that come after it."""

    @lazily
    def cards(self) -> tuple[Card, ...]:
        """The asker's cards, kind by kind; those that only stand for comparison are not the asker's."""
        compared = {count.gpu for option in self.query.candidates for count in option}
        found = self.resolve_cards(
            tuple(count for count in self.query.gpus if not compared or count.gpu not in compared)
        )
        if len(found) > 1 and self.query.kind not in BESIDE and self._server(found[0]) != self._server(found[-1]):
            return found[:1]  # a server's card and one from a desk are not one machine: the other is mentioned only
        return found

    @staticmethod
    def _server(card: Card) -> bool:
        return card.gpu is not None and card.gpu.segment in ("datacenter", "workstation")

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
            if gpu.vendor == "apple" and (self.query.seen_gib or 0) <= vram_gb:
                usable = max(usable, int((self.query.seen_gib or 0) * GIB))  # what was seen in use can be used
            return Card(short_name(gpu), count.count, vram_gb, usable, gpu)
        if gpu is not None and (count.vram_gb is None or abs(count.vram_gb - gpu.vram_gb) <= 0.15 * gpu.vram_gb):
            usable = usable_bytes(gpu, desktop=self.query.os == "windows")
            return Card(short_name(gpu), count.count, gpu.vram_gb, usable, gpu)
        of_mac = int(APPLE_SHARE * vram_gb * GIB) if gpu is None and is_some_mac(self.query) else None
        return Card("", count.count, vram_gb, of_mac or self.usable_of_size(vram_gb), gpu)

    def usable_of_size(self, vram_gb: float) -> int:
        """Usable bytes of the usual catalogued card of this size (GB on the box)."""
        return usable_of_size(vram_gb, self.catalog)

    @lazily
    def card(self) -> Card | None:
        """The card that sets the limit: the smallest one, since every card holds its part of the same plan."""
        return min(self.cards, key=lambda card: card.usable, default=None)

    @lazily
    def n_cards(self) -> int:
        """How many cards the asker names; at least 1."""
        return max(1, sum(card.count for card in self.cards) or self.query.n_gpus or 1)

    @lazily
    def usable(self) -> int | None:
        """Bytes that one card (the smallest) hands out; a pasted traceback's total wins over the catalog."""
        if self.query.capacity_gib:
            return int(self.query.capacity_gib * GIB)
        return self.card.usable if self.card else None

    @lazily
    def usual_ram(self) -> int | None:
        """Bytes of RAM that machines with these cards usually have; None where it is stated, or no card is named."""
        if self.query.ram_gb:
            return None
        return usual_ram_bytes(self.gpu or self._server_card(), self.n_cards, self.catalog)

    def _server_card(self) -> Gpu | None:
        """What several cards of a bare size are, where only servers have so large ones."""
        if self.card is None or self.n_cards == 1:
            return None
        size = self.card.vram_gb
        same = [gpu for gpu in self.catalog.gpus.values() if gpu.vram_gb == size and gpu.vendor == "nvidia"]
        return same[0] if same and all(gpu.segment == "datacenter" for gpu in same) else None

    def is_more_than_usual(self, host_ram: int) -> bool:
        """A run wants more RAM than nearly any machine with these cards has, and nobody says that this one has it."""
        return too_little(host_ram, self.usual_ram, stated=False)

    @lazily
    def where(self) -> dict[str, Any]:
        """Facts of every answer about the asker's cards: the one that sets the limit, how many, and all by name."""
        return {
            "card": self.card.name if self.card else "",
            "card_gb": self.card.vram_gb if self.card else None,
            "usable": self.usable,
            "count": self.n_cards,
            "names": [[card.name, card.vram_gb, card.count] for card in self.cards],
        }

    @property
    def vendor(self) -> str | None:
        """Who made the card, or the one that is named without a card."""
        if self.gpu is not None:
            return self.gpu.vendor
        if self.query.vendor not in (None, "none"):
            return self.query.vendor
        return "apple" if is_on_a_mac(self.query) else None

    @property
    def gpu(self) -> Gpu | None:
        """The catalogued card that sets the limit."""
        return self.card.gpu if self.card else None

    @lazily
    def gpus(self) -> tuple[Gpu, ...]:
        """All catalogued cards in the question: owned ones and those to compare."""
        named = [c.gpu for c in self.cards]
        named += [c.gpu for option in self.query.candidates for c in self.resolve_cards(option)]
        return tuple({g.id: g for g in named if g is not None}.values())

    @lazily
    def no_bf16(self) -> bool:
        """A card of the question is too old to train in bf16."""
        return any(g.vendor == "nvidia" and not g.supports.bf16 for g in self.gpus)

    @property
    def keeps_fp32(self) -> bool:
        """The asker says that it must train in fp32: nothing in 16 or 4 bit is a way out."""
        return self.query.compute_dtype == "fp32" and bool(self.symptoms & {"no_bf16", "only_fp32"})

    @lazily
    def tensor_cores(self) -> bool:
        """The asker's cards are not older than Volta, as far as they are known: Unsloth wants that."""
        found = [card.gpu.cuda_capability for card in self.cards if card.gpu and card.gpu.cuda_capability]
        return not found or min(found) >= VOLTA

    @property
    def arm_board(self) -> bool:
        """A Jetson: ARM with CUDA builds of its own."""
        return any(gpu.id.startswith(BOARDS) for gpu in self.gpus)

    @lazily
    def apple(self) -> bool:
        """Everything runs on a Mac's unified memory."""
        told = bool(self.gpus) or (bool(self.cards) and is_some_mac(self.query))
        return told and all(gpu.vendor == "apple" for gpu in self.gpus)

    @property
    def one_memory(self) -> bool:
        """The card's memory is the machine's: a Mac, a Jetson, a DGX Spark."""
        return any(gpu.unified_memory for gpu in self.gpus)

    @lazily
    def model(self) -> Model | None:
        """The catalogued model; None for a bare size or an unknown name."""
        if not self.query.model:
            return None
        return self.catalog.models.get(self.query.model) or self.catalog.by_sibling.get(self.query.model.lower())

    @property
    def offload_is_sane(self) -> bool:
        """Whether a machine with these cards has the RAM for the model: at home up to the size of a 70B."""
        large = (self.query.params_b or 0) * BILLION > LARGEST_AT_HOME or (
            self.model is not None and self.model.params_total > LARGEST_AT_HOME
        )
        return not large or all(gpu.segment == "datacenter" for gpu in self.gpus)

    @property
    def generic(self) -> bool:
        """Only a size was named; the model in the query merely lends its shape."""
        return self.query.model is None or self.query.sources.get("model") == "assumed"

    @lazily
    def sized(self) -> bool:
        """Whether an estimate is possible at all."""
        return self.model is not None or bool(self.query.params_b) or bool(self.query.arch)

    @lazily
    def method(self) -> str:
        """Stated, or what the bits imply; QLoRA where nothing is said (the seed's advice assumes it: S03)."""
        return method_of(self)

    @lazily
    def lora_targets(self) -> str | tuple[str, ...]:
        """What carries adapters; embeddings and head beside them where they are said to be trained."""
        said = self.query.lora_targets
        if "trains_embeddings" in self.symptoms and said in (None, LORA_TARGETS):
            return AND_EMBEDDINGS
        return said or LORA_TARGETS

    @property
    def method_unsaid(self) -> bool:
        """Nobody said how it is trained, and nothing implies it: adapters are our guess."""
        return self.query.method is None and self.query.weight_bits is None and not (self.query.quant or self.full)

    @property
    def of_old(self) -> bool:
        """GPT-2's generation."""
        return self.model is not None and (self._made_for <= 1024 or self.model.arch in OLD)

    @lazily
    def full(self) -> bool:
        """Every weight is trained."""
        return self.method in FULL_METHODS

    @lazily
    def seq_len(self) -> int:
        """Tokens per sequence; our default never exceeds what the model was made for."""
        if self.query.seq_len:
            return self.query.seq_len
        return min(VIDEO_LEN if self.sees and "with_video" in self.symptoms else SEQ_LEN, self._made_for)

    @property
    def sees(self) -> bool:
        """A model of images and videos; to any other one a video is something that people watch."""
        return self.model is not None and sees(self.model)

    @property
    def max_context(self) -> int:
        """Tokens that the named model was made for; no limit of ours where only a size was named, or where positions
        are relative (T5, arXiv:1910.10683, sec. 2.1).
        """
        return UNBOUND if self.model is not None and self.model.arch == RELATIVE else self._made_for

    @property
    def _made_for(self) -> int:
        return UNBOUND if self.model is None else made_for(self.model, self.query.model or "", generic=self.generic)

    @lazily
    def signs(self) -> frozenset[str]:
        """What wakes rules."""
        return signs_of(self)

    @property
    def micro_batch(self) -> int:
        """Sequences per card and step."""
        return self.query.micro_batch or MICRO_BATCH
