//! Collects the signs of a body's own keys and of its tools.

use super::{
    index::{Index, Set},
    look::{Look, See, candidates, every, said, see, see_null},
};
use crate::k;
use crate::{
    report::{Error, Path},
    rules::Spot,
    value::{NodeKind, Source, door::keys},
};

keys! {
    BUDGET_TOKENS = "budget_tokens";
}

/// How the names of Claude's models begin.
const CLAUDE: &str = "claude";

/// Which of the dialects in `all` know a body's own keys and its tools. Tools may have the form of another dialect, in
/// which they are read. Then only the keys decide.
pub(super) fn look<S: Source>(node: &S, all: Set) -> Result<Look, Error> {
    let found = every(all, &|see| signs(node, see));
    if found.set.is_empty() { candidates(all, Path::default, &|see| key_signs(node, see)) } else { Ok(found) }
}

pub(super) fn signs<S: Source>(node: &S, to: See<'_>) {
    key_signs(node, to);
    for tool in node.get(&k::TOOLS).iter().flat_map(Source::items) {
        tool_signs(&tool, to);
    }
}

/// The signs of a body without those of its tools.
fn key_signs<S: Source>(node: &S, to: See<'_>) {
    node.each_entry(|key, value| {
        if value.kind() == NodeKind::Null {
            return see_null(Spot::Body, key, to);
        }
        see(Spot::Body, key, to);
        see(Spot::Setting, key, to);
        if key == "max_tokens" {
            model_signs(node, to);
        }
        if let Some(word) = value.word().filter(|_| key == "tool_choice") {
            see(Spot::Mark, &format!("choice:{word}"), to);
        }
        if key == "thinking" {
            thinking_signs(value, to);
        }
        if key == "tools" && value.kind() == NodeKind::Text {
            see(Spot::Mark, "tools:text", to);
        }
    });
}

/// A model that also other servers offer: it says what the body is, unless the list begins as its own provider's never
/// does.
fn model_signs<S: Source>(node: &S, to: See<'_>) {
    let is_claude = node.get(&k::MODEL).is_some_and(|model| model.word().is_some_and(|name| name.starts_with(CLAUDE)));
    let Some(mark) = Index::get().sign(Spot::Mark, "model:claude").filter(|_| is_claude) else { return };
    let head = node.get(&k::MESSAGES).and_then(|list| list.items().next()).and_then(|first| first.get(&k::ROLE));
    let head = head.as_ref().and_then(Source::word).and_then(|word| Index::get().sign(Spot::Head, &word));
    if head.is_none_or(|head| head.known_by.has(mark.known_by)) {
        to(mark);
    }
}

/// Other servers also turn thinking on and off by this key: its value decides.
fn thinking_signs<S: Source>(setting: &S, to: See<'_>) {
    if let Some(word) = setting.get(&k::TYPE).as_ref().and_then(Source::word) {
        see(Spot::Mark, &format!("thinking:{word}"), to);
    }
    if setting.get(&BUDGET_TOKENS).is_some() {
        see(Spot::Mark, "thinking:budget_tokens", to);
    }
}

/// The dialects of a tool definition's form.
pub(super) fn tool<S: Source>(node: &S) -> Look {
    every(Set::ALL, &|to| tool_signs(node, to))
}

/// A tool of another type than a function is run by the provider, and has its own keys.
fn tool_signs<S: Source>(node: &S, to: See<'_>) {
    let kind = node.get(&k::TYPE);
    let plain = kind.as_ref().and_then(Source::word).is_none_or(|word| matches!(&*word, "function" | "custom"));
    let spot = if plain { Spot::Tool } else { Spot::ProviderTool };
    // A gateway puts its name before the names of its tools.
    if !plain
        && let Some(mark) = kind.as_ref().and_then(Source::word).and_then(|word| Index::get().provider_tool(&word))
    {
        to(mark);
    }
    if let Some((gateway, _)) = kind.as_ref().and_then(Source::word).as_deref().and_then(|word| word.split_once(':')) {
        see(Spot::Mark, &format!("tool:{gateway}"), to);
    }
    said(node, |key| see(spot, key, to));
}
