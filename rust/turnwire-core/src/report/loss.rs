//! Losses: what a conversion could not express, or expressed in another form. Everything else is kept.

use std::{borrow::Cow, sync::Arc};

use super::{
    error::{Code, Error},
    path::Path,
    reasoning_choice::ReasoningChoice,
    register::Edit,
};

/// Whether something is gone or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossKind {
    /// The target cannot express it. `strict` refuses it.
    Lost,
    /// It is in another form, or the target's documented stand-in was added.
    Changed,
}

impl LossKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Lost, Self::Changed];

    /// The name of the kind.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Changed => "changed",
        }
    }
}

/// A loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Gone, or changed.
    pub kind: LossKind,
    /// Its stable code.
    pub code: Edit,
    /// The place in the source.
    pub path: Path,
    /// The reason, in a sentence.
    pub reason: Cow<'static, str>,
}

/// The caller's options of a rendering.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent choices of the caller")]
pub struct Options {
    /// Whether the first loss is an error.
    pub strict: bool,
    /// Which reasoning is sent.
    pub reasoning: ReasoningChoice,
    /// The role of another dialect's assistant, for a format whose roles name providers.
    pub assistant_role: Option<AssistantRole>,
    /// Whether new media are raw bytes and not base64 text, if the target's clients accept bytes.
    pub raw_blobs: bool,
    /// What happens to a body's other keys.
    pub rest: Others,
    /// Options of their conversion, if any.
    pub settings: Option<Arc<Settings>>,
    /// Whether marks for the prompt cache are added.
    pub marks: Option<AutoMarks>,
    /// Whether it is a row of training data, which no server reads: it needs no stand-ins for reasoning.
    pub row: bool,
    /// Whether the rendering names the keys that it leaves to the caller.
    pub names_left: bool,
}

/// All options off.
pub static PLAIN: Options = Options {
    strict: false,
    reasoning: ReasoningChoice::Valid,
    assistant_role: None,
    raw_blobs: false,
    rest: Others::Caller,
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
    /// The model that the request is for.
    pub model: Option<String>,
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

/// The losses of one rendering.
#[derive(Debug, Default)]
pub struct Losses {
    strict: bool,
    /// All of them, in the order of the source.
    pub list: Vec<Loss>,
}

impl Losses {
    /// No losses yet.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self { strict: options.strict, list: Vec::new() }
    }

    /// Reports a loss. Fails if the caller asked for `strict`.
    pub fn lost(&mut self, code: Edit, path: Path, reason: impl Into<Cow<'static, str>>) -> Result<(), Error> {
        let reason = reason.into();
        if self.strict {
            let text = format!("the target cannot express this ({}): {reason}", code.name());
            return Err(Error::new(Code::Loss, text).at_path(path));
        }
        self.list.push(Loss { kind: LossKind::Lost, code, path, reason });
        Ok(())
    }

    /// Reports a change of form.
    pub fn changed(&mut self, code: Edit, path: Path, reason: impl Into<Cow<'static, str>>) {
        self.list.push(Loss { kind: LossKind::Changed, code, path, reason: reason.into() });
    }
}
