//! What a conversion could not express, or had to say differently: nothing vanishes silently.

use std::borrow::Cow;

use super::{
    error::{Code, Error},
    path::Path,
};

/// Whether something is gone or only said differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossKind {
    /// The target cannot express it. `strict` refuses it.
    Lost,
    /// It is there in another form, or the target's documented stand-in was added.
    Changed,
}

impl LossKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Lost, Self::Changed];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Changed => "changed",
        }
    }
}

/// One thing that the target does not hold as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Gone, or changed.
    pub kind: LossKind,
    /// A stable name for what it is.
    pub code: LossCode,
    /// Where it was in the source.
    pub path: Path,
    /// Why, in a sentence.
    pub reason: Cow<'static, str>,
}

macro_rules! loss_codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal;)+) => {
        /// A stable name for each thing that can be lost or changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum LossCode { $($(#[doc = $doc])+ $variant,)+ }

        impl LossCode {
            /// Every code there is.
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
    /// A key that the target does not have.
    Key = "key";
    /// The model's reasoning, which only the dialect that made it can replay.
    Reasoning = "reasoning";
    /// The signature of a text or a call, which only the dialect that made it takes, and only with its part as it came.
    Signature = "signature";
    /// A part that only its own dialect knows.
    Opaque = "opaque";
    /// Media that the target does not take.
    Media = "media";
    /// Media moved out of a tool result, behind the results.
    MovedMedia = "moved_media";
    /// Arguments that are no JSON object, for a target that takes nothing else.
    Arguments = "arguments";
    /// The error flag of a result, said in words.
    ErrorFlag = "error_flag";
    /// A text that begins with the error prefix by itself.
    AmbiguousError = "ambiguous_error";
    /// A text that whoever reads the target's format takes for a tool call.
    AmbiguousCall = "ambiguous_call";
    /// A JSON result, now text.
    JsonAsText = "json_as_text";
    /// A refusal, now text.
    Refusal = "refusal";
    /// Empty text that the target refuses.
    EmptyText = "empty_text";
    /// A turn that losses have emptied.
    EmptyTurn = "empty_turn";
    /// System text that the target has no place for.
    System = "system";
    /// System text moved to where the target keeps it.
    MovedSystem = "moved_system";
    /// White space that the target refuses at the end of the conversation.
    TrailingSpace = "trailing_space";
    /// Several texts, now one: the target has room for one only.
    Joined = "joined";
    /// A tool result that was cut, where that was asked for.
    Cut = "cut";
    /// The order of texts and calls within a turn.
    Order = "order";
    /// An id that the target does not hold or that had to be written differently.
    Id = "id";
    /// A tool definition that the target does not know, or that had to be written differently.
    Tool = "tool";
    /// A choice of tools that the target does not know.
    ToolChoice = "tool_choice";
    /// Another choice or candidate of a reply: the first is taken.
    Choice = "choice";
    /// A name that had to be made or written differently.
    Name = "name";
    /// The target's own documented stand-in was added.
    StandIn = "stand_in";
    /// Lone surrogates, written as U+FFFD: JSON bytes hold whole characters.
    Surrogate = "surrogate";
}

/// What the caller chose for a rendering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Stop at the first thing that is lost.
    pub strict: bool,
    /// Reasoning of another dialect becomes text instead of a loss.
    pub reasoning_as_text: bool,
    /// The role of an assistant that spoke elsewhere, for a format whose roles name providers.
    pub assistant_role: Option<AssistantRole>,
    /// New blobs are raw bytes instead of base64 text, where the target's clients take bytes.
    pub raw_blobs: bool,
    /// What becomes of a body's other keys.
    pub rest: Others,
}

/// What becomes of the keys of a body that belong to no conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// They are left to the caller.
    #[default]
    Caller,
    /// They are written as they came.
    Keep,
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
    /// None yet.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self { strict: options.strict, list: Vec::new() }
    }

    /// Something is gone. An error where the caller asked for `strict`.
    pub fn lost(&mut self, code: LossCode, path: Path, reason: impl Into<Cow<'static, str>>) -> Result<(), Error> {
        let reason = reason.into();
        if self.strict {
            let text = format!("the target cannot express this ({}): {reason}", code.name());
            return Err(Error::new(Code::Loss, text).at_path(path));
        }
        self.list.push(Loss { kind: LossKind::Lost, code, path, reason });
        Ok(())
    }

    /// Something is there in another form.
    pub fn changed(&mut self, code: LossCode, path: Path, reason: impl Into<Cow<'static, str>>) {
        self.list.push(Loss { kind: LossKind::Changed, code, path, reason: reason.into() });
    }
}
