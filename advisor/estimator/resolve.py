"""SetUp → Plan: what is not stated takes the trainer's default and is listed in `assumed`."""

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from advisor.errors import UnknownName
from advisor.estimator import names, parallel_names
from advisor.estimator.adapters import few_params, lora_params
from advisor.estimator.algorithm import ALGORITHMS, algorithm_of
from advisor.estimator.choices import (
    attention_of,
    before_ampere,
    checkpointing_of,
    expert_roles,
    given,
    has_fused_kernels,
    loss_of,
    masks_windows,
    room_bytes,
    usual_length,
    windows_experts,
)
from advisor.estimator.experts import ROLES
from advisor.estimator.limits import are_possible, check_rank, check_values
from advisor.estimator.models import shape_for
from advisor.estimator.parts import IN_BACKWARD, OPTIMIZERS, grown, part_of
from advisor.estimator.plan import Plan
from advisor.estimator.profile import Profile, Profiles
from advisor.estimator.shape import Shape
from advisor.estimator.shapes import untied
from advisor.estimator.speed.cards import gpu_of
from advisor.estimator.targets import roles_of
from advisor.estimator.widths import Fields, weights_of
from advisor.query import SetUp
from knowledge.catalog import Catalog
from knowledge.schemas import Gpu

T = TypeVar("T")
Unknown = dict[str, tuple[str, tuple[str, ...]]]
FIELDS = tuple(SetUp.model_fields)
VALUES = attrgetter(*FIELDS)
SEQ_LEN, MICRO_BATCH, GRAD_ACCUM = map(FIELDS.index, ("seq_len", "micro_batch", "grad_accum"))
"""Where the lengths of a step stand among the fields."""
NO_ADAPTERS: Fields = {"rank": 0, "targets": frozenset(), "dropout": 0.0, "adapters": 0}


_PROFILES: dict[int, tuple[Catalog, Profiles]] = {}


def profiles_of(catalog: Catalog) -> Profiles:
    """The trainers of a catalog by every name, made once."""
    kept = _PROFILES.get(id(catalog))
    if kept is None or kept[0] is not catalog:
        _PROFILES.clear()
        _PROFILES[id(catalog)] = kept = (catalog, Profiles(catalog.trainers))
    return kept[1]


class _Slots:
    """Takes stated values, or defaults that it remembers as assumed."""

    def __init__(self, setup: SetUp) -> None:
        self.setup = setup
        self.assumed: list[str] = []

    def take(self, field: str, default: T) -> T:
        value: T | None = getattr(self.setup, field)
        if value is None:
            self.assumed.append(field)
            return default
        return value


def _trainer(slots: _Slots, catalog: Catalog) -> tuple[Profile, Unknown]:
    """The trainer's profile; an unknown one is named with the nearest, and the plain stack stands in."""
    profiles = profiles_of(catalog)
    name = slots.setup.trainer
    if name is None:
        slots.assumed.append("trainer")
        return profiles.plain, {}
    found = profiles.find(name)
    if found is not None:
        return found, {}
    slots.assumed.append("trainer")
    return profiles.plain, {"trainer": (name[:80], names.nearest(name, profiles.names()))}


def _targets(slots: _Slots, shape: Shape, profile: Profile) -> frozenset[str]:
    """Roles that carry an adapter; when no name is known but the number of trained parameters is, the trainer's own."""
    value: Any = slots.take("lora_targets", profile.targets) or profile.targets
    how = {"gated": shape.mlp_matrices == 3, "fused_qkv": shape.fused_qkv, "fused_gate_up": shape.fused_gate_up}
    try:
        roles = roles_of(value, **how)
    except UnknownName:
        if slots.setup.trainable_params is None:
            raise
        slots.assumed.append("lora_targets")
        value, roles = profile.targets, roles_of(profile.targets, **how)
    return expert_roles(roles, value, shape, profile)


def _known_method(setup: SetUp, name: str, unknown: Unknown) -> tuple[str, str]:
    """(full | lora | qlora, variant). A method that nobody knows but that has a rank or a number of trained parameters
    is an adapter of some kind."""
    try:
        return names.method_of(name, setup.weight_bits)
    except UnknownName as fault:
        if setup.trainable_params is None and setup.lora_rank is None:
            raise
        unknown["method"] = (name[:80], fault.facts["nearest"])  # type: ignore[assignment]
        low = setup.weight_bits is not None and setup.weight_bits < 16
        return ("qlora" if low else "lora"), name.lower()[:80]


def _method(setup: SetUp, slots: _Slots, profile: Profile, unknown: Unknown) -> tuple[str, str, float]:
    name = None if _names_algorithm(setup.method) else setup.method
    if name is None:
        slots.assumed.append("method")
        name = profile.method if setup.weight_bits is None or setup.weight_bits < 16 else "lora"
    method, variant = _known_method(setup, name, unknown)
    bits = setup.weight_bits
    if bits is None:
        bits = 4.0 if method == "qlora" else 16.0
    if method == "lora" and bits < 16:
        method = "qlora"
    if method == "qlora" and bits >= 16:
        bits = 4.0
    if method == "lora" and profile.mixed_is_fp32 and "mixed" in (setup.compute_dtype or ""):
        bits = 32.0
    return method, variant, bits


def _parallel(setup: SetUp, profile: Profile) -> Fields:
    """How many GPUs, who holds what, what is put aside."""
    n_gpus = setup.n_gpus or 1
    offload = parallel_names.offload_of(setup.offload, setup.sharding)
    sharding = parallel_names.sharding_of(setup.sharding, n_gpus, offload)
    if sharding == "fsdp" and profile.fully_shards:
        sharding = "fsdp2"
    fp16 = (setup.compute_dtype or "").lower() == "fp16"
    return {
        "n_gpus": n_gpus,
        "sharding": sharding,
        "deepspeed": sharding.startswith("zero") or profile.deepspeed or (fp16 and profile.deepspeed_fp16),
        "sequence_parallel": parallel_names.sequence_parallel_of(setup.sharding, n_gpus),
        "offload": offload,
        "on_disk": parallel_names.on_disk(setup.offload),
        "activation_offload": bool(setup.activation_offload) or offload == "activations",
    }


def _adapters(setup: SetUp, slots: _Slots, profile: Profile, shape: Shape, variant: str) -> Fields:
    """Rank, targets, and how many parameters they make."""
    rank = slots.take("lora_rank", profile.rank)
    targets = frozenset() if variant in names.NO_MATRIX else _targets(slots, shape, profile)
    if setup.trainable_params and targets & ROLES and setup.trainable_params < lora_params(shape, targets, rank) / 2:
        targets -= ROLES  # so few are trained that the experts' own adapters cannot be among them
    few = few_params(variant, shape, targets, rank)
    share = min(profile.top_layers or shape.layers, shape.layers) / shape.layers
    return {
        "rank": rank,
        "targets": targets,
        "dropout": given(setup.lora_dropout, profile.dropout),
        "adapters": setup.trainable_params or int((lora_params(shape, targets, rank) if few is None else few) * share),
    }


def _step(setup: SetUp, slots: _Slots, profile: Profile, shape: Shape, card: Gpu | None, unknown: Unknown) -> Fields:
    """How one step runs, whatever its lengths."""
    learnt = _algorithm(setup, unknown)
    return learnt | {
        "checkpointing": checkpointing_of(setup.grad_checkpointing, profile, slots.assumed),
        "attention": attention_of(setup, shape, profile, before_ampere(card)),
        "loss": loss_of(setup, profile, learnt["algorithm"], slots.assumed),
        "compiled": bool(setup.compile),
    }


def _names_algorithm(method: str | None) -> bool:
    """ "dpo" given as the method says what is learnt from, not which weights are trained."""
    return method is not None and algorithm_of(method) not in (None, "sft", "pretrain")


def _algorithm(setup: SetUp, unknown: Unknown) -> Fields:
    asked = setup.algorithm or (setup.method if _names_algorithm(setup.method) else None) or "sft"
    found = algorithm_of(asked)
    if found is None:
        unknown["algorithm"] = (asked[:80], names.nearest(asked, ALGORITHMS))
        found = "sft"
    return {"algorithm": found, "sequences": ALGORITHMS[found].sequences}


class _Still(NamedTuple):
    """A plan of which only the lengths are open, and what was assumed before and after them."""

    plan: Plan
    before: tuple[str, ...]
    after: tuple[str, ...]


def resolve(setup: SetUp, catalog: Catalog) -> Plan:
    """The plan of a set-up. Raises BadValue, UnknownName, MissingModel."""
    return resolve_values(VALUES(setup), catalog)


def resolve_values(values: Sequence[Any], catalog: Catalog) -> Plan:
    """The plan of a set-up that is given as its values, in the order of SetUp's fields. Raises as `resolve`."""
    seq_len, micro_batch, grad_accum = values[SEQ_LEN], values[MICRO_BATCH], values[GRAD_ACCUM]
    if not are_possible(seq_len, micro_batch, grad_accum):
        check_values(SetUp.model_construct(**dict(zip(FIELDS, values, strict=True))))
    others = list(values)
    others[SEQ_LEN] = others[MICRO_BATCH] = others[GRAD_ACCUM] = None
    key = tuple(others)
    try:
        still = _still(key, catalog)
    except TypeError:  # a shape or a list among the values
        still = _still.__wrapped__(key, catalog)
    profile, assumed = still.plan.profile, still.before
    if seq_len is None:
        assumed, seq_len = (*assumed, "seq_len"), usual_length(micro_batch, profile)
    if micro_batch is None:
        assumed, micro_batch = (*assumed, "micro_batch"), profile.micro_batch
    grad_accum = grad_accum or profile.grad_accum
    return still.plan.at(seq_len, micro_batch=micro_batch, grad_accum=grad_accum, assumed=assumed + still.after)


@lru_cache(maxsize=2048)
def _still(values: tuple[Any, ...], catalog: Catalog) -> _Still:
    """What does not change with the lengths: the same set-up is asked about at many of them."""
    setup = SetUp.model_construct(**dict(zip(FIELDS, values, strict=True)))
    check_values(setup)
    slots = _Slots(setup)
    shape, guessed = shape_for(setup, catalog)
    check_rank(setup.lora_rank, shape)
    slots.assumed += guessed
    profile, unknown = _trainer(slots, catalog)
    if profile.unties_head and shape.tied:
        shape = untied(shape)
    method, variant, bits = _method(setup, slots, profile, unknown)
    full = method == "full"
    shape = grown(shape, variant)
    card = gpu_of(setup.gpu, catalog) if setup.gpu else None
    parallel = _parallel(setup, profile)
    adapters = NO_ADAPTERS if full else _adapters(setup, slots, profile, shape, variant)
    fields = parallel | adapters | weights_of(setup, profile, shape, parallel, method, bits)
    before = tuple(slots.assumed)
    fields |= _step(setup, slots, profile, shape, card, unknown)
    fields["fused_kernels"] = has_fused_kernels(setup, profile, full)
    fields["optimizer"] = _optimizer(slots, profile, variant)
    fields["optimizer_in_backward"] = bool(setup.optimizer_in_backward) or fields["optimizer"] in IN_BACKWARD
    fields["part"] = part_of(shape, variant, setup.trainable_params) if full else 0
    fields |= {
        "shape": shape,
        "profile": profile,
        "method": method,
        "variant": variant,
        "gpu": setup.gpu or "",
        "room": room_bytes(setup.gpu, card),
        "model": setup.model or "",
        "tiled_mlp": "tiled" in f"{setup.kernels} {setup.trainer}".lower(),
        "masks_windows": masks_windows(setup, shape, profile),
        "windowed_experts": windows_experts(shape, card),
        "kernels": f"{setup.kernels or ''} {setup.trainer or ''}"[:300].lower(),
        "unknown": unknown,
    }
    plan = Plan(**fields, seq_len=1, micro_batch=1, grad_accum=1)
    return _Still(plan, before, tuple(slots.assumed[len(before) :]))


def _optimizer(slots: _Slots, profile: Profile, variant: str) -> str:
    name = names.optimizer_of(slots.take("optimizer", OPTIMIZERS.get(variant, profile.optimizer)))
    return "adamw_fused" if name == "adamw" and not profile.foreach else name
