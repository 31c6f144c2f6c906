//! Translates the settings of a body: the source's column reads them, the target's column writes them, and every
//! setting that is lost or changed is reported.
//!
//! [`translated`] depends only on the body and the target. It reads a body once, before anything is written, because
//! some settings are written among the tools.

mod body;
mod edits;
mod entries;
mod format;
mod format_keys;
mod own;
mod reasoning;
mod said;
mod shape;
mod told;
mod translation;
mod values;

use self::{
    body::{Body, find, spells_name},
    entries::{Entries, has},
    reasoning::is_off,
    said::Said,
    told::{Report, added, changed, lost},
    translation::Translation,
};
use crate::{
    model::{ChoiceKind, Frame, RestKey, Tool},
    report::{ChangeKind, Error, Options, Path},
    rules::{
        Cell, Column, DialectId, Kind, Setting, Target,
        settings::{MODEL, rows},
    },
    value::{Host, Text, Value},
};

pub(crate) use self::{
    body::IN_CHOICE,
    entries::merged,
    own::{Refusal, refusals, settled},
};

/// Keys of a body with their values.
pub(crate) type Keys<H> = Vec<(Text<H>, Value<H>)>;

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
    let body = Body::of(frame)?;
    let from = Column::of(frame.settings_from(), body.model().as_deref()).map(Column::to_read);
    let (said, reports) = body.read(from);
    let defaults = defaults::<H>(target.options)?;
    let given = target.options.model_of_body();
    let model = given.map(str::to_owned).or_else(|| named(&said)).or_else(|| model_of(&defaults));
    let Some(to) = Column::of(target.id, model.as_deref()) else { return Ok(None) };
    let mut made = Translation { frame, target, from, to, said, entries: Entries::default(), reports, parallel: None };
    if let Some(model) = given {
        made.said.retain(|said| said.setting.name != MODEL);
        if let Some(setting) = rows().find(|row| row.name == MODEL).filter(|row| made.to.cell(row).is_said()) {
            made.entries.add(setting, made.to.cell(setting), Value::Text(Text::own(model)), None);
        }
    }
    made.write_plain();
    made.write_format()?;
    made.write_reasoning(target.options.settings.as_deref());
    made.absences();
    made.conflicts();
    made.needs(&defaults);
    made.entries.lower_budget(length_of(&defaults, to), &mut made.reports);
    Ok(Some(made.finish(defaults)))
}

/// Whether a key of the body has no meaning, or another meaning, for the target.
pub(crate) fn is_foreign<H: Host>(frame: &Frame<H>, target: DialectId, one: &RestKey<H>) -> bool {
    let name = one.key.to_str(frame.input.as_ref());
    let is_here = |place: &str| place.split('.').next() == Some(&*name);
    let is_in = |column: Column, place: &str| {
        place.split('.').next().is_some_and(|key| spells_name(&name, key, column.two_spellings))
    };
    let in_column =
        |column: Column| rows().filter(move |row| column.cell(row).places.iter().any(|place| is_in(column, place)));
    let from = frame.settings_from();
    let read = |id| Column::of(id, None).map(Column::to_read);
    let (Some(from), Some(to)) = (read(from), read(target)) else {
        return !from.same_wire(target) && name != MODEL;
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
    let model = said.iter().find(|said| said.setting.name == MODEL)?;
    if let Value::Text(name) = &model.value { Some(name.to_str(None).into_owned()) } else { None }
}

fn model_of<H: Host>(defaults: &[(Text<H>, Value<H>)]) -> Option<String> {
    let (_, value) = defaults.iter().find(|(key, _)| key.is(MODEL, None))?;
    if let Value::Text(name) = value { Some(name.to_str(None).into_owned()) } else { None }
}

/// The length of a reply in the default keys.
fn length_of<H: Host>(defaults: &[(Text<H>, Value<H>)], to: Column) -> Option<f64> {
    let cell = to.cell(rows().find(|row| row.name == "max_tokens")?);
    let (_, value) = find(defaults, cell.places.first()?, to.two_spellings)?;
    values::number(value)
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

    /// Whether the model does not reason, because the request says so and the model can be told.
    fn rests(&self) -> bool {
        self.said.iter().any(is_off) && self.can_rest()
    }

    /// The form of a setting and its type in this request. `is_off`: whether it is what tells the model not to reason.
    fn form(&self, setting: &'static Setting, rests: bool, is_off: bool) -> (&'static Cell, Kind) {
        let cell = self.to.cell(setting);
        let (cell, kind) = if rests { self.to.at_rest(setting) } else { (cell, cell.kind) };
        (cell, cell.with_tools.filter(|_| !is_off && self.has_tools()).unwrap_or(kind))
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
            let (cell, kind) = self.form(said.setting, rests, is_off(&said));
            let now = &Cell { kind, ..*cell };
            let is_parallel = said.setting.name == "parallel_tool_calls";
            if is_parallel && cell.is_said() && !self.has_tools() {
                self.tell(&said.at, lost("the target refuses it where there are no tools"));
                continue;
            }
            if let (Kind::InChoice, Value::Bool(flag)) = (now.kind, &said.value) {
                let none = matches!(&self.frame.choice, Some(choice) if matches!(choice.kind, ChoiceKind::None));
                if none {
                    self.tell(&said.at, changed("no tool may be called: this choice is left out"));
                } else {
                    self.parallel = Some(*flag);
                }
                continue;
            }
            let (value, told) = values::written(&said, now);
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
            // A dropped setting is not also reported as changed, and the others that say the same are lost with it.
            let path = Path::of(at.iter().cloned()).to_string();
            self.reports.retain(|report| report.kind == ChangeKind::Lost || report.path.to_string() != path);
            if !self.reports.iter().any(|report| report.path.to_string() == path) {
                self.tell(&at, lost(reason));
            }
        }
        self.entries.lower_budget(None, &mut self.reports);
    }

    /// Adds settings that the target requires.
    fn needs(&mut self, defaults: &[(Text<H>, Value<H>)]) {
        for setting in rows() {
            let cell = self.to.cell(setting);
            let Some(json) = cell.needed.filter(|_| self.entries.get(setting.name).is_none()) else { continue };
            if has(defaults, cell.places[0]) {
                continue;
            }
            let value = self.beside_budget(json, cell);
            let why =
                (format!("the target requires {}, and the request has none", cell.places[0]), format!("it is {value}"));
            self.entries.add(setting, cell, Value::Number(value.into()), None);
            self.tell(&[], added(why));
        }
    }

    /// The length of a reply that has none: its thinking counts in it.
    fn beside_budget(&self, json: &'static str, cell: &Cell) -> String {
        let Kind::Integer(_, most) = cell.kind else { return json.to_owned() };
        let budget = self.entries.budget_in_length().unwrap_or_default();
        json.parse::<f64>().map_or(json.to_owned(), |length| format!("{}", (length + budget).min(most)))
    }

    fn finish(self, defaults: Keys<H>) -> Translated<H> {
        Translated { keys: self.entries.into_keys(defaults), parallel: self.parallel, reports: self.reports }
    }
}
