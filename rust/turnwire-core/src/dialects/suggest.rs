//! Says what to write in place of a name that is no dialect's: the API of a model, an adapter, or the closest name.

/// Other names for a dialect, from models, companies and services. A longer name precedes any name that it begins with.
const SPOKEN: &[(&str, &str)] = &[
    ("claude", "anthropic"),
    ("opus", "anthropic"),
    ("sonnet", "anthropic"),
    ("haiku", "anthropic"),
    ("gemini-1", "gemini:2"),
    ("gemini-2", "gemini:2"),
    ("gemini-", "gemini"),
    ("vertex", "gemini"),
    ("google", "gemini"),
    ("palm", "gemini"),
    ("chatgpt", "openai"),
    ("gpt", "openai"),
    ("azure", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("responses", "openai-responses"),
    ("aws", "bedrock"),
    ("amazon-bedrock", "bedrock"),
    ("converse", "bedrock"),
    ("nova", "bedrock:nova"),
    ("amazon.nova", "bedrock:nova"),
    ("amazon-nova", "bedrock:nova"),
    ("command", "cohere"),
    ("deepseek", "openai:deepseek"),
    ("kimi", "openai:kimi"),
    ("moonshot", "openai:kimi"),
    ("qwen", "openai:qwen"),
    ("openrouter", "openai:openrouter"),
    ("groq", "openai:groq"),
    ("hugging", "openai:hf"),
    ("hf", "openai:hf"),
    ("codestral", "mistral"),
    ("magistral", "mistral"),
    ("cerebras", "openai:compatible"),
    ("fireworks", "openai:compatible"),
    ("glm", "openai:compatible"),
    ("grok", "openai:compatible"),
    ("llama.cpp", "openai:compatible"),
    ("llama-cpp", "openai:compatible"),
    ("llamacpp", "openai:compatible"),
    ("lm-studio", "openai:compatible"),
    ("lmstudio", "openai:compatible"),
    ("minimax", "openai:compatible"),
    ("nvidia", "openai:compatible"),
    ("perplexity", "openai:compatible"),
    ("sglang", "openai:compatible"),
    ("together", "openai:compatible"),
    ("vllm", "openai:compatible"),
    ("xai", "openai:compatible"),
    ("zai", "openai:compatible"),
];

/// What a model's name begins with, and a digit or the name of a tier behind it.
const MODELS: &[&str] = &[
    "claude-",
    "gpt-",
    "chatgpt-",
    "o1",
    "o3",
    "o4",
    "gemini-",
    "command-",
    "mistral-",
    "codestral-",
    "magistral-",
    "deepseek-",
    "kimi-",
    "qwen",
    "glm-",
    "grok-",
    "llama-",
    "nova-",
    "minimax-",
];

/// Makers of models as Bedrock spells them in an id, behind the region, if one is there.
const ON_BEDROCK: &[&str] = &["anthropic.", "amazon.", "meta.", "mistral.", "cohere.", "deepseek.", "ai21."];

/// Libraries and frameworks that are no API: their names, how they are spelt in text, and the module of the adapter.
const ADAPTERS: &[(&[&str], &str, &str)] = &[
    (&["langchain"], "LangChain", "langchain"),
    (&["langgraph"], "LangGraph", "langchain"),
    (&["litellm"], "LiteLLM", "litellm"),
    (&["openai-agents", "agents"], "the Agents SDK", "openai_agents"),
    (&["pydantic-ai", "pydanticai"], "Pydantic AI", "pydantic_ai"),
    (&["smolagents"], "smolagents", "smolagents"),
    (&["strands"], "Strands", "strands"),
    (&["google-adk", "adk"], "Google's ADK", "google_adk"),
    (&["claude-agent"], "the Claude Agent SDK", "claude_agent"),
    (&["mcp"], "MCP", "mcp"),
];

/// The dialects of providers that people call most, for a name that is like none.
const PROVIDERS: &str = "openai, openai-responses, anthropic, gemini, bedrock, mistral, cohere, ollama";

/// The sentence for a name that is no dialect's.
#[cold]
pub(super) fn unknown<I: Iterator<Item = String>>(name: &str, known: fn() -> I) -> String {
    let plain = name.to_lowercase().replace('_', "-");
    if let Some((_, product, module)) = ADAPTERS.iter().find(|(names, ..)| names.contains(&plain.as_str())) {
        return format!("no dialect is called {name:?}: {product} has an adapter, turnwire.adapters.{module}");
    }
    if is_on_bedrock(&plain) {
        return format!(
            "{name:?} is a model on Bedrock. The target is the API that you call: \"bedrock\", with model {name:?}"
        );
    }
    if let Some((_, model)) = plain.split_once('/').filter(|(_, model)| is_model(model)) {
        let own = suggested(model, known).unwrap_or_else(|| "openai".into());
        return format!(
            "{name:?} names a provider and a model. The target is the API that you call: \"openai:openrouter\" for OpenRouter, \
             {own:?} for the provider's own"
        );
    }
    match suggested(name, known) {
        Some(api) if is_model(&plain) => {
            format!("{name:?} is a model. The target is the API that you call: {api:?}, with model {name:?}")
        }
        Some(one) => format!("no dialect is called {name:?}: did you mean {one:?}?"),
        None => {
            let count = known().count();
            format!("no dialect is called {name:?}: providers are {PROVIDERS}; all {count} are in turnwire.dialects()")
        }
    }
}

/// Whether a name in lower case is a model's.
fn is_model(plain: &str) -> bool {
    MODELS.iter().any(|family| plain.strip_prefix(family).is_some_and(|rest| !rest.is_empty()))
}

/// Whether a name in lower case is an id of Bedrock: a maker and a model, with or without a region, or an address.
fn is_on_bedrock(plain: &str) -> bool {
    let after_region = plain.split_once('.').filter(|(region, _)| region.len() <= 6).map_or(plain, |(_, rest)| rest);
    let is_made =
        |name: &str| ON_BEDROCK.iter().any(|maker| name.strip_prefix(maker).is_some_and(|rest| rest.len() > 4));
    plain.starts_with("arn:aws:bedrock:") || is_made(plain) || is_made(after_region)
}

/// The closest dialect for an unknown name.
#[cold]
fn suggested<I: Iterator<Item = String>>(name: &str, known: fn() -> I) -> Option<String> {
    spoken(name).or_else(|| meant(name, known())).or_else(|| begun(name, known()))
}

/// The dialect for one of its other names, or for a longer name that begins with one, such as a model's.
fn spoken(name: &str) -> Option<String> {
    let plain = name.to_lowercase().replace('_', "-");
    SPOKEN.iter().find(|(word, _)| plain.starts_with(word)).map(|(_, one)| (*one).to_owned())
}

/// The dialect whose name a longer name begins with.
fn begun(name: &str, mut known: impl Iterator<Item = String>) -> Option<String> {
    let plain = name.to_lowercase().replace('_', "-");
    known.find(|one| plain.strip_prefix(one.as_str()).is_some_and(|rest| rest.starts_with(['-', '/', '.'])))
}

/// The closest name, if it is close enough.
pub(super) fn meant(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
    // A name this long is not a typo, and the comparison costs the product of both lengths.
    if name.len() > 64 {
        return None;
    }
    let plain: Vec<char> = name.to_lowercase().replace('_', "-").chars().collect();
    let near = known.map(|one| (distance(&plain, &one.chars().collect::<Vec<_>>()), one));
    let (steps, one) = near.min_by_key(|(steps, _)| *steps)?;
    (steps <= plain.len() / 3).then_some(one)
}

/// The number of letters to add, drop or change.
fn distance(one: &[char], two: &[char]) -> usize {
    // For each prefix of `two`, the distance from the prefix of `one` so far.
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (at, mine) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, theirs) in two.iter().enumerate() {
            let changed = diagonal + usize::from(mine != theirs);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::{ADAPTERS, SPOKEN, meant, suggested, unknown};
    use crate::{dialects::table::names, rules::dialect_id::DialectId};

    #[test]
    fn a_slip_is_told_from_another_word() {
        for (name, expected) in [
            ("antropic", Some("anthropic")),
            ("OpenAI", Some("openai")),
            ("openai_response", Some("openai-responses")),
            ("openai:deepsek", Some("openai:deepseek")),
            ("gemni", Some("gemini")),
            ("AmazonQ", Some("amazon-q")),
            ("", None),
            ("klingon", None),
            ("x", None),
            (&"anthropic".repeat(10), None),
        ] {
            assert_eq!(meant(name, names()).as_deref(), expected, "{name}");
        }
        for (name, expected) in [
            ("claude", "anthropic"),
            ("Claude-Opus-4", "anthropic"),
            ("google", "gemini"),
            ("gpt-4o", "openai"),
            ("gemini-2.5-pro", "gemini:2"),
            ("gemini-3", "gemini"),
            ("openai-response", "openai-responses"),
            ("mistral-large", "mistral"),
            ("deepseek", "openai:deepseek"),
            ("nova-pro", "bedrock:nova"),
            ("sonnet", "anthropic"),
            ("hf", "openai:hf"),
            ("vLLM", "openai:compatible"),
            ("llama.cpp", "openai:compatible"),
        ] {
            assert_eq!(suggested(name, names).as_deref(), Some(expected), "{name}");
            let error = DialectId::named(name).expect_err("no name");
            assert!(error.text().contains(&format!("{expected:?}")), "{error}");
        }
        assert!(SPOKEN.iter().all(|(_, one)| DialectId::named(one).is_ok()));
        let error = DialectId::named("antropic").expect_err("a slip");
        assert!(error.text().ends_with("\"antropic\": did you mean \"anthropic\"?"), "{error}");
        let error = DialectId::named("klingon").expect_err("another word");
        assert!(error.text().starts_with("no dialect is called \"klingon\": providers are openai, "), "{error}");
        assert!(error.text().ends_with(&format!("all {} are in turnwire.dialects()", names().count())), "{error}");
    }

    #[test]
    fn a_model_and_a_framework_get_the_call_that_works() {
        for (name, says) in [
            (
                "claude-sonnet-5",
                "\"claude-sonnet-5\" is a model. The target is the API that you call: \"anthropic\", with model",
            ),
            ("gpt-5.1", "\"gpt-5.1\" is a model. The target is the API that you call: \"openai\", with model"),
            (
                "us.anthropic.claude-sonnet-4-20250514-v1:0",
                "is a model on Bedrock. The target is the API that you call: \"bedrock\"",
            ),
            ("anthropic.claude-3-haiku", "is a model on Bedrock."),
            ("arn:aws:bedrock:us-east-1:1:inference-profile/x", "is a model on Bedrock."),
            ("anthropic/claude-sonnet-5", "\"openai:openrouter\" for OpenRouter, \"anthropic\" for the provider's own"),
            ("openai/gpt-5", "\"openai\" for the provider's own"),
            ("LangChain", "LangChain has an adapter, turnwire.adapters.langchain"),
            ("pydantic_ai", "turnwire.adapters.pydantic_ai"),
            ("open_ai", "did you mean \"openai\"?"),
            ("claude", "did you mean \"anthropic\"?"),
        ] {
            assert!(unknown(name, names).contains(says), "{}", unknown(name, names));
        }
        assert!(ADAPTERS.iter().flat_map(|(names, ..)| *names).all(|name| DialectId::named(name).is_err()));
    }
}
