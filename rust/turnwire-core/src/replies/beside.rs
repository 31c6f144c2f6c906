//! Reports what stands beside the turns of a reply and cannot be written: unread keys, counts, the details of an error,
//! and how it ended. Whole replies and streams report the same.

use super::place::inside;
use crate::{
    dialects::registry,
    k,
    model::Reply,
    report::{Edit, Error, Losses, Path, Step},
    value::{Host, NodeKind, Source, Text, Tree, Value, json},
    wire::{
        plan::rules,
        response::{Closing, Failure, Kept, Passed, ResponseRule, UsageRule, names_tier},
    },
};

/// Reports all of it. `rule`: that of the target. `failed`: its reply is an error.
pub(super) fn lost<H: Host>(
    reply: &Reply<H>,
    rule: &ResponseRule,
    failed: bool,
    losses: &mut Losses,
) -> Result<(), Error> {
    let source = registry::response_rule(reply.from)?;
    let target = (!failed).then_some(rule);
    let named = failed && rule.names_request;
    unread(reply, source, (rule, failed), losses)?;
    if let Some(usage) = &reply.usage {
        Counts { reply, source: &source.usage, target: target.map(|rule| &rule.usage) }.lost(usage, losses)?;
    }
    if let Some(error) = &reply.error {
        for (path, name) in Failure::unread(error, source.failures, named) {
            let path = Path::written(reply.places.error).join(&path);
            losses.lost(Edit::Key, path, format!("errors of the target have no {name:?}"))?;
        }
    }
    Ok(())
}

/// Reports how the end of a written reply differs: the target has no word for why it ended, and it requires keys that are
/// made up. `made_up`: those beside the counts.
pub(super) fn end_told<H: Host>(
    reply: &Reply<H>,
    closing: &Closing<H>,
    made_up: impl Iterator<Item = &'static str>,
    losses: &mut Losses,
) -> Result<(), Error> {
    if let Some(word) = closing.nearest {
        let quoted = |said: &Text<H>| format!("{:?}", said.to_str(None));
        let said = reply.stop_reason.as_ref().map_or_else(|| "no reason".into(), quoted);
        let reason = (format!("the target does not have the stop reason {said}"), format!("it gets {word:?}"));
        losses.changed(Edit::Finish, end(reply)?, reason);
    }
    let keys: Vec<_> = closing.made_up.iter().copied().chain(made_up).collect();
    if !keys.is_empty() {
        let reason = format!("the target requires keys that the reply does not have: {}", keys.join(", "));
        losses.changed(Edit::StandIn, Path::default(), reason);
    }
    Ok(())
}

/// Where the reply says why it ended.
fn end<H: Host>(reply: &Reply<H>) -> Result<Path, Error> {
    let usual = registry::response_rule(reply.from)?.end;
    Ok(Path::written(reply.places.end.unwrap_or(usual)))
}

/// Puts what was told of a reply that came as a list of its chunks to the chunk where it is.
pub(super) fn placed<H: Host>(reply: &Reply<H>, losses: &mut Losses) {
    let (Some(Value::List(chunks)), Some(began)) = (&reply.origin, &reply.chunks) else { return };
    let parts = Path::written(reply.from.facts.reply_message).then(Step::Key(k::PARTS.name));
    let parts = parts.steps().count();
    for loss in &mut losses.list {
        let steps: Vec<_> = loss.path.steps().collect();
        let at = match steps.get(parts) {
            _ if matches!(steps.first(), None | Some(Step::Index(_))) => continue,
            Some(Step::Index(part)) => began.get(*part).copied(),
            _ => None,
        };
        let has = |chunk: &Value<H>| steps.iter().try_fold(Tree(chunk), |node, step| inside(&node, step)).is_some();
        let Some(chunk) = at.map(|(chunk, _)| chunk).or_else(|| chunks.iter().rposition(has)) else { continue };
        let moved = steps.iter().enumerate().map(|(place, step)| match at {
            Some((_, part)) if place == parts => Step::Index(part),
            _ => step.clone(),
        });
        loss.path = Path::of(std::iter::once(Step::Index(chunk)).chain(moved));
    }
}

/// The counts of a reply and their formats.
struct Counts<'a, H: Host> {
    reply: &'a Reply<H>,
    source: &'a UsageRule,
    target: Option<&'a UsageRule>,
}

impl<H: Host> Counts<'_, H> {
    /// A usage is an object, or in some formats one for each model.
    fn lost(&self, usage: &Value<H>, losses: &mut Losses) -> Result<(), Error> {
        let at = Path::written(self.reply.places.usage);
        match usage {
            Value::List(models) => models.iter().enumerate().try_for_each(|(index, model)| {
                self.object(&Tree(model), None, &at.clone().then(Step::Index(index)), &Tree(model), losses)
            }),
            one => self.object(&Tree(one), None, &at, &Tree(one), losses),
        }
    }

    fn object(
        &self,
        node: &Tree<'_, H>,
        outer: Option<&str>,
        at: &Path,
        usage: &Tree<'_, H>,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        for (key, value) in node.entries().filter(|(_, value)| counts_something(value)) {
            let name = key.to_str(None);
            let path = at.clone().then(Step::Name(name.as_ref().into()));
            match self.source.kept(outer, &name, usage, &self.reply.tokens, self.target) {
                Kept::Inside if value.kind() == NodeKind::Map => {
                    self.object(&value, Some(&name), &path, usage, losses)?;
                }
                Kept::Yes => {}
                Kept::Together => {
                    let reason = format!("the target counts {name:?} together with others");
                    losses.changed(Edit::Key, path, reason);
                }
                Kept::No | Kept::Inside if value.text().is_some_and(|text| self.is_model(&text)) => {}
                Kept::No | Kept::Inside => {
                    let reason = match self.target {
                        Some(_) => format!("the target has no place for the count {name:?}"),
                        None => format!("an error of the target has no place for the count {name:?}"),
                    };
                    losses.lost(Edit::Key, path, reason)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a usage only names the reply's model.
    fn is_model(&self, text: &Text<H>) -> bool {
        self.reply.head.model.as_ref().is_some_and(|model| model.wtf8(None) == text.wtf8(None))
    }
}

/// Whether a value of a usage says something: a number that is not 0, or a word where there are no numbers.
fn counts_something<H: Host>(value: &Tree<'_, H>) -> bool {
    numbers(value).unwrap_or_else(|| speaks(value))
}

/// Whether one of its numbers is not 0. `None` if it has no numbers.
fn numbers<H: Host>(value: &Tree<'_, H>) -> Option<bool> {
    let any = |one, other| one | other;
    match value.kind() {
        NodeKind::Number => Some(value.count().map_or_else(|| !is_zero(value), |count| count > 0)),
        NodeKind::List => value.items().filter_map(|item| numbers(&item)).reduce(any),
        NodeKind::Map => value.entries().filter_map(|(_, value)| numbers(&value)).reduce(any),
        _ => None,
    }
}

/// Whether a number that is no count is 0, such as `0.0`.
fn is_zero<H: Host>(value: &Tree<'_, H>) -> bool {
    let text = json::encode::to_string(&value.raw(), None).unwrap_or_default();
    text.split(['e', 'E']).next().is_some_and(|digits| !digits.bytes().any(|byte| matches!(byte, b'1'..=b'9')))
}

fn speaks<H: Host>(value: &Tree<'_, H>) -> bool {
    match value.kind() {
        NodeKind::List => value.items().any(|item| speaks(&item)),
        NodeKind::Map => value.entries().any(|(_, value)| speaks(&value)),
        _ => !value.says_nothing(),
    }
}

/// The tier that the request was served at, if the reply says it in OpenAI's words.
pub(super) fn tier<H: Host>(reply: &Reply<H>) -> Result<Option<Text<H>>, Error> {
    let rule = registry::response_rule(reply.from)?;
    let whole = reply.origin.as_ref().or(reply.assembled.as_ref());
    Ok(whole.and_then(|whole| rule.tier_of(&Tree(whole))))
}

/// Reports keys beside the turns that were not read. `failed`: the reply becomes an error, which says why it ended.
fn unread<H: Host>(
    reply: &Reply<H>,
    source: &ResponseRule,
    (rule, failed): (&ResponseRule, bool),
    losses: &mut Losses,
) -> Result<(), Error> {
    let Some(origin) = reply.origin.as_ref().or(reply.assembled.as_ref()) else { return Ok(()) };
    if let (Value::List(chunks), Some(_)) = (origin, &reply.chunks) {
        // Of a key that several chunks have, the last one counts.
        let mut seen = Vec::new();
        for chunk in chunks.iter() {
            unread_of(reply, &Tree(chunk), source, (rule, failed), &mut |path, reason| {
                let new = !seen.contains(&path);
                seen.extend(new.then(|| path.clone()));
                if new { losses.lost(Edit::Key, path, reason) } else { Ok(()) }
            })?;
        }
        return Ok(());
    }
    unread_of(reply, &Tree(origin), source, (rule, failed), &mut |path, reason| losses.lost(Edit::Key, path, reason))
}

/// [`unread`] for a reply, or for one of its chunks.
fn unread_of<H: Host>(
    reply: &Reply<H>,
    root: &Tree<'_, H>,
    source: &ResponseRule,
    (rule, failed): (&ResponseRule, bool),
    tell: &mut dyn FnMut(Path, String) -> Result<(), Error>,
) -> Result<(), Error> {
    let is_written = |key: &str, value: &Tree<'_, H>| {
        if failed {
            return rule.names_request && key == k::REQUEST_ID.name && value.kind() == NodeKind::Text;
        }
        rule.tier.is_some() && source.tier.is_some_and(|tier| tier.name == key) && names_tier(value)
    };
    let error: Vec<_> = Path::written(reply.places.error).steps().collect();
    let is_error =
        |key: &str| reply.error.is_some() && error.iter().any(|step| matches!(step, Step::Key(name) if *name == key));
    let is_why = |value: &Tree<'_, H>| match (value.0, &reply.why) {
        (Value::Text(text), Some(why)) => failed && text.wtf8(None) == why.wtf8(None),
        _ => false,
    };
    let mut unread = |node: &Tree<'_, H>, at: &Path| -> Result<(), Error> {
        for (key, value) in node.entries() {
            let name = key.to_str(None);
            if is_error(&name) || is_why(&value) || is_written(&name, &value) {
                continue;
            }
            let at = at.clone().then(Step::Name(name.as_ref().into()));
            if !source.keys.reads_in(&name) || value.kind() != NodeKind::Map {
                tell_key(source, &name, &name, &value, at, tell)?;
                continue;
            }
            for (key, value) in value.entries() {
                let inner = key.to_str(None);
                let at = at.clone().then(Step::Name(inner.as_ref().into()));
                tell_key(source, &inner, &format!("{name}.{inner}"), &value, at, tell)?;
            }
        }
        Ok(())
    };
    // The error may be the whole body, whose details are reported with it.
    if reply.error.is_none() || !error.is_empty() {
        unread(root, &Path::default())?;
    }
    // The keys around the message of a choice.
    let steps: Vec<_> = Path::written(reply.from.facts.reply_message).steps().collect();
    if let [list @ .., _] = steps.as_slice()
        && list.iter().any(|step| matches!(step, Step::Index(_)))
    {
        let choice = list.iter().try_fold(Tree(root.0), |node, step| inside(&node, step));
        if let Some(choice) = choice {
            unread(&choice, &Path::of(list.iter().cloned()))?;
        }
    }
    Ok(())
}

/// Reports a key that was not read. `known`: how the source's rule names it.
fn tell_key<H: Host>(
    source: &ResponseRule,
    name: &str,
    known: &str,
    value: &Tree<'_, H>,
    at: Path,
    tell: &mut dyn FnMut(Path, String) -> Result<(), Error>,
) -> Result<(), Error> {
    let counts = source.keys.passed(known) == Some(Passed::Counts);
    if source.keys.knows(known) || value.says_nothing() || counts && !counts_something(value) {
        return Ok(());
    }
    tell(at, rules::no_place_for_key(name))
}
