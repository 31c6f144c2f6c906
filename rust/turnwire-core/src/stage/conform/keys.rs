//! Keys of a turn that no parser took: keys of reply objects are removed, and unknown ones are reported.

use super::{look, marks, unknown_kind};
use crate::{
    model::{Content, Inner, Kind, Part, Role, Turn},
    report::{Change, Edit, Path, Place, Severity, Step},
    rules::{
        DialectId, ExtraKeys, KeyRule, Limits, UpdateForm, Verdict,
        block_rule::{is_wrong, without_key},
    },
    value::{Extras, Host, Input, Raw, Text, Value},
    wire::{
        plan::{
            unknown_keys,
            wrong::{Wrong, is_repaired, of_null, of_reply_key},
        },
        updates,
    },
};

const ACCEPTED: &str = "keys that only replies have, or that are null, which other targets refuse";
const UNKNOWN: &str = "keys that the target does not know, and refuses";
pub(super) const STRAY: &str = "keys that only replies have, or whose value the target refuses";

/// Whether a part may have such a key.
#[inline]
pub(super) fn any_in<H: Host>(part: &Part<H>) -> bool {
    part.extras.is_some()
        || part.inner.is_some()
        || matches!(part.kind, Kind::Opaque(_))
        || part.blocks().iter().any(any_in)
}

/// What is wrong with some keys.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// The change that removes the worst of them, and what the target's servers do about it.
    pub(super) worst: Option<(Edit, Severity)>,
    /// Whether a key has to be reported because it is unknown.
    pub(super) tells: bool,
}

impl Found {
    /// Whether a build removes a key.
    pub(super) fn is_repaired(self) -> bool {
        self.worst.is_some_and(|(_, severity)| is_repaired(severity))
    }

    /// The worst of them.
    pub(super) fn wrong(self) -> Option<Wrong> {
        let why = |code, severity| match code {
            Edit::Key => UNKNOWN,
            _ if is_repaired(severity) => STRAY,
            _ => ACCEPTED,
        };
        self.worst.map(|(code, severity)| Wrong::new(code, why(code, severity)).graded(severity))
    }

    /// Adds a key. Of what a build removes, a key of replies names the change.
    fn add(&mut self, code: Edit, severity: Severity) {
        let worst = match self.worst {
            Some((known, before)) if is_repaired(before) == is_repaired(severity) => {
                let code = if code == Edit::ReplyKeys { code } else { known };
                (code, before.max(severity))
            }
            Some((known, before)) if before > severity => (known, before),
            _ => (code, severity),
        };
        self.worst = Some(worst);
    }

    /// Both. Of what a build removes, the first names the change.
    pub(super) fn join(mut self, other: Self) -> Self {
        self.worst = match (self.worst, other.worst) {
            (Some((code, one)), Some((_, other))) if is_repaired(one) == is_repaired(other) => {
                Some((code, one.max(other)))
            }
            (Some(one), Some(other)) => Some(if one.1 > other.1 { one } else { other }),
            (one, other) => one.or(other),
        };
        self.tells |= other.tells;
        self
    }
}

/// What is wrong with these keys, by the rules of their place.
pub(super) fn faults<H: Host>(
    rules: (&ExtraKeys, &Limits),
    allowed: &[KeyRule],
    extras: Option<&Extras<H>>,
    input: Option<&Input>,
) -> Found {
    let mut found = Found::default();
    for (key, value) in extras.into_iter().flatten() {
        match unknown_keys::verdict(rules, allowed, (key, value), input) {
            Verdict::Fine => {}
            Verdict::Unknown if unknown_keys::are_left_out(rules, key, input) => found.add(Edit::Key, Severity::Error),
            Verdict::Unknown => found.tells = true,
            verdict => {
                let (code, severity) = graded(rules, verdict, (key, value), input);
                found.add(code, severity);
            }
        }
    }
    found
}

/// The change that removes a key with this verdict, and what the target's servers do about the key.
fn graded<H: Host>(
    (keys, limits): (&ExtraKeys, &Limits),
    verdict: Verdict,
    (key, value): (&Text<H>, &Raw<H>),
    input: Option<&Input>,
) -> (Edit, Severity) {
    let code = if verdict == Verdict::ReplyOnly { Edit::ReplyKeys } else { Edit::Reshaped };
    let severity = match verdict {
        Verdict::WrongValue if value.is_null(input) => of_null(limits),
        Verdict::WrongValue => Severity::Error,
        _ => of_reply_key(limits, keys.is_echoed(key, input)),
    };
    (code, severity)
}

/// Whether a build removes a key. One that the target accepts stays, whatever else is repaired beside it.
fn is_removed<H: Host>(
    rules: (&ExtraKeys, &Limits),
    allowed: &[KeyRule],
    entry: (&Text<H>, &Raw<H>),
    input: Option<&Input>,
) -> bool {
    let verdict = unknown_keys::verdict(rules, allowed, entry, input);
    if verdict == Verdict::Unknown {
        return unknown_keys::are_left_out(rules, entry.0, input);
    }
    verdict.is_refused() && is_repaired(graded(rules, verdict, entry, input).1)
}

/// The names of the extras that a build removes.
pub(super) fn removed<H: Host>(
    rules: (&ExtraKeys, &Limits),
    allowed: &[KeyRule],
    extras: Option<&Extras<H>>,
    input: Option<&Input>,
) -> Vec<String> {
    let gone = extras.into_iter().flatten().filter(|(key, value)| is_removed(rules, allowed, (key, value), input));
    gone.map(|(key, _)| key.to_str(input).into_owned()).collect()
}

/// The extras that a build keeps.
pub(super) fn kept<H: Host>(
    rules: (&ExtraKeys, &Limits),
    allowed: &[KeyRule],
    extras: Option<Box<Extras<H>>>,
    input: Option<&Input>,
) -> Option<Box<Extras<H>>> {
    let mut extras = extras?;
    extras.retain(|(key, value)| !is_removed(rules, allowed, (key, value), input));
    (!extras.is_empty()).then_some(extras)
}

/// [`faults`] for all keys of a part.
pub(super) fn faults_in<H: Host>(rules: (&ExtraKeys, &Limits), part: &Part<H>, input: Option<&Input>) -> Found {
    let keys = rules.0;
    let inner = part.inner.as_ref().map(|inner| &inner.extras);
    let own = [(keys.part, part.extras.as_deref()), (keys.inside(), inner)];
    let own = own.map(|(allowed, extras)| faults(rules, allowed, extras, input));
    let blocks = part.blocks().iter().map(|block| faults_in(rules, block, input));
    let whole = Found {
        worst: has_wrong_key(keys, part, input).then_some((Edit::Reshaped, Severity::Error)),
        tells: !unknown_kind::of(keys, part, input, &Path::default()).is_empty(),
    };
    own.into_iter().chain([whole]).chain(blocks).fold(Found::default(), Found::join)
}

/// Removes refused keys of a turn itself, also from a part whose wire value is the whole turn.
pub(super) fn strip_turn<H: Host>(rules: (&ExtraKeys, &Limits), turn: &mut Turn<H>, input: Option<&Input>) {
    let allowed = rules.0.turn;
    let given = turn.extras.take();
    for part in turn.parts.iter_mut().filter(|part| part.place == Place::default()) {
        for (key, value) in given.iter().flat_map(|given| given.iter()) {
            if is_removed(rules, allowed, (key, value), input) {
                part.origin = part.origin.take().and_then(|whole| without_key(&whole, &key.to_str(input), input));
            }
        }
    }
    turn.extras = kept(rules, allowed, given, input);
}

/// Removes refused keys from a part. Changed blocks are marked as touched.
pub(super) fn strip<H: Host>(rules: (&ExtraKeys, &Limits), part: &mut Part<H>, input: Option<&Input>) {
    let keys = rules.0;
    let said = part.origin.as_ref().filter(|_| keys.two_spellings).and_then(|origin| origin.to_value(input).ok());
    let extras = keys.read_once(part.extras.take(), said.as_ref(), input);
    part.extras = kept(rules, keys.part, extras, input);
    part.inner = part.inner.take().and_then(|inner| {
        let said = said.as_ref().and_then(|said| value_under(said, inner.key));
        let extras = keys.read_once(Some(Box::new(inner.extras)), said, input);
        Inner::of(inner.key, kept(rules, keys.inside(), extras, input))
    });
    // An opaque block is not rewritten, so only these keys are removed.
    if has_wrong_key(keys, part, input) {
        part.origin = part.origin.as_ref().and_then(|origin| keys.without_wrong_keys(origin, input));
    }
    if let Kind::Result(result) = &mut part.kind
        && let Content::Blocks(blocks) = &mut result.content
    {
        for block in blocks.iter_mut().filter(|block| any_in(block)) {
            block.touched |= !matches!(block.kind, Kind::Opaque(_)) && faults_in(rules, block, input).is_repaired();
            strip(rules, block, input);
        }
    }
}

/// The value of a key of an object.
fn value_under<'v, H: Host>(said: &'v Value<H>, name: &str) -> Option<&'v Value<H>> {
    match said {
        Value::Map(entries) => entries.iter().find(|(key, _)| key.is(name, None)).map(|(_, value)| value),
        _ => None,
    }
}

/// Warns of each unknown key of a turn, unless a build removes those. `row`: whether it is in a row of training data.
pub(super) fn warnings<H: Host>(target: DialectId, turn: &Turn<H>, index: usize, row: bool) -> Vec<Change> {
    let keys = target.keys();
    // Only some profiles of a format have these.
    let mark = target.marks().map(|marks| marks.form.key().name);
    let rule = updates::rule_of(target).filter(|_| turn.role.is_system());
    let update = rule.and_then(|rule| match rule.form {
        UpdateForm::Key(name) => Some(name),
        UpdateForm::Item(_) | UpdateForm::Option(_) => None,
    });
    let until = rule.map(|rule| rule.until).filter(|until| !until.is_empty());
    let mut warnings = Vec::new();
    let input = turn.input.as_ref();
    let of_row: &[KeyRule] = if row && turn.role == Role::Assistant { keys.row } else { &[] };
    let known = [mark, update, until];
    // What is in the object inside a part is none of them.
    let none = [None, None, None];
    let mut tell = |(rules, more): (&[KeyRule], &[KeyRule]),
                    known: &[Option<&str>],
                    extras: Option<&Extras<H>>,
                    path: &dyn Fn() -> Path| {
        for (key, value) in extras.into_iter().flatten() {
            if known.iter().flatten().any(|known| key.is(known, input)) {
                warnings.extend(marks::unlisted(target, (key, value), input, path).into_iter().map(unknown_at));
                continue;
            }
            let is_unknown = |rules| keys.judge(rules, (key, value), input) == Verdict::Unknown;
            if is_unknown(rules) && keys.judge(more, (key, value), input) != Verdict::Fine {
                warnings.push(unknown(&key.to_str(input), path()));
            }
        }
    };
    tell((keys.turn, of_row), &known, turn.extras.as_deref(), &|| turn.path(index));
    let (mut told, mut inside) = (Vec::new(), Vec::new());
    for (at, part) in turn.parts.iter().enumerate() {
        let mut each = |part: &Part<H>, path: &dyn Fn() -> Path| {
            if any_in(part) {
                inside.extend(unknown_kind::of(keys, part, input, &path()).into_iter().map(unknown_at));
            }
            tell((keys.part, &[]), &known, part.extras.as_deref(), path);
            if let Some(inner) = &part.inner {
                tell((keys.inside(), &[]), &none, Some(&inner.extras), &|| inner.path(path()));
            }
        };
        for unknown in part.with_blocks().filter(|part| look::is_unknown(turn, part)) {
            let Kind::Opaque(name) = &unknown.kind else { continue };
            let text = format!(
                "the target may refuse a block of type {:?}, which no list of its blocks has",
                name.to_str(input)
            );
            let within = !std::ptr::eq(unknown, part);
            let path = if within { turn.block_path(index, at, unknown) } else { turn.part_path(index, at) };
            told.push(Change::warning(Edit::UnknownBlock, path, text));
        }
        each(part, &|| turn.part_path(index, at));
        for block in part.blocks() {
            each(block, &|| turn.block_path(index, at, block));
        }
    }
    warnings.append(&mut inside);
    warnings.append(&mut told);
    warnings
}

/// Warns of a key that the target may refuse.
pub(super) fn unknown(key: &str, path: Path) -> Change {
    unknown_at(path.then(Step::Name(key.into())))
}

/// Warns of the last key of a path, which the target may refuse.
pub(super) fn unknown_at(path: Path) -> Change {
    let key = match path.steps().last() {
        Some(Step::Key(key)) => key.into(),
        Some(Step::Name(key)) => key,
        Some(Step::Index(_)) | None => "".into(),
    };
    let text = format!("the target may refuse the key {key:?}, which it does not know");
    Change::warning(Edit::UnknownKey, path, text)
}

/// Whether a block that is written unchanged has a key with a forbidden value. One that is a whole turn has the turn's keys.
fn has_wrong_key<H: Host>(keys: &ExtraKeys, part: &Part<H>, input: Option<&Input>) -> bool {
    let (Kind::Opaque(_), Some(origin)) = (&part.kind, &part.origin) else { return false };
    if part.place == Place::default() || keys.part.is_empty() || keys.any {
        return false;
    }
    matches!(origin.to_value(input), Ok(Value::Map(entries)) if entries.iter().any(|entry| is_wrong(keys.part, entry)))
}
