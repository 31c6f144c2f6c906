//! Tells a body that is stored, such as a training row, from a request, by the keys that only a request has.

use crate::value::{NodeKind, Source, door::keys};

keys! {
    SCHEMA_VERSION = "schemaVersion";
}

/// Keys that a provider reads to answer. A body that is stored has none of them.
const ONLY_REQUESTS: &str = "model modelId max_tokens max_completion_tokens max_output_tokens temperature top_p top_k n \
     seed stop stop_sequences stream stream_options tool_choice response_format reasoning reasoning_effort thinking store \
     user betas anthropic_version keep_alive options format prompt_cache_key generationConfig generation_config \
     safetySettings inferenceConfig additionalModelRequestFields threadId runId";

/// The `schemaVersion` of Nova's training rows.
const NOVA_ROW: &str = "bedrock-conversation-2024";

/// The `schemaVersion` of Nova's requests.
const NOVA_REQUEST: &str = "messages-v1";

/// Whether a body says itself that it is a stored row, whatever it ends with.
pub fn says_row<S: Source>(body: &S) -> bool {
    body.get(&SCHEMA_VERSION).as_ref().and_then(Source::word).as_deref() == Some(NOVA_ROW)
}

/// Whether a body may be a stored row: it has no key that only a request has, or it says that it is a row. `null` counts
/// as absent. A caller also looks at the last turn: a row ends with what a model shall learn.
pub fn is_row_like<S: Source>(body: &S) -> bool {
    match body.get(&SCHEMA_VERSION).as_ref().and_then(Source::word).as_deref() {
        Some(NOVA_ROW) => return true,
        Some(NOVA_REQUEST) => return false,
        _ => {}
    }
    let mut asks = false;
    body.each_entry(|key, value| {
        asks |= value.kind() != NodeKind::Null && ONLY_REQUESTS.split(' ').any(|word| word == key);
    });
    body.kind() == NodeKind::Map && !asks
}

#[cfg(test)]
mod tests {
    use super::is_row_like;
    use crate::value::{
        handle::{Input, NoHost},
        json::tape::Tape,
    };

    fn is_row(body: &'static str) -> bool {
        let input = Input::new(body);
        is_row_like(&Tape::read(&input).expect("JSON").view().root::<NoHost>())
    }

    #[test]
    fn a_key_that_only_a_request_has_makes_a_request() {
        assert!(is_row(r#"{"messages": [], "tools": [], "label": true}"#));
        assert!(is_row(r#"{"messages": [], "model": null}"#));
        assert!(!is_row(r#"{"messages": [], "model": "m"}"#));
        assert!(!is_row(r#"{"contents": [], "generationConfig": {}}"#));
        assert!(is_row(r#"{"messages": [], "schemaVersion": "bedrock-conversation-2024", "inferenceConfig": {}}"#));
        assert!(!is_row(r#"{"messages": [], "schemaVersion": "messages-v1"}"#));
        assert!(!is_row("[]"));
    }
}
