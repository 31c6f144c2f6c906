"""Names the attributes of OpenTelemetry that hold a conversation."""

from __future__ import annotations

from typing import Final

__all__ = ["ALL", "CONVERSATION", "INPUT", "NAMES", "OUTPUT", "SYSTEM", "TOOLS"]

INPUT: Final = "gen_ai.input.messages"
OUTPUT: Final = "gen_ai.output.messages"
SYSTEM: Final = "gen_ai.system_instructions"
TOOLS: Final = "gen_ai.tool.definitions"
CONVERSATION: Final = "gen_ai.conversation.id"

ALL: Final = "all"
"""Whether it is a record of another tracer: its messages are in any dialect or layout, and its outputs are turns."""

NAMES: Final = frozenset((INPUT, OUTPUT, SYSTEM, TOOLS, CONVERSATION))
