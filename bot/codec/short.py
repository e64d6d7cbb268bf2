"""Long change codes made short: Telegram leaves 20 bytes for one beside the packed query."""

from bot.codec import catalog_hash
from bot.codec.bits import BitReader, BitWriter, CannotPackError

ROOM = 20
SHORT_SLOT = {
    "grad_checkpointing": "gc",
    "compute_dtype": "dt",
    "dataset_examples": "de",
    "micro_batch": "mb",
    "optimizer": "op",
    "lora_rank": "r",
    "attention": "at",
    "offload": "of",
    "sharding": "sh",
    "trainer": "tr",
    "algorithm": "al",
    "seq_len": "sl",
    "method": "me",
    "count": "n",
}
LONG_SLOT = {short: slot for slot, short in SHORT_SLOT.items()}
TABLE = {"gpu": "gpus", "model": "models"}
HASH_MARK = "~"


def shorten(change: str) -> str:
    """The same change in fewer characters when it is longer than ROOM; unchanged where that cannot be."""
    if len(change) <= ROOM:
        return change
    return ";".join(map(_shorter, change.split(";")))


def lengthen(part: str) -> str:
    """One part of a change code as it was before `shorten`. Raises BrokenError at a hash of nothing."""
    slot, equals, value = part.partition("=")
    slot = LONG_SLOT.get(slot, slot)
    if slot in TABLE and value.startswith(HASH_MARK):
        reader = BitReader(value[1:9])
        value = catalog_hash.name_of(TABLE[slot], reader.bits(catalog_hash.WIDTH[TABLE[slot]]))
    return slot + equals + value


def _shorter(part: str) -> str:
    slot, equals, value = part.partition("=")
    if slot in TABLE:
        try:
            out = BitWriter()
            out.bits(catalog_hash.number_of(TABLE[slot], value), catalog_hash.WIDTH[TABLE[slot]])
        except CannotPackError:
            return part
        value = HASH_MARK + out.text()
    return SHORT_SLOT.get(slot, slot) + equals + value
