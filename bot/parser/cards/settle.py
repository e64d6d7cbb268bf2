"""The mentions of a message put together: no doubles, no hearsay, no price lists; alternatives apart."""

from typing import Any

from bot.parser.cards.apart import apart, is_gone, tells_of_gone, wants_another
from bot.parser.cards.beside import find_beside
from bot.parser.cards.choices import alternatives, is_offered
from bot.parser.cards.counts import count_before, count_beside, count_elsewhere, nodes_before
from bot.parser.cards.forms import add_other_forms, form_of
from bot.parser.cards.machine import find_ram
from bot.parser.cards.memory import memory_before, memory_beside, memory_elsewhere, slice_of
from bot.parser.cards.moved import moved_to
from bot.parser.cards.nameless import find_nameless
from bot.parser.cards.reader import MOST_CARDS, Card, CardReader, Cards
from bot.parser.cards.shelf import SAME, is_that_memory, shelf, shown_name
from bot.parser.cards.totals import read_total
from bot.parser.cards.unified import read_unified
from bot.parser.durations import UNITS
from bot.parser.words import words
from knowledge.catalog import load_catalog

ONE_NEVER_KNOWS = frozenset({"Google Colab", "Kaggle"})
"""Providers whose name alone does not say which card one gets: theirs is assumed."""
MORE_RAM = 1.2
"""Times the RAM of the machine assumed from which on another one is meant."""
SEVERAL = 2
LENT_REACH = 5
"""Tokens between "lend me" and the card."""


def settle(reader: CardReader) -> Cards:
    """Counts, memory, totals, nameless cards of a message whose names are found; then all together."""
    sliced = "slices" in reader.message.said
    for card in reader.found:
        if sliced:
            slice_of(reader, card)
        memory_before(reader, card)
        count_beside(reader, card)
        memory_beside(reader, card)
        if not card.counted:
            count_beside(reader, card)  # "2080 Ti 11G x 2"
        count_elsewhere(reader, card)
        _as_plural(reader, card)
    memory_elsewhere(reader)
    moved_to(reader)
    add_other_forms(reader)
    find_ram(reader)
    read_unified(reader)
    find_nameless(reader)
    find_beside(reader)
    read_total(reader)
    cards = _together(reader)
    if reader.rented and "tpus" not in reader.message.said:
        machines = [found for found in reader.rented if found[2].provider not in ONE_NEVER_KNOWS]
        inside = [place for start, end, _ in machines for place in range(start, end)]
        if all(card.start in inside for card in cards.cards if card.gpu or card.missing):
            _rented_cards(reader, cards)
    return cards


def _as_plural(reader: CardReader, card: Card) -> None:
    """ "8x V100s" are eight V100 and no V100S."""
    name = reader.message.tokens[card.start : card.end]
    rare = name[1:] == ["s"] and name[0] in words("seldom_with_s")
    if card.count < SEVERAL or not rare or card.vram_gb is not None:
        return
    found = shelf().index.trie.find(name[:1], 0)
    if found is not None and found[1] in shelf().gpus and found[1] != card.gpu:
        entry = shelf().undecided.get(tuple(name[:1]))
        card.gpu, card.own_vram, card.missing, card.name = found[1], None, "", ""
        card.choices = tuple(entry.candidates) if entry is not None else shelf().twins.get(found[1], ())


def _rented_cards(reader: CardReader, cards: Cards) -> None:
    """ "g5.12xlarge", "colab": the cards of a rented machine, when no card is named."""
    start, _, instance = reader.rented[0]
    instance = _of_that_ram(reader, instance)
    stated = next((card.vram_gb for card in cards.cards if card.vram_gb), None)
    card = _rented_card(reader, start, instance)
    if card is None or (stated is not None and not is_that_memory(stated, shelf().gpus[instance.gpu].vram_gb)):
        return
    cards.cards = [card]
    cards.assumed = instance.provider in ONE_NEVER_KNOWS
    cards.rented_ram_gb = instance.ram_gb
    further = {other.id: _rented_card(reader, place, other) for place, _, other in reader.rented[1:]}
    several = [card, *(other for name, other in further.items() if other is not None and name != instance.id)]
    if groups := alternatives(reader, several):
        cards.cards, cards.groups, cards.rented_ram_gb = several, groups, None


def _of_that_ram(reader: CardReader, instance: Any) -> Any:
    """ "colab with 83 GB of RAM" is the one with the A100: where nobody knows the card, RAM that only one kind has
    tells it.
    """
    said = reader.ram[0] if reader.ram else 0.0
    if instance.provider not in ONE_NEVER_KNOWS or said <= MORE_RAM * (instance.ram_gb or said):
        return instance
    same = (m for m in load_catalog().instances.values() if m.provider == instance.provider)
    like = [m for m in same if m.ram_gb and abs(m.ram_gb - said) <= SAME * said]
    return like[0] if len({m.gpu for m in like}) == 1 else instance


def _rented_card(reader: CardReader, start: int, instance: Any) -> Card | None:
    """The cards of a rented machine at a place."""
    gpu = shelf().gpus.get(instance.gpu)
    if gpu is None:
        return None
    machines = max(1, count_before(reader, start) or nodes_before(reader, start))
    count = int(min(MOST_CARDS, instance.count * machines))
    return Card(start, start + 1, gpu.id, shown_name(gpu), count, counted=True)


def _together(reader: CardReader) -> Cards:
    result = Cards(
        ram_gb=reader.ram[0] if reader.ram else None,
        ram_choice=reader.ram_choice,
        total_gb=max(reader.totals) if reader.totals else None,
    )
    owned = [card for card in reader.found if not is_gone(reader, card)] if tells_of_gone(reader) else reader.found
    if len(owned) < 2:
        return _single(reader, result, owned)
    own = _own(reader, sorted(owned, key=lambda card: card.start))
    kept = [card for card in own if card.gpu or card.missing or card.added] or own
    named = {card.gpu for card in kept if card.gpu}
    kept = [card for card in kept if not (card.missing and named.intersection(card.nearest))]  # "mac studio m2 ultra"
    kept = _with_chips(reader, kept)
    merged: dict[object, Card] = {}
    one_kind = len({card.gpu or card.missing for card in kept}) == 1
    for card in kept:
        key = (card.gpu or card.missing or card.vram_gb, None if card.gpu else card.count)
        known = merged.get(key)
        if known is None:
            merged[key] = card
        else:
            _merge(reader, known, card, one_kind)
    result.assumed = all(_only_heard_of(reader, card) for card in merged.values())
    result.cards = _same_row(reader, list(merged.values()))
    if len(result.cards) == 1:
        _double(reader, result.cards[0])
    for card in result.cards:
        _judge(card, result)
    result.groups = alternatives(reader, result.cards)
    result.apart = [] if result.groups else apart(reader, result.cards)
    if not result.groups:
        _add_offers(reader, result, owned)
    return result


def _with_chips(reader: CardReader, cards: list[Card]) -> list[Card]:
    """Of "128 GB Mac Studio M1 Ultra" the one that names its chip: the other is the same machine."""
    macs = [card for card in cards if card.gpu and shelf().gpus[card.gpu].vendor == "apple"]
    tokens = reader.message.tokens
    told = [
        card
        for card in macs
        if any(word == "m" or (word[:1] == "m" and word[1:].isdigit()) for word in tokens[card.start : card.end])
    ]
    if len(macs) == len(told) or not told:
        return cards
    return [card for card in cards if card not in macs or card in told]


def _single(reader: CardReader, result: Cards, owned: list[Card]) -> Cards:
    """What a message says that names one card or none."""
    if len(owned) == 1 and _is_doubted(reader, owned[0]):
        result.doubted = owned[0]
        return result
    result.cards = owned[:]
    for card in owned:
        result.assumed = _only_heard_of(reader, card)
        _double(reader, card)
        _judge(card, result)
    return result


def _is_doubted(reader: CardReader, card: Card) -> bool:
    """ "someone said that needs 8x H100. true?": cards of others, asked about by who names none.

    "someone did it in 3 hours on 8x H100. true?" asks about that run.
    """
    said = reader.message.said
    if "doubting" not in said or "owner" in said or "?" not in reader.message.text or not UNITS.isdisjoint(said):
        return False
    return bool(card.gpu) and reader.clauses is not None and reader.clauses.hearsay(card.start)


def _double(reader: CardReader, card: Card) -> None:
    """ "a second one": the only card becomes two."""
    if card.count == 1 and ((card.another and not card.counted) or wants_another(reader)):
        card.count = 2


def _only_heard_of(reader: CardReader, card: Card) -> bool:
    """ "the docs say 24GB is enough": an amount without a card's name that somebody else tells of."""
    nameless = card.gpu is None and not card.missing
    return nameless and reader.clauses is not None and reader.clauses.hearsay(card.start)


def _add_offers(reader: CardReader, result: Cards, owned: list[Card]) -> None:
    """Cards that could be rented stand beside the asker's: "worth renting an H100?"."""
    kept = {card.gpu for card in result.cards}
    for card in owned:
        if card.gpu and card.gpu not in kept and is_offered(reader, card):
            _judge(card, result)
            result.cards.append(card)
            result.apart.append(card)
            kept.add(card.gpu)


def _merge(reader: CardReader, known: Card, card: Card, one_kind: bool) -> None:
    """A card named again: "my 3090 ... a second 3090" is two; else the first count stays unless that one worked."""
    more = card.another and known.count == 1 and one_kind
    known.also_two = known.also_two or (card.another and not one_kind)
    if more:
        known.count += 1
    elif known.count == 1 or card.gpu is None or reader.went_wrong(card) > reader.went_wrong(known):
        known.count = max(known.count, card.count)
    known.counted = known.counted or card.counted or more
    known.vram_gb = known.vram_gb or card.vram_gb


def _same_row(reader: CardReader, cards: list[Card]) -> list[Card]:
    """ "A100" and "A100 40GB" in one message are one card."""
    kept: list[Card] = []
    for card in cards:
        twin = next((c for c in kept if c.gpu and card.gpu and card.gpu in shelf().twins.get(c.gpu, ())), None)
        forms = "" if twin is None else form_of(reader, card) and form_of(reader, twin)
        if twin is None or forms or (card.vram_gb and twin.vram_gb and card.vram_gb != twin.vram_gb):
            kept.append(card)
            continue
        if card.vram_gb and not twin.vram_gb:
            twin.gpu, twin.vram_gb, twin.choices = card.gpu, card.vram_gb, ()
        if not twin.counted:
            twin.count = max(twin.count, card.count)
        twin.counted = twin.counted or card.counted
    return kept


def _own(reader: CardReader, cards: list[Card]) -> list[Card]:
    """Cards that the asker has or asks about, not those of somebody else or of a price list."""
    offers = reader.findings.marks.get("offers", ())
    if len(cards) < 2 or not (offers or (reader.clauses and reader.clauses.theirs)):
        return cards

    def told(card: Card) -> bool:
        heard = reader.clauses is not None and reader.clauses.hearsay(card.start)
        heard = heard and not reader.told("lent", card.start, LENT_REACH)  # "my friend would lend me his 3090"
        return heard or is_offered(reader, card)

    return [card for card in cards if not told(card)] or cards


def _judge(card: Card, result: Cards) -> None:
    """Names the card as the catalog does, and finds memory that it is not sold with."""
    book = shelf()
    if card.own_vram is not None and card.gpu and card.gpu in book.gpus and not card.name:
        card.name = shown_name(book.gpus[card.gpu])  # a slice
    elif card.own_vram is not None or card.name:
        card.vram_gb = card.vram_gb or card.own_vram
    elif card.gpu and card.gpu in book.gpus:
        gpu = book.gpus[card.gpu]
        card.name = shown_name(gpu)
        if card.vram_gb is None:
            return
        if is_that_memory(card.vram_gb, gpu.vram_gb):
            card.vram_gb = gpu.vram_gb
        elif card.vram_gb not in (gpu.memory_options_gb or ()):
            result.odd = True
            card.missing = f"{card.name} {card.vram_gb:g} GB"
            card.nearest = tuple(dict.fromkeys((gpu.id, *book.twins.get(gpu.id, ()))))
    elif card.missing:
        card.name = card.missing.upper()
