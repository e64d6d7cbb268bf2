"""python -m knowledge fit-kinds: fits the weights of kinds again, and says how well messages are understood."""

import sys
from collections.abc import Sequence

import yaml

from bot.fit_kinds.model import Case, as_table, case_of, fit, folds
from bot.parser.tally import KINDS
from knowledge.kind_examples import FOLDER, UNSEEN, WEIGHTS, Example, examples

FOLDS = 5
HEAD = "# Written by `python -m knowledge fit-kinds`. Section → sign → what it says for or against each kind.\n"


def main(judge: bool) -> None:
    """Fits, prints, writes. `judge`: also fit to four fifths and look at the rest, five times."""
    every = [(example, case_of(example)) for example in examples()]
    cases = {id(example): case for example, case in every}
    known = [example for example, _ in every if example.file != UNSEEN]
    unseen = [example for example, _ in every if example.file == UNSEEN]
    if judge:
        right = dict.fromkeys({example.file for example in known}, (0, 0))
        for learnt, held in folds(known, FOLDS):
            for name, (hits, all_) in _right(learnt, held, cases).items():
                right[name] = (right[name][0] + hits, right[name][1] + all_)
        for name, (hits, all_) in sorted(right.items()):
            print(f"{name:14s} fitted to the other folds  {hits:4d}/{all_:<4d} {100 * hits / all_:5.1f} %")
    model = fit([cases[id(example)] for example in known])
    hits = sum(model.kind(cases[id(example)].signs) == example.kinds[0] for example in unseen)
    print(f"{UNSEEN:14s} never fitted to            {hits:4d}/{len(unseen):<4d} {100 * hits / len(unseen):5.1f} %")
    table = as_table(model)
    text = yaml.safe_dump(table, allow_unicode=True, sort_keys=True, default_flow_style=None, width=10_000)
    (FOLDER / WEIGHTS).write_text(HEAD + text, encoding="utf-8")
    print(f"{len(known)} messages, {sum(map(len, table.values()))} signs, {len(KINDS)} kinds")


def _right(learnt: Sequence[Example], held: Sequence[Example], cases: dict[int, Case]) -> dict[str, tuple[int, int]]:
    """File → messages understood, all of them."""
    model = fit([cases[id(example)] for example in learnt])
    found: dict[str, tuple[int, int]] = {}
    for example in held:
        hits, all_ = found.get(example.file, (0, 0))
        hit = model.kind(cases[id(example)].signs) == example.kinds[0]
        found[example.file] = (hits + hit, all_ + 1)
    return found


if __name__ == "__main__":
    main(judge="--judge" in sys.argv)
