"""The codes as types, so that a checker sees a code that is misspelt."""

from typing import Literal, TypeAlias

__all__ = ["ChangeCode", "DiffCode", "ErrorCode"]

ChangeCode: TypeAlias = Literal[
    "compacted", "compressed", "before_summary", "summary_added", "empty_assistant", "lone_surrogate", "orphan_result",
    "orphan_call", "duplicate_result", "moved_call", "moved_result", "reordered_result", "missing_result",
    "renamed_id", "lone_reasoning", "system_added", "opening_added", "bridge_added", "cut_result", "cut_arguments",
    "cut_text", "dropped_exchange", "dropped_turn", "omitted_note", "blank_text", "empty_turn", "moved_media",
    "media_type", "media", "moved_system", "merged_turn", "wrong_role", "arguments", "empty_result", "reasoning",
    "renamed_tool", "mended_schema", "schema_in_words", "not_strict", "stand_in", "reply_keys", "reshaped",
    "repeated_item", "lone_choice", "no_tools", "extra_marks", "stale_reasoning", "late_result", "notice",
    "unwanted_reasoning", "key", "signature", "opaque", "error_flag", "ambiguous_error", "ambiguous_call",
    "json_as_text", "refusal", "system", "trailing_space", "joined", "order", "id", "client_tool", "tool",
    "tool_choice", "choice", "finish", "name", "setting", "cache_mark", "late_text", "tools_missing", "wrong_dialect",
    "unknown_key", "unknown_block", "unknown_tool", "foreign_setting", "refused_setting", "refused_content",
    "other_kind", "misplaced", "unnamed_result", "start_id_missing", "media_not_counted", "history_edited",
    "cache_break", "system_frozen", "tools_frozen", "open_turn_reasoning", "user_after_result", "learned",
]  # fmt: skip
"""Every code of a `Change` of another kind than `refused`."""
ErrorCode: TypeAlias = Literal[
    "negative_budget", "negative_size", "unknown_option", "out_of_range", "conflicting_options", "bad_count",
    "bad_timestamp", "not_json", "wrong_argument", "finished", "damaged_file", "history_locked", "history_closed",
    "not_stored", "bad_state", "no_memory", "invalid_json", "torn_json", "too_deep", "too_large", "wrong_type",
    "missing_key", "unknown_role", "wrong_dialect", "unexpected_chunk", "wrong_id", "no_result", "bad_history",
    "changed_while_read", "loss", "refused", "empty_messages", "leading_tool_result", "orphan_tool_result",
    "starts_with_assistant", "no_user", "user_after_result", "ends_with_assistant", "unsendable", "ledger_full",
    "budget_too_small", "unknown_dialect", "no_dialect", "conflicting_signs", "mixed_dialects",
]  # fmt: skip
"""Every code of a `TurnwireError`."""
DiffCode: TypeAlias = Literal[
    "equal", "append", "rewound", "respelled", "compacted", "model_changed", "settings_changed", "tools_reordered",
    "reasoning_dropped", "system_changed", "tools_changed", "format_changed", "message_dropped", "message_inserted",
    "message_replaced", "message_changed", "reordered", "block_dropped", "block_inserted", "block_changed",
    "text_changed", "call_changed", "id_changed", "media_changed", "late_result", "result_cut", "result_changed",
    "reasoning_gap", "reasoning_put_back", "reasoning_moved", "reasoning_changed",
]  # fmt: skip
"""Every code of a `Diff`."""
