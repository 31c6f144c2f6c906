//! Losses: what a conversion could not express, or expressed in another form. Everything else is kept.

use std::{borrow::Cow, sync::Arc};

use super::{
    error::{Code, Error},
    path::Path,
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
    pub code: LossCode,
    /// The place in the source.
    pub path: Path,
    /// The reason, in a sentence.
    pub reason: Cow<'static, str>,
}

macro_rules! loss_codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal;)+) => {
        /// A stable name for each kind of loss.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum LossCode { $($(#[doc = $doc])+ $variant,)+ }

        impl LossCode {
            /// Every code.
            pub const ALL: &'static [LossCode] = &[$(LossCode::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(LossCode::$variant => $name),+ } }

            /// What it means, in a sentence or two.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(LossCode::$variant => concat!($($doc),+).trim_ascii()),+ } }
        }
    };
}

loss_codes! {
    /// The target does not have this key.
    Key = "key";
    /// The model's reasoning: only the provider that made it can read it.
    Reasoning = "reasoning";
    /// The signature of a text or a call: only the provider that made it accepts it, and only with its part unchanged.
    Signature = "signature";
    /// A part that exists only in its own dialect.
    Opaque = "opaque";
    /// Media that the target does not accept.
    Media = "media";
    /// Media moved out of a tool result, to a place after the results.
    MovedMedia = "moved_media";
    /// The arguments are not a JSON object, and the target accepts nothing else.
    Arguments = "arguments";
    /// The error flag of a result became a prefix of its text.
    ErrorFlag = "error_flag";
    /// A text begins with the error prefix, so it will be read as a failed result.
    AmbiguousError = "ambiguous_error";
    /// A text looks like a tool call to readers of the target's format.
    AmbiguousCall = "ambiguous_call";
    /// A JSON result became text.
    JsonAsText = "json_as_text";
    /// A refusal became text.
    Refusal = "refusal";
    /// Empty text was left out, because the target refuses it.
    EmptyText = "empty_text";
    /// Nothing of this turn could be expressed, so it was left out.
    EmptyTurn = "empty_turn";
    /// The target has no place for this system text.
    System = "system";
    /// System text moved to where the target keeps it.
    MovedSystem = "moved_system";
    /// White space at the end of the conversation was left out, because the target refuses it.
    TrailingSpace = "trailing_space";
    /// Several texts were joined, because the target has room for one.
    Joined = "joined";
    /// A tool result was cut, as the caller asked.
    Cut = "cut";
    /// The order of texts and calls within a turn is not kept.
    Order = "order";
    /// An id that the target does not have, or that had to be written differently.
    Id = "id";
    /// A tool definition that the target does not have, or that had to be written differently.
    Tool = "tool";
    /// The target does not have this choice of tools.
    ToolChoice = "tool_choice";
    /// A reply had several choices or candidates, and only the first is used.
    Choice = "choice";
    /// The target does not have the reply's stop reason, so it gets the nearest one.
    Finish = "finish";
    /// A name had to be invented or written differently.
    Name = "name";
    /// A setting of the request that the target does not have, or that had to be written differently.
    Setting = "setting";
    /// A mark for the provider's prompt cache was added, as the caller asked.
    CacheMark = "cache_mark";
    /// A value was added that the target documents for missing content.
    StandIn = "stand_in";
    /// Lone surrogates became U+FFFD, because JSON bytes cannot contain them.
    Surrogate = "surrogate";
    /// A stream ended with more or other text than its pieces, which were written already.
    LateText = "late_text";
}

/// The caller's options of a rendering.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent choices of the caller")]
pub struct Options {
    /// Whether the first loss is an error.
    pub strict: bool,
    /// Whether reasoning of another dialect becomes text instead of a loss.
    pub reasoning_as_text: bool,
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
    reasoning_as_text: false,
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
    pub fn lost(&mut self, code: LossCode, path: Path, reason: impl Into<Cow<'static, str>>) -> Result<(), Error> {
        let reason = reason.into();
        if self.strict {
            let text = format!("the target cannot express this ({}): {reason}", code.name());
            return Err(Error::new(Code::Loss, text).at_path(path));
        }
        self.list.push(Loss { kind: LossKind::Lost, code, path, reason });
        Ok(())
    }

    /// Reports a change of form.
    pub fn changed(&mut self, code: LossCode, path: Path, reason: impl Into<Cow<'static, str>>) {
        self.list.push(Loss { kind: LossKind::Changed, code, path, reason: reason.into() });
    }
}
