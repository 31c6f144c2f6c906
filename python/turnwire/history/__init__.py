"""The history of a conversation (spec 003): messages of any dialect, limited, stored, and written for any provider."""

from .ledger import HistoryLedger
from .message_history import MessageHistory

__all__ = ["HistoryLedger", "MessageHistory"]
