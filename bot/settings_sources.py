"""Where settings come from besides variables of their own name: files with secrets, and the Hub library's variable."""

import os
from typing import Any

from pydantic_settings import PydanticBaseSettingsSource

PREFIX = "WHICHGPU_"
SECRET_FILE_BYTES = 64 * 1024


class SettingsFaults(Exception):
    """Every variable that needs mending: `faults` is a tuple of lines, each with its cure."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class SecretFiles(PydanticBaseSettingsSource):
    """WHICHGPU_X_FILE names a file that holds the secret X, as Docker and Kubernetes mount them."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, field in self.settings_cls.model_fields.items():
            variable = f"{PREFIX}{name.upper()}_FILE"
            path = os.environ.get(variable)
            if not path or "SecretStr" not in str(field.annotation):
                continue
            try:
                with open(path, encoding="utf-8") as file:
                    found[name] = file.read(SECRET_FILE_BYTES).strip()
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or "is not text"
                raise SettingsFaults(
                    (f"{variable}: cannot read {path} ({reason}); name a readable file with the secret",)
                ) from None
        return found


class HubEnvironment(PydanticBaseSettingsSource):
    """HF_ENDPOINT without prefix is the Hub library's own variable."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        endpoint = os.environ.get("HF_ENDPOINT")
        return {"hf_endpoint": endpoint} if endpoint else {}
