"""The one schema of every entry in facts/, measured/ and lang/: frozen, nothing unknown."""

from pydantic import BaseModel, ConfigDict


class Entry(BaseModel):
    """Base of all entries."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())
