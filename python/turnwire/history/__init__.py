"""The history of a conversation (spec 003): messages of any dialect, added to, bounded, stored, and sent to anybody."""

from .message_history import MessageHistory

__all__ = ["MessageHistory"]
