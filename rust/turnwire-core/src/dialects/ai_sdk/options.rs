//! Lists the options of providers whose meaning other formats know: `providerOptions` of messages, `providerMetadata` of the UI.

use crate::{
    model::{Kind, Part, Parts, Turn},
    report::Place,
    rules::{
        CompactionRule, MarkForm,
        option_rule::{EFFORT, Means, OptionOf, OptionRule},
        ran_rule::{OutputPlace, RecordRule},
    },
    value::{HashMap, HashSet, Host, Input, Source, Text},
    wire::{plan::options::all_named, read::keys::placed},
};

const ANTHROPIC: &[&str] = &["anthropic"];
const BEDROCK: &[&str] = &["bedrock", "amazonBedrock"];
const GOOGLE: &[&str] = &["google", "vertex", "googleVertex"];
const OPENAI: &[&str] = &["openai", "azure"];

const fn option(providers: &'static [&'static str], key: &'static str, means: Means) -> OptionOf {
    OptionOf { providers, key, means }
}

const OPTIONS: &[OptionOf] = &[
    option(ANTHROPIC, "signature", Means::Signature),
    option(ANTHROPIC, "redactedData", Means::Redacted),
    option(BEDROCK, "signature", Means::Signature),
    option(BEDROCK, "redactedData", Means::RedactedBytes),
    option(BEDROCK, "redactedContent", Means::RedactedBytes),
    option(GOOGLE, "thoughtSignature", Means::Signed),
    option(OPENAI, "itemId", Means::Item),
    option(OPENAI, "reasoningEncryptedContent", Means::Encrypted),
    option(&["openrouter"], "reasoning_details", Means::Details),
    option(ANTHROPIC, "cacheControl", Means::Mark(MarkForm::Control)),
    option(ANTHROPIC, "cache_control", Means::Mark(MarkForm::Control)),
    option(&["openrouter", "alibaba"], "cacheControl", Means::Mark(MarkForm::Control)),
    option(BEDROCK, "cachePoint", Means::Mark(MarkForm::Point)),
    option(OPENAI, "promptCacheBreakpoint", Means::Mark(MarkForm::Breakpoint)),
    option(OPENAI, "reasoningEffortUpdate", Means::Effort),
    option(ANTHROPIC, "type", Means::Kind),
    option(OPENAI, "imageDetail", Means::Key("detail")),
    option(OPENAI, "phase", Means::Key("phase")),
    option(OPENAI, "namespace", Means::Key("namespace")),
    option(OPENAI, "caller", Means::Key("caller")),
    option(ANTHROPIC, "title", Means::Key("title")),
    option(ANTHROPIC, "context", Means::Key("context")),
    option(ANTHROPIC, "citations", Means::Key("citations")),
];

/// The keys of a record.
const KEYS: [&str; 4] = ["providerExecuted", "toolCallId", "toolName", "input"];

const CALL: RecordRule =
    RecordRule { types: "tool-call", marked: true, apart: true, before_name: "", keys: KEYS, outputs: &[] };
const RESULT: RecordRule = RecordRule {
    types: "tool-result",
    marked: false,
    keys: [KEYS[0], KEYS[1], KEYS[2], ""],
    outputs: &[OutputPlace { at: "output.value", fails_if: Some(("output.type", "error")), fails: false }],
    ..CALL
};
const BOTH: RecordRule = RecordRule {
    types: "dynamic-tool tool-*",
    apart: false,
    before_name: "tool-",
    outputs: &[
        OutputPlace { at: "output", fails_if: None, fails: false },
        OutputPlace { at: "errorText", fails_if: None, fails: true },
    ],
    ..CALL
};

pub(super) const MODEL: OptionRule =
    OptionRule { keys: &["providerOptions"], records: &[CALL, RESULT], options: OPTIONS };
pub(in crate::dialects) const UI: OptionRule = OptionRule {
    keys: &["providerMetadata", "callProviderMetadata", "resultProviderMetadata"],
    records: &[BOTH],
    options: OPTIONS,
};

/// Several parts of reasoning may be one item of OpenAI's, whose proof is in the last of them: it is that of all.
pub(in crate::dialects) fn share_proofs<H: Host>(rule: &OptionRule, parts: &mut Parts<H>, input: Option<&Input>) {
    let thoughts = || parts.iter().filter(|part| matches!(part.kind, Kind::Reasoning(_)));
    if thoughts().all(|part| part.signed) {
        return;
    }
    // An item that the provider has stored is known by its id, if those of the items around it are there.
    let named = all_named(rule, parts, input);
    if !named && !thoughts().any(|part| part.signed) {
        return;
    }
    let name = |id: Text<H>| id.to_str(None).into_owned();
    let (mut of_parts, mut proven) = (HashMap::default(), HashSet::default());
    for (at, part) in parts.iter().enumerate().filter(|(_, part)| matches!(part.kind, Kind::Reasoning(_))) {
        let Some(Ok(whole)) = part.origin.as_ref().map(|origin| origin.to_value(input)) else { continue };
        let given = rule.of_value(&whole);
        let Some(id) = rule.text(&given, Means::Item).map(name) else { continue };
        if rule.text(&given, Means::Encrypted).is_some() {
            proven.insert(id);
        } else {
            of_parts.insert(at, id);
        }
    }
    for (at, id) in of_parts {
        parts[at].signed |= named || proven.contains(&id);
    }
}

/// The type of a text that summarises what came before, so that it stands for that.
pub(in crate::dialects) const COMPACTION: CompactionRule =
    CompactionRule { kind: "compaction", summary: Some("text"), covers_users: true, asked: None };

/// Makes a text that is a provider's compaction one.
pub(in crate::dialects) fn compacted<H: Host>(rule: &OptionRule, part: &mut Part<H>, input: Option<&Input>) {
    let Some(extras) = part.extras.as_deref().filter(|_| matches!(part.kind, Kind::Text(_))) else { return };
    let kind = rule.text(&rule.of_extras(extras, input), Means::Kind);
    if kind.is_some_and(|kind| kind.is(COMPACTION.kind, None)) {
        part.kind = Kind::Opaque(Text::own(COMPACTION.kind));
    }
}

/// Makes a message without text that only sets the effort of reasoning a setting.
pub(super) fn setting<S: Source>(turn: &mut Turn<S::H>, element: &S) {
    let Some(extras) = turn.extras.as_deref().filter(|_| turn.role.is_system() && turn.parts.is_empty()) else {
        return;
    };
    let given = MODEL.of_extras(extras, element.input());
    if MODEL.text(&given, Means::Effort).is_none() {
        return;
    }
    if given.len() == 1 && extras.len() == 1 {
        turn.extras = None;
    }
    turn.parts.push(placed(Kind::Opaque(Text::own(EFFORT)), element, Place::default()));
}
