"""python -m knowledge fit-kinds: fits the weights of kinds again, and says how well messages are understood."""

import sys

import yaml

from bot.fit_kinds.cases import cases_of
from bot.fit_kinds.judge import held_out, understood
from bot.fit_kinds.model import as_table, fit
from bot.parser.tally import KINDS
from knowledge.kind_examples import FOLDER, UNSEEN, WEIGHTS, examples

HEAD = "# Written by `python -m knowledge fit-kinds`. Section → sign → what it says for or against each kind.\n"


def main(judge: bool) -> None:
    """Fits, prints, writes. `judge`: also fit to four fifths and look at the rest, five times."""
    every = examples()
    cases = {id(example): case for example, case in zip(every, cases_of(every), strict=True)}
    known = [example for example in every if example.file != UNSEEN]
    if judge:
        for name, found in sorted(held_out(known, cases).items()):
            print(f"{name:16s} fitted to others   {found}")
    model = fit([cases[id(example)] for example in known])
    unseen = understood(model, (cases[id(example)] for example in every if example.file == UNSEEN))
    print(f"{UNSEEN:16s} never fitted to    {unseen}")
    table = as_table(model)
    text = yaml.safe_dump(table, allow_unicode=True, sort_keys=True, default_flow_style=None, width=10_000)
    (FOLDER / WEIGHTS).write_text(HEAD + text, encoding="utf-8")
    print(f"{len(known)} messages, {sum(map(len, table.values()))} signs, {len(KINDS)} kinds")


if __name__ == "__main__":
    main(judge="--judge" in sys.argv)
