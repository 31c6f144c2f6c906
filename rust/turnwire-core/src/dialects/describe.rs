//! Describes the dialects in words for readers: what each payload is, and what its servers take.

use super::table::ids;
use crate::rules::{
    ArgsForm, DialectId, FirstWord, LastWord, Limits, MediaClass, MediaInResult, ReasoningRule, ResultPlace, Slots,
    SystemPlace,
    settings::{self, Differs, of_row},
};

/// A property of a dialect, by its name.
pub type Property = (&'static str, String);

/// Every dialect and profile that can be read and written, with its properties.
pub fn table() -> impl Iterator<Item = (String, Vec<Property>)> {
    ids().filter_map(|id| {
        let mut properties = vec![("payload", payload(id.facts.slots?))];
        properties.extend(of(id.limits().ok()?));
        Some((id.name(), properties))
    })
}

/// How servers, versions and models differ from their format in the settings of a body.
pub fn differing() -> impl Iterator<Item = Differs> {
    let of = |id: DialectId| of_row(id.name(), &id.limits().ok()?.settings, id.facts.name);
    ids().filter_map(of).chain(settings::differing())
}

/// The keys of a payload.
fn payload(slots: &Slots) -> String {
    if slots.bare() {
        let key = slots.list_key();
        return if key.is_empty() { "a list".to_owned() } else { format!("a list, or `{key}`") };
    }
    let keys: Vec<_> = slots.all().map(|slot| format!("`{}`", slot.first().path())).collect();
    keys.join(", ")
}

fn of(limits: &Limits) -> Vec<Property> {
    let yes = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
    let most = |count: usize| if count == usize::MAX { "any".to_owned() } else { format!("{count} characters") };
    let id = match (limits.id.exact, limits.id.optional) {
        (Some(exact), _) => format!("exactly {exact} characters"),
        (None, true) => "optional".to_owned(),
        (None, false) => most(limits.id.max),
    };
    vec![
        ("ids of calls", id),
        ("names of tools", most(limits.name.max)),
        ("arguments", in_words(limits.args).to_owned()),
        ("results", place(limits.results).to_owned()),
        ("error flag", yes(limits.error_flag)),
        ("system text", system(limits.system).to_owned()),
        ("blank text", yes(limits.blank_text)),
        ("sides alternate", yes(limits.alternates)),
        ("may begin with the assistant", first(limits.starts_with_assistant).to_owned()),
        ("may end with the assistant", last(limits.ends_with_assistant)),
        ("media", media(limits)),
        ("media in results", in_result(limits.media_in_result).to_owned()),
        ("reasoning", reasoning(limits.reasoning)),
    ]
}

fn first(word: FirstWord) -> &'static str {
    match word {
        FirstWord::Anybody => "yes",
        FirstWord::NotAssistant => "no",
        FirstWord::Followed => "behind system text, or without calls if a turn follows",
    }
}

fn last(word: LastWord) -> String {
    match word {
        LastWord::Anybody => "yes".to_owned(),
        LastWord::NotAssistant => "no".to_owned(),
        LastWord::OnServer => "with tools that the provider runs".to_owned(),
        LastWord::Marked(key) => format!("with `{key}`"),
    }
}

fn in_words(args: ArgsForm) -> &'static str {
    match args {
        ArgsForm::Object => "an object",
        ArgsForm::Text => "JSON text",
        ArgsForm::Either => "an object, or text",
        ArgsForm::TextOrObject => "JSON text, or an object",
        ArgsForm::ObjectText => "JSON text of an object",
        ArgsForm::ObjectOrNullText => "JSON text of an object, or its own `null`",
        ArgsForm::JsonText => "JSON text of any value",
    }
}

fn place(results: ResultPlace) -> &'static str {
    match results {
        ResultPlace::OneEach => "a message each",
        ResultPlace::AsTheyCome => "in the message of their turn",
        ResultPlace::WithCall => "in the part of their call",
        ResultPlace::EachBehindCall | ResultPlace::BehindCall => "a message each, right after its call",
        ResultPlace::OneTurn => "one user message, before everything else",
        ResultPlace::Alone => "one user message, alone",
        ResultPlace::AloneAfterRun => "one user message, alone; its own calls may be in several",
    }
}

fn system(place: SystemPlace) -> &'static str {
    match place {
        SystemPlace::Anywhere => "a message, anywhere",
        SystemPlace::First => "a message, at the front",
        SystemPlace::BehindUser => "a message, at the front or behind the user's",
        SystemPlace::One => "one message, at the front",
        SystemPlace::User => "in front of the user's first words",
        SystemPlace::Head => "its own key, or the first message",
        SystemPlace::Top | SystemPlace::Beside => "its own key",
        SystemPlace::Nowhere => "no place",
    }
}

fn media(limits: &Limits) -> String {
    let taken = |class: &MediaClass| !limits.media.types(*class).is_empty() || limits.media.urls.contains(class);
    let classes: Vec<_> = MediaClass::ALL.iter().filter(|class| taken(class)).map(|class| class.name()).collect();
    if classes.is_empty() { "none".to_owned() } else { classes.join(", ") }
}

fn in_result(rule: MediaInResult) -> &'static str {
    match rule {
        MediaInResult::Never => "no",
        MediaInResult::UnlessFailed => "unless it failed",
        MediaInResult::Always => "yes",
        _ => "some",
    }
}

fn reasoning(rule: ReasoningRule) -> String {
    match rule {
        ReasoningRule::None => "none".to_owned(),
        ReasoningRule::Replay => "its own is sent back".to_owned(),
        ReasoningRule::Own(key) => format!("`{key}` is sent back"),
        ReasoningRule::Key(key, _) => format!("requires `{key}`"),
        ReasoningRule::Unsigned(None) | ReasoningRule::Text => "any, as readable text".to_owned(),
        ReasoningRule::Unsigned(Some(_)) => "requires readable text".to_owned(),
        ReasoningRule::Signature(_) => "requires signatures on calls".to_owned(),
    }
}
