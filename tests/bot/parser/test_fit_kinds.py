"""Fitting the weights of kinds: which signs count, and what is kept apart to judge by."""

from bot.fit_kinds.cases import cases_of
from bot.fit_kinds.judge import REAL, alike_to_real, folds, understood
from bot.fit_kinds.model import as_table, fit
from bot.parser.tally import KINDS
from knowledge.kind_examples import UNSEEN, Example

PHRASE = ("phrases", "time_estimate")


def example(text: str, *kinds: str, origin: str = "", file: str = "chat.yaml") -> Example:
    return Example(text, kinds or ("fits_check",), 1.0, origin or text, file)


def test_a_phrase_counts_where_two_other_questions_show_it() -> None:
    two = [example(f"how long will {words} take") for words in ("this", "that")]
    assert not any(PHRASE in case.signs for case in cases_of(two))
    assert all(PHRASE in case.signs for case in cases_of([*two, example("how long will it take")]))


def test_other_wordings_of_a_question_are_no_other_questions() -> None:
    same = [example(f"how long will {words} take", origin="one") for words in ("this", "that", "it")]
    assert not any(PHRASE in case.signs for case in cases_of(same))


def test_what_is_never_fitted_to_keeps_its_phrases_and_is_no_witness() -> None:
    unseen = [example(f"how long will {words} take", file=UNSEEN) for words in ("this", "that")]
    *kept, told = cases_of([*unseen, example("how long will it take")])
    assert all(PHRASE in case.signs for case in kept)
    assert PHRASE not in told.signs


def test_the_first_kind_is_wanted_more_than_the_second() -> None:
    (case,) = cases_of([example("4090 or rent", "compare_gpus", "cost_buy_vs_rent")])
    wanted = dict(zip([kind.value for kind in KINDS], case.wanted, strict=True))
    assert wanted["compare_gpus"] > wanted["cost_buy_vs_rent"] > wanted["fits_check"] == 0


def test_weights_tell_apart_what_they_were_fitted_to() -> None:
    texts = [("how long does this take", "time_estimate"), ("what is the price of that", "cost_buy_vs_rent")]
    cases = cases_of(
        [example(f"{text} {number}", kind, origin=f"{text} {number}") for text, kind in texts for number in range(6)]
    )
    model = fit(cases)
    assert understood(model, cases).right == len(cases)
    assert as_table(model)["words"]["price"]["cost_buy_vs_rent"] > 0


def test_a_real_question_told_again_elsewhere_is_not_learnt_from_while_it_is_judged() -> None:
    real = example("pythia oddment finetuning stalls under zeppelin drivers", file=REAL)
    again = example("finetuning pythia oddment: stalls, zeppelin drivers")
    others = [example(f"an ordinary question number {number} about cards") for number in range(40)]
    every = [real, again, *others]
    assert again in alike_to_real(every)[id(real)]
    for learnt, held in folds(every, 5):
        assert not (real in held and again in learnt)
        assert not {one.origin for one in learnt} & {one.origin for one in held}
