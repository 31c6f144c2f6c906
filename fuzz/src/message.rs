//! Fuzzes messages: whatever their content, what they emit stays within the budget, and a second cut changes nothing.

use arbitrary::Arbitrary;
use turnwire_core::{
    model::{
        part::{Kind, Part},
        tool::{Content, ToolResult},
    },
    spec::message::{
        Block, REDACTED_RESULT, Timestamp, UserEnvContext, UserMessage, UserMessageContent, truncate_results,
    },
    text::{Units, budget::Split},
    value::{
        handle::{NoHost, Raw, Text, Value},
        json,
    },
};

use super::case::case;

#[derive(Arbitrary, Debug)]
struct Case {
    /// `None`: results alone.
    prompt: Option<Run>,
    /// `None`: a prompt alone.
    results: Option<Vec<Vec<Said>>>,
    context: Run,
    timestamp: Option<String>,
    suffix: String,
    max_bytes: u16,
    fair: bool,
}

/// A text, repeated, so that short inputs also make long texts.
#[derive(Arbitrary, Debug)]
struct Run(String, u8);

#[derive(Arbitrary, Debug)]
enum Said {
    Text(Run),
    Json(Json),
}

#[derive(Arbitrary, Debug)]
enum Json {
    Null,
    Number(i32),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Run {
    fn text(&self) -> Text<NoHost> {
        Text::own(&self.0.repeat(usize::from(self.1)))
    }
}

impl Json {
    fn value(&self) -> Value<NoHost> {
        match self {
            Self::Null => Value::Null,
            Self::Number(number) => Value::Number(number.to_string().into()),
            Self::Text(text) => Value::Text(Text::own(text)),
            Self::List(items) => Value::List(items.iter().map(Self::value).collect()),
            Self::Map(entries) => {
                Value::Map(entries.iter().map(|(key, value)| (Text::own(key), value.value())).collect())
            }
        }
    }
}

fn result(said: &[Said]) -> ToolResult<NoHost> {
    let block = |said: &Said| match said {
        Said::Text(run) => Part::text(run.text()),
        Said::Json(json) => Part::new(Kind::Json(Raw::Tree(json.value()))),
    };
    let content = match said {
        [] => Content::Absent,
        [Said::Text(run)] => Content::Text(run.text()),
        all => Content::blocks(all.iter().map(block).collect::<Vec<_>>()),
    };
    ToolResult {
        id: Text::own("id"),
        made_up_id: false,
        name: None,
        content,
        error: false,
        synthetic: false,
        custom: false,
        form: None,
    }
}

/// The bytes of the texts of results.
fn size(results: &[ToolResult<NoHost>]) -> usize {
    let size = |block| match block {
        Block::Text(text) => text.utf8_len(None),
        Block::Json(raw) => json::encode::to_string(raw, None).expect("every value is writable").len(),
        Block::Media(_) | Block::Other(_) => 0,
    };
    results.iter().flat_map(ToolResult::blocks).map(size).sum()
}

/// What a message emits, without the placeholder for an empty list of results.
fn emitted(message: &UserMessage<NoHost>) -> usize {
    let results = message.content.tool_use_results();
    let redacted = matches!(results, Some([])) && message.content.prompt().is_none_or(|prompt| prompt.is_empty());
    let read = message.content_with_context().expect("text").utf8_len(None);
    size(results.unwrap_or_default()) + read - if redacted { REDACTED_RESULT.len() } else { 0 }
}

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Some(case) = case::<Case>(bytes) else { return };
    let (max_bytes, split) = (usize::from(case.max_bytes), if case.fair { Split::Fair } else { Split::Even });
    let results = || case.results.iter().flatten().map(|said| result(said)).collect::<Vec<_>>();

    let all = results();
    let handles: Vec<_> = all.iter().collect();
    let suffix = Units::from(&*case.suffix);
    let cut = truncate_results(&handles, max_bytes, suffix, split).expect("every value is writable");
    let cut: Vec<_> = cut.into_iter().zip(results()).map(|(new, old)| new.unwrap_or(old)).collect();
    assert!(size(&cut) <= max_bytes);
    assert_eq!(
        cut.iter().map(|each| each.blocks().count()).sum::<usize>(),
        handles.iter().map(|each| each.blocks().count()).sum::<usize>()
    );
    let handles: Vec<_> = cut.iter().collect();
    let again = truncate_results(&handles, max_bytes, suffix, split).expect("every value is writable");
    assert!(again.iter().all(Option::is_none));

    let prompt = case.prompt.as_ref().map(Run::text);
    let content = match (prompt, &case.results) {
        (prompt, None) => UserMessageContent::Prompt { prompt: prompt.unwrap_or_else(|| Text::own("")) },
        (None, Some(_)) => UserMessageContent::ToolUseResults { tool_use_results: results() },
        (prompt, Some(_)) => UserMessageContent::CancelledToolUses { prompt, tool_use_results: results() },
    };
    let timestamp = case.timestamp.as_deref().and_then(|text| {
        let moment = Timestamp::parse(text).ok()?;
        assert_eq!(Timestamp::parse(&moment.to_string()).expect("what is written reads").weekday(), moment.weekday());
        Some(moment)
    });
    let timestamp = timestamp
        .or_else(|| (case.max_bytes % 3 == 0).then(|| Timestamp::parse("2025-10-25T14:53:00Z").expect("a moment")));
    let mut message = UserMessage::new(content, UserEnvContext { env_state: None }, timestamp);
    message.additional_context = case.context.text();
    message.replace_content_with_tool_use_results().expect("every value is writable");
    let cut = message.truncate_safe(max_bytes, split).expect("every value is writable");
    let cut = cut.unwrap_or_else(|| message.share());
    assert!(emitted(&cut) <= max_bytes);
    assert!(cut.truncate_safe(max_bytes, split).expect("every value is writable").is_none());
}
