//! Reads the settings of a body by the source's column, and finds the keys that no setting knows.

use super::{said::Said, told::Report, values};
use crate::{
    model::Frame,
    report::{ChangeKind, Error, Path, Step},
    rules::{
        Column, Kind, Setting,
        settings::{MODEL, rows},
    },
    value::{Host, Raw, Text, Value},
};

/// A body without its conversation.
pub(super) struct Body<H: Host> {
    entries: Vec<(Text<H>, Value<H>)>,
    /// The extra key in the choice of tools, and its path.
    in_choice: Option<(Vec<Step>, Value<H>)>,
}

/// Anthropic's key in the choice of tools that forbids several calls.
pub(crate) const IN_CHOICE: &str = "disable_parallel_tool_use";

impl<H: Host> Body<H> {
    pub(super) fn of(frame: &Frame<H>) -> Result<Self, Error> {
        let input = frame.input.as_ref();
        let keys = frame.rest.iter().flat_map(|rest| &rest.keys).filter(|one| !one.continues);
        let read = |key: &Text<H>, value: &Raw<H>| Ok((key.detach(input), value.to_value(input)?));
        let mut entries = keys.map(|one| read(&one.key, &one.value)).collect::<Result<Vec<_>, Error>>()?;
        // Settings may be around the choice of tools.
        for outer in frame.outer.iter().filter(|outer| outer.settings) {
            let inner = outer.extras.iter().flat_map(|extras| extras.iter());
            let inner = inner.map(|(key, value)| read(key, value)).collect::<Result<Vec<_>, Error>>()?;
            entries.push((Text::own(outer.name), Value::Map(inner.into())));
        }
        // Of repeated keys, the last one counts.
        let mut at = entries.len();
        while at > 0 {
            at -= 1;
            if entries[at + 1..].iter().any(|(key, _)| key.same(&entries[at].0)) {
                entries.remove(at);
            }
        }
        let extras = frame.choice.iter().flat_map(|choice| choice.extras.as_deref().into_iter().flatten());
        let mut in_choice = None;
        for (key, value) in extras.filter(|(key, _)| key.is(IN_CHOICE, input)) {
            let (key, value) = read(key, value)?;
            let steps = frame.places.choice.split('.').map(Step::Key);
            let steps = steps.chain([Step::Name(key.to_str(None).as_ref().into())]).collect();
            in_choice = Some((steps, value));
        }
        Ok(Self { entries, in_choice })
    }

    /// The keys, shared.
    pub(super) fn keys(&self) -> Vec<(Text<H>, Value<H>)> {
        self.entries.iter().map(|(key, value)| (key.share(), value.share())).collect()
    }

    /// The model that the body names, under either of its keys.
    pub(super) fn model(&self) -> Option<String> {
        let named = |name: &str| self.entries.iter().find(|(key, _)| key.is(name, None));
        match named("model").or_else(|| named("modelId"))? {
            (_, Value::Text(name)) => Some(name.to_str(None).into_owned()),
            _ => None,
        }
    }

    /// Every setting that the body has, and reports about the rest.
    pub(super) fn read(&self, from: Option<Column>) -> (Vec<Said<H>>, Vec<Report>) {
        if self.entries.is_empty() && self.in_choice.is_none() {
            return (Vec::new(), Vec::new());
        }
        let reading = from.map_or_else(|| self.of_record(), |from| self.look_up(from));
        let Reading { said, mut reports, wrong, known } = reading;
        reports.extend(wrong);
        let places: Vec<_> =
            from.map_or_else(Vec::new, |from| rows().flat_map(|row| from.cell(row).places.iter().copied()).collect());
        let two_spellings = from.is_some_and(|from| from.two_spellings);
        let left =
            Left { known, reported: reports.iter().map(|one| one.path.to_string()).collect(), places, two_spellings };
        left.look(&self.entries, &mut Vec::new(), &mut Vec::new(), &mut reports);
        (said, reports)
    }

    /// Every setting that the body has, and what no server of its wire understands: values of another type, and
    /// settings that are given twice with different values.
    pub(super) fn values(&self, from: Column) -> (Vec<Said<H>>, Vec<Report>) {
        let Reading { said, wrong, .. } = self.look_up(from);
        (said, wrong)
    }

    /// The word that the body says for a setting, whether or not the column has it.
    pub(super) fn word(&self, setting: &'static Setting, of: Column) -> Option<Said<H>> {
        let cell = Some(of.cell(setting)).filter(|cell| matches!(cell.kind, Kind::Words(_)))?;
        let (at, value) = cell.places.iter().find_map(|place| find(&self.entries, place, of.two_spellings))?;
        matches!(value, Value::Text(_)).then(|| Said { setting, value: value.share(), at })
    }

    /// The settings of the body that only this wire has, with their paths.
    pub(super) fn own(&self, from: Column) -> impl Iterator<Item = (&'static Setting, Vec<Step>)> {
        let own = rows().filter(move |row| from.cell(row).kind == Kind::Own);
        let places = own.flat_map(move |row| from.cell(row).places.iter().map(move |place| (row, place)));
        places.filter_map(move |(row, place)| Some((row, find(&self.entries, place, from.two_spellings)?.0)))
    }

    /// The model, which is all that a record without settings says of them.
    fn of_record(&self) -> Reading<H> {
        let mut reading = Reading::default();
        let named = rows().find(|row| row.name == MODEL).zip(find(&self.entries, MODEL, false));
        if let Some((setting, (at, value @ Value::Text(_)))) = named {
            reading.known.push(at.clone());
            reading.said.push(Said { setting, value: value.share(), at });
        }
        reading
    }

    fn look_up(&self, from: Column) -> Reading<H> {
        let (mut reading, mut faults) = (Reading::default(), Vec::new());
        for setting in rows() {
            self.setting(setting, from, &mut reading, &mut faults);
        }
        // Another row may be able to read it.
        let known = |at: &Vec<Step>| reading.known.contains(at);
        let faults: Vec<_> = faults.into_iter().filter(|fault| !known(&fault.at)).collect();
        for fault in &faults {
            let others = || faults.iter().filter(|other| other.at == fault.at);
            // Of two rows for one key, one may have the words for what is no value of the other.
            let words = others().find_map(|other| other.words);
            let flag = words.is_some() && others().any(|other| other.words.is_none());
            let reason = match words.filter(|_| flag) {
                Some(_) if fault.words.is_some() => continue,
                Some(words) => {
                    let other = fault.reason.strip_prefix("expected ").unwrap_or(&fault.reason);
                    format!("expected one of {}, or {other}", listed(words))
                }
                None => fault.reason.clone(),
            };
            let report = Report { kind: ChangeKind::Lost, path: Path::of(fault.at.clone()), why: reason.into() };
            let reports = if words.is_some() && !flag { &mut reading.reports } else { &mut reading.wrong };
            reports.push(report);
        }
        reading
    }

    fn setting(&self, setting: &'static Setting, from: Column, reading: &mut Reading<H>, faults: &mut Vec<Fault>) {
        let cell = from.cell(setting);
        if cell.kind == Kind::InChoice {
            if let Some((at, value)) = &self.in_choice {
                if let Value::Bool(flag) = value {
                    reading.said.push(Said { setting, value: Value::Bool(!flag), at: at.clone() });
                } else {
                    let reason = "expected a boolean".to_owned();
                    faults.push(Fault { at: at.clone(), reason, words: None });
                }
            }
            return;
        }
        if let Kind::Format(_) = cell.kind {
            // A composed setting is read when it is written.
            for place in cell.places {
                if let Some((at, value)) = find(&self.entries, place, from.two_spellings) {
                    reading.known.push(at.clone());
                    reading.said.push(Said { setting, value: value.share(), at });
                }
            }
            return;
        }
        let mut first: Option<Value<H>> = None;
        for place in cell.places {
            let Some((at, value)) = find(&self.entries, place, from.two_spellings) else { continue };
            if cell.kind == Kind::Own {
                let reason = format!("only this source has the setting {}", setting.name);
                reading.reports.push(Report { kind: ChangeKind::Lost, path: Path::of(at.clone()), why: reason.into() });
                reading.known.push(at);
                continue;
            }
            match (values::read(value, cell.kind), &first) {
                (Err(reason), _) => {
                    let words = match (cell.kind, value) {
                        (Kind::Words(words), Value::Text(_)) => Some(words),
                        _ => None,
                    };
                    faults.push(Fault { at, reason, words });
                }
                // An empty list or object says nothing, and a list without this word may have others.
                (Ok(None), _) if !matches!(cell.kind, Kind::Member(_)) => reading.known.push(at),
                (Ok(None), _) => {}
                (Ok(Some((meant, told))), None) => {
                    reading.known.push(at.clone());
                    if let Some(reason) = told {
                        let (kind, path) = (ChangeKind::Restated, Path::of(at.clone()));
                        reading.reports.push(Report { kind, path, why: reason.into() });
                    }
                    first = Some(meant.share());
                    reading.said.push(Said { setting, value: meant, at });
                }
                (Ok(Some((meant, _))), Some(first)) => {
                    reading.known.push(at.clone());
                    if !meant.same(first) {
                        let reason = "another key has another value for the same setting";
                        let path = Path::of(at);
                        reading.wrong.push(Report { kind: ChangeKind::Lost, path, why: reason.into() });
                    }
                }
            }
        }
    }
}

/// What was read so far.
struct Reading<H: Host> {
    said: Vec<Said<H>>,
    /// What other wires do not have or spell differently.
    reports: Vec<Report>,
    /// What this wire does not understand, either.
    wrong: Vec<Report>,
    /// The paths that some row knows.
    known: Vec<Vec<Step>>,
}

impl<H: Host> Default for Reading<H> {
    fn default() -> Self {
        Self { said: Vec::new(), reports: Vec::new(), wrong: Vec::new(), known: Vec::new() }
    }
}

/// A value that a row could not read.
struct Fault {
    at: Vec<Step>,
    reason: String,
    /// The known words, if it is another word.
    words: Option<&'static [(&'static str, &'static str)]>,
}

/// The words of a table, each once.
fn listed(words: &[(&str, &str)]) -> String {
    let mut known: Vec<String> = Vec::new();
    for (wire, _) in words {
        let word = format!("{wire:?}");
        if !known.contains(&word) {
            known.push(word);
        }
    }
    known.join(", ")
}

/// The value at a path, unless it is null, with the path in the body's spelling.
pub(super) fn find<'a, H: Host>(
    entries: &'a [(Text<H>, Value<H>)],
    place: &str,
    two_spellings: bool,
) -> Option<(Vec<Step>, &'a Value<H>)> {
    let (mut entries, mut at) = (entries, Vec::new());
    let mut keys = place.split('.').peekable();
    while let Some(key) = keys.next() {
        let (name, value) = entries.iter().rev().find(|(name, _)| spells(name, key, two_spellings))?;
        at.push(Step::Name(name.to_str(None).as_ref().into()));
        match (keys.peek(), value) {
            (None, Value::Null) => return None,
            (None, value) => return Some((at, value)),
            (Some(_), Value::Map(inner)) => entries = inner,
            (Some(_), _) => return None,
        }
    }
    None
}

/// Whether a key is this one, perhaps with underscores.
pub(super) fn spells<H: Host>(name: &Text<H>, key: &str, two_spellings: bool) -> bool {
    name.is(key, None) || two_spellings && spells_name(&name.to_str(None), key, true)
}

/// The same of a name.
pub(super) fn spells_name(name: &str, key: &str, two_spellings: bool) -> bool {
    if name == key {
        return true;
    }
    two_spellings && {
        let mut plain = name.split('_').enumerate().flat_map(|(at, word)| {
            let mut letters = word.chars();
            let first = letters.next().map(|first| if at > 0 { first.to_ascii_uppercase() } else { first });
            first.into_iter().chain(letters)
        });
        let mut wanted = key.chars();
        loop {
            match (plain.next(), wanted.next()) {
                (None, None) => return true,
                (mine, theirs) if mine == theirs => {}
                _ => return false,
            }
        }
    }
}

/// Finds the keys of a body that no setting has read.
struct Left {
    known: Vec<Vec<Step>>,
    /// Paths that have a report already.
    reported: Vec<String>,
    places: Vec<&'static str>,
    two_spellings: bool,
}

impl Left {
    /// Reports each key that no setting knows.
    fn look<H: Host>(
        &self,
        entries: &[(Text<H>, Value<H>)],
        at: &mut Vec<Step>,
        keys: &mut Vec<String>,
        reports: &mut Vec<Report>,
    ) {
        for (name, value) in entries {
            let word = name.to_str(None);
            at.push(Step::Name(word.as_ref().into()));
            keys.push(word.into_owned());
            let path = Path::of(at.iter().cloned());
            let told = self.known.contains(at) || self.reported.contains(&path.to_string());
            match value {
                _ if told => {}
                Value::Null => {}
                Value::Map(inner) if self.holds(keys) => self.look(inner, at, keys, reports),
                _ => {
                    let reason = if self.holds(keys) {
                        format!("expected an object, got {}", values::what(value))
                    } else {
                        "this setting is unknown".to_owned()
                    };
                    reports.push(Report { kind: ChangeKind::Lost, path, why: reason.into() });
                }
            }
            keys.pop();
            at.pop();
        }
    }

    /// Whether these keys lead to a setting.
    fn holds(&self, keys: &[String]) -> bool {
        let inside = |place: &str| {
            let mut steps = place.split('.');
            let all =
                keys.iter().all(|key| steps.next().is_some_and(|step| spells_name(key, step, self.two_spellings)));
            all && steps.next().is_some()
        };
        self.places.iter().any(|place| inside(place))
    }
}
