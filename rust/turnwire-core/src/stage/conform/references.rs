//! Leaves out references to tools that the request does not define, and lets the others follow a tool's new name.

use std::sync::Arc;

use crate::{
    k,
    model::{Content, Frame, Kind, Part, Tool, ToolResult, Turn},
    pairing::links::ran,
    report::{Change, Edit, Path, Severity, Step, ToolNames},
    rules::{DialectId, RanRule, ReferenceRule, value_rule::member},
    stage::{Draft, reasoning::leave_out},
    value::{HashSet, Host, Input, Raw, Text, Value},
};

const UNDEFINED_CHANGE: &str = "the target refuses a change of a tool that the request does not define";
const UNKNOWN: &str = "the target needs the definition of the tool that this names: pass it, or add it to the request";
const NOTHING_FOUND: &str = "the request defines none of the tools that the provider found here";
const UNDEFINED: &str = "the target refuses a reference to a tool that the request does not define";
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let Some(rule) = target.facts.references else { return };
    let refers = |turn: &Turn<H>| {
        turn.from.same_wire(target) && turn.parts.iter().any(|part| names(part, rule, turn.input.as_ref()))
    };
    if draft.turns().any(|turn| refers(turn)) {
        mend(draft, (rule, target.facts.ran), &refers);
    }
    let changes =
        |turn: &Turn<H>| turn.from.same_wire(target) && turn.parts.iter().any(|part| is_change(part, rule, turn));
    if draft.turns().any(|turn| changes(turn)) {
        warn(draft, rule, target);
    }
}

/// Whether a part changes which tools the model sees.
fn is_change<H: Host>(part: &Part<H>, rule: &ReferenceRule, turn: &Turn<H>) -> bool {
    let of = |kind: &Text<H>| rule.changes.blocks.iter().any(|word| kind.is(word, turn.input.as_ref()));
    matches!(&part.kind, Kind::Opaque(kind) if of(kind))
}

/// Warns of changes of tools that the request does not define. Nothing can be left out: the block says something to the
/// model.
#[cold]
fn warn<H: Host>(draft: &mut Draft<'_, H>, rule: &ReferenceRule, target: DialectId) {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let Some(mut defined) = defined(&frame, rule) else { return };
    for turn in draft.turns() {
        turn.parts.iter().for_each(|part| brought(part, rule, turn.input.as_ref(), &mut defined));
    }
    let known = Known { rule, defined, names: draft.names.clone() };
    let mut warnings = Vec::new();
    for at in 0..draft.turns().len() {
        let (turn, index) = draft.at(at);
        for (place, part) in turn.parts.iter().enumerate() {
            if turn.from.same_wire(target)
                && is_change(part, rule, turn)
                && known.changes_none(part, turn.input.as_ref())
            {
                let path = turn.part_path(index, place);
                let warning = Change::warning(Edit::ToolsMissing, path, UNDEFINED_CHANGE).graded(Severity::Error);
                warnings.push(warning);
            }
        }
    }
    warnings.retain(|warning| !draft.receipt.changes.contains(warning));
    draft.receipt.changes.extend(warnings);
}

#[cold]
fn mend<H: Host>(
    draft: &mut Draft<'_, H>,
    (rule, ran): (&ReferenceRule, Option<&RanRule>),
    refers: &dyn Fn(&Turn<H>) -> bool,
) {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let known = defined(&frame, rule);
    if known.is_none() && brings(&frame, rule) {
        return;
    }
    // A list comes without the tools of its request, so what is missing there may be in the request.
    let sure = known.is_some();
    let mut defined = known.unwrap_or_default();
    for turn in draft.turns() {
        turn.parts.iter().for_each(|part| brought(part, rule, turn.input.as_ref(), &mut defined));
    }
    let known = Known { rule, defined, names: draft.names.clone() };
    let mut entries = Vec::new();
    // The calls of which every result is gone.
    let mut emptied: HashSet<String> = HashSet::default();
    for slot in draft.slots().iter_mut().filter(|slot| refers(&slot.turn)) {
        let mut new = slot.turn.touch();
        let mut changed = false;
        for (at, part) in new.parts.iter_mut().enumerate() {
            let mut gone = Vec::new();
            changed |= known.mend(part, slot.turn.input.as_ref(), &mut gone);
            if sure && !gone.is_empty() && known.lists_nothing(part) {
                emptied.extend(ran.and_then(|ran| ran::text_of(part.origin.as_ref()?, ran.answers, None)));
            }
            let path = |steps: Vec<Step>| steps.into_iter().fold(slot.path_of(at), Path::then);
            entries.extend(gone.into_iter().map(|(to, name)| {
                if sure {
                    let why = format!("{UNDEFINED}, {name:?}");
                    Change::new(Edit::Opaque, slot.index, path(to), why).graded(Severity::Error)
                } else {
                    Change::warning(Edit::ToolsMissing, path(to), UNKNOWN)
                }
            }));
        }
        if changed && sure {
            slot.turn = Arc::new(new);
        }
    }
    draft.receipt.changes.append(&mut entries);
    if let Some(ran) = ran.filter(|_| !emptied.is_empty()) {
        let is_of = |part: &Part<H>, input: Option<&Input>, key: &str| {
            let id = part.origin.as_ref().and_then(|origin| ran::text_of(origin, key, input));
            id.is_some_and(|id| emptied.contains(&id))
        };
        let goes = |_: usize, turn: &Turn<H>, at: usize| {
            let (part, input) = (&turn.parts[at], turn.input.as_ref());
            match &part.kind {
                Kind::Opaque(kind) if kind.is(ran.call, input) => is_of(part, input, k::ID.name),
                Kind::Opaque(kind) if kind.is(rule.listed.0, input) => is_of(part, input, ran.answers),
                _ => false,
            }
        };
        leave_out(draft, goes, (Edit::OrphanCall, NOTHING_FOUND));
    }
}

/// Whether a part may name a tool.
fn names<H: Host>(part: &Part<H>, rule: &ReferenceRule, input: Option<&Input>) -> bool {
    match &part.kind {
        Kind::Opaque(kind) => kind.is(rule.listed.0, input),
        Kind::Result(ToolResult { content: Content::Blocks(blocks), .. }) => {
            blocks.iter().any(|block| is_reference(block, rule, input))
        }
        _ => false,
    }
}

fn is_reference<H: Host>(block: &Part<H>, rule: &ReferenceRule, input: Option<&Input>) -> bool {
    matches!(&block.kind, Kind::Opaque(kind) if kind.is(rule.block, input))
}

/// The names of all tools. `None` if nobody can know them: the request has none, or a server brings some.
fn defined<H: Host>(frame: &Frame<H>, rule: &ReferenceRule) -> Option<HashSet<String>> {
    let tools = frame.tools.as_ref().filter(|tools| !tools.is_empty() && !brings(frame, rule))?;
    Some(tools.iter().filter_map(|tool| name_of(tool, frame.input.as_ref())).collect())
}

/// Whether a server brings tools that the request does not name.
fn brings<H: Host>(frame: &Frame<H>, rule: &ReferenceRule) -> bool {
    let input = frame.input.as_ref();
    let unnamed = |tool: &Tool<H>| tool.by_provider && tool.name.to_str(input).contains(rule.unnamed);
    let mut rest = frame.rest.iter().flat_map(|rest| &rest.keys);
    frame.tools.iter().flatten().any(unnamed) || rest.any(|one| one.key.is(rule.server, input))
}

/// A tool's name. That of a provider's tool is beside its type.
fn name_of<H: Host>(tool: &Tool<H>, input: Option<&Input>) -> Option<String> {
    if tool.by_provider { text_in(tool.origin.as_ref()?, k::NAME.name, input) } else { Some(text(&tool.name, input)) }
}

fn text<H: Host>(text: &Text<H>, input: Option<&Input>) -> String {
    text.to_str(input).into_owned()
}

fn text_in<H: Host>(raw: &Raw<H>, key: &str, input: Option<&Input>) -> Option<String> {
    word(&raw.to_value(input).ok()?, key)
}

fn word<H: Host>(value: &Value<H>, key: &str) -> Option<String> {
    let Value::Map(entries) = value else { return None };
    match member(entries, key) {
        Some(Value::Text(held)) => Some(text(held, None)),
        _ => None,
    }
}

/// Adds the tools that a message defines.
fn brought<H: Host>(part: &Part<H>, rule: &ReferenceRule, input: Option<&Input>, names: &mut HashSet<String>) {
    let (Kind::Opaque(_), Some(origin)) = (&part.kind, &part.origin) else { return };
    if let Ok(value) = origin.to_value(input) {
        collect(&value, rule.brought, names);
    }
}

fn collect<H: Host>(value: &Value<H>, (kind, key): (&str, &str), names: &mut HashSet<String>) {
    match value {
        Value::Map(entries) => {
            if word(value, k::TYPE.name).as_deref() == Some(kind) {
                names.extend(member(entries, key).and_then(|tool| word(tool, k::NAME.name)));
            }
            entries.iter().for_each(|(_, held)| collect(held, (kind, key), names));
        }
        Value::List(items) => items.iter().for_each(|held| collect(held, (kind, key), names)),
        _ => {}
    }
}

/// The place of a reference inside its part, and the name of the tool.
type Gone = (Vec<Step>, String);

/// What is known of the tools.
struct Known<'a> {
    rule: &'a ReferenceRule,
    defined: HashSet<String>,
    /// The tools that this build has renamed.
    names: ToolNames,
}

impl Known<'_> {
    /// Leaves out references to unknown tools, and renames the others. `gone`: the places of the first, inside the part.
    fn mend<H: Host>(&self, part: &mut Part<H>, input: Option<&Input>, gone: &mut Vec<Gone>) -> bool {
        match &mut part.kind {
            Kind::Result(ToolResult { content: content @ Content::Blocks(_), .. }) => {
                let changed = self.blocks(content, input, gone);
                part.touched |= changed;
                changed
            }
            Kind::Opaque(kind) if kind.is(self.rule.listed.0, input) => {
                let value = part.origin.as_ref().and_then(|origin| origin.to_value(input).ok());
                let Some(new) = value.and_then(|value| self.within(&value, &self.rule.listed.1, gone)) else {
                    return false;
                };
                part.origin = Some(Raw::Tree(new));
                true
            }
            _ => false,
        }
    }

    /// Whether a block changes a tool that is not defined.
    fn changes_none<H: Host>(&self, part: &Part<H>, input: Option<&Input>) -> bool {
        let rule = &self.rule.changes;
        let Some(Ok(Value::Map(block))) = part.origin.as_ref().map(|origin| origin.to_value(input)) else {
            return false;
        };
        let Some(tool) =
            member(&block, rule.key).filter(|tool| word(tool, k::TYPE.name).as_deref() == Some(rule.named.0))
        else {
            return false;
        };
        let is_defined = |name: &str| self.defined.contains(name) || self.names.wire(name).is_some();
        word(tool, rule.named.1).is_some_and(|name| !is_defined(&name))
    }

    /// Whether the list of a block of the provider's is empty.
    fn lists_nothing<H: Host>(&self, part: &Part<H>) -> bool {
        let (Kind::Opaque(_), Some(Raw::Tree(block))) = (&part.kind, &part.origin) else { return false };
        let within = |at: &Value<H>, key: &&str| match at {
            Value::Map(entries) => member(entries, key).map(Value::share),
            _ => None,
        };
        let list = self.rule.listed.1.iter().try_fold(block.share(), |at, key| within(&at, key));
        matches!(list, Some(Value::List(items)) if items.is_empty())
    }

    fn blocks<H: Host>(&self, content: &mut Content<H>, input: Option<&Input>, gone: &mut Vec<Gone>) -> bool {
        let Content::Blocks(blocks) = content else { return false };
        let (mut changed, mut places) = (false, 0..);
        blocks.retain_mut(|block| {
            let place = places.next().unwrap_or_default();
            let value = block.origin.as_ref().filter(|_| is_reference(block, self.rule, input));
            let found =
                value.and_then(|origin| origin.to_value(input).ok()).map_or(Reference::Defined, |it| self.judge(&it));
            changed |= !matches!(found, Reference::Defined);
            match found {
                Reference::Defined => true,
                Reference::Renamed(value) => {
                    block.origin = Some(Raw::Tree(value));
                    true
                }
                Reference::Undefined(name) => {
                    gone.push((vec![Step::Key(k::CONTENT.name), Step::Index(place)], name));
                    false
                }
            }
        });
        if blocks.is_empty() {
            *content = Content::Absent;
        }
        changed
    }

    /// The value with a mended list at these keys. `None` if nothing changes.
    fn within<H: Host>(&self, value: &Value<H>, keys: &[&'static str], gone: &mut Vec<Gone>) -> Option<Value<H>> {
        match (value, keys) {
            (Value::Map(entries), [key, rest @ ..]) => {
                let held = self.within(member(entries, key)?, rest, gone)?;
                Some(with(entries, key, &held))
            }
            (Value::List(items), []) => {
                let (mut kept, mut changed) = (Vec::with_capacity(items.len()), false);
                for (place, item) in items.iter().enumerate() {
                    let found = self.judge(item);
                    changed |= !matches!(found, Reference::Defined);
                    match found {
                        Reference::Defined => kept.push(item.share()),
                        Reference::Renamed(new) => kept.push(new),
                        Reference::Undefined(name) => {
                            let to = self.rule.listed.1.iter().map(|key| Step::Key(key));
                            gone.push((to.chain([Step::Index(place)]).collect(), name));
                        }
                    }
                }
                changed.then(|| Value::List(kept.into()))
            }
            _ => None,
        }
    }

    fn judge<H: Host>(&self, reference: &Value<H>) -> Reference<H> {
        let (Value::Map(entries), Some(name)) = (reference, word(reference, self.rule.name)) else {
            return Reference::Defined;
        };
        if self.defined.contains(&name) {
            return Reference::Defined;
        }
        match self.names.wire(&name).filter(|wire| self.defined.contains(*wire)) {
            Some(wire) => Reference::Renamed(with(entries, self.rule.name, &Value::Text(Text::own(wire)))),
            None => Reference::Undefined(name),
        }
    }
}

/// The object with another value under this key.
fn with<H: Host>(entries: &[(Text<H>, Value<H>)], key: &str, value: &Value<H>) -> Value<H> {
    let set = |(name, old): &(Text<H>, Value<H>)| {
        (name.share(), if name.is(key, None) { value.share() } else { old.share() })
    };
    Value::Map(entries.iter().map(set).collect())
}

/// A reference to a tool.
enum Reference<H: Host> {
    /// It names a tool that the request defines, or says nothing that can be judged.
    Defined,
    /// The tool has another name in this build.
    Renamed(Value<H>),
    /// No such tool is defined.
    Undefined(String),
}
