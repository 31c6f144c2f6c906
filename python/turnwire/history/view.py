"""Messages to look at: a list that refuses to be changed, because nobody would notice."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["Shown"]


class Shown(list[dict[str, Any]]):
    """Equal to any list of the same messages. Copies and slices of it are lists like any other."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("these messages are to look at: add_raw_message adds one, get_messages() is yours to change")

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse

    def __reduce_ex__(self, _: object) -> tuple[object, ...]:
        return list, (list(self),)
