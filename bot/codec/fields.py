"""How each slot is written in bits: first the essential ones, then those that are dropped when there is no room."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.codec import catalog_hash, words
from bot.codec.bits import BitReader, BitWriter, BrokenError, CannotPackError


@dataclass(frozen=True, slots=True)
class Field:
    """A slot's name and how its value is written and read."""

    slot: str
    write: Callable[[BitWriter, Any], None]
    read: Callable[[BitReader], Any]


def word(slot: str, table: Sequence[bool | str], width: int) -> Field:
    """One of the known words."""

    def write(out: BitWriter, value: bool | str) -> None:
        if value not in table:
            raise CannotPackError(value)
        out.bits(table.index(value), width)

    def read(source: BitReader) -> bool | str:
        at = source.bits(width)
        if at >= len(table):
            raise BrokenError(slot)
        return table[at]

    return Field(slot, write, read)


def whole(slot: str) -> Field:
    """A whole number."""
    return Field(slot, lambda out, value: out.number(value), lambda source: source.number())


def part(slot: str, per_one: int) -> Field:
    """A number rounded to 1 / per_one."""
    return Field(slot, lambda out, value: out.number(round(value * per_one)), lambda source: source.number() / per_one)


def catalog(slot: str, table: str) -> Field:
    """A catalog id."""
    width = catalog_hash.WIDTH[table]
    return Field(
        slot,
        lambda out, value: out.bits(catalog_hash.number_of(table, value), width),
        lambda source: catalog_hash.name_of(table, source.bits(width)),
    )


def some(slot: str, table: Sequence[str], width: int) -> Field:
    """A few of the known words; unknown ones are left out."""

    def write(out: BitWriter, values: Sequence[str]) -> None:
        known = [table.index(value) for value in values if value in table][:3]
        out.bits(len(known), 2)
        for at in known:
            out.bits(at, width)

    def read(source: BitReader) -> tuple[str, ...]:
        found = [source.bits(width) for _ in range(source.bits(2))]
        if any(at >= len(table) for at in found):
            raise BrokenError(slot)
        return tuple(table[at] for at in found)

    return Field(slot, write, read)


YES_NO: tuple[bool | str, ...] = (False, True)

# The order is the format: a new field goes to the end of EXTRA, or the version changes.
ESSENTIAL: tuple[Field, ...] = (
    catalog("model", "models"),
    part("params_b", 1000),
    word("method", words.METHODS, 6),
    part("weight_bits", 10),
    whole("seq_len"),
    whole("micro_batch"),
    whole("grad_accum"),
    whole("lora_rank"),
    word("trainer", words.TRAINERS, 6),
    word("optimizer", words.OPTIMIZERS, 6),
    word("grad_checkpointing", words.CHECKPOINTING, 2),
    whole("n_gpus"),
    word("sharding", words.SHARDING, 4),
    word("offload", words.OFFLOAD, 4),
)
EXTRA: tuple[Field, ...] = (
    word("fused_loss", YES_NO, 1),
    word("packing", YES_NO, 1),
    word("algorithm", words.ALGORITHMS, 5),
    word("attention", words.ATTENTION, 4),
    word("compute_dtype", words.DTYPES, 4),
    whole("dataset_examples"),
    part("epochs", 100),
    part("ram_gb", 10),
    part("budget", 100),
    word("currency", words.CURRENCIES, 6),
    word("os", words.SYSTEMS, 4),
    some("symptoms", words.SYMPTOMS, 8),
    part("max_hours", 10),
    whole("dataset_tokens"),
    word("also", words.KINDS, 5),
)
