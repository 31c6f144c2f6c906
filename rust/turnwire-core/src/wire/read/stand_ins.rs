//! The functions that stand for tools which only their own format describes, although the caller runs them.

use crate::rules::CallForm;

/// The schema of a shell's arguments.
pub(crate) const SHELL: &str = r#"{"type":"object","properties":{"commands":{"type":"array","items":{"type":"string"}},"timeout_ms":{"type":"integer"},"max_output_length":{"type":"integer"}},"required":["commands"]}"#;
const LOCAL_SHELL: &str = r#"{"type":"object","properties":{"command":{"type":"array","items":{"type":"string"}},"working_directory":{"type":"string"},"timeout_ms":{"type":"integer"},"env":{"type":"object"}},"required":["command"]}"#;
const PATCH: &str = r#"{"type":"object","properties":{"type":{"type":"string","enum":["create_file","update_file","delete_file"]},"path":{"type":"string"},"diff":{"type":"string","description":"In the V4A form: context lines start with a space, new ones with +, old ones with -, sections with @@."}},"required":["type","path"]}"#;

/// The schema of the calls of this form, if a model can make them without being trained for it.
pub(crate) fn schema(form: CallForm) -> Option<&'static str> {
    match form {
        CallForm::Shell => Some(SHELL),
        CallForm::LocalShell => Some(LOCAL_SHELL),
        CallForm::Patch => Some(PATCH),
        CallForm::Screen | CallForm::Search => None,
    }
}

/// An editor that can undo.
const OLD_EDITOR: &str = r#"{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace","insert","undo_edit"]},"path":{"type":"string"},"file_text":{"type":"string"},"old_str":{"type":"string"},"new_str":{"type":"string"},"insert_line":{"type":"integer"},"view_range":{"type":"array","items":{"type":"integer"}}},"required":["command","path"]}"#;

/// What a client-run tool of Anthropic takes, by the beginning of its type.
/// <https://docs.claude.com/en/docs/agents-and-tools/tool-use/overview>
pub(crate) const BY_TYPE: [(&str, &str); 5] = [
    (
        "bash_",
        r#"{"type":"object","properties":{"command":{"type":"string"},"restart":{"type":"boolean"}},"required":["command"]}"#,
    ),
    ("text_editor_20241022", OLD_EDITOR),
    ("text_editor_20250124", OLD_EDITOR),
    (
        "text_editor_",
        r#"{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace","insert"]},"path":{"type":"string"},"file_text":{"type":"string"},"old_str":{"type":"string"},"new_str":{"type":"string"},"insert_line":{"type":"integer"},"insert_text":{"type":"string"},"view_range":{"type":"array","items":{"type":"integer"}}},"required":["command","path"]}"#,
    ),
    (
        "memory_",
        r#"{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace","insert","delete","rename"]},"path":{"type":"string"},"file_text":{"type":"string"},"old_str":{"type":"string"},"new_str":{"type":"string"},"insert_line":{"type":"integer"},"insert_text":{"type":"string"},"old_path":{"type":"string"},"new_path":{"type":"string"},"view_range":{"type":"array","items":{"type":"integer"}}},"required":["command"]}"#,
    ),
];
