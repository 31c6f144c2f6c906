//! Columns about messages: where system text stands, who speaks, what stands beside calls, reasoning, keys.

use super::words::{Words, flag};
use crate::{
    k,
    report::Severity,
    rules::{
        Alphabet, Carries, DialectId, FirstWord, IdRule, LastWord, Limits, MarkForm, Marks, OneText, ReasoningRule,
        ResultPlace, SilentCalls, SystemPlace, Thoughts,
    },
};

pub(super) const ONE_TEXT: &[&str] = &["none", "replies", "all_but_user", "all"];
pub(super) const SILENT: &[&str] = &["null", "empty", "absent"];
/// What stands for reasoning that is not there. A space is taken where an empty text is not.
const STAND_IN: &str = " ";
const ANTHROPIC: &str = "anthropic";

pub(super) fn system_words(wire: &str) -> Words {
    Words::One(if wire == ANTHROPIC { &["anywhere", "top"] } else { &["anywhere", "first", "one", "user"] })
}
pub(super) fn system(_: DialectId, limits: &Limits) -> String {
    match limits.system {
        SystemPlace::First | SystemPlace::BehindUser => "first",
        SystemPlace::One => "one",
        SystemPlace::User => "user",
        SystemPlace::Beside => "top",
        SystemPlace::Anywhere | SystemPlace::Head | SystemPlace::Top | SystemPlace::Nowhere => "anywhere",
    }
    .to_owned()
}
pub(super) fn set_system(id: DialectId, limits: &mut Limits, value: &str) {
    limits.system = match value {
        "first" => SystemPlace::First,
        "one" => SystemPlace::One,
        "user" => SystemPlace::User,
        "top" => SystemPlace::Beside,
        _ if id.facts.name == ANTHROPIC => SystemPlace::Top,
        _ => SystemPlace::Anywhere,
    };
}

pub(super) fn developer(_: DialectId, limits: &Limits) -> String {
    flag(limits.developer)
}
pub(super) fn set_developer(_: DialectId, limits: &mut Limits, value: &str) {
    limits.developer = value == "yes";
}

pub(super) fn alternates(_: DialectId, limits: &Limits) -> String {
    flag(limits.alternates)
}
pub(super) fn set_alternates(_: DialectId, limits: &mut Limits, value: &str) {
    limits.alternates = value == "yes";
}

pub(super) fn user_after_result(_: DialectId, limits: &Limits) -> String {
    flag(limits.user_after_result != Severity::Error)
}
pub(super) fn set_user_after_result(_: DialectId, limits: &mut Limits, value: &str) {
    limits.user_after_result = if value == "yes" { Severity::Info } else { Severity::Error };
}

pub(super) fn starts_with(_: DialectId, limits: &Limits) -> String {
    match limits.starts_with_assistant {
        FirstWord::Anybody => "any",
        FirstWord::Followed => "followed",
        FirstWord::NotAssistant => "user",
    }
    .to_owned()
}
pub(super) fn set_starts_with(_: DialectId, limits: &mut Limits, value: &str) {
    limits.starts_with_assistant = match value {
        "any" => FirstWord::Anybody,
        "followed" => FirstWord::Followed,
        _ => FirstWord::NotAssistant,
    };
}

pub(super) fn ends_with(_: DialectId, limits: &Limits) -> String {
    if limits.ends_with_assistant == LastWord::Anybody { "any" } else { "user" }.to_owned()
}
pub(super) fn set_ends_with(_: DialectId, limits: &mut Limits, value: &str) {
    limits.ends_with_assistant = if value == "any" { LastWord::Anybody } else { LastWord::NotAssistant };
}

pub(super) fn needs_user(_: DialectId, limits: &Limits) -> String {
    flag(limits.user_needed)
}
pub(super) fn set_needs_user(_: DialectId, limits: &mut Limits, value: &str) {
    limits.user_needed = value == "yes";
}

const TEXTS: [OneText; 4] = [OneText::Nobody, OneText::Replies, OneText::AllButUser, OneText::All];
pub(super) fn one_text(_: DialectId, limits: &Limits) -> String {
    let at = TEXTS.iter().position(|one| *one == limits.one_text).unwrap_or_default();
    ONE_TEXT[at].to_owned()
}
pub(super) fn set_one_text(_: DialectId, limits: &mut Limits, value: &str) {
    limits.one_text = TEXTS[ONE_TEXT.iter().position(|word| *word == value).unwrap_or_default()];
}

const SILENCES: [SilentCalls; 3] = [SilentCalls::Null, SilentCalls::Empty, SilentCalls::Absent];
pub(super) fn beside_calls(_: DialectId, limits: &Limits) -> String {
    let at = SILENCES.iter().position(|one| *one == limits.silent_calls).unwrap_or_default();
    SILENT[at].to_owned()
}
pub(super) fn set_beside_calls(_: DialectId, limits: &mut Limits, value: &str) {
    limits.silent_calls = SILENCES[SILENT.iter().position(|word| *word == value).unwrap_or_default()];
}

pub(super) fn blank_text(_: DialectId, limits: &Limits) -> String {
    flag(limits.blank_text)
}
pub(super) fn set_blank_text(_: DialectId, limits: &mut Limits, value: &str) {
    (limits.blank_text, limits.blank_replays) = (value == "yes", value == "yes");
}

pub(super) fn ids(_: DialectId, limits: &Limits) -> String {
    match (limits.id.exact, limits.id.max) {
        (Some(exact), _) => format!("exactly_{exact}"),
        (None, usize::MAX) => "any".to_owned(),
        (None, max) => format!("up_to_{max}"),
    }
}
pub(super) fn set_ids(_: DialectId, limits: &mut Limits, value: &str) {
    let count = |head: &str| value.strip_prefix(head).and_then(|count| count.parse().ok());
    let shape = match (count("exactly_"), count("up_to_")) {
        (Some(exact), _) => IdRule { max: exact, exact: Some(exact), alphabet: Alphabet::ALPHANUMERIC, ..limits.id },
        (None, Some(max)) => IdRule { max, exact: None, ..limits.id },
        (None, None) => IdRule { max: usize::MAX, exact: None, alphabet: Alphabet::ANY, ..limits.id },
    };
    limits.id = shape;
}

pub(super) fn results(_: DialectId, limits: &Limits) -> String {
    if limits.results == ResultPlace::EachBehindCall { "behind_call" } else { "each" }.to_owned()
}
pub(super) fn set_results(_: DialectId, limits: &mut Limits, value: &str) {
    let behind = value == "behind_call";
    limits.results = if behind { ResultPlace::EachBehindCall } else { ResultPlace::OneEach };
    limits.results_in_call_order = behind;
}

pub(super) fn reasoning_words(wire: &str) -> Words {
    Words::One(match wire {
        "openai" => &["refused", "kept", "reasoning", "reasoning_content"],
        ANTHROPIC => &["signed", "unsigned", "refused"],
        _ => &["encrypted", "text", "refused"],
    })
}
pub(super) fn reasoning(id: DialectId, limits: &Limits) -> String {
    let own = match id.facts.name {
        "openai" => "kept",
        ANTHROPIC => "signed",
        _ => "encrypted",
    };
    match limits.reasoning {
        ReasoningRule::None | ReasoningRule::Signature(_) => "refused",
        ReasoningRule::Replay => own,
        ReasoningRule::Own(key) | ReasoningRule::Key(key, _) => key,
        ReasoningRule::Unsigned(_) => "unsigned",
        ReasoningRule::Text => "text",
    }
    .to_owned()
}
pub(super) fn set_reasoning(_: DialectId, limits: &mut Limits, value: &str) {
    let needed = needs(limits);
    limits.reasoning = match value {
        "refused" => ReasoningRule::None,
        "unsigned" => ReasoningRule::Unsigned(needed),
        "text" => ReasoningRule::Text,
        "reasoning" => needed.map_or(ReasoningRule::Own("reasoning"), |text| ReasoningRule::Key("reasoning", text)),
        "reasoning_content" => {
            let key = "reasoning_content";
            needed.map_or(ReasoningRule::Own(key), |text| ReasoningRule::Key(key, text))
        }
        _ => ReasoningRule::Replay,
    };
    if matches!(limits.thoughts, Thoughts::Nowhere | Thoughts::Key(_)) {
        limits.thoughts = match value {
            "refused" => Thoughts::Nowhere,
            "reasoning" => Thoughts::Key(&k::REASONING),
            _ => Thoughts::Key(&k::REASONING_CONTENT),
        };
    }
    if let ReasoningRule::Text = limits.reasoning {
        limits.binds_reasoning = None;
    }
}

/// What stands for reasoning that is needed.
fn needs(limits: &Limits) -> Option<&'static str> {
    match limits.reasoning {
        ReasoningRule::Key(_, instead) => Some(instead),
        ReasoningRule::Unsigned(needed) => needed,
        _ => None,
    }
}

pub(super) fn reasoning_needed(_: DialectId, limits: &Limits) -> String {
    flag(needs(limits).is_some())
}
pub(super) fn set_reasoning_needed(_: DialectId, limits: &mut Limits, value: &str) {
    let needed = (value == "yes").then_some(STAND_IN);
    limits.reasoning = match (limits.reasoning, needed) {
        (ReasoningRule::Own(key) | ReasoningRule::Key(key, _), Some(text)) => ReasoningRule::Key(key, text),
        (ReasoningRule::Key(key, _), None) => ReasoningRule::Own(key),
        (ReasoningRule::Unsigned(_), needed) => ReasoningRule::Unsigned(needed),
        // `contradicts` finds a key that is needed and not there.
        (_, Some(text)) => ReasoningRule::Key("", text),
        (other, None) => other,
    };
}

pub(super) fn signatures(_: DialectId, limits: &Limits) -> String {
    let signs = matches!(limits.reasoning, ReasoningRule::Signature(_));
    if signs { "google" } else { "none" }.to_owned()
}
pub(super) fn set_signatures(_: DialectId, limits: &mut Limits, value: &str) {
    let google = DialectId::named("openai:gemini").and_then(DialectId::limits);
    if let ("google", Ok(google)) = (value, google) {
        (limits.reasoning, limits.carries) = (google.reasoning, google.carries);
        limits.thoughts = google.thoughts;
    } else {
        (limits.reasoning, limits.carries) = (ReasoningRule::None, Carries::Nothing);
    }
}

const NEEDS_KEY: &str = "reasoning_needed needs a key in reasoning, or unsigned: expected reasoning=reasoning_content beside it, \
                         or reasoning=unsigned for Messages";

/// Why the columns about reasoning do not go together.
pub(super) fn contradicts(_: DialectId, limits: &Limits) -> Option<&'static str> {
    matches!(limits.reasoning, ReasoningRule::Key("", _)).then_some(NEEDS_KEY)
}

pub(super) fn items(_: DialectId, limits: &Limits) -> String {
    if limits.typed_items { "typed" } else { "free" }.to_owned()
}
pub(super) fn set_items(_: DialectId, limits: &mut Limits, value: &str) {
    limits.typed_items = value == "typed";
}

pub(super) fn reasoning_ids(_: DialectId, limits: &Limits) -> String {
    flag(limits.reasoning_ids)
}
pub(super) fn set_reasoning_ids(_: DialectId, limits: &mut Limits, value: &str) {
    limits.reasoning_ids = value == "yes";
}

pub(super) fn unknown_keys(_: DialectId, limits: &Limits) -> String {
    if limits.closed { "left_out" } else { "kept" }.to_owned()
}
pub(super) fn set_unknown_keys(_: DialectId, limits: &mut Limits, value: &str) {
    limits.closed = value == "left_out";
    if limits.closed {
        limits.reply_keys = Severity::Error;
    }
}

pub(super) fn cache_marks(_: DialectId, limits: &Limits) -> String {
    flag(limits.marks.is_some_and(|marks| marks.form == MarkForm::Control))
}
pub(super) fn set_cache_marks(id: DialectId, limits: &mut Limits, value: &str) {
    let anywhere = Marks::anywhere(MarkForm::Control);
    limits.marks = match value {
        "yes" if id.facts.name == ANTHROPIC => Some(anywhere),
        "yes" => Some(Marks { beside: false, calls: false, in_results: true, ..anywhere }),
        _ => None,
    };
}

pub(super) fn beta_keys(_: DialectId, limits: &Limits) -> String {
    flag(limits.beta_keys)
}
pub(super) fn set_beta_keys(_: DialectId, limits: &mut Limits, value: &str) {
    limits.beta_keys = value == "yes";
}
