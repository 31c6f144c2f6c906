"""The table of settings that `settings="convert"` uses."""

from typing import Any

from ._core import _settings_table

__all__ = ["table"]


def table() -> dict[str, Any]:
    """The table as plain data. Each call returns new objects.

    The key `settings` has for each setting its `meaning` and its `wires`. These have for each dialect the `kind` of the
    value, the `places` that are read (keys joined by dots; the first is written) and, where they apply: the `range` of
    a number; the `most` values or characters; the `words`, as the wire spells them and as this table does; whether it
    is `needed`; the value where it is `absent` (JSON); the settings that it `excludes` and `needs`; the `choices` of
    tools; how it differs `with_tools` and `at_rest`, when the model does not think; and `why` there is no counterpart.
    `models` lists the exceptions for versions and models, by the start of their names: the longest one counts.
    `efforts` are the levels of thinking, each with its tokens for dialects that count tokens. Sources are the
    providers' references and the types of their SDKs.
    """
    return _settings_table()
