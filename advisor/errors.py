"""What the advisor refuses, as a code and facts; the words are templates, or a `fix` for the command line.

AdvisorError
├── BadValue        a value that no training run can have (negative length, rank above the hidden size, ...)
├── UnknownName     a trainer, optimizer, method, target, model or card that the catalog does not have
└── MissingModel    neither a model, nor a size, nor a shape
"""


class AdvisorError(Exception):
    """Carries `code`, `message` (for a log or a batch line), `fix` (what to do) and facts."""

    code = "advisor_error"

    def __init__(self, message: str, fix: str, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.facts = facts


class BadValue(AdvisorError):
    """A value outside what is possible. facts: field, value, low, high."""

    code = "bad_value"


class UnknownName(AdvisorError):
    """A name that nothing knows. facts: field, asked, nearest."""

    code = "unknown_name"


class MissingModel(AdvisorError):
    """Nothing says how large the model is."""

    code = "missing_model"
