"""Reads the sessions that coding agents keep: several lines make one conversation, or a file makes several."""

from __future__ import annotations

from .found import is_session, read_session

__all__ = ["is_session", "read_session"]
