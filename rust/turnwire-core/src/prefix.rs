//! Compares two request bodies as a provider's check of reasoning and its cache do: the first difference, and its cost.
//!
//! 1. `walk` lists a body in the order of the check: system text, tools as a set by name, then each piece of each message.
//!    It ignores cache marks, the order of keys and tools, the spelling of numbers, white space around text, blank text, and
//!    tools that were never shown. A string equals one block of text. Reasoning is listed separately, with the number of
//!    pieces before it.
//! 2. The first piece that differs is the edit. `align` finds out whether something was removed, inserted, moved or changed.
//!    After a compaction that both bodies have, the comparison starts again.
//! 3. `chain` finds stale reasoning: all reasoning after the edit or after a gap. The blocks that stay have to be one
//!    unbroken run of the old ones.
//! 4. A cache is stricter: it reads equal bytes from the front, in the order tools, system text, messages, in whole blocks.
//! 5. Whether the model refuses stale reasoning is a rule of the dialect and the model: `checks_prefix`.
//!
//! <https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks>,
//! <https://developers.openai.com/api/docs/guides/keep-prefix-unchanged>

mod align;
mod cause;
mod chain;
mod digest;
mod element;
mod place;
mod say;
mod thought;
mod tools;
mod walk;

pub use self::{
    cause::Cause,
    digest::{Block, Digest, Restart, digest, digest_behind, go_on, token},
    place::Place,
    tools::{Tools, named},
};
pub(crate) use self::{
    digest::{alike, hash_with, said},
    element::unmarked,
};
use self::{
    element::{Element, Kind, Pair},
    thought::Thought,
    walk::Walked,
};
use crate::{
    detect::{Reading, detect},
    report::{Error, Path, error::Code},
    rules::DialectId,
    value::{Host, Tree, Value},
};

/// The difference between two request bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// The dialect that both were read as.
    pub dialect: String,
    /// The name of the model, if it is known.
    pub model: Option<String>,
    /// The cause of the difference.
    pub cause: Cause,
    /// Whether content of the first body has changed.
    pub edit: bool,
    /// The path in the first body of the first piece that differs. `None` if only the second body has that piece.
    pub before: Option<Path>,
    /// Its path in the second body.
    pub after: Option<Path>,
    /// The wire's own name for the piece.
    pub kind: String,
    /// The id of the piece.
    pub id: Option<String>,
    /// How many messages or blocks are affected.
    pub count: usize,
    /// Where inside the piece the difference is.
    pub place: Option<Place>,
    /// Whether the model checks the prefix of its reasoning.
    pub checks: bool,
    /// The reasoning of the second body that such a model would find stale.
    pub stale: Vec<Path>,
    /// The differences of the tools.
    pub tools: Tools,
    /// Whether the system text before the messages changed.
    pub system_changed: bool,
    /// How many bytes from the front a cache can read again.
    pub cached: usize,
    /// The size of the second body in bytes: tools, system text and messages, without marks.
    pub total: usize,
    /// The first block that a cache cannot read again.
    pub anew: Option<Path>,
}

/// Compares `b` with `a`, the request before it. Either body may name the model.
pub fn diff<H: Host>(a: &Value<H>, b: &Value<H>, source: Reading, model: Option<&str>) -> Result<Diff, Error> {
    let dialect = source.named_or_likely().or_else(|likely| dialect_of(a, b, likely))?;
    let (mut old, mut new) = (walk::walk(a, dialect)?, walk::walk(b, dialect)?);
    let is_list = |body: &Value<H>| matches!(body, Value::List(_));
    if is_list(a) != is_list(b) {
        // If only one of them has a model, models are not compared.
        (old, new) = (old.messages_alone(), new.messages_alone());
    }
    let named = model.or(new.model.as_deref()).or(old.model.as_deref()).map(str::to_owned);
    if !(dialect.facts.system_binds)(named.as_deref()) {
        (old, new) = (old.without_system(), new.without_system());
    }
    let checks = dialect.limits().is_ok_and(|limits| (limits.checks_prefix)(named.as_deref()));
    let mut diff = Diff {
        dialect: dialect.name(),
        model: named,
        cause: Cause::Equal,
        edit: false,
        before: None,
        after: None,
        kind: String::new(),
        id: None,
        count: 0,
        place: None,
        checks,
        stale: Vec::new(),
        tools: Tools::default(),
        system_changed: false,
        cached: 0,
        total: new.rows.iter().map(|row| row.bytes.len()).sum(),
        anew: None,
    };
    let is_other_model = matches!((&old.model, &new.model), (Some(old), Some(new)) if old != new);
    let setting = other_setting(&old, &new);
    let most = if is_other_model { 0 } else { setting.as_ref().map_or(usize::MAX, |_| new.head) };
    let common = old.rows.iter().zip(&new.rows).take(most).take_while(|(a, b)| a.bytes == b.bytes).count();
    diff.cached = new.rows[..common].iter().map(|row| row.bytes.len()).sum();
    diff.anew = new.rows.get(common).map(|row| row.path.clone());
    let cut_short = common < old.rows.len() && common < new.rows.len();
    diff.compare(&old, &new, dialect.compaction().is_some_and(|rule| rule.covers_users));
    if !diff.edit && diff.cause != Cause::Compacted {
        let (tools, left_out) = (diff.tools.reordered, diff.cause == Cause::ReasoningDropped);
        if is_other_model {
            diff.cause = Cause::ModelChanged;
        } else if tools {
            diff.cause = Cause::ToolsReordered;
        } else if let Some(path) = setting {
            diff.cause = Cause::SettingsChanged;
            (diff.before, diff.after) = (Some(path.clone()), Some(path));
        } else if cut_short && !left_out {
            diff.cause = Cause::Respelled;
        }
        if matches!(diff.cause, Cause::ToolsReordered | Cause::Respelled) {
            diff.after.clone_from(&diff.anew);
            diff.before = old.rows.get(common).map(|row| row.path.clone());
        }
    }
    Ok(diff)
}

/// The first changed setting among those that a cache of the messages depends on.
fn other_setting<H: Host>(old: &Walked<H>, new: &Walked<H>) -> Option<Path> {
    let has = |all: &Walked<H>, (path, value): &(Path, Value<H>)| {
        all.settings.iter().any(|(other, held)| other == path && held.same(value))
    };
    let changed = new.settings.iter().find(|one| !has(old, one));
    changed.or_else(|| old.settings.iter().find(|one| !has(new, one))).map(|(path, _)| path.clone())
}

/// The dialect of two bodies of one conversation. If one of them fits several, the other decides.
fn dialect_of<H: Host>(a: &Value<H>, b: &Value<H>, target: Option<DialectId>) -> Result<DialectId, Error> {
    match (detect(&Tree(a), target), detect(&Tree(b), target)) {
        (Ok(old), Ok(new)) if old != new => {
            let is = |body, dialect| detect(&Tree(body), Some(dialect)).is_ok_and(|found| found == dialect);
            let both = [(a, new), (b, old)].into_iter().find(|(body, dialect)| is(*body, *dialect));
            both.map(|(_, dialect)| dialect).ok_or_else(|| mixed(old, new))
        }
        (_, Ok(found)) | (Ok(found), Err(_)) => Ok(found),
        (Err(_), Err(error)) => Err(error),
    }
}

#[cold]
fn mixed(old: DialectId, new: DialectId) -> Error {
    let text = format!("expected two requests of one dialect, got one of {} and one of {}", old.name(), new.name());
    Error::new(Code::MixedDialects, text)
}

impl Diff {
    fn compare<H: Host>(&mut self, old: &Walked<H>, new: &Walked<H>, covers: bool) {
        let system = first(&old.system, &new.system);
        self.system_changed = system.is_some();
        let (tools, tool) = tools::compare(&old.tools, &new.tools);
        self.tools = tools;
        let format = (old.format.as_ref(), new.format.as_ref());
        let other_format = match format {
            (Some(a), Some(b)) => !a.value.same(&b.value),
            (a, b) => a.is_some() != b.is_some(),
        };
        let head = system
            .map(|at| (Cause::SystemChanged, (old.system.get(at), new.system.get(at))))
            .or_else(|| tool.map(|pair| (Cause::ToolsChanged, pair)))
            .or_else(|| other_format.then_some((Cause::FormatChanged, format)));
        let Some((cause, pair)) = head else { return self.messages(old, new, covers) };
        self.at(cause, pair, 1);
        let signed = new.thoughts.iter().filter(|thought| thought.signed && self.checks);
        self.stale = signed.map(|thought| thought.path.clone()).collect();
    }

    /// Compares the messages. `covers`: whether a compaction replaces everything before it.
    fn messages<H: Host>(&mut self, old: &Walked<H>, new: &Walked<H>, covers: bool) {
        let (mut a, mut b) = (&old.parts[..], &new.parts[..]);
        let (mut skipped, mut anew) = ((0, 0), false);
        let last = |all: &[Element<H>]| all.iter().rposition(|one| one.kind == Kind::Compaction);
        match (last(a), last(b)) {
            (Some(x), Some(y)) if a[x].same(&b[y]) && !covers => {}
            (Some(x), Some(y)) if a[x].same(&b[y]) => {
                (a, b) = (&a[x..], &b[y..]);
                skipped = (x, y);
            }
            (_, Some(_)) => anew = true,
            _ => {}
        }
        let at = first(a, b);
        // If the common front is the whole of one of them, nothing was edited.
        let edit = at.filter(|at| *at < a.len() && *at < b.len());
        if let (true, Some(_)) = (anew, edit) {
            let last = last(b).and_then(|at| b.get(at));
            self.at(Cause::Compacted, (None, last), 1);
            self.edit = false;
            return;
        }
        let (earlier, later) = (behind(&old.thoughts, skipped.0), behind(&new.thoughts, skipped.1));
        let chain = chain::compare(&earlier, &later, edit, a.len());
        match (edit, &chain.broken) {
            (edit, Some(broken)) if edit.is_none_or(|edit| broken.at <= edit) => {
                let (was, is) = (broken.a.map(|index| &earlier[index]), broken.b.map(|index| &later[index]));
                self.thought(broken.cause, was, is);
            }
            (Some(at), _) => self.edited(a, b, at),
            (None, _) => {
                // If the second body ends earlier, later pieces were not removed from it.
                let reach = if at == Some(b.len()) && b.len() < a.len() { b.len() } else { usize::MAX };
                let left_out = chain.left_out.map(|index| &earlier[index]).filter(|thought| thought.at < reach);
                match left_out {
                    Some(thought) => self.left_out(thought),
                    None => self.unedited(a, b, at),
                }
            }
        }
        if self.checks {
            let signed = chain.stale.iter().map(|index| &later[*index]).filter(|thought| thought.signed);
            self.stale = signed.map(|thought| thought.path.clone()).collect();
        }
    }

    fn left_out<H: Host>(&mut self, thought: &Thought<H>) {
        self.cause = Cause::ReasoningDropped;
        self.before = Some(thought.path.clone());
        self.kind.clone_from(&thought.word);
        self.count = 1;
    }

    fn unedited<H: Host>(&mut self, a: &[Element<H>], b: &[Element<H>], at: Option<usize>) {
        let Some(at) = at else { return };
        let (old, new) = (a.get(at), b.get(at));
        self.cause = if new.is_some() { Cause::Append } else { Cause::Rewound };
        self.before = old.map(|one| one.path.clone());
        self.after = new.map(|one| one.path.clone());
    }

    fn edited<H: Host>(&mut self, a: &[Element<H>], b: &[Element<H>], at: usize) {
        let found = align::happened(a, b, at);
        let pair = (found.a.map(|at| &a[at]), found.b.map(|at| &b[at]));
        let cause = match (found.cause, pair) {
            (Cause::BlockChanged, (Some(old), Some(new))) => align::why(old, new, &place::of(old, new)),
            (cause, _) => cause,
        };
        self.at(cause, pair, found.count);
    }

    fn at<H: Host>(&mut self, cause: Cause, (old, new): Pair<'_, H>, count: usize) {
        self.cause = cause;
        self.edit = cause.is_edit();
        self.count = count;
        self.before = old.map(|one| one.path.clone());
        self.after = new.map(|one| one.path.clone());
        let Some(one) = new.or(old) else { return };
        self.kind.clone_from(&one.word);
        self.id.clone_from(&one.id);
        self.place = Some(match (old, new) {
            (Some(old), Some(new)) if cause != Cause::Reordered => place::of(old, new).place,
            _ => place::whole(old.map(|one| &one.value), new.map(|one| &one.value), one.path.clone()),
        });
    }

    fn thought<H: Host>(&mut self, cause: Cause, old: Option<&Thought<H>>, new: Option<&Thought<H>>) {
        self.cause = cause;
        self.edit = true;
        self.count = 1;
        self.before = old.map(|one| one.path.clone());
        let is_gone = cause == Cause::ReasoningGap;
        self.after = new.filter(|_| !is_gone).map(|one| one.path.clone());
        let Some(one) = (if is_gone { old } else { new.or(old) }) else { return };
        self.kind.clone_from(&one.word);
        let value = |one: Option<&Thought<H>>| one.map(|one| one.value.share());
        let (was, is) = (value(old), value(new.filter(|_| !is_gone)));
        self.place = Some(match (&was, &is) {
            (Some(was), Some(is)) if cause == Cause::ReasoningChanged => place::between(was, is, &one.path),
            _ => place::whole(was.as_ref(), is.as_ref(), one.path.clone()),
        });
    }

    /// The path in the second body. For a removed piece, the path in the first.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.after.as_ref().or(self.before.as_ref())
    }

    /// The share of the second body that a cache can read again; 1 for an empty body.
    #[must_use]
    pub fn share(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
        if self.total == 0 { 1.0 } else { self.cached as f64 / self.total as f64 }
    }
}

/// The first index at which two lists differ, which may be where one ends.
fn first<H: Host>(a: &[Element<H>], b: &[Element<H>]) -> Option<usize> {
    let same = a.iter().zip(b).take_while(|(a, b)| a.same(b)).count();
    (same < a.len().max(b.len())).then_some(same)
}

/// The reasoning after a piece, with its positions counted from that piece.
fn behind<H: Host>(all: &[Thought<H>], start: usize) -> Vec<Thought<H>> {
    let kept = all.iter().filter(|thought| start == 0 || thought.at > start);
    kept.map(|thought| Thought { at: thought.at - start, ..thought.share() }).collect()
}
