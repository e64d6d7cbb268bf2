"""Answers that stand in one message or several: sent, changed together, deleted together."""

from dataclasses import dataclass, field
from typing import NamedTuple

from bot.adapters.base import Services, Work
from bot.adapters.telegram.calls import Calls, Progress
from bot.adapters.telegram.letters import Extra, Place
from bot.adapters.telegram.updates import Incoming
from bot.adapters.words import words
from bot.messages import Reply
from bot.store import GivenAnswer

QUESTION, BEFORE, STATE = "question", "before", "state"
"""What is kept with an answer: the message that asked, its messages but for the last, the query that travels in it."""


@dataclass(slots=True)
class Ready:
    """An answer that only has to be said. `question` and `person`: the message that asked and who wrote it."""

    reply: Reply
    extra: Extra
    question: int
    person: str
    earlier: tuple[int, ...] = ()
    """The messages that it replaces."""
    progress: Progress = field(default_factory=Progress)


class Ended(NamedTuple):
    """An answer that is there: its messages, the question's (0: not known), and who asked."""

    messages: tuple[int, ...]
    question: int
    person: str


class Answers:
    """Says what is ready."""

    def __init__(self, services: Services, calls: Calls) -> None:
        self.services = services
        self.calls = calls

    async def say(self, heard: Incoming, place: Place, ready: Ready, work: Work) -> None:
        """Send it, or turn the earlier answer into it: that may be done twice, so it need not wait its turn."""
        reply, extra, more = ready.reply, ready.extra, words(ready.reply.language)("more")
        self.calls.letter(reply, more, extra)
        if ready.earlier:
            became = await self.calls.become(place.chat_id, ready.earlier, reply, more, extra, ready.progress)
            if became == "done":
                if ready.progress.messages != [*ready.earlier]:
                    self._note(heard, ready, work)
                await work.done()
                return
            if became == "gone":
                await self.calls.delete(place.chat_id, ready.earlier)
                ready.progress = Progress()
            ready.earlier = ()
        async with self.services.turns("telegram"):
            if await self.calls.send(place, reply, more, extra, ready.progress):
                self._note(heard, ready, work)
            await work.done()

    def _note(self, heard: Incoming, ready: Ready, work: Work) -> None:
        """Tie the answer to its question, for edits; and the other way round for what is done to the answer: reactions
        in groups, and presses where it stands in several messages."""
        store, chat, person = self.services.store, str(heard.chat_id), ready.person
        *before, said = ready.progress.messages
        several = {BEFORE: before} if before else {}
        if ready.question:
            work.add(store.answered("telegram", chat, str(ready.question), person, str(said), several))
        if before or not heard.private:
            facts = {STATE: ready.reply.state or "", **several, **({QUESTION: ready.question} if before else {})}
            work.add(store.answered("telegram", chat, f"a{said}", person, str(said), facts))

    async def to(self, chat: int, question: int) -> tuple[int, ...]:
        """The messages of the answer to a question; none when it was not answered."""
        found = await self.services.store.answer_to("telegram", str(chat), str(question))
        return _messages(found) if found is not None else ()

    async def ending_with(self, heard: Incoming) -> Ended:
        """The answer whose last message is the one that was pressed."""
        found = await self.services.store.answer_to("telegram", str(heard.chat_id), f"a{heard.message_id}")
        if found is None:
            return Ended((heard.message_id,), heard.reply_to, str(heard.user_id))
        return Ended(_messages(found), int(found.extra.get(QUESTION) or heard.reply_to), found.person)


def _messages(answer: GivenAnswer) -> tuple[int, ...]:
    """All messages of an answer, in order."""
    return (*(int(message) for message in answer.extra.get(BEFORE) or ()), int(answer.answer))
