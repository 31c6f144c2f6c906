//! Lists the columns of the limits table, each with a change of its value.

use crate::k;
use crate::report::severity::Severity;
use crate::rules::{
    alphabet::Alphabet,
    bound,
    family::Family,
    limits::{
        ArgsForm, BesideCalls, Carries, Files, FirstWord, IdRule, InTexts, JoinedTexts, JsonPlace, Judged, LastWord,
        LaterRule, LaterTools, Limits, MediaInResult, MediaRule, MessageId, MuteError, NameRule, Once, OneText,
        PartOrder, PlainDocument, ReasoningRule, ResultPlace, STORED_ELSEWHERE, SilentCalls, Strict, StrictFlag,
        SystemPlace, Thoughts, ToolRule, TypedUrls,
    },
    mark_rule::{MarkForm, Marks},
    media_class::MediaClass,
    settings::{Cell, Kind, RowSettings, at},
    tool_rule::{Draft, References},
};

/// A column's name, and the row with another value in it.
pub(super) type Flip = (&'static str, fn(Limits) -> Limits);

/// An alphabet without any letter.
static NO_LETTERS: Alphabet = Alphabet::of(b"").without(b"abcdefghijklmnopqrstuvwxyz");

/// A row with another rule for tools.
#[allow(clippy::large_types_passed_by_value, reason = "as the flips take it")]
fn tool(row: Limits, change: fn(&mut ToolRule)) -> Limits {
    let mut rule = row.tool;
    change(&mut rule);
    Limits { tool: rule, ..row }
}

/// All columns, each with the opposite of its flag, or with a value that the row does not have.
pub(super) const FLIPS: &[Flip] = &[
    ("id.max", |row| Limits { id: IdRule { max: 3, ..row.id }, ..row }),
    ("id.exact", |row| Limits {
        id: IdRule { exact: Some(if row.id.exact == Some(9) { 8 } else { 9 }), ..row.id },
        ..row
    }),
    ("id.alphabet", |row| {
        let plain = row.id.alphabet == Alphabet::ALPHANUMERIC;
        let alphabet = if plain { Alphabet::ANY } else { Alphabet::ALPHANUMERIC };
        Limits { id: IdRule { alphabet, ..row.id }, ..row }
    }),
    ("id.optional", |row| Limits { id: IdRule { optional: !row.id.optional, ..row.id }, ..row }),
    ("id.once", |row| {
        let once = if row.id.once == Once::Free { Once::InPayload } else { Once::Free };
        Limits { id: IdRule { once, ..row.id }, ..row }
    }),
    ("nine", |row| Limits { nine: if (row.nine)(None) { bound::no_model } else { bound::every_model }, ..row }),
    ("name.max", |row| Limits { name: NameRule { max: 2, ..row.name }, ..row }),
    ("name.alphabet", |row| Limits { name: NameRule { alphabet: Alphabet::ALPHANUMERIC, ..row.name }, ..row }),
    ("name.first", |row| Limits { name: NameRule { first: &NO_LETTERS, ..row.name }, ..row }),
    ("tool.draft", |row| {
        tool(row, |rule| rule.draft = if rule.draft == Draft::Newest { Draft::Seven } else { Draft::Newest })
    }),
    ("tool.needed", |row| tool(row, |rule| rule.needed = !rule.needed)),
    ("tool.typed_root", |row| tool(row, |rule| rule.typed_root = !rule.typed_root)),
    ("tool.listed_root", |row| tool(row, |rule| (rule.typed_root, rule.listed_root) = (true, !rule.listed_root))),
    ("tool.root_refused", |row| tool(row, |rule| (rule.typed_root, rule.root_refused) = (true, &["title"]))),
    ("tool.root_keys", |row| tool(row, |rule| rule.root_keys = &["type"])),
    ("tool.keys", |row| tool(row, |rule| (rule.root_keys, rule.keys) = (&[], &["type"]))),
    ("tool.annotations", |row| tool(row, |rule| (rule.root_keys, rule.annotations) = (&["type"], !rule.annotations))),
    ("tool.free_items", |row| tool(row, |rule| rule.free_items = !rule.free_items)),
    ("tool.refused", |row| tool(row, |rule| rule.refused = &["title"])),
    ("tool.id_is_reference", |row| {
        tool(row, |rule| (rule.refused, rule.id_is_reference) = (&[], !rule.id_is_reference))
    }),
    ("tool.listed_items", |row| tool(row, |rule| rule.listed_items = !rule.listed_items)),
    ("tool.no_flags", |row| tool(row, |rule| rule.no_flags = !rule.no_flags)),
    ("tool.references", |row| {
        tool(row, |rule| {
            rule.references = if rule.references == References::None { References::Any } else { References::None };
        })
    }),
    ("tool.property", |row| {
        tool(row, |rule| (rule.typed_root, rule.property) = (true, NameRule { max: 1, ..NameRule::ANY }))
    }),
    ("tool.strict", |row| {
        tool(row, |rule| {
            rule.strict = if rule.strict == Strict::Any { Strict::AllKeys } else { Strict::Any };
        })
    }),
    ("tool.told", |row| tool(row, |rule| (rule.refused, rule.told) = (&[], &["title"]))),
    ("tool.typed", |row| tool(row, |rule| rule.typed = !rule.typed)),
    ("tool.strict_flag", |row| {
        tool(row, |rule| {
            rule.strict_flag =
                if rule.strict_flag == StrictFlag::LeftOut { StrictFlag::Kept } else { StrictFlag::LeftOut };
        })
    }),
    ("results", |row| Limits {
        results: if row.results == ResultPlace::OneEach { ResultPlace::OneTurn } else { ResultPlace::OneEach },
        ..row
    }),
    ("between_results", |row| Limits {
        between_results: if row.between_results.is_empty() { "\n--\n" } else { "" },
        ..row
    }),
    ("results_in_call_order", |row| Limits { results_in_call_order: !row.results_in_call_order, ..row }),
    ("results_named", |row| Limits { results_named: !row.results_named, ..row }),
    ("blank_result", |row| Limits { blank_result: !row.blank_result, ..row }),
    ("mute_error", |row| {
        let kept = row.mute_error == MuteError::Kept;
        Limits { mute_error: if kept { MuteError::Refused } else { MuteError::Kept }, ..row }
    }),
    ("error_repeats", |row| Limits { error_repeats: !row.error_repeats, ..row }),
    ("error_flag", |row| Limits { error_flag: !row.error_flag, ..row }),
    ("alternates", |row| Limits { alternates: !row.alternates, ..row }),
    ("blank_text", |row| Limits { blank_text: !row.blank_text, ..row }),
    ("blank_answer", |row| Limits { blank_answer: !row.blank_answer, ..row }),
    ("blank_replays", |row| Limits { blank_replays: !row.blank_replays, ..row }),
    ("trailing_space", |row| Limits { trailing_space: !row.trailing_space, ..row }),
    ("checks_prefix", |row| {
        let checks = (row.checks_prefix)(None);
        Limits { checks_prefix: if checks { bound::no_model } else { |_| true }, ..row }
    }),
    ("later.text", |row| Limits { later: LaterRule { text: !row.later.text, ..row.later }, ..row }),
    ("later.tools", |row| {
        let tools = if row.later.tools == LaterTools::Replaced { LaterTools::Shown } else { LaterTools::Replaced };
        Limits { later: LaterRule { tools, ..row.later }, ..row }
    }),
    ("later.models", |row| {
        let models = if (row.later.models)(None) { bound::no_model } else { bound::every_model };
        Limits { later: LaterRule { models, ..row.later }, ..row }
    }),
    ("family", |row| Limits { family: if row.family == Family::Any { Family::Claude } else { Family::Any }, ..row }),
    ("prefill", |row| Limits { prefill: !row.prefill, ends_with_assistant: LastWord::NotAssistant, ..row }),
    ("starts_with_assistant", |row| Limits {
        starts_with_assistant: if row.starts_with_assistant == FirstWord::NotAssistant {
            FirstWord::Anybody
        } else {
            FirstWord::NotAssistant
        },
        ..row
    }),
    ("ends_with_assistant", |row| Limits {
        ends_with_assistant: if row.ends_with_assistant == LastWord::Anybody {
            LastWord::NotAssistant
        } else {
            LastWord::Anybody
        },
        ..row
    }),
    ("args", |row| Limits { args: if row.args == ArgsForm::Text { ArgsForm::Object } else { ArgsForm::Text }, ..row }),
    ("free_text", |row| Limits { free_text: !row.free_text, ..row }),
    ("json", |row| Limits {
        json: if row.json == JsonPlace::Nowhere { JsonPlace::InResult } else { JsonPlace::Nowhere },
        ..row
    }),
    ("refusals", |row| Limits { refusals: !row.refusals, ..row }),
    ("media.images", |row| Limits {
        media: MediaRule { images: if row.media.images.is_empty() { &[""] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.audio", |row| Limits {
        media: MediaRule { audio: if row.media.audio.is_empty() { &[""] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.video", |row| Limits {
        media: MediaRule { video: if row.media.video.is_empty() { &[""] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.documents", |row| Limits {
        media: MediaRule { documents: if row.media.documents.is_empty() { &[""] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.urls", |row| Limits {
        media: MediaRule { urls: if row.media.urls.is_empty() { &[MediaClass::Image] } else { &[] }, ..row.media },
        ..row
    }),
    ("media.files", |row| Limits {
        media: MediaRule {
            files: if row.media.files.is_some() {
                None
            } else {
                Some(Files {
                    holder: "openai",
                    elsewhere: STORED_ELSEWHERE,
                    classes: &MediaClass::ALL,
                    as_address: false,
                })
            },
            ..row.media
        },
        ..row
    }),
    ("media.address", |row| Limits { media: MediaRule { address: Some(|_| false), ..row.media }, ..row }),
    ("media.schemes", |row| Limits { media: MediaRule { schemes: &["gs://"], ..row.media }, ..row }),
    ("media.typed_data", |row| Limits { media: MediaRule { typed_data: !row.media.typed_data, ..row.media }, ..row }),
    ("media.typed_urls", |row| Limits {
        media: MediaRule {
            typed_urls: if row.media.typed_urls == TypedUrls::Always { TypedUrls::Never } else { TypedUrls::Always },
            urls: &MediaClass::ALL,
            ..row.media
        },
        ..row
    }),
    ("media.named", |row| Limits {
        media: MediaRule { named: if row.media.named.is_empty() { &MediaClass::ALL } else { &[] }, ..row.media },
        ..row
    }),
    ("media.detail", |row| Limits { media: MediaRule { detail: !row.media.detail, ..row.media }, ..row }),
    ("media.names", |row| Limits {
        media: MediaRule {
            names: if row.media.names.is_some() { None } else { Some(NameRule { max: 2, ..row.name }) },
            ..row.media
        },
        ..row
    }),
    ("media.text_beside", |row| Limits {
        media: MediaRule { text_beside: !row.media.text_beside, ..row.media },
        ..row
    }),
    ("media.sound_beside_system", |row| Limits {
        media: MediaRule { sound_beside_system: !row.media.sound_beside_system, ..row.media },
        ..row
    }),
    ("media.plain", |row| Limits {
        media: MediaRule {
            plain: if row.media.plain == PlainDocument::Text { PlainDocument::Refused } else { PlainDocument::Text },
            ..row.media
        },
        ..row
    }),
    ("media.in_texts", |row| Limits {
        media: MediaRule {
            in_texts: if row.media.in_texts == InTexts::Nothing { InTexts::Only } else { InTexts::Nothing },
            ..row.media
        },
        ..row
    }),
    ("media.judged", |row| Limits {
        media: MediaRule {
            judged: if row.media.judged == Judged::Never { Judged::Ordinary } else { Judged::Never },
            ..row.media
        },
        ..row
    }),
    ("carries", |row| Limits {
        carries: if matches!(row.carries, Carries::Nothing) { Carries::Details } else { Carries::Nothing },
        ..row
    }),
    ("marks", |row| Limits {
        marks: if row.marks.is_some() { None } else { Some(Marks::anywhere(MarkForm::Control)) },
        ..row
    }),
    ("chooses_thinking", |row| Limits { chooses_thinking: &[], ..row }),
    ("reasoning_ids", |row| Limits { reasoning_ids: !row.reasoning_ids, ..row }),
    ("typed_items", |row| Limits { typed_items: !row.typed_items, ..row }),
    ("beta_keys", |row| Limits { beta_keys: !row.beta_keys, ..row }),
    ("user_needed", |row| Limits { user_needed: !row.user_needed, ..row }),
    ("silent_calls", |row| Limits {
        silent_calls: if row.silent_calls == SilentCalls::Empty { SilentCalls::Null } else { SilentCalls::Empty },
        ..row
    }),
    ("closed", |row| Limits { closed: !row.closed, ..row }),
    ("settings.refuses", |row| {
        let refuses: &[&str] = if row.settings.refuses.is_empty() {
            &["temperature", "generationConfig", "inferenceConfig", "options", "generation_config"]
        } else {
            &[]
        };
        Limits { settings: RowSettings { refuses, ..row.settings }, ..row }
    }),
    ("settings.formats", |row| Limits { settings: RowSettings { formats: &["text"], ..row.settings }, ..row }),
    ("settings.format_with_tools", |row| {
        let format_with_tools = !row.settings.format_with_tools;
        Limits { settings: RowSettings { format_with_tools, ..row.settings }, ..row }
    }),
    ("settings.effort_with_tools", |row| {
        let effort_with_tools = !row.settings.effort_with_tools;
        Limits { settings: RowSettings { effort_with_tools, ..row.settings }, ..row }
    }),
    ("settings.cells", |row| {
        const COLD: &[(&str, Cell)] = &[("temperature", at(&[], Kind::Refused("no")))];
        Limits { settings: RowSettings { cells: COLD, ..row.settings }, ..row }
    }),
    ("media_in_result", |row| Limits {
        media_in_result: if row.media_in_result == MediaInResult::Never {
            MediaInResult::Always
        } else {
            MediaInResult::Never
        },
        ..row
    }),
    ("media_of_all", |row| Limits { media_of_all: !row.media_of_all, ..row }),
    ("order", |row| Limits {
        order: if row.order == PartOrder::Free { PartOrder::CallsLast } else { PartOrder::Free },
        ..row
    }),
    ("chooses", |row| Limits { chooses: &[], ..row }),
    ("beside_calls", |row| Limits {
        beside_calls: if row.beside_calls == BesideCalls::Nothing { BesideCalls::All } else { BesideCalls::Nothing },
        ..row
    }),
    ("message_id", |row| Limits {
        message_id: if row.message_id == MessageId::NoMessage { MessageId::EveryMessage } else { MessageId::NoMessage },
        ..row
    }),
    ("system", |row| Limits {
        system: if row.system == SystemPlace::Nowhere { SystemPlace::Anywhere } else { SystemPlace::Nowhere },
        ..row
    }),
    ("developer", |row| Limits { developer: !row.developer, ..row }),
    ("one_text", |row| Limits {
        one_text: if row.one_text == OneText::Nobody { OneText::AllButUser } else { OneText::Nobody },
        ..row
    }),
    ("joined", |row| Limits {
        joined: if row.joined == JoinedTexts::Nobody { JoinedTexts::SystemAndAssistant } else { JoinedTexts::Nobody },
        ..row
    }),
    ("reasoning", |row| Limits {
        reasoning: match row.reasoning {
            ReasoningRule::Key(..) | ReasoningRule::Own(_) => ReasoningRule::Replay,
            _ => ReasoningRule::Key("reasoning_content", ""),
        },
        ..row
    }),
    ("system_reasons", |row| Limits { system_reasons: !row.system_reasons, ..row }),
    ("thoughts", |row| Limits {
        thoughts: if matches!(row.thoughts, Thoughts::Nowhere) {
            Thoughts::Key(&k::REASONING_CONTENT)
        } else {
            Thoughts::Nowhere
        },
        ..row
    }),
    ("tools_required", |row| Limits { tools_required: !row.tools_required, ..row }),
    ("tools_max", |row| Limits { tools_max: 0, ..row }),
    ("joins_assistant", |row| Limits { joins_assistant: !row.joins_assistant, ..row }),
    ("binds_reasoning", |row| Limits { binds_reasoning: row.binds_reasoning.is_none().then_some("id"), ..row }),
    ("id.form", |row| Limits { id: IdRule { form: other(row.id.form), ..row.id }, ..row }),
    ("reply_keys", |row| Limits { reply_keys: other(row.reply_keys), ..row }),
    ("no_tools", |row| Limits { no_tools: other(row.no_tools), ..row }),
    ("lone_choice", |row| Limits { lone_choice: other(row.lone_choice), ..row }),
    ("false_strict", |row| Limits { false_strict: other(row.false_strict), ..row }),
    ("blank_beside", |row| Limits { blank_beside: other(row.blank_beside), ..row }),
    ("blank_system", |row| Limits { blank_system: other(row.blank_system), ..row }),
    ("user_after_result", |row| Limits { user_after_result: other(row.user_after_result), ..row }),
];

/// Another severity, with which a build does the same unless the target accepts the fault.
fn other(severity: Severity) -> Severity {
    if severity == Severity::Warning { Severity::Error } else { Severity::Warning }
}
