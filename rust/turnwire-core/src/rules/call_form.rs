//! Describes calls that are items of their own kind, although the caller runs their tools: a shell, a patch, a screen.

use super::{
    block_rule::BlockRule,
    facts::Facts,
    value_rule::{KeyRule, ValueRule},
};
use crate::value::{Host, Value};

/// A call of a tool that its own format describes.
/// <https://developers.openai.com/api/docs/guides/tools-shell>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallForm {
    /// Commands for a shell.
    Shell,
    /// A command for a shell, in the older form.
    LocalShell,
    /// A change of a file.
    Patch,
    /// What to do on a screen.
    Screen,
    /// A search for tools.
    Search,
}

const TEXT: ValueRule = ValueRule::Word;
const COUNT: ValueRule = ValueRule::Maybe(&ValueRule::Count);
const TEXTS: ValueRule = ValueRule::ListOf(&TEXT);

const COMMANDS: ValueRule =
    ValueRule::Fields(&[("commands", TEXTS)], &[("max_output_length", COUNT), ("timeout_ms", COUNT)]);
/// By the SDK's type, an environment is required. Codex leaves an empty one out, and servers answer.
const COMMAND: ValueRule = ValueRule::Fields(
    &[("command", TEXTS)],
    &[
        ("env", ValueRule::Maybe(&ValueRule::Map)),
        ("timeout_ms", COUNT),
        ("user", ValueRule::Maybe(&TEXT)),
        ("working_directory", ValueRule::Maybe(&TEXT)),
    ],
);
const WITH_DIFF: &[KeyRule] = &[("path", TEXT), ("diff", TEXT)];
const CHANGE: ValueRule = ValueRule::Both(
    &ValueRule::Fields(&[("type", ValueRule::OneOf(&["create_file", "update_file", "delete_file"]))], &[]),
    &ValueRule::Shaped(&[
        BlockRule { types: "create_file update_file", needs: WITH_DIFF, may: &[] },
        BlockRule { types: "delete_file", needs: &[("path", TEXT)], may: &[] },
    ]),
);

impl CallForm {
    /// The key of a call that says where its tool runs.
    pub(crate) const PLACE: &str = "environment";

    /// Every form.
    pub const ALL: [Self; 5] = [Self::Shell, Self::LocalShell, Self::Patch, Self::Screen, Self::Search];

    /// The type of the item that calls.
    #[must_use]
    pub fn call(self) -> &'static str {
        match self {
            Self::Shell => "shell_call",
            Self::LocalShell => "local_shell_call",
            Self::Patch => "apply_patch_call",
            Self::Screen => "computer_call",
            Self::Search => "tool_search_call",
        }
    }

    /// The type of the item that answers.
    #[must_use]
    pub fn result(self) -> &'static str {
        match self {
            Self::Shell => "shell_call_output",
            Self::LocalShell => "local_shell_call_output",
            Self::Patch => "apply_patch_call_output",
            Self::Screen => "computer_call_output",
            Self::Search => "tool_search_output",
        }
    }

    /// The name of the tool, where the call is a plain one.
    #[must_use]
    pub fn tool(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::LocalShell => "local_shell",
            Self::Patch => "apply_patch",
            Self::Screen => "computer",
            Self::Search => "tool_search",
        }
    }

    /// What the arguments must be.
    pub(crate) const fn args(self) -> &'static ValueRule {
        match self {
            Self::Shell => &COMMANDS,
            Self::LocalShell => &COMMAND,
            Self::Patch => &CHANGE,
            Self::Screen | Self::Search => &ValueRule::Map,
        }
    }

    /// Whether these arguments can be written in this form.
    pub(crate) fn fits<H: Host>(self, args: &Value<H>) -> bool {
        matches!(args, Value::Map(_)) && self.args().allows(args)
    }

    /// Whether an answer can be made up. Nobody can make up a screenshot.
    pub(crate) fn stands_in(self) -> bool {
        self != Self::Screen
    }

    /// Whether the answer may be cut: no word can stand for a screenshot or for the definition of a tool.
    pub(crate) fn cuts(self) -> bool {
        !matches!(self, Self::Screen | Self::Search)
    }

    /// Whether the JSON under this key of an answer stays JSON there.
    pub(crate) fn keeps(self, key: Option<&str>) -> bool {
        matches!(
            (self, key),
            (Self::Shell, Some("output.#.outcome")) | (Self::Patch, Some("status")) | (Self::Search, Some("tools"))
        )
    }

    /// What an answer that is made up says beside its text, or instead of it.
    pub(crate) fn made_up(self) -> Option<&'static str> {
        match self {
            Self::Shell => Some(r#"{"type":"exit","exit_code":1}"#),
            Self::Search => Some(r#"{"tools":[]}"#),
            Self::LocalShell | Self::Patch | Self::Screen => None,
        }
    }

    /// Whether calls of this form take a plain answer, too: Codex gives one to each of its shell.
    pub(crate) fn takes_plain(self) -> bool {
        self == Self::LocalShell
    }

    /// Whether a call needs the id of its item: by OpenAI's own types it is required here, and the answer of the older shell
    /// names it.
    pub(crate) fn needs_item_id(self) -> bool {
        matches!(self, Self::LocalShell | Self::Screen)
    }

    /// The form of the calls of this type.
    #[must_use]
    pub fn named(call: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.call() == call)
    }
}

impl Facts {
    /// Whether the format has items of this kind.
    pub(crate) fn has_form(&self, form: CallForm) -> bool {
        self.forms.contains(&form)
    }
}
