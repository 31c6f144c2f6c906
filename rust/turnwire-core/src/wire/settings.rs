//! Translates the settings of a body: the source's column reads them, the target's column writes them, and every
//! setting that is lost or changed is reported.
//!
//! [`translated`] depends only on the body and the target. It reads a body once, before anything is written, because
//! some settings are written among the tools.

mod beside;
mod body;
mod entries;
mod format;
mod format_keys;
mod reasoning;
mod said;
mod shape;
mod told;
mod translation;
mod values;

use self::{
    body::{Body, find},
    entries::Entries,
    said::Said,
    told::{added, changed, lost},
    translation::Translation,
};
use crate::{
    model::{ChoiceKind, Frame, RestKey, Tool},
    report::{ChangeKind, Error, Options, Path},
    rules::{
        Cell, Column, DialectId, Kind, Setting, Target,
        settings::{row_settings::REFUSES, rows},
    },
    value::{Host, Text, Value},
};

pub(crate) use self::{
    beside::{Beside, beside},
    body::IN_CHOICE,
    entries::merged,
    told::Report,
};

/// Keys of a body with their values.
pub(crate) type Keys<H> = Vec<(Text<H>, Value<H>)>;

/// A setting that the servers of its own wire refuse.
pub(crate) struct Refusal {
    /// It, and why.
    pub(crate) report: Report,
    /// Whether a server's refusal of it is recorded for this model.
    pub(crate) is_recorded: bool,
}

/// The translated settings of a body.
pub(crate) struct Translated<H: Host> {
    /// The keys of the target's body.
    pub(crate) keys: Keys<H>,
    /// Whether a reply may hold several calls, for targets where the choice of tools says so.
    pub(crate) parallel: Option<bool>,
    /// What to report.
    pub(crate) reports: Vec<Report>,
}

/// The settings of a frame for a target. `None` if the target's wire has no body with settings.
pub(crate) fn translated<H: Host>(frame: &Frame<H>, target: Target<'_>) -> Result<Option<Translated<H>>, Error> {
    let from = Column::of(frame.settings_from(), None).map(Column::to_read);
    let body = Body::of(frame)?;
    let (said, reports) = body.read(from);
    let defaults = defaults::<H>(target.options)?;
    let given = target.options.model_of_body();
    let model = given.map(str::to_owned).or_else(|| named(&said)).or_else(|| model_of(&defaults));
    let Some(to) = Column::of(target.id, model.as_deref()) else { return Ok(None) };
    let mut made = Translation { frame, target, from, to, said, entries: Entries::default(), reports, parallel: None };
    if let Some(model) = given {
        made.said.retain(|said| said.setting.name != "model");
        if let Some(setting) = rows().find(|row| row.name == "model").filter(|row| made.to.cell(row).is_said()) {
            made.entries.add(setting, made.to.cell(setting), Value::Text(Text::own(model)), None);
        }
    }
    made.write_plain();
    made.write_format()?;
    made.write_reasoning(target.options.settings.as_deref());
    made.absences();
    made.conflicts();
    made.needs(&defaults);
    Ok(Some(made.finish(defaults)))
}

/// Whether a key of the body has no meaning, or another meaning, for the target.
pub(crate) fn is_foreign<H: Host>(frame: &Frame<H>, target: DialectId, one: &RestKey<H>) -> bool {
    let name = one.key.to_str(frame.input.as_ref());
    let is_here = |place: &str| place.split('.').next() == Some(&*name);
    let in_column =
        |column: Column| rows().filter(move |row| column.cell(row).places.iter().any(|place| is_here(place)));
    let from = frame.settings_from();
    let read = |id| Column::of(id, None).map(Column::to_read);
    let (Some(from), Some(to)) = (read(from), read(target)) else {
        return !from.same_wire(target);
    };
    if from.wire() == to.wire() {
        // A body without any other setting of its dialect may be another dialect's after all.
        let known_elsewhere =
            || rows().any(|row| row.cells.iter().flat_map(|cell| cell.places).any(|place| is_here(place)));
        return in_column(to).next().is_none() && known_elsewhere();
    }
    let entries: Keys<H> = one
        .value
        .to_value(frame.input.as_ref())
        .map(|value| (one.key.detach(frame.input.as_ref()), value))
        .into_iter()
        .collect();
    let said = |row: &'static Setting| {
        from.cell(row).places.iter().find_map(|place| find(&entries, place, from.two_spellings)).map(|(_, value)| value)
    };
    // A setting that both wires have under the same key with the same meaning belongs to both.
    let same = |row: &'static Setting| {
        let (mine, theirs) = (from.cell(row), to.cell(row));
        let alike = || said(row).is_some_and(|value| values::is_alike(value, mine, theirs));
        theirs.is_said() && mine.places.first() == theirs.places.first() && (mine.kind == theirs.kind || alike())
    };
    // Of an object that holds several settings, only those that it has count.
    let is_given = |row: &&'static Setting| from.cell(row).places.contains(&&*name) || said(row).is_some();
    let mut given = in_column(from).filter(is_given).peekable();
    given.peek().is_none() || !given.all(same)
}

/// Why a body's key is left out of a body of the same wire: the target's version or model refuses it.
pub(crate) fn refused<H: Host>(frame: &Frame<H>, target: Target<'_>, one: &RestKey<H>) -> Option<&'static str> {
    let from = frame.settings_from();
    let model = target.options.model_of_body();
    // A body for the same row and model stays unchanged.
    if !from.same_wire(target.id) || (from == target.id && model.is_none()) {
        return None;
    }
    let read = |id| Column::of(id, None).map(Column::to_read);
    let (mine, plain, to) = (read(from)?, read(target.id)?, Column::of(target.id, model)?);
    let name = one.key.to_str(frame.input.as_ref());
    let is_there = |column: Column, row| column.cell(row).places.iter().any(|place| *place == name);
    if to.refuses(&name) {
        return Some(REFUSES);
    }
    let row = rows().find(|row| is_there(mine, row) || is_there(plain, row))?;
    match to.cell(row).kind {
        Kind::Refused(why) => Some(why),
        _ if mine.cell(row).kind == Kind::Own && is_there(mine, row) && !is_there(to, row) => {
            Some("only the source has this setting")
        }
        _ => None,
    }
}

/// The key under which the target reads a setting that a body of another server of its wire has under `one`. `None` if it reads
/// that key, or another one is there.
pub(crate) fn renamed<H: Host>(frame: &Frame<H>, target: Target<'_>, one: &RestKey<H>) -> Option<&'static str> {
    let (from, input) = (frame.settings_from(), frame.input.as_ref());
    if !from.same_wire(target.id) || from == target.id {
        return None;
    }
    let (mine, to) = (Column::of(from, None)?, Column::of(target.id, None)?);
    let name = one.key.to_str(input);
    let row = rows().find(|row| mine.cell(row).places.contains(&&*name))?;
    let (theirs, ours) = (mine.cell(row), to.cell(row));
    let key = ours.places.first().filter(|_| !ours.places.contains(&&*name) && ours.kind == theirs.kind)?;
    let is_there = |key: &str| frame.rest.iter().flat_map(|rest| &rest.keys).any(|other| other.key.is(key, input));
    (!is_there(key)).then_some(*key)
}

/// What the servers of a body's own wire refuse in its settings: values, settings that the model does not accept, and
/// settings that exclude or need others. Unknown keys and words may be newer than the table, and the caller may still
/// add what a body lacks, so neither is reported.
pub(crate) fn refusals<H: Host>(frame: &Frame<H>, id: DialectId) -> Result<Vec<Refusal>, Error> {
    let Some(from) = Column::of(id, None).map(Column::to_read) else { return Ok(Vec::new()) };
    let body = Body::of(frame)?;
    let (said, mut reports) = body.values(from);
    let model = named(&said);
    let Some(to) = Column::of(id, model.as_deref()) else { return Ok(Vec::new()) };
    let is_recorded = |cell: &Cell| model.as_deref().is_some_and(|model| cell.is_recorded_for(model));
    let recorded = said.iter().filter(|said| is_recorded(to.cell(said.setting))).map(|said| said.at.clone());
    let mut recorded: Vec<_> = recorded.map(|at| Path::of(at).to_string()).collect();
    for (setting, at) in body.own(from) {
        if let Kind::Refused(why) = to.cell(setting).kind {
            let path = Path::of(at);
            recorded.extend(is_recorded(to.cell(setting)).then(|| path.to_string()));
            reports.push(Report { kind: ChangeKind::Lost, path, why: why.into() });
        }
    }
    // Other keys that they refuse are no settings.
    let others = frame.rest.iter().flat_map(|rest| &rest.keys).filter(|one| !one.continues);
    for one in others.filter(|one| to.refuses(&one.key.to_str(frame.input.as_ref()))) {
        let path = one.path(frame.input.as_ref());
        if !said.iter().any(|said| Path::of(said.at.clone()).to_string().starts_with(&path.to_string())) {
            reports.push(Report { kind: ChangeKind::Lost, path, why: REFUSES.into() });
        }
    }
    let options = Options::default();
    let target = Target { id, limits: id.limits()?, options: &options };
    let from = Some(from);
    let mut made = Translation { frame, target, from, to, said, entries: Entries::default(), reports, parallel: None };
    // A format is composed of several keys, and the setting of an `Elsewhere` is outside the body.
    made.write_each(|_, cell| !matches!(cell.kind, Kind::Format(_) | Kind::Elsewhere(_)));
    made.conflicts();
    let is_known = |report: &Report| recorded.contains(&report.path.to_string());
    Ok(made.reports.into_iter().map(|report| Refusal { is_recorded: is_known(&report), report }).collect())
}

/// The default keys, for bodies that do not have them.
pub(crate) fn defaults<H: Host>(options: &Options) -> Result<Keys<H>, Error> {
    let Some(json) = options.settings.as_deref().and_then(|given| given.defaults.as_deref()) else {
        return Ok(Vec::new());
    };
    match crate::value::json::read::value(json.as_bytes())? {
        Value::Map(entries) => Ok(entries.iter().map(|(key, value)| (key.share(), value.share())).collect()),
        _ => Ok(Vec::new()),
    }
}

/// The model that the body names.
fn named<H: Host>(said: &[Said<H>]) -> Option<String> {
    let model = said.iter().find(|said| said.setting.name == "model")?;
    if let Value::Text(name) = &model.value { Some(name.to_str(None).into_owned()) } else { None }
}

fn model_of<H: Host>(defaults: &[(Text<H>, Value<H>)]) -> Option<String> {
    let (_, value) = defaults.iter().find(|(key, _)| key.is("model", None))?;
    if let Value::Text(name) = value { Some(name.to_str(None).into_owned()) } else { None }
}

/// Whether a setting has its own writer: reasoning and formats.
fn is_composed(setting: &Setting, cell: &Cell) -> bool {
    setting.name.starts_with("reasoning_") || matches!(cell.kind, Kind::Format(_))
}

impl<H: Host> Translation<'_, H> {
    /// Whether the target gets any tool. Tools that another provider runs do not count.
    pub(super) fn has_tools(&self) -> bool {
        let is_home = self.frame.settings_from().same_wire(self.target.id);
        let is_written = |tool: &Tool<H>| is_home || !tool.by_provider || self.frame.is_own(tool, self.target.id);
        self.frame.tools.iter().flatten().any(is_written)
    }

    /// Whether the model should not reason.
    fn rests(&self) -> bool {
        self.said.iter().any(reasoning::is_off)
    }

    /// Writes every setting without its own writer.
    fn write_plain(&mut self) {
        self.write_each(|said, cell| !is_composed(said, cell));
    }

    /// Writes the settings that `is_written` selects.
    fn write_each(&mut self, is_written: impl Fn(&Setting, &Cell) -> bool) {
        let rests = self.rests();
        let (written, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.said)
            .into_iter()
            .partition(|said| is_written(said.setting, self.to.cell(said.setting)));
        self.said = others;
        for said in written {
            let cell = if rests { self.to.at_rest(said.setting) } else { self.to.cell(said.setting) };
            let is_parallel = said.setting.name == "parallel_tool_calls";
            if is_parallel && cell.is_said() && !self.has_tools() {
                self.tell(&said.at, lost("the target refuses it where there are no tools"));
                continue;
            }
            if let (Kind::InChoice, Value::Bool(flag)) = (cell.kind, &said.value) {
                let none = matches!(&self.frame.choice, Some(choice) if matches!(choice.kind, ChoiceKind::None));
                if none {
                    self.tell(&said.at, changed("no tool may be called: this choice is left out"));
                } else {
                    self.parallel = Some(*flag);
                }
                continue;
            }
            let (value, told) = values::written(&said, cell);
            self.tell(&said.at, told);
            if let Some(value) = value {
                self.entries.add(said.setting, cell, value, Some(said.at));
            }
        }
    }

    /// Writes a default of the source if the target's default differs.
    fn absences(&mut self) {
        let Some(from) = self.from.filter(|_| !self.frame.order.is_empty()) else { return };
        for setting in rows() {
            let (theirs, mine) = (from.cell(setting), self.to.cell(setting));
            let streams = || self.entries.get("stream").is_some_and(|value| matches!(value, Value::Bool(true)));
            if theirs.kind == Kind::Always && mine.kind == Kind::Flag && streams() {
                self.entries.add(setting, mine, Value::Bool(true), None);
                self.tell(&[], added(format!("the source always does it, so {} is true", mine.places[0])));
                continue;
            }
            let Some(silence) = mine.absent.filter(|_| self.entries.get(setting.name).is_none()) else { continue };
            let meant = theirs.absent.unwrap_or("false");
            if meant == silence || matches!(theirs.kind, Kind::Elsewhere(_)) {
                continue;
            }
            self.entries.add(setting, mine, Value::Bool(meant == "true"), None);
            let reason = (format!("without {} the target uses {silence}", mine.places[0]), format!("it is {meant}"));
            self.tell(&[], added(reason));
        }
    }

    /// Drops settings that the target refuses together, or without another.
    fn conflicts(&mut self) {
        let forced = matches!(
            self.frame.choice.as_ref().map(|choice| &choice.kind),
            Some(ChoiceKind::Required | ChoiceKind::Tool(_))
        );
        while let Some((name, reason)) = self.entries.conflict(forced) {
            let at = self.entries.remove(name).unwrap_or_default();
            // A dropped setting is not also reported as changed.
            let path = Path::of(at.iter().cloned());
            self.reports
                .retain(|report| report.kind == ChangeKind::Lost || report.path.to_string() != path.to_string());
            self.tell(&at, lost(reason));
        }
        self.entries.lower_budget(&mut self.reports);
    }

    /// Adds settings that the target requires.
    fn needs(&mut self, defaults: &[(Text<H>, Value<H>)]) {
        for setting in rows() {
            let cell = self.to.cell(setting);
            let Some(json) = cell.needed.filter(|_| self.entries.get(setting.name).is_none()) else { continue };
            if entries::has(defaults, cell.places[0]) {
                continue;
            }
            self.entries.add(setting, cell, Value::Number(json.into()), None);
            let why =
                (format!("the target requires {}, and the request has none", cell.places[0]), format!("it is {json}"));
            self.tell(&[], added(why));
        }
    }

    fn finish(self, defaults: Keys<H>) -> Translated<H> {
        Translated { keys: self.entries.into_keys(defaults), parallel: self.parallel, reports: self.reports }
    }
}
