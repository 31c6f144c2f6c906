"""Bodies with what the judge must say about each: a module for each provider."""

from dataclasses import dataclass, field
from typing import Any

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PDF = "JVBERi0xLjQK"
HTTPS_PNG = "https://example.com/a.png"
DATA_PNG = f"data:image/png;base64,{PNG}"
SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
FN_TOOL = {"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA}}

Case = tuple[str, Any, dict[str, Any]]


@dataclass
class Cases:
    """The bodies of one provider, each with its name or the code of its problem, and the options of the check."""

    provider: str
    # No error. Any warnings are not of interest.
    valid: list[Case] = field(default_factory=list)
    # An error with this code.
    invalid: list[Case] = field(default_factory=list)
    # No error, and a warning with this code.
    flagged: list[Case] = field(default_factory=list)
    # No problem at all: the neighbour that a rule must not fire on.
    silent: list[Case] = field(default_factory=list)

    def ok(self, name: str, body: Any, **options: Any) -> None:
        self.valid.append((name, body, options))

    def bad(self, code: str, body: Any, **options: Any) -> None:
        self.invalid.append((code, body, options))

    def flag(self, code: str, body: Any, **options: Any) -> None:
        self.flagged.append((code, body, options))

    def quiet(self, name: str, body: Any, **options: Any) -> None:
        self.silent.append((name, body, options))


def user(content):
    return {"role": "user", "content": content}


def asst(content, **more):
    return {"role": "assistant", "content": content, **more}
