//! Lists the content that some models refuse, although the format has it.

use super::{MediaClass, dialect_id::DialectId, model_names};

/// Content that some models refuse.
pub(crate) struct RefusedContent {
    /// The dialect of the provider's own servers.
    dialect: &'static str,
    /// The beginnings of the models' names.
    names: &'static [&'static str],
    /// Beginnings of names that begin so, too, and are other models.
    but: &'static [&'static str],
    /// What they refuse.
    pub(crate) what: What,
    /// Why, with the way out.
    pub(crate) why: &'static str,
    /// The models whose server is recorded with a refusal.
    recorded: &'static [&'static str],
}

/// What a model may refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// System text.
    System,
    /// Tools that the caller runs.
    Tools,
    /// Everything: the model is served in another format.
    Everything,
    /// Media of a class.
    Media(MediaClass),
    /// Media of a class at an address in S3: in a result, beside one, or anywhere.
    InS3(MediaClass, MediaPlace),
}

/// Where media may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaPlace {
    InResult,
    Beside,
    Anywhere,
}

/// The beginning of an address in S3.
pub(crate) const S3: &str = "s3://";

/// Amazon's models and Claude differ in what they fetch.
const NO_S3: &str = "this model fetches no such file from S3 at this place: send the bytes";

/// OpenAI's models for sound in Chat Completions.
const HEARS: &[&str] = &["gpt-4o-audio", "gpt-4o-mini-audio", "gpt-4o-realtime", "gpt-4o-mini-realtime"];

/// OpenAI's models that Chat Completions do not have, by LiteLLM's list of models.
const ONLY_RESPONSES: &[&str] = &[
    "o1-pro",
    "o3-pro",
    "o3-deep-research",
    "o4-mini-deep-research",
    "codex-mini",
    "gpt-5-pro",
    "gpt-5-codex",
    "gpt-5.1-codex",
    "gpt-5.2-codex",
    "gpt-5.2-pro",
    "gpt-5.3-codex",
    "gpt-5.4-pro",
    "gpt-5.5-pro",
];

/// Every rule. The models without a recording are those of which the provider's model pages say the same.
const RULES: &[RefusedContent] = &[
    RefusedContent {
        dialect: "openai",
        names: &["o1-mini", "o1-preview"],
        but: &[],
        what: What::System,
        why: "this model refuses system text: say it as the user, or use another model",
        recorded: &["o1-mini"],
    },
    // They always reason, and Chat Completions refuse tools with any effort but `none` (litellm#39631).
    RefusedContent {
        dialect: "openai",
        names: &["gpt-6-astra", "gpt-6-rosalind", "gpt-6.1-sol"],
        but: &[],
        what: What::Tools,
        why: "this model takes no tools here: use openai-responses",
        recorded: &[],
    },
    RefusedContent {
        dialect: "openai",
        names: ONLY_RESPONSES,
        but: &[],
        what: What::Everything,
        why: "this model is not served here: use openai-responses",
        recorded: &[],
    },
    RefusedContent {
        dialect: "openai",
        names: &["gpt-3.5", "gpt-4", "gpt-5", "gpt-6", "chatgpt-4o", "o1", "o3", "o4"],
        but: HEARS,
        what: What::Media(MediaClass::Audio),
        why: "this model takes no sound: send a transcript, or use a model with `audio` in its name",
        recorded: &["gpt-5-mini"],
    },
    RefusedContent {
        dialect: "bedrock",
        names: &["anthropic.claude"],
        but: &[],
        what: What::Media(MediaClass::Video),
        why: "this model takes no video: use a model that does, such as Amazon Nova",
        recorded: &["anthropic.claude-sonnet-4-5"],
    },
    RefusedContent {
        dialect: "bedrock",
        names: &["anthropic.claude"],
        but: &[],
        what: What::InS3(MediaClass::Image, MediaPlace::Anywhere),
        why: NO_S3,
        recorded: &["anthropic.claude-sonnet-4-5"],
    },
    // In a result it is accepted.
    RefusedContent {
        dialect: "bedrock",
        names: &["anthropic.claude"],
        but: &[],
        what: What::InS3(MediaClass::Document, MediaPlace::Beside),
        why: NO_S3,
        recorded: &["anthropic.claude-sonnet-4-5"],
    },
    RefusedContent {
        dialect: "bedrock",
        names: &["amazon.nova"],
        but: &[],
        what: What::InS3(MediaClass::Document, MediaPlace::InResult),
        why: NO_S3,
        recorded: &["amazon.nova-2-lite"],
    },
];

impl RefusedContent {
    /// Whether a server's refusal is recorded for this model.
    pub(crate) fn is_recorded_for(&self, model: &str) -> bool {
        self.recorded.iter().any(|name| model_names::is_model(model, name))
    }

    fn is_for(&self, model: &str) -> bool {
        model_names::is_among(model, self.names, self.but)
    }
}

/// What a model refuses on its provider's own servers.
pub(crate) fn of(id: DialectId, model: &str) -> impl Iterator<Item = &'static RefusedContent> {
    let is_own = id.profile().is_empty();
    RULES.iter().filter(move |rule| is_own && rule.dialect == id.facts.name && rule.is_for(model))
}
