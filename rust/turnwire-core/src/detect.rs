//! Detects the dialect of a payload by fixed rules: a payload is in the dialect that knows all of its signs.
//!
//! 1. Each sign (a key, a role, a type) names the dialects that know it. The candidates of an element know all of its
//!    signs; without a candidate, the error names two signs that conflict.
//! 2. A list is in the dialect that knows all of its elements. If there is none, each element gets its own: of several
//!    candidates, the dialect of the nearest element before it, or for text alone of the nearest element after it.
//! 3. The keys of a body decide the dialect of its frame, and that of its list if the list allows it.
//! 4. Of several dialects the target wins if it knows every key, setting and tool, then `openai`, then the order of the
//!    table. `openai` and `openai:hf` differ in the form of arguments and in ids, so these decide if one of both is the
//!    target, and in a training row.
//! 5. What has no sign at all is in no dialect, whatever the target is.
//! 6. An element of a list that was read before, as in a run of requests, keeps its dialect if its signs allow that.
//!
//! Only dialects that can be read take part.

mod block;
mod body;
mod foreign;
mod hint;
mod index;
mod input;
mod known;
mod list;
mod look;
mod read_as;
mod reading;
mod reply;
pub(crate) mod rows;
mod sourced;
mod tool;
mod unclear;

pub(crate) use self::tool::{dialect_of_tool, is_tool_of};
pub(crate) use self::{
    foreign::{block as foreign_block, explained, explained_alone, foreign, knows_block},
    reply::explained as explained_reply,
};
use self::{
    index::{Index, Set, Sign},
    known::knows_turn,
    list::Elements,
    look::Look,
    unclear::{mixed, no_list, unknown},
};
pub use self::{read_as::ReadAs, reading::Reading, tool::are_tools_of};
use crate::{
    k,
    model::{Entity, Parsed},
    report::{Error, Path, error::Code},
    rules::{DialectId, RowLayout, Spot, request_keys::is_row_like},
    value::{Key, NodeKind, Source},
};

/// The dialects of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The dialect of the frame, and of the list if all of its elements have it.
    pub(crate) frame: DialectId,
    /// The dialect of each element, if they differ.
    pub(crate) each: Option<Vec<DialectId>>,
    /// The dialects without the target, if the target only comes before others that know the same: of the payload, or of
    /// each element.
    tied: Tied,
}

/// What would be read without a target.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tied {
    /// The same.
    No,
    /// The payload as a whole, in another dialect.
    Whole,
    /// Each element by itself.
    Each(Vec<DialectId>),
}

impl Plan {
    /// How to read what the target won by a tie, and does not know every key of. `None` if there is no such thing.
    pub(crate) fn without<S: Source>(
        &self,
        target: DialectId,
        payload: &S,
        read: Result<&Parsed<S::H>, &Error>,
        before: &ReadAs,
    ) -> Result<Option<Self>, Error> {
        match (&self.tied, read) {
            (Tied::No, _) | (Tied::Each(_), Err(_)) => Ok(None),
            (Tied::Whole, Ok(parsed)) if known::knows(self.frame, parsed) => Ok(None),
            (Tied::Whole, _) => plan(payload, None, before).map(|first| Some(first).filter(|first| first != self)),
            (Tied::Each(firsts), Ok(parsed)) => {
                let mut each = self.each.clone().unwrap_or_default();
                for ((one, first), turn) in each.iter_mut().zip(firsts).zip(&parsed.turns) {
                    if turn.from.same_wire(target) && !knows_turn(target, turn) {
                        *one = *first;
                    }
                }
                let differs = self.each.as_ref() != Some(&each);
                Ok(differs.then_some(Self { frame: self.frame, each: Some(each), tied: Tied::No }))
            }
        }
    }
}

/// Detects the dialect of a body, a list or one element. Fails if no dialect knows a sign, if two signs conflict, or if
/// one list has elements of several dialects. The error names what conflicts.
pub fn detect<S: Source>(payload: &S, target: Option<DialectId>) -> Result<DialectId, Error> {
    let index = Index::get();
    one_list(payload)?;
    if payload.kind() == NodeKind::Map && list_of(payload).is_none() {
        let look = look::element(payload, true, index.taking_part(target), Path::default)?;
        let set = look.set.and_if_any(look.without_ids);
        let signed = look.signed && is_element(payload);
        return index.choose(set, target).filter(|_| signed).ok_or_else(|| unknown(payload));
    }
    let seen = Seen::of(payload, index.taking_part(target))?;
    if !seen.is_signed() {
        return Err(unknown(payload));
    }
    index.choose(seen.whole(), seen.likely(payload, target)).ok_or_else(|| mixed(&seen))
}

/// [`detect`] for a payload that is handled in its own dialect, and how to read it then. Training rows may have the key
/// of a format that is only stored around the messages of another one, which is their dialect.
pub(crate) fn own<S: Source>(payload: &S, target: Option<DialectId>) -> Result<(Reading, DialectId), Error> {
    let error = match detect(payload, target) {
        Ok(dialect) => return Ok((Reading::As(dialect), dialect)),
        Err(error) => error,
    };
    let (true, Some((key, list))) = (error.code() == Code::MixedDialects, list_of(payload)) else { return Err(error) };
    let index = Index::get();
    let frame = body::look(payload, index.taking_part(target)).ok().and_then(|look| index.choose(look.set, None));
    match detect(&list, target) {
        Ok(dialect) if RowLayout::uses(key.name) && frame.is_some_and(|frame| frame.facts.stored) => {
            Ok((Reading::Auto(Some(dialect)), dialect))
        }
        _ => Err(error),
    }
}

/// Whether an object is one element of a list: it says who speaks, or of which type it is, or it has parts. A text alone
/// is no message.
fn is_element<S: Source>(node: &S) -> bool {
    let says = |node: &S| [&k::ROLE, &k::FROM, &k::TYPE, &k::PARTS].iter().any(|key| node.get(key).is_some());
    says(node) || Entity::open(node).is_some_and(|(body, _)| says(&body)) || is_said_by_key(node)
}

/// Whether an object has a key that says who speaks: in the formats that know it, elements have neither roles nor types.
#[cold]
fn is_said_by_key<S: Source>(node: &S) -> bool {
    let index = Index::get();
    let mut found = false;
    look::said(node, |key| {
        let speaks = |sign: Sign| ![Spot::Role, Spot::Type].iter().any(|spot| index.any(*spot, sign.known_by));
        found |= index.sign(Spot::Key, key).is_some_and(speaks);
    });
    found
}

/// Decides how to read a payload. `before`: how the elements were read that it begins with.
pub(crate) fn plan<S: Source>(payload: &S, target: Option<DialectId>, before: &ReadAs) -> Result<Plan, Error> {
    let index = Index::get();
    one_list(payload)?;
    let seen = Seen::of(payload, index.taking_part(target))?;
    // Texts, turns and typed messages have no signs, and are the target's.
    if seen.has_objects && !seen.is_signed() {
        return Err(unknown(payload));
    }
    let (whole, target) = (seen.whole(), seen.likely(payload, target));
    let Some(anyone) = index.choose(Set::ALL, target) else { return Err(unknown(payload)) };
    let bare = !matches!(payload.kind(), NodeKind::Map);
    let tie = |one: DialectId| match index.choose(whole, None) {
        Some(first) if !first.same_wire(one) => Tied::Whole,
        _ => Tied::No,
    };
    let plan = match list::decide(&seen.looks, whole, target, anyone) {
        Elements::One(one) if bare || whole.has(index.of(one)) => Plan { frame: one, each: None, tied: tie(one) },
        elements => {
            let each = match elements {
                Elements::One(one) => vec![one; seen.looks.len()],
                Elements::Each(each) => each,
            };
            let frame = index.choose(seen.frame.set, target).unwrap_or(anyone);
            let is_target = |one: DialectId| target.is_some_and(|target| one.same_wire(target));
            let first = |(look, one): (&Look, &DialectId)| index.choose(look.own, None).unwrap_or(*one);
            let tied = if each.iter().any(|one| is_target(*one)) {
                Tied::Each(seen.looks.iter().zip(&each).map(first).collect())
            } else {
                Tied::No
            };
            Plan { frame, each: Some(each), tied }
        }
    };
    Ok(plan.like(before, &seen.looks))
}

/// The signs of a payload.
struct Seen {
    list: &'static str,
    frame: Look,
    looks: Vec<Look>,
    /// Whether the list has an object.
    has_objects: bool,
}

impl Seen {
    fn of<S: Source>(payload: &S, all: Set) -> Result<Self, Error> {
        let (list, frame, name) = match payload.kind() {
            NodeKind::List => (payload.clone(), Look::NOTHING, ""),
            NodeKind::Map => {
                let (key, list) = list_of(payload).ok_or_else(|| no_list(payload))?;
                (list, body::look(payload, all)?, key.name)
            }
            _ => {
                let text = format!("expected a list of messages or a body with one, got {}", payload.describe());
                return Err(Error::new(Code::WrongType, text));
            }
        };
        let mut has_objects = false;
        let looks = list.items().enumerate().map(|(index, element)| match element.kind() {
            NodeKind::Map => {
                has_objects = true;
                look::element(&element, index == 0, all, || Path::element(name, index))
            }
            // Text and turns have no signs. Anything else is an error when it is read.
            _ => Ok(Look::NOTHING),
        });
        let looks = looks.collect::<Result<_, _>>()?;
        Ok(Self { list: name, frame, looks, has_objects })
    }

    fn is_signed(&self) -> bool {
        self.frame.signed || self.looks.iter().any(|look| look.signed)
    }

    /// The dialects that know all of it. Marks decide between those that know all other signs, and only if a dialect
    /// that has the mark also takes the head of the list. Those of the body come before those of elements.
    fn whole(&self) -> Set {
        let common = |of: fn(&Look) -> Set| list::common(&self.looks, of);
        let head = self.looks.first().map_or(Set::ALL, |first| first.placed);
        let (able, mut set) = (common(|look| look.able), common(|look| look.set));
        if !set.has(head) && able.has(head) {
            set = able;
        }
        let mut frame = self.frame.set;
        if !set.and(frame).has(head) && set.and(self.frame.able).has(head) {
            frame = self.frame.able;
        }
        let ways = [set.and(frame), able.and(frame), set.and(self.frame.able), able.and(self.frame.able)];
        let known = ways.into_iter().find(|set| !set.is_empty()).unwrap_or(Set::NONE);
        known.and_if_any(common(|look| look.without_ids))
    }

    /// The target. If a format is named after another, as `openai:hf` is, both know the same signs. If one of them is the
    /// target, it is the one that writes arguments as the list has them. Without a target, a row is of the one that
    /// takes it as it is.
    fn likely<S: Source>(&self, payload: &S, target: Option<DialectId>) -> Option<DialectId> {
        let Some(one) = target else { return self.stored(payload) };
        let seen = self.looks.iter().find_map(|look| look.args);
        let writes = |dialect: DialectId| dialect.limits().is_ok_and(|limits| Some(limits.args) == seen);
        if seen.is_none() || writes(one) {
            return target;
        }
        let without_ids = list::common(&self.looks, |look| look.without_ids);
        let common = list::common(&self.looks, |look| look.set).and_if_any(self.frame.set).and_if_any(without_ids);
        Index::get().namesakes(one, common).find(|other| writes(*other)).or(target)
    }

    /// The dialect of a stored row whose calls lack ids, or have arguments as objects: a format that is named after the
    /// one that would read it otherwise.
    fn stored<S: Source>(&self, payload: &S) -> Option<DialectId> {
        let index = Index::get();
        let without_ids = list::common(&self.looks, |look| look.without_ids);
        let args = self.looks.iter().find_map(|look| look.args);
        if args.is_none() && without_ids == Set::ALL || !is_stored(payload) {
            return None;
        }
        let set = list::common(&self.looks, |look| look.set).and(self.frame.set);
        let one = index.choose(set, None)?;
        let takes = |dialect: DialectId| {
            let writes = |args| dialect.limits().is_ok_and(|limits| limits.args == args);
            without_ids.has(index.of(dialect)) && args.is_none_or(writes)
        };
        if takes(one) { None } else { index.namesakes(one, set).find(|other| takes(*other)) }
    }
}

/// Whether a body is a stored row: no key is that of a request alone, and it ends with what a model shall learn, the
/// assistant's text or a call of a tool that it defines.
#[cold]
fn is_stored<S: Source>(payload: &S) -> bool {
    let Some((_, list)) = list_of(payload).filter(|_| is_row_like(payload)) else { return false };
    let Some(end) = list.items().last() else { return false };
    let says = end.get(&k::ROLE).is_some_and(|role| role.word().is_some_and(|word| word == "assistant"));
    says && (end.get(&k::TOOL_CALLS).is_none() || payload.get(&k::TOOLS).is_some())
}

/// Whether an object is a body of some dialect, as far as its list shows.
pub(crate) fn has_list<S: Source>(payload: &S) -> bool {
    list_of(payload).is_some()
}

/// The list of messages in a payload: itself, or that of a body.
pub(crate) fn messages<S: Source>(payload: &S) -> Option<S> {
    match payload.kind() {
        NodeKind::List => Some(payload.clone()),
        NodeKind::Map => list_of(payload).map(|(_, list)| list),
        _ => None,
    }
}

/// The list of a body, with its key. An element has a role or a type, which no body has.
fn list_of<S: Source>(payload: &S) -> Option<(&'static Key, S)> {
    if payload.get(&k::ROLE).is_some() || payload.get(&k::TYPE).is_some() {
        return None;
    }
    let lists = || Index::get().lists.iter().copied();
    let found = lists().find_map(|key| {
        let list = payload.get(key).filter(|list| list.kind() != NodeKind::Null)?;
        (key.name != k::INPUT.name || input::is_list(payload, &list)).then_some((key, list))
    });
    // A null is no list, but the error about a body without another one names its key.
    let alone = || payload.get(&k::INPUT).is_none_or(|input| input.kind() == NodeKind::Null);
    found.or_else(|| if alone() { lists().find_map(|key| Some((key, payload.get(key)?))) } else { None })
}

/// Refuses a training row with several lists, which is not a payload.
fn one_list<S: Source>(payload: &S) -> Result<(), Error> {
    let Some(layout) = RowLayout::of(payload) else { return Ok(()) };
    let keys = layout.completions.iter().map(|(_, key)| *key).chain([layout.prompt]);
    let keys: Vec<_> = keys.filter(|key| payload.get(key).is_some()).map(|key| format!("{:?}", key.name)).collect();
    let keys = keys.join(", ");
    let text = format!(
        "expected one list of messages, got a training row with lists under {keys}: read it as a line of a file"
    );
    Err(Error::new(Code::NoDialect, text))
}
