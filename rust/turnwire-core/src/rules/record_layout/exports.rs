//! Exports of chats: trees of messages, of which one branch is shown.

use super::{CallAt, EMPTY, Is, Piece, RecordLayout, ResultAt, Speaker, TreeAt};

// `models/` and `message_logic.py` of convoviz.
pub(super) const CHATGPT: RecordLayout = RecordLayout {
    name: "chatgpt",
    kept_by: "ChatGPT: `conversations.json` of an export",
    claims: &[&[("mapping", Is::Map), ("current_node", Is::Text)]],
    tree: TreeAt { nodes: "mapping", leaf: "current_node", id: "", parent: "parent", message: "message" },
    unwrap: "message",
    role: "message.author.role",
    words: &[
        ("user", Speaker::User),
        ("assistant", Speaker::Assistant),
        ("system", Speaker::System),
        ("tool", Speaker::Tool),
    ],
    addressee: "recipient",
    parts: "content",
    kind: "content_type",
    kinds: &[
        ("text multimodal_text", Piece::Text, "parts"),
        ("code execution_output tether_quote", Piece::Text, "text"),
        ("tether_browsing_display", Piece::Text, "result"),
        ("thoughts", Piece::Thought, "thoughts"),
        ("user_editable_context", Piece::System, "user_profile user_instructions"),
    ],
    call: CallAt { id: "", name: "recipient", args: "content.text content.parts.0" },
    result: ResultAt { id: "", name: "author.name", says: "content.text content.parts content.result", failed: "" },
    skips: "message.content.content_type=reasoning_recap message.content.content_type=model_editable_context \
            message.content.content_type=system_error",
    passes: "id parent children create_time update_time status end_turn weight channel recipient content_type \
             language",
    ..EMPTY
};

// skillsynchq's `docs/formats/claude-chat.md`.
pub(super) const CLAUDE_AI: RecordLayout = RecordLayout {
    name: "claude-ai",
    kept_by: "Claude.ai: `conversations.json` of an export",
    claims: &[&[("chat_messages", Is::Maps)]],
    tree: TreeAt {
        nodes: "chat_messages",
        leaf: "current_leaf_message_uuid",
        id: "uuid",
        parent: "parent_message_uuid",
        message: "",
    },
    role: "sender",
    words: &[("human", Speaker::User), ("assistant", Speaker::Assistant)],
    parts: "content",
    text: "text",
    kind: "type",
    kinds: &[
        ("text", Piece::Text, "text"),
        ("thinking", Piece::Thought, "thinking"),
        ("tool_use", Piece::Call, ""),
        ("tool_result", Piece::Result, ""),
    ],
    call: CallAt { id: "id", name: "name", args: "input" },
    result: ResultAt { id: "tool_use_id", name: "name", says: "content", failed: "is_error" },
    attached: "attachments",
    attached_text: "extracted_content",
    passes: "uuid parent_message_uuid created_at updated_at index start_timestamp stop_timestamp flags",
    ..EMPTY
};

// LibreChat's export of a conversation.
pub(super) const LIBRECHAT: RecordLayout = RecordLayout {
    name: "librechat",
    kept_by: "LibreChat: an exported conversation",
    claims: &[&[("messages.0.messageId", Is::Text)]],
    tree: TreeAt { nodes: "messages", leaf: "", id: "messageId", parent: "parentMessageId", message: "" },
    role: "isCreatedByUser",
    words: &[("true", Speaker::User), ("false", Speaker::Assistant)],
    text: "text",
    passes: "messageId parentMessageId conversationId sender",
    ..EMPTY
};
