//! Reads and writes reasoning and other content by the options of its provider, in formats that speak to many.

use super::{
    item::{Item, Said},
    scope::Scope,
};
use crate::{
    model::{Kind, Part, Role, Turn, compaction},
    rules::{
        DialectId, Family, Limits, Target,
        carrier::Maker,
        details::{self, Piece, text},
        option_rule::{Given, Means, OptionRule},
        passage::lines,
        value_rule::Entry,
    },
    value::{Host, Input, Raw, Text, Value, base64, tree},
};

/// The pieces of reasoning that a part's options prove, and whether they are all that it says. `None` if nothing proves it.
pub(super) fn pieces<H: Host>(
    rule: &OptionRule,
    part: &Part<H>,
    input: Option<&Input>,
) -> Option<(Vec<Piece<H>>, bool)> {
    let whole = part.origin.as_ref()?.to_value(input).ok()?;
    let given = rule.of_value(&whole);
    if let Some((_, Value::List(list))) = rule.first(&given, Means::Details) {
        return Some(details::read(list));
    }
    let said = || (TEXT, Value::Text(text(&whole, TEXT).unwrap_or_else(|| Text::own(""))));
    let word = |means| rule.text(&given, means);
    let claude = |block| vec![Piece { maker: Maker::Claude, value: block, call: None }];
    let kind = |kind: &str| ("type", tree::text(kind));
    let pieces = if let Some(proof) = word(Means::Signature) {
        let thought = ("thinking", said().1);
        claude(tree::map([kind("thinking"), thought, ("signature", Value::Text(proof))]))
    } else if let Some(data) = word(Means::Redacted).or_else(|| word(Means::RedactedBytes).as_ref().and_then(decoded)) {
        claude(tree::map([kind("redacted_thinking"), ("data", Value::Text(data))]))
    } else if let Some(proof) = word(Means::Signed) {
        let block = tree::map([("thought", Value::Bool(true)), said(), ("thoughtSignature", Value::Text(proof))]);
        vec![Piece { maker: Maker::Google, value: block, call: None }]
    } else {
        let (id, proof) = (word(Means::Item), word(Means::Encrypted));
        if proof.is_none() && (id.is_none() || !part.signed) {
            return None;
        }
        let said = text(&whole, TEXT).map(|said| tree::map([kind("summary_text"), (TEXT, Value::Text(said))]));
        let summary = (details::SUMMARY, tree::list(said));
        let named = id.map(|id| ("id", Value::Text(id)));
        let proven = proof.map(|proof| (details::ENCRYPTED, Value::Text(proof)));
        let item = [kind("reasoning")].into_iter().chain(named).chain([summary]).chain(proven);
        vec![Piece { maker: Maker::OpenAi, value: tree::map(item), call: None }]
    };
    Some((pieces, true))
}

/// The pieces of reasoning in a part, and whether they are all that it says.
type Found<H> = Option<(Vec<Piece<H>>, bool)>;

/// Reasoning as parts with options, for a format that has them.
pub(super) fn written<H: Host>(
    rule: &OptionRule,
    scope: Scope<'_>,
    part: &Part<H>,
    pieces: impl FnOnce() -> Found<H>,
) -> Option<(Vec<Value<H>>, bool)> {
    let Kind::Reasoning(thought) = &part.kind else { return None };
    if scope.role != Role::Assistant {
        return None;
    }
    if let Some(theirs) = scope.from.facts.options {
        let whole = part.origin.as_ref()?.to_value(scope.input).ok()?;
        let said = thought.text.as_ref().map_or_else(|| Text::own(""), |said| said.detach(scope.input));
        let part = reasoning(rule, said, grouped(theirs.of_value(&whole)));
        return Some((vec![part], true));
    }
    let (pieces, whole) = pieces()?;
    let made: Vec<_> = pieces.iter().flat_map(|piece| in_options(rule, scope, piece)).collect();
    (!made.is_empty()).then_some((made, whole))
}

/// A piece of reasoning as parts with options.
fn in_options<H: Host>(rule: &OptionRule, scope: Scope<'_>, piece: &Piece<H>) -> Vec<Value<H>> {
    let provider = scope.from.facts.provider;
    let given = |means: Means, value: Text<H>| {
        let (provider, key) = rule.spelled(means, provider)?;
        Some(Given { provider: Text::own(provider), key: Text::own(key), value: Value::Text(value) })
    };
    let field = |name| text(&piece.value, name);
    let none = || Text::own("");
    match piece.maker {
        Maker::Claude => {
            let proof = match (field("signature"), field("data")) {
                (Some(proof), _) => given(Means::Signature, proof),
                (None, Some(data)) if rule.has(Means::RedactedBytes, provider) => {
                    given(Means::RedactedBytes, coded(&data))
                }
                (None, Some(data)) => given(Means::Redacted, data),
                (None, None) => None,
            };
            let part = |proof| reasoning(rule, field("thinking").unwrap_or_else(none), grouped(vec![proof]));
            proof.map(part).into_iter().collect()
        }
        Maker::OpenAi => {
            // A carrier has the ids of reasoning alone.
            let named = field("id").filter(|_| scope.from.limits().is_ok_and(Limits::has_items));
            let mut said: Vec<Text<H>> = match details::value(&piece.value, details::SUMMARY) {
                Some(Value::List(items)) => items.iter().filter_map(|item| text(item, TEXT)).collect(),
                _ => Vec::new(),
            };
            if said.len() != 1 && (named.is_none() || said.is_empty()) {
                said = vec![lines(said.iter(), None)];
            }
            let last = said.len() - 1;
            let part = |(at, said)| {
                let proof = field(details::ENCRYPTED).filter(|_| at == last);
                let named = named.as_ref().and_then(|id| given(Means::Item, id.share()));
                let proof = proof.and_then(|proof| given(Means::Encrypted, proof));
                reasoning(rule, said, grouped(named.into_iter().chain(proof).collect()))
            };
            said.into_iter().enumerate().map(part).collect()
        }
        // A signature is written with what it signs, and the SDK has no options of others.
        Maker::Google | Maker::Mistral => Vec::new(),
    }
}

fn reasoning<H: Host>(rule: &OptionRule, said: Text<H>, options: Value<H>) -> Value<H> {
    let bare = matches!(&options, Value::Map(entries) if entries.is_empty());
    let options = rule.keys.first().filter(|_| !bare).map(|key| (*key, options));
    let part = [("type", tree::text("reasoning")), (TEXT, Value::Text(said))];
    tree::map(part.into_iter().chain(options))
}

/// Options under the names of their providers.
fn grouped<H: Host>(given: Vec<Given<H>>) -> Value<H> {
    let mut all: Vec<(Text<H>, Vec<Entry<H>>)> = Vec::new();
    for Given { provider, key, value } in given {
        let known = all.iter_mut().find(|(name, _)| *name.wtf8(None) == *provider.wtf8(None));
        match known {
            Some((_, options)) if options.iter().any(|(known, _)| *known.wtf8(None) == *key.wtf8(None)) => {}
            Some((_, options)) => options.push((key, value)),
            None => all.push((provider, vec![(key, value)])),
        }
    }
    Value::Map(all.into_iter().map(|(name, options)| (name, Value::Map(options.into()))).collect())
}

/// The options of an item that is not reasoning, for a target that has them. `None` if there are none.
pub(crate) fn of_item<H: Host>(target: &Target<'_>, turn: Option<&Turn<H>>, item: &Item<'_, H>) -> Option<Value<H>> {
    let rule = target.id.facts.options.filter(|_| !item.own)?;
    if matches!(item.said, Said::Origin(_) | Said::Translated(_)) {
        return None;
    }
    let provider = turn.map_or("", |turn| turn.from.facts.provider);
    let given = |means: Means, value: Value<H>| {
        let (provider, key) = rule.spelled(means, provider)?;
        Some(Given { provider: Text::own(provider), key: Text::own(key), value })
    };
    let theirs = turn.and_then(|turn| turn.from.facts.options);
    let extras = item.part.and_then(|part| part.extras.as_deref());
    let mut all = theirs.zip(extras).map_or_else(Vec::new, |(theirs, extras)| theirs.of_extras(extras, item.input));
    // They say by themselves what the part is signed with.
    all.extend(
        item.signature
            .as_ref()
            .filter(|_| theirs.is_none())
            .and_then(|proof| given(Means::Signed, Value::Text(proof.detach(item.input)))),
    );
    let marked = all.iter().any(|one| rule.is_mark(one));
    all.extend(item.cached.filter(|_| !marked).and_then(|cached| {
        let (form, value) = cached.value();
        given(Means::Mark(form), value)
    }));
    let said = matches!(item.part.map(|part| &part.kind), Some(Kind::Text(_) | Kind::Call(_)));
    let named = turn.filter(|turn| said && has_item(turn)).and_then(|turn| turn.id.as_ref());
    all.extend(named.and_then(|id| given(Means::Item, Value::Text(id.detach(item.input)))));
    (!all.is_empty()).then(|| grouped(all))
}

/// An opaque part in the target's own spelling, where options say that it is a compaction of the target's family of models.
pub(super) fn native<H: Host>(target: DialectId, scope: Scope<'_>, part: &Part<H>) -> Option<Value<H>> {
    let (theirs, ours) = (scope.from.facts, target.facts);
    let opaque = matches!(part.kind, Kind::Opaque(_));
    if !opaque || part.touched || part.flaw.is_some() || theirs.options.is_none() && ours.options.is_none() {
        return None;
    }
    let whole = || part.origin.as_ref()?.to_value(scope.input).ok();
    if let Some(rule) = theirs.options {
        let given = compaction::summary((scope.from, scope.input), part)?;
        if let Some(ours) = ours.options {
            return text_with(ours, given, rule.of_value(&whole()?));
        }
        let rule = ours.compaction.filter(|_| is_claudes(target))?;
        return Some(tree::map([("type", tree::text(rule.kind)), (rule.summary?, Value::Text(given))]));
    }
    let rule = ours.options?;
    let summary = compaction::summary((scope.from, scope.input), part).filter(|_| is_claudes(scope.from));
    if let Some((summary, block)) = summary.zip(theirs.compaction) {
        let (provider, key) = rule.spelled(Means::Kind, theirs.provider)?;
        let kind = Given { provider: Text::own(provider), key: Text::own(key), value: tree::text(block.kind) };
        return text_with(rule, summary, vec![kind]);
    }
    None
}

/// The effort of reasoning that a message of this format sets from there on.
pub(crate) fn effort<H: Host>(from: DialectId, whole: &Value<H>) -> Option<Value<H>> {
    let rule = from.facts.options?;
    rule.text(&rule.of_value(whole), Means::Effort).map(Value::Text)
}

/// The message of this format that sets an effort from there on.
pub(crate) fn setting<H: Host>(target: DialectId, effort: Value<H>) -> Option<Value<H>> {
    let rule = target.facts.options?;
    let (provider, key) = rule.spelled(Means::Effort, "")?;
    let given = Given { provider: Text::own(provider), key: Text::own(key), value: effort };
    let message = [("role", tree::text("system")), ("content", tree::text(""))];
    Some(tree::map(message.into_iter().chain([(*rule.keys.first()?, grouped(vec![given]))])))
}

/// A text with these options.
fn text_with<H: Host>(rule: &OptionRule, said: Text<H>, given: Vec<Given<H>>) -> Option<Value<H>> {
    let options = (*rule.keys.first()?, grouped(given));
    Some(tree::map([("type", tree::text(TEXT)), (TEXT, Value::Text(said)), options]))
}

fn is_claudes(dialect: DialectId) -> bool {
    dialect.limits().is_ok_and(|limits| limits.family == Family::Claude)
}

/// Whether all parts that are items have the ids of their items, and reasoning is not the last of them: its id asks for an
/// item after it. A text that says nothing is none.
pub(crate) fn all_named<H: Host>(rule: &OptionRule, parts: &[Part<H>], input: Option<&Input>) -> bool {
    let is_item = |part: &&Part<H>| match &part.kind {
        Kind::Text(text) => !text.is_blank(input),
        Kind::Call(_) | Kind::Reasoning(_) => true,
        _ => false,
    };
    let named = |part: &Part<H>| {
        let whole = part.origin.as_ref().and_then(|origin| origin.to_value(input).ok());
        whole.is_some_and(|whole| rule.text(&rule.of_value(&whole), Means::Item).is_some())
    };
    let mut items = parts.iter().filter(is_item);
    items.clone().next_back().is_some_and(|last| !matches!(last.kind, Kind::Reasoning(_))) && items.all(named)
}

/// Whether an assistant's turn is an item, whose id its provider knows.
pub(crate) fn has_item<H: Host>(turn: &Turn<H>) -> bool {
    let items = !turn.from.facts.provider.is_empty() && turn.from.limits().is_ok_and(Limits::has_items);
    items && turn.role == Role::Assistant
}

/// The details of a gateway, with all that it needs back.
pub(super) fn details<H: Host>(rule: &OptionRule, part: &Part<H>, input: Option<&Input>) -> Option<Vec<Value<H>>> {
    let whole = part.origin.as_ref()?.to_value(input).ok()?;
    match rule.first(&rule.of_value(&whole), Means::Details)? {
        (_, Value::List(list)) => Some(list.iter().map(Value::share).collect()),
        _ => None,
    }
}

/// Whether two parts are of one item of OpenAI's.
pub(super) fn are_one<H: Host>(
    rule: Option<&OptionRule>,
    (one, other): (&Part<H>, &Part<H>),
    input: Option<&Input>,
) -> bool {
    let Some(rule) = rule else { return false };
    let id = |part: &Part<H>| {
        let whole = part.origin.as_ref()?.to_value(input).ok()?;
        rule.text(&rule.of_value(&whole), Means::Item)
    };
    id(one).zip(id(other)).is_some_and(|(one, other)| *one.wtf8(None) == *other.wtf8(None))
}

/// An item of reasoning with the summary and the proof of another part of it.
pub(super) fn joined<H: Host>(item: &Raw<H>, rest: &Value<H>) -> Option<Raw<H>> {
    let Raw::Tree(Value::Map(entries)) = item else { return None };
    let summary = |value: &Value<H>| match details::value(value, details::SUMMARY) {
        Some(Value::List(items)) => items.iter().map(Value::share).collect(),
        _ => Vec::new(),
    };
    let all = summary(&Value::Map(entries.clone())).into_iter().chain(summary(rest));
    let list = tree::list(all);
    let mut made: Vec<_> = entries
        .iter()
        .map(|(key, value)| (key.share(), if key.is(details::SUMMARY, None) { list.share() } else { value.share() }))
        .collect();
    if let Some(proof) = text(rest, details::ENCRYPTED) {
        made.retain(|(key, _)| !key.is(details::ENCRYPTED, None));
        made.push((Text::own(details::ENCRYPTED), Value::Text(proof)));
    }
    Some(Raw::Tree(Value::Map(made.into())))
}

/// A text as bytes in base64.
fn coded<H: Host>(text: &Text<H>) -> Text<H> {
    let mut code = Vec::new();
    base64::encode(&text.wtf8(None), &mut code);
    Text::own(&String::from_utf8_lossy(&code))
}

/// The text of bytes in base64.
fn decoded<H: Host>(bytes: &Text<H>) -> Option<Text<H>> {
    let bytes = base64::decode(&bytes.wtf8(None))?;
    String::from_utf8(bytes).ok().map(|text| Text::own(&text))
}

const TEXT: &str = "text";
