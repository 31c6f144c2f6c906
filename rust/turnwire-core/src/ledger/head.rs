//! The system text and tools before the first message. What was sent stays; changes are appended at the end.

use std::collections::BTreeMap;

use super::on_change::OnChange;
use crate::{
    prefix::{digest, hash_with, named, said, unmarked},
    report::{Change, Edit, Error, Path, Provenance},
    rules::{DialectId, LaterTools, News, Slot, Slots, SystemPlace},
    stage::Note,
    value::{HashSet, NoHost, Raw, Text, Tree, Value, json::encode},
};

/// The head as it was sent.
#[derive(Debug)]
pub(super) struct Head {
    /// The body without its messages and its choice of tools. `null` for a bare list.
    pub(super) body: Value<NoHost>,
    /// The system messages at the beginning of the list, in a format that has no other place for them.
    pub(super) lead: Vec<Value<NoHost>>,
}

impl Clone for Head {
    fn clone(&self) -> Self {
        Self { body: self.body.share(), lead: self.lead.iter().map(Value::share).collect() }
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.body.same(&other.body)
            && self.lead.len() == other.lead.len()
            && self.lead.iter().zip(&other.lead).all(|(one, other)| one.same(other))
    }
}

impl Eq for Head {}

/// The caller's head as hashes: one for each line of system text, and one for each tool, by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) lines: Vec<u64>,
    pub(super) tools: BTreeMap<String, u64>,
}

/// The JSON text of a value.
pub(super) fn json(value: &Value<NoHost>) -> Vec<u8> {
    let mut out = Vec::new();
    // Cannot fail, because it was read from JSON.
    let _ = encode::raw(&Raw::Tree(value.share()), None, &mut out);
    out
}

fn slots(target: DialectId) -> &'static Slots {
    target.facts.slots.unwrap_or(&Slots::BARE_LIST)
}

/// The key of the body that holds the messages. Empty if the body is the list.
pub(super) fn list_key(target: DialectId, is_bare: bool) -> &'static str {
    if is_bare { "" } else { slots(target).list_key() }
}

/// The object with another value under a key, which may be inside other keys. `None` removes the key.
fn with(value: &Value<NoHost>, path: &[&'static str], new: Option<&Value<NoHost>>) -> Value<NoHost> {
    let Some((key, rest)) = path.split_first() else { return new.map_or(Value::Null, Value::share) };
    let entries: &[(Text<NoHost>, Value<NoHost>)] = if let Value::Map(entries) = value { entries } else { &[] };
    let held = entries.iter().find(|(name, _)| name.is(key, None)).map(|(_, held)| held);
    let made = match (rest.is_empty(), held) {
        (true, _) => new.map(Value::share),
        (false, None) if new.is_none() => None,
        (false, held) => Some(with(held.unwrap_or(&Value::Null), rest, new)),
    };
    let mut entries: Vec<_> = entries.iter().map(|(name, held)| (name.share(), held.share())).collect();
    match (entries.iter().position(|(name, _)| name.is(key, None)), made) {
        (Some(at), Some(made)) => entries[at].1 = made,
        (Some(at), None) => drop(entries.remove(at)),
        (None, Some(made)) => entries.push((Text::own(key), made)),
        (None, None) => {}
    }
    Value::Map(entries.into())
}

/// The value of a slot, and the keys that lead to it.
fn find(slot: Option<Slot>, body: &Value<NoHost>) -> Option<(Vec<&'static str>, Value<NoHost>)> {
    let tree = Tree(body);
    let (spelling, node) = slot?.some(&tree)?;
    Some((spelling.path().split('.').collect(), node.0.share()))
}

/// All texts in a value of system text.
fn texts(value: &Value<NoHost>, out: &mut Vec<String>) {
    match value {
        Value::Text(text) => out.extend(text.to_str(None).lines().map(str::to_owned)),
        Value::List(items) => items.iter().for_each(|item| texts(item, out)),
        Value::Map(entries) => {
            let said =
                entries.iter().filter(|(key, _)| ["text", "content", "parts"].iter().any(|one| key.is(one, None)));
            said.for_each(|(_, held)| texts(held, out));
        }
        _ => {}
    }
}

fn hash(line: &str) -> u64 {
    hash_with(0, line.as_bytes())
}

/// The hash of a tool, the same in every order of keys.
fn sum(tool: &Value<NoHost>) -> u64 {
    hash_with(0, &said(tool))
}

impl Head {
    /// The head of a request, and the caller's turns that it contains. `lead`: the system messages at the beginning of
    /// its list, if `body` does not hold the first messages. `behind`: how many system messages at the beginning do not
    /// belong to the head.
    pub(super) fn of(
        body: &Value<NoHost>,
        (lead, behind): (Option<Vec<Value<NoHost>>>, usize),
        provenance: &Provenance,
        target: DialectId,
    ) -> (Self, Vec<usize>) {
        let slots = slots(target);
        let key = list_key(target, matches!(body, Value::List(_)));
        let said = |lead: &[_]| provenance.sources.iter().take(lead.len()).flatten().copied().collect::<Vec<_>>();
        if matches!(body, Value::Map(_)) && !key.is_empty() {
            let anywhere = target.limits().is_ok_and(|limits| limits.system == SystemPlace::Anywhere);
            let lead = match lead {
                _ if slots.system.is_some() && !anywhere => Vec::new(),
                Some(lead) => lead,
                None => first_system(find(Some(slots.list), body).as_ref().map(|(_, list)| list), behind),
            };
            let body = with(body, &[key], Some(&Value::List([].into())));
            let body = find(slots.choice, &body).map_or(body.share(), |(path, _)| with(&body, &path, None));
            let hoisted = [provenance.hoisted.clone(), said(&lead)].concat();
            return (Self { body, lead }, hoisted);
        }
        let lead = lead.unwrap_or_else(|| first_system(Some(body), behind));
        let hoisted = said(&lead);
        (Self { body: Value::Null, lead }, hoisted)
    }

    /// Its lines of system text.
    fn lines(&self, target: DialectId) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((_, system)) = find(slots(target).system, &self.body) {
            texts(&system, &mut lines);
        }
        self.lead.iter().for_each(|element| texts(element, &mut lines));
        lines
    }

    /// Its tools by their names.
    fn tools(&self, target: DialectId) -> Vec<(String, Value<NoHost>)> {
        find(slots(target).tools, &self.body).map_or_else(Vec::new, |(_, list)| named(&list))
    }

    /// How many tools it has.
    pub(super) fn count(&self, target: DialectId) -> usize {
        self.tools(target).len()
    }

    /// Its hashes.
    pub(super) fn given(&self, target: DialectId) -> Given {
        Given {
            lines: self.lines(target).iter().map(|line| hash(line)).collect(),
            tools: self.tools(target).into_iter().map(|(name, tool)| (name, sum(&tool))).collect(),
        }
    }

    /// Its hashes, with what notes behind it have told.
    pub(super) fn given_with(&self, notes: &[Note], target: DialectId) -> Given {
        let mut given = self.given(target);
        for note in notes {
            given.lines.extend(&note.lines);
            for (name, sum) in &note.tools {
                match sum {
                    Some(sum) => given.tools.insert(name.clone(), *sum),
                    None => given.tools.remove(name),
                };
            }
        }
        given
    }

    /// A hash of everything that a cache reads.
    pub(super) fn sum(&self, target: DialectId) -> u64 {
        // An empty list of messages is not an error here, and hidden tools do not belong to the head.
        let beside = digest(&self.body, target, None).map_or(0, |digest| digest.head);
        self.lead.iter().fold(beside, |sum, one| hash_with(sum, &json(&unmarked(one))))
    }

    /// Whether it is the same in the same bytes.
    pub(super) fn is_spelled_like(&self, other: &Self) -> bool {
        let lead = || self.lead.iter().zip(&other.lead).all(|(one, other)| json(one) == json(other));
        self.lead.len() == other.lead.len() && json(&self.body) == json(&other.body) && lead()
    }

    /// Whether the system text is the same.
    pub(super) fn says_the_same(&self, other: &Self, target: DialectId) -> bool {
        self.lines(target) == other.lines(target)
    }

    /// The body that its frame is read from, with the tool choice of another body.
    pub(super) fn body_with_choice(&self, other: &Value<NoHost>, target: DialectId) -> Option<Vec<u8>> {
        if !matches!(self.body, Value::Map(_)) {
            return None;
        }
        let choice = find(slots(target).choice, other);
        let body = choice.map_or_else(|| self.body.share(), |(path, choice)| with(&self.body, &path, Some(&choice)));
        Some(json(&body))
    }
}

/// Whether this is a system message.
pub(super) fn is_system(message: &Value<NoHost>) -> bool {
    let Value::Map(entries) = message else { return false };
    let role = entries.iter().find(|(key, _)| key.is("role", None)).map(|(_, role)| role);
    matches!(role, Some(Value::Text(role)) if role.is("system", None) || role.is("developer", None))
}

/// The system messages that a list begins with, without the last `behind` of them.
fn first_system(list: Option<&Value<NoHost>>, behind: usize) -> Vec<Value<NoHost>> {
    let Some(Value::List(items)) = list else { return Vec::new() };
    let count = items.iter().take_while(|item| is_system(item)).count();
    items[..count.saturating_sub(behind)].iter().map(Value::share).collect()
}

/// What to do about a changed head.
pub(super) struct Told {
    /// The head to send. `None` if the new one replaces it.
    pub(super) head: Option<Head>,
    /// The elements to append, in the target's format.
    pub(super) said: Vec<Value<NoHost>>,
    /// The hashes of the lines that they tell.
    pub(super) lines: Vec<u64>,
    /// The tools that they show, each with its hash, and those that they withdraw.
    pub(super) tools: Vec<(String, Option<u64>)>,
    /// Warnings about changes that cannot be appended.
    pub(super) warnings: Vec<Change>,
}

/// Compares `fresh`, the caller's new head, with `given`, the one before it. `head` is the one that was sent.
pub(super) fn tell(
    (head, given, fresh): (&Head, &Given, &Head),
    (target, model): (DialectId, Option<&str>),
    (on_system, on_tools): (OnChange, OnChange),
) -> Result<Told, Error> {
    let limits = target.limits()?;
    let takes = target.facts.tell.is_some() && (limits.later.models)(model);
    let takes_text = takes && limits.takes_later_text();
    let now = fresh.given(target);
    let mut told =
        Told { head: Some(head.clone()), said: Vec::new(), lines: Vec::new(), tools: Vec::new(), warnings: Vec::new() };
    let mut news = News::default();
    if now.lines != given.lines {
        let known: HashSet<_> = given.lines.iter().copied().collect();
        let new: Vec<_> = fresh.lines(target).into_iter().filter(|line| !known.contains(&hash(line))).collect();
        match on_system {
            OnChange::Append if takes_text && !new.is_empty() => {
                told.lines = new.iter().map(|line| hash(line)).collect();
                news.text = Some(new.join("\n"));
            }
            OnChange::Append if takes_text => {
                let text = "lines of the system text were removed or moved: the text that was sent stays";
                told.warnings.push(Change::warning(Edit::SystemFrozen, Path::default(), text));
            }
            OnChange::Freeze => {
                let text = "the system text has changed: the first one is sent";
                told.warnings.push(Change::warning(Edit::SystemFrozen, Path::default(), text));
            }
            _ => told.head = None,
        }
    }
    if now.tools != given.tools {
        match on_tools {
            OnChange::Append => tools((&mut told, &mut news), (head, given, fresh), target, takes),
            OnChange::Freeze => {
                let text = "the tools have changed: the first ones are sent";
                told.warnings.push(Change::warning(Edit::ToolsFrozen, Path::default(), text));
            }
            OnChange::Break => told.head = None,
        }
    }
    let says = news.text.is_some() || !news.shown.is_empty() || !news.withdrawn.is_empty();
    if let (Some(tell), true) = (target.facts.tell, says) {
        told.said = tell(&news);
        let shown = news.shown.iter().map(|(name, tool)| (name.clone(), Some(sum(tool))));
        told.tools = shown.chain(news.withdrawn.iter().map(|name| (name.clone(), None))).collect();
    }
    Ok(told)
}

/// Handles changed tools.
fn tools(
    (told, news): (&mut Told, &mut News),
    (head, given, fresh): (&Head, &Given, &Head),
    target: DialectId,
    takes: bool,
) {
    let later = target.limits().map_or(LaterTools::Replaced, |limits| limits.later.tools);
    let later = if takes { later } else { LaterTools::Replaced };
    let (sent, now) = (head.tools(target), fresh.tools(target));
    let known = |name: &str| given.tools.get(name);
    let added: Vec<_> = now.iter().filter(|(name, _)| known(name).is_none()).collect();
    let redefined: Vec<_> =
        now.iter().filter(|(name, tool)| known(name).is_some_and(|before| *before != sum(tool))).collect();
    let is_gone = |name: &&String| !now.iter().any(|(one, _)| one == *name);
    let withdrawn: Vec<_> = given.tools.keys().filter(is_gone).cloned().collect();
    let mut list: Vec<_> = sent.iter().map(|(_, tool)| tool.share()).collect();
    let place = |name: &str| sent.iter().position(|(one, _)| one == name);
    match later {
        LaterTools::Replaced => {
            told.head = None;
            return;
        }
        LaterTools::Listed => {
            for (name, tool) in added.into_iter().chain(redefined) {
                match place(name) {
                    Some(at) => list[at] = tool.share(),
                    None => list.push(tool.share()),
                }
            }
            stays(told, &withdrawn);
        }
        LaterTools::Shown => {
            for (name, tool) in added {
                match place(name) {
                    Some(at) if !sent[at].1.same(tool) && !sent[at].1.same(&deferred(tool)) => frozen(told, name),
                    Some(_) => {}
                    None => list.push(deferred(tool)),
                }
                news.shown.push((name.clone(), tool.share()));
            }
            for (name, tool) in redefined {
                // Where an edit or a summary has taken back the note that showed it, a tool is only hidden in the head.
                let is_hidden = |at: usize| sent[at].1.same(&deferred(tool)) && known(name) == Some(&sum(&sent[at].1));
                if place(name).is_some_and(is_hidden) {
                    news.shown.push((name.clone(), tool.share()));
                } else {
                    frozen(told, name);
                }
            }
            // In a damaged state, the head may lack a tool that was given before.
            news.withdrawn = withdrawn.into_iter().filter(|name| place(name).is_some()).collect();
        }
        LaterTools::Item => {
            news.shown.extend(added.into_iter().map(|(name, tool)| (name.clone(), tool.share())));
            for (name, _) in &redefined {
                frozen(told, name);
            }
            stays(told, &withdrawn);
        }
    }
    let slot = slots(target).tools;
    let path = find(slot, &head.body).or_else(|| find(slot, &fresh.body)).map(|(path, _)| path);
    if let (Some(head), Some(path)) = (told.head.as_mut(), path)
        && !(list.is_empty() && sent.is_empty())
    {
        head.body = with(&head.body, &path, Some(&Value::List(list.into())));
    }
}

fn deferred(tool: &Value<NoHost>) -> Value<NoHost> {
    with(tool, &["defer_loading"], Some(&Value::Bool(true)))
}

fn frozen(told: &mut Told, name: &str) {
    let text = format!("the tool {name:?} has another definition now: the one that was sent stays");
    told.warnings.push(Change::warning(Edit::ToolsFrozen, Path::default(), text));
}

fn stays(told: &mut Told, withdrawn: &[String]) {
    for name in withdrawn {
        let text = format!(
            "the tool {name:?} is no longer passed: the definition that was sent stays, and the model can still call it"
        );
        told.warnings.push(Change::warning(Edit::ToolsFrozen, Path::default(), text));
    }
}
