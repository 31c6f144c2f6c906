"""A read-only list of messages: a change to it would have no effect, so it raises."""

from __future__ import annotations

from typing import Any, Final, NoReturn

__all__ = ["Shown"]

_WIDTH: Final = 80
"""The number of characters that are shown of a message."""


class Shown(list[dict[str, Any]]):
    """A list that refuses changes. It is equal to any list of the same messages; copies and slices are plain lists."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError(
            "this list is read-only: add_raw_message adds a message, and get_messages() returns a copy that you may "
            "change"
        )

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse

    def __repr__(self) -> str:
        """The number of messages and the last one, because a history may have megabytes."""
        if not self:
            return "[]"
        said = repr(self[-1])
        return f"<{len(self)} messages, the last {said if len(said) <= _WIDTH else said[:_WIDTH] + '…'}>"

    __str__ = list.__repr__

    def __reduce_ex__(self, _: object) -> tuple[object, ...]:
        return list, (list(self),)
