//! Lists the public columns of a row, in the order in which a name has them.

use super::{
    media, settings, shape, tools,
    words::{FLAG, Words},
};
use crate::{
    report::Error,
    rules::{DialectId, Limits},
};

/// The formats of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum In {
    Chat,
    Responses,
    ChatAndResponses,
    ChatAndClaude,
    Claude,
    All,
}

/// A public column.
pub(super) struct Column {
    pub(super) name: &'static str,
    within: In,
    words: fn(&str) -> Words,
    get: fn(DialectId, &Limits) -> String,
    set: fn(DialectId, &mut Limits, &str),
}

impl Column {
    /// Whether rows of this format have it.
    pub(super) fn is_in(&self, id: DialectId) -> bool {
        match id.facts.name {
            "openai" => !matches!(self.within, In::Responses | In::Claude),
            "openai-responses" => matches!(self.within, In::Responses | In::ChatAndResponses | In::All),
            "anthropic" => matches!(self.within, In::Claude | In::ChatAndClaude | In::All),
            _ => false,
        }
    }

    /// What it may be.
    pub(super) fn words(&self, id: DialectId) -> Words {
        (self.words)(id.facts.name)
    }

    /// Its value in a row.
    pub(super) fn get(&self, id: DialectId, limits: &Limits) -> String {
        (self.get)(id, limits)
    }

    /// Gives it a value.
    pub(super) fn set(&self, id: DialectId, limits: &mut Limits, value: &str) -> Result<(), Error> {
        let value = self.words(id).read(self.name, value)?;
        // A value that it has stays as the shipped row spells it.
        if self.get(id, limits) != value {
            (self.set)(id, limits, &value);
        }
        Ok(())
    }
}

macro_rules! columns {
    ($($name:literal in $within:ident, $words:expr, $get:path, $set:path;)+) => {
        /// Every column.
        pub(super) static ALL: &[Column] =
            &[$(Column { name: $name, within: In::$within, words: $words, get: $get, set: $set }),+];
    };
}

const COUNT: Words = Words::Count(&[""]);

columns! {
    "system" in ChatAndClaude, shape::system_words, shape::system, shape::set_system;
    "developer" in ChatAndResponses, |_| FLAG, shape::developer, shape::set_developer;
    "alternates" in ChatAndClaude, |_| FLAG, shape::alternates, shape::set_alternates;
    "user_after_result" in Chat, |_| FLAG, shape::user_after_result, shape::set_user_after_result;
    "starts_with" in Chat, |_| Words::One(&["any", "user"]), shape::starts_with, shape::set_starts_with;
    "ends_with" in ChatAndClaude, |_| Words::One(&["any", "user"]), shape::ends_with, shape::set_ends_with;
    "needs_user" in Chat, |_| FLAG, shape::needs_user, shape::set_needs_user;
    "one_text" in Chat, |_| Words::One(shape::ONE_TEXT), shape::one_text, shape::set_one_text;
    "beside_calls" in Chat, |_| Words::One(shape::SILENT), shape::beside_calls, shape::set_beside_calls;
    "blank_text" in ChatAndClaude, |_| FLAG, shape::blank_text, shape::set_blank_text;
    "ids" in All, |_| Words::Count(&["up_to_", "exactly_"]), shape::ids, shape::set_ids;
    "results" in Chat, |_| Words::One(&["each", "behind_call"]), shape::results, shape::set_results;
    "arguments" in ChatAndResponses, |_| Words::One(tools::ARGUMENTS), tools::arguments, tools::set_arguments;
    "tool_parameters" in Chat, |_| Words::One(&["optional", "always"]), tools::parameters, tools::set_parameters;
    "strict" in Chat, |_| Words::One(tools::STRICT), tools::strict, tools::set_strict;
    "schema" in ChatAndResponses, |_| Words::One(tools::SCHEMAS), tools::schema, tools::set_schema;
    "tools_max" in All, |_| COUNT, tools::tools_max, tools::set_tools_max;
    "name_length" in All, |_| COUNT, tools::name_length, tools::set_name_length;
    "custom_tools" in ChatAndResponses, |_| FLAG, tools::custom, tools::set_custom;
    "tool_choice" in All, |_| Words::Some(tools::CHOICES), tools::choice, tools::set_choice;
    "tool_choice_thinking" in ChatAndClaude, |_| Words::Some(tools::CHOICES), tools::thinking, tools::set_thinking;
    "reasoning" in All, shape::reasoning_words, shape::reasoning, shape::set_reasoning;
    "reasoning_needed" in ChatAndClaude, |_| FLAG, shape::reasoning_needed, shape::set_reasoning_needed;
    "reasoning_ids" in Responses, |_| FLAG, shape::reasoning_ids, shape::set_reasoning_ids;
    "signatures" in Chat, |_| Words::One(&["none", "google"]), shape::signatures, shape::set_signatures;
    "items" in Responses, |_| Words::One(&["free", "typed"]), shape::items, shape::set_items;
    "media" in All, |_| Words::Some(media::CLASSES), media::media, media::set_media;
    "urls" in All, |_| Words::Some(media::CLASSES), media::urls, media::set_urls;
    "images_in_results" in All, |_| FLAG, media::in_results, media::set_in_results;
    "unknown_keys" in All, |_| Words::One(&["kept", "left_out"]), shape::unknown_keys, shape::set_unknown_keys;
    "cache_marks" in ChatAndClaude, |_| FLAG, shape::cache_marks, shape::set_cache_marks;
    "beta_keys" in Claude, |_| FLAG, shape::beta_keys, shape::set_beta_keys;
    "max_tokens" in Chat, |_| Words::One(settings::LENGTHS), settings::max_tokens, settings::set_max_tokens;
    "refuses" in All, |_| Words::Keys, settings::refuses, settings::set_refuses;
    "effort" in All, |_| Words::Some(settings::EFFORTS), settings::effort, settings::set_effort;
    "effort_with_tools" in Chat, |_| Words::One(&["any", "none"]), settings::with_tools, settings::set_with_tools;
    "thinking" in ChatAndClaude, |_| Words::Some(settings::MODES), settings::thinking, settings::set_thinking;
    "formats" in ChatAndResponses, |_| Words::Some(settings::FORMATS), settings::formats, settings::set_formats;
    "format_with_tools" in ChatAndResponses, |_| FLAG, settings::format_with_tools, settings::set_format_with_tools;
}
