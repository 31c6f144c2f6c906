//! Losses: what a conversion could not express, or expressed in another form. Everything else is kept.

use std::sync::Arc;

use super::{
    change::{Change, Why},
    error::{Code, Error},
    path::Path,
    reasoning_choice::ReasoningChoice,
    register::{ChangeKind, Edit},
    server_tools::ServerTools,
    severity::Severity,
};

/// The caller's options of a rendering.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent choices of the caller")]
pub struct Options {
    /// Whether the first loss is an error.
    pub strict: bool,
    /// Which reasoning is sent.
    pub reasoning: ReasoningChoice,
    /// What becomes of calls that another provider ran.
    pub server_tools: ServerTools,
    /// The role of another dialect's assistant, for a format whose roles name providers.
    pub assistant_role: Option<AssistantRole>,
    /// Whether new media are raw bytes and not base64 text, if the target's clients accept bytes.
    pub raw_blobs: bool,
    /// Whether media of the target's own format get that form, too, because a client takes the payload as objects.
    pub own_blobs: bool,
    /// What happens to a body's other keys.
    pub rest: Others,
    /// The model that the request is for.
    pub model: Option<Arc<str>>,
    /// Options of their conversion, if any.
    pub settings: Option<Arc<Settings>>,
    /// Whether marks for the prompt cache are added.
    pub marks: Option<AutoMarks>,
    /// Whether it is a row of training data, which no server reads: it needs no stand-ins for reasoning.
    pub row: bool,
    /// Whether the rendering names the keys that it leaves to the caller.
    pub names_left: bool,
}

impl Options {
    /// The model, where it is one of the settings that are written.
    pub(crate) fn model_of_body(&self) -> Option<&str> {
        self.model.as_deref().filter(|_| self.rest == Others::Convert)
    }
}

/// All options off.
pub static PLAIN: Options = Options {
    strict: false,
    reasoning: ReasoningChoice::Valid,
    server_tools: ServerTools::Drop,
    assistant_role: None,
    raw_blobs: false,
    own_blobs: false,
    rest: Others::Caller,
    model: None,
    settings: None,
    marks: None,
    row: false,
    names_left: false,
};

impl Default for Options {
    fn default() -> Self {
        PLAIN.clone()
    }
}

/// The caller asks for cache marks, if the target has them.
#[derive(Clone, Debug, Default)]
pub struct AutoMarks {
    /// The model that the request is for.
    pub model: Option<String>,
}

/// The caller's options for the conversion of settings.
#[derive(Debug, Default)]
pub struct Settings {
    /// Keys to add if the body does not have them, in the target's form: a JSON object.
    pub defaults: Option<String>,
    /// The number of tokens for each level of effort.
    pub effort_budgets: Vec<(String, u32)>,
}

/// What happens to the keys of a body that do not belong to the conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// They are left to the caller.
    #[default]
    Caller,
    /// They are written unchanged.
    Keep,
    /// They are converted to the target's own settings.
    Convert,
}

/// The role of an assistant in a format whose roles name providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssistantRole {
    /// `gemini`
    Gemini,
    /// `chatgpt`
    ChatGpt,
}

/// What one rendering changes and loses.
#[derive(Debug, Default)]
pub struct Losses {
    strict: bool,
    /// All of it, in the order of the source.
    pub list: Vec<Change>,
}

impl Losses {
    /// No losses yet.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self { strict: options.strict, list: Vec::new() }
    }

    /// Reports what is lost. Fails if the caller asked for `strict`.
    pub fn lost(&mut self, code: Edit, path: Path, why: impl Into<Why>) -> Result<(), Error> {
        let change = Change::told(code.kind_lost(), code, path, why);
        if self.strict {
            let text = format!("the target cannot express this ({}): {}", code.name(), change.reason);
            return Err(Error::new(Code::Loss, text).at_path(change.path));
        }
        self.list.push(change);
        Ok(())
    }

    /// Reports a change of form.
    pub fn changed(&mut self, code: Edit, path: Path, why: impl Into<Why>) {
        self.list.push(Change::told(code.kind_changed(), code, path, why));
    }

    /// Reports what the target needs beside the caller's messages.
    pub fn added(&mut self, code: Edit, path: Path, why: impl Into<Why>) {
        self.list.push(Change::told(ChangeKind::Added, code, path, why));
    }

    /// Reports what stays as it is, although the target may not mean the same by it.
    pub fn warned(&mut self, code: Edit, path: Path, why: impl Into<Why>) {
        self.list.push(Change::told(ChangeKind::Warning, code, path, why).graded(Severity::Warning));
    }

    /// Reports what is lost, or another change of this kind.
    pub fn tell(&mut self, kind: ChangeKind, code: Edit, path: Path, why: impl Into<Why>) -> Result<(), Error> {
        if kind == ChangeKind::Lost {
            return self.lost(code, path, why);
        }
        self.list.push(Change::told(kind, code, path, why));
        Ok(())
    }
}
