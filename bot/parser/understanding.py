"""One text understood: names, then numbers, then phrases, then slots. Each step sees only what the ones before left."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from bot.parser.amounts import from_phrases, own_number
from bot.parser.asked_prices import asked_prices
from bot.parser.cards import Card, CardReader, Cards, find_names, settle, shelf
from bot.parser.cards.installed import state_installed
from bot.parser.circumstances import circumstances
from bot.parser.clauses import Clauses
from bot.parser.datasets import known_rows, recipe_rows
from bot.parser.denials import take_back
from bot.parser.devices import devices_shown
from bot.parser.durations import epoch_hours, place_of, their_hours, took_hours
from bot.parser.electricity import state_power_price
from bot.parser.examples import state_examples
from bot.parser.findings import Findings
from bot.parser.frequency import state_frequency
from bot.parser.frozen import state_frozen
from bot.parser.grammar import Grammar, grammar_of
from bot.parser.hourly import dearer_hour, hourly_prices
from bot.parser.hours_on import state_hours_on
from bot.parser.inferred import infer
from bot.parser.lengths import are_asked, bare_lengths, length_that_failed, length_to_reach, longest_ran
from bot.parser.models import read_models
from bot.parser.money import read_money
from bot.parser.numbers import MEMORY, SIZE, Number, numbers_of
from bot.parser.pairs import state_counts
from bot.parser.pixels import state_pixels
from bot.parser.progress import state_progress
from bot.parser.sanity import drop_usage, left_out
from bot.parser.slots import Slots
from bot.parser.speeds import state_speed
from bot.parser.subject import choose_model
from bot.parser.text import STOP, Message
from bot.parser.tongue import GERMAN, language_of_message
from bot.parser.usage import state_usage
from bot.parser.versions import state_version
from bot.parser.volumes import state_volume
from bot.parser.whole_machines import whole_machine
from bot.parser.wide import state_loaded_wide
from bot.parser.words import words

LEAST_RAM_GB = 8


@dataclass(slots=True)
class Parts:
    """Everything that was found in a message, before it becomes a query. `tongue` is en, de or other."""

    message: Message
    findings: Findings
    slots: Slots
    cards: Cards
    told: list[str]
    tongue: str


def understand(text: str, hint: str | None = None) -> Parts:
    """Names, numbers, phrases and slots of a text. `hint`: a language code or locale, for texts without small words."""
    message = Message.of(text)
    tongue = language_of_message(message, hint)
    german = tongue == GERMAN
    grammar = grammar_of("de" if german else "en")
    numbers = numbers_of(message, german)
    reader = CardReader(message, numbers, Findings(), grammar)
    find_names(reader)
    free = numbers
    if reader.named or reader.rented:
        free = {at: number for at, number in numbers.items() if not message.taken[at]}
    mentions, sizes = read_models(message, free)
    if mentions or sizes:
        free = {at: number for at, number in free.items() if number.unit == SIZE or not message.taken[at]}
    rows, mentions = known_rows(message, mentions, sizes)
    findings = reader.findings = grammar.scan(message, free)
    take_back(findings, message)
    clauses = reader.clauses = Clauses(message, findings)
    _use_up(reader)
    cards = settle(reader)
    slots = Slots()
    from_phrases(slots, message, findings, grammar, clauses, numbers)
    if rows is not None:
        slots.assume("dataset_examples", rows)
    state_power_price(slots, message, numbers, grammar)
    hourly = read_money(slots, message, numbers, grammar)
    choose_model(slots, mentions, sizes, clauses, message)
    state_counts(slots, message)
    state_frequency(slots, message, grammar)
    _lengths(slots, message, findings, clauses, numbers)
    state_frozen(slots, message, numbers, grammar)
    _machine(slots, reader, cards)
    _of_the_run(slots, message, numbers, clauses, grammar)
    _took_on(slots, message, numbers, cards)
    _elsewhere(slots, reader, cards)
    _count(slots, reader, cards, text)
    _prices(slots, reader, numbers, grammar, hourly)
    left_out(slots, cards)
    told = circumstances(slots, cards, findings, hourly)
    return Parts(message, findings, slots, cards, told, tongue)


def _prices(slots: Slots, reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar, hourly: bool) -> None:
    """Prices that are told: of an hour of each machine, and of cards."""
    if hourly and (prices := hourly_prices(reader, numbers, grammar)):
        slots.state("hourly", prices)
        if (dearer := dearer_hour(reader, numbers, grammar)) is not None:
            slots.named["dearer_hour"] = (f"{dearer:g}",)
    if priced := asked_prices(reader, numbers, grammar):
        slots.assume("asked_prices", priced)


def _lengths(
    slots: Slots, message: Message, findings: Findings, clauses: Clauses, numbers: Mapping[int, Number]
) -> None:
    """The length that is meant, the one that ran or failed, and those of examples and images."""
    slots.bare_lengths = bare = bare_lengths(message, numbers, findings)
    if bare and slots.states("seq_len") and _are_theirs(findings, clauses):
        slots.drop("seq_len")
    if bare and not slots.states("seq_len"):
        fill = slots.assume if are_asked(message, bare) else slots.state
        fill("seq_len", bare[clauses.choose([number.start for number in bare])].length)
    if (length := length_to_reach(message, numbers)) is not None and "seq_len" in slots.values:
        slots.values["seq_len"], slots.sources["seq_len"] = length, "stated"
    if (ran := longest_ran(message, findings, clauses, numbers, slots.values.get("seq_len"))) is not None:
        slots.state("ran_seq_len", ran)
    elif (died := length_that_failed(message, findings, clauses, numbers, slots.values.get("seq_len"))) is not None:
        slots.state("failed_seq_len", died)
    state_examples(slots, message, numbers)
    state_pixels(slots, message, numbers)


def _are_theirs(findings: Findings, clauses: Clauses) -> bool:
    """ "the tutorial uses max_seq_len 512, mine needs 4k": what sets a length is somebody else's."""
    places = [found.start for found in findings.slots if found.target.name == "seq_len"]
    return bool(clauses.theirs and places) and all(clauses.hearsay(place) for place in places)


def _of_the_run(
    slots: Slots, message: Message, numbers: Mapping[int, Number], clauses: Clauses, grammar: Grammar
) -> None:
    """How long and how fast a run was, how much text it reads, and where."""
    if (hours := took_hours(message, numbers, clauses)) is not None:
        slots.state("took_hours", hours)
        if "dataset_examples" not in slots.values and (rows := recipe_rows(message)) is not None:
            slots.assume("dataset_examples", rows)
    elif (theirs := their_hours(message, numbers, clauses)) is not None:
        slots.named["their_hours"] = (f"{theirs:g}",)
    elif (each := epoch_hours(message, numbers)) is not None:
        slots.named["epoch_hours"] = (f"{each:g}",)
    state_hours_on(slots, message, numbers, grammar)
    state_loaded_wide(slots, message, numbers)
    state_speed(slots, message, numbers)
    state_progress(slots, message, numbers, grammar)
    state_volume(slots, message, numbers)
    providers = grammar.lists["provider"]
    if "provider" in message.said and not providers.keys().isdisjoint(message.tokens):
        named = {
            str(providers[token])
            for token, after in pairwise([*message.tokens, ""])
            if token in providers and after not in words("quoted_source")  # "the Lambda blog"
        }
        if named:
            slots.state("providers", tuple(sorted(named)))


def _took_on(slots: Slots, message: Message, numbers: Mapping[int, Number], cards: Cards) -> None:
    """Of two kinds of card the one that a duration stands beside: it took so long there."""
    if "took_hours" not in slots.values or len(cards.cards) != 2:
        return
    place = place_of(message, numbers, slots.values["took_hours"])
    if place is not None:
        nearest = min(cards.cards, key=lambda card: (_asked_after(message, card, place), _distance(card, place)))
        if nearest.gpu:
            slots.named["took_on"] = (nearest.gpu,)


def _elsewhere(slots: Slots, reader: CardReader, cards: Cards) -> None:
    """ "the paper: 3 h on 8x A100. how long on my 3090?": hours on other cards say nothing of one's own."""
    if (doubted := cards.doubted) is not None:
        enough = ("enough",) if not words("said_to_do").isdisjoint(reader.message.tokens) else ()
        slots.named["claimed_cards"] = (str(doubted.gpu), str(doubted.count), *enough)
    if "their_hours" not in slots.named or reader.clauses is None:
        return
    heard = {card.gpu for card in reader.found if card.gpu and reader.clauses.hearsay(card.start)}
    own = {card.gpu for card in cards.cards if card.gpu}
    if heard and own and heard.isdisjoint(own):
        del slots.named["their_hours"]


def _distance(card: Card, place: int) -> int:
    return min(abs(card.start - place), abs(card.end - place))


def _asked_after(message: Message, card: Card, place: int) -> bool:
    """ "after 15 h no third of an epoch. how much faster is an A100?": a card of a later sentence ran nothing."""
    return card.start > place and any(message.parts[at] >= STOP for at in range(place + 1, card.start + 1))


def _count(slots: Slots, reader: CardReader, cards: Cards, text: str) -> None:
    """How many cards there are, where it is told apart from them."""
    if (shown := devices_shown(text)) is not None:
        slots.state("n_gpus", shown)
    _processes(slots, reader, cards)
    whole_machine(slots, reader, cards)
    count_cards(slots, cards)


def _processes(slots: Slots, reader: CardReader, cards: Cards) -> None:
    """ "nproc 8 on a g5.8xlarge", "2 processes on my single 3090": there are as many cards as there are; more processes
    share them.
    """
    if len(cards.cards) != 1 or cards.assumed or not slots.states("n_gpus"):
        return
    card, processes = cards.cards[0], int(slots.values["n_gpus"])
    machine = reader.rented[0][2] if reader.rented else None
    there = machine is not None and card.gpu == machine.gpu
    alone = "proc" in reader.message.text and card.counted and card.count == 1
    alone = alone and reader.token(card.start - 1) in words("just_one")
    if processes <= card.count or not (there or alone):
        return
    slots.named["processes"] = (str(processes), machine.id if machine is not None and there else "")
    slots.values["n_gpus"] = card.count


def count_cards(slots: Slots, cards: Cards) -> None:
    """ "GPU type: RTX 4090, GPU number: 4": a number of cards that is told by itself is that of the only card."""
    count = int(slots.values.get("n_gpus") or 0)
    if not count or not slots.states("n_gpus") or cards.groups or len(cards.cards) > 1:
        return
    if not cards.cards:
        cards.cards = [Card(0, 0, count=count, counted=True)]
    elif not cards.cards[0].counted or (cards.cards[0].count == 1 < count and "processes" not in slots.named):
        cards.cards[0].count, cards.cards[0].counted = count, True


def _use_up(reader: CardReader) -> None:
    """Numbers that phrases took are nobody's count or memory."""
    for found in reader.findings.slots:
        if found.number is not None and found.target.section in ("numbers", "ignore"):
            if found.target.section == "ignore" and _counts_cards(reader, found.number):
                continue  # "multi gpu 2x3090"
            if found.target.section == "ignore" and _counts_tokens(reader, found.number):
                continue  # "seconds per step at 1k tokens"
            batch = found.target.name == "micro_batch" and found.number.start == found.start
            start = found.number.end if batch and own_number(found, reader.message) else found.start
            reader.message.take(start, found.end)  # the 4096 of "4096 batch 8" is free
            if found.target.name == "ram_gb":
                reader.memory_used.add(found.number.start)


def _counts_tokens(reader: CardReader, number: Number) -> bool:
    """Whether thousands of tokens stand behind a word for steps."""
    steps = not words("steps_made").isdisjoint(reader.before(number.start, 2))
    return number.unit == "k" and steps and reader.next_word(number.end) in words("token_units")


def _counts_cards(reader: CardReader, number: Number) -> bool:
    """Whether a number stands before a sign for times and a card."""
    return reader.next_word(number.end) == "x" and any(card.start == number.end + 1 for card in reader.found)


def _machine(slots: Slots, reader: CardReader, cards: Cards) -> None:
    """System memory, and what follows from the kind of machine."""
    if cards.ram_choice:
        slots.assume("ram_gb", max(cards.ram_choice))
        slots.named["ram_gb"] = tuple(f"{amount:g}" for amount in cards.ram_choice)
    elif cards.ram_gb and "ram_gb" not in slots.values:
        slots.state("ram_gb", cards.ram_gb)
    if reader.findings.has("killed") and "ram_gb" not in slots.values:
        _ram_at_death(slots, reader)
    state_installed(slots, reader)
    if cards.rented_ram_gb:
        slots.assume("ram_gb", cards.rented_ram_gb)
    gpus, nodes = shelf().gpus, 1
    apple = None
    for card in cards.cards:
        nodes = card.nodes if card.nodes > nodes else nodes
        if apple is None and card.gpu and gpus[card.gpu].vendor == "apple":
            apple = card
    if apple is not None and apple.vram_gb:
        slots.assume("ram_gb", apple.vram_gb)
    if nodes > 1:
        slots.state("nodes", nodes)
    state_usage(slots, reader)
    drop_usage(slots, cards, reader)
    infer(slots, reader.findings, apple is not None)
    state_version(slots, reader.message)


def _ram_at_death(slots: Slots, reader: CardReader) -> None:
    """ "gets killed at 125gb": the one amount that nothing else took is the machine's memory."""
    message, used = reader.message, reader.memory_used
    left = [
        n for n in reader.numbers.values() if n.unit == MEMORY and n.start not in used and not message.taken[n.start]
    ]
    if len(left) == 1 and reader.token(left[0].start - 1) in words("at") and left[0].value >= LEAST_RAM_GB:
        slots.state("ram_gb", left[0].value)
