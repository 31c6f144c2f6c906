"""What a conversation that is kept somewhere is sent as: rendered as it is, or prepared for a target."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Unpack, overload

from turnwire._core import Conversation, Rendered, prepare, prepare_json
from turnwire.names import BodyName, DialectName, ListName
from turnwire.options import Prepared, RenderOptions

__all__ = ["Sent"]


class Sent(ABC):
    """Whatever has a conversation, which it writes in any dialect."""

    @property
    @abstractmethod
    def conversation(self) -> Conversation:
        """What is sent."""

    @overload
    def render(self, dialect: BodyName, **options: Unpack[RenderOptions]) -> Rendered[dict[str, Any]]: ...
    @overload
    def render(self, dialect: ListName, **options: Unpack[RenderOptions]) -> Rendered[list[Any]]: ...
    @overload
    def render(
        self, dialect: DialectName, **options: Unpack[RenderOptions]
    ) -> Rendered[dict[str, Any]] | Rendered[list[Any]]: ...
    def render(self, dialect: DialectName, **options: Unpack[RenderOptions]) -> Rendered[Any]:
        """The messages in a dialect, as they are; as `Conversation.render`."""
        return self.conversation.render(dialect, **options)

    def render_json(self, dialect: DialectName, **options: Unpack[RenderOptions]) -> Rendered[bytes]:
        """The same as compact JSON bytes; as `Conversation.render_json`."""
        return self.conversation.render_json(dialect, **options)

    @overload
    def prepare(
        self, target: BodyName, max_bytes: int | None = None, **options: Unpack[Prepared]
    ) -> Rendered[dict[str, Any]]: ...
    @overload
    def prepare(
        self, target: ListName, max_bytes: int | None = None, **options: Unpack[Prepared]
    ) -> Rendered[list[Any]]: ...
    @overload
    def prepare(
        self, target: DialectName, max_bytes: int | None = None, **options: Unpack[Prepared]
    ) -> Rendered[dict[str, Any]] | Rendered[list[Any]]: ...
    def prepare(self, target: DialectName, max_bytes: int | None = None, **options: Unpack[Prepared]) -> Rendered[Any]:
        """What the target takes: repaired, fitted, written; as `turnwire.prepare`, with its options."""
        return prepare(self.conversation, target, max_bytes, **options)

    def prepare_json(
        self, target: DialectName, max_bytes: int | None = None, **options: Unpack[Prepared]
    ) -> Rendered[bytes]:
        """The same as compact JSON bytes; as `turnwire.prepare_json`, with its options."""
        return prepare_json(self.conversation, target, max_bytes, **options)
