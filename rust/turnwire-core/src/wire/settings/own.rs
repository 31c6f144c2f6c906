//! Judges the settings of a body by the cells of its own wire: what the target's servers or its model refuse, and what is
//! written instead. A check tells it, a conversion does it.

use super::{
    body::{Body, spells_name},
    edits::Edits,
    entries::Entries,
    named,
    reasoning::REASONING,
    said::Said,
    told::{Report, changed, lost},
    translation::Translation,
};
use crate::{
    model::Frame,
    report::{ChangeKind, Edit, Error, Losses, Path, Step},
    rules::{
        Cell, Column, Kind, Target,
        settings::{row_settings::REFUSES, rows},
    },
    value::{Host, Value},
};

const ELSEWHERE: &str = "the target says this by another key";
const OTHER_WORDS: &str = "the target has other words for this setting";
const ONLY_SOURCE: &str = "only the source has this setting";

/// A setting that the servers of its own wire refuse.
pub(crate) struct Refusal {
    /// It, and why.
    pub(crate) report: Report,
    /// Whether a server's refusal of it is recorded for this model.
    pub(crate) is_recorded: bool,
}

/// What the target refuses of a body's settings, and what is written instead.
struct Judged<H: Host> {
    refusals: Vec<Refusal>,
    edits: Edits<H>,
}

/// What the servers of a body's own wire refuse in its settings: values, settings that the model does not accept, and
/// settings that exclude or need others. Unknown keys and words may be newer than the table, and the caller may still
/// add what a body lacks, so neither is reported.
pub(crate) fn refusals<H: Host>(frame: &Frame<H>, target: Target<'_>) -> Result<Vec<Refusal>, Error> {
    Ok(judged(frame, target)?.map_or_else(Vec::new, |judged| judged.refusals))
}

/// The frame with the settings that the target takes, which are told. `None` if it takes all of them.
pub(crate) fn settled<H: Host>(
    frame: &Frame<H>,
    target: Target<'_>,
    losses: &mut Losses,
) -> Result<Option<Frame<H>>, Error> {
    if !frame.settings_from().same_wire(target.id) || frame.order.is_empty() {
        return Ok(None);
    }
    let Some(Judged { refusals, edits }) = judged(frame, target)? else { return Ok(None) };
    for Refusal { report, .. } in refusals.into_iter().filter(|refusal| edits.has(&refusal.report.path)) {
        losses.tell(report.kind, Edit::Setting, report.path, report.why)?;
    }
    edits.applied(frame, target.id)
}

/// `None` if the target's wire has no body with settings.
fn judged<H: Host>(frame: &Frame<H>, target: Target<'_>) -> Result<Option<Judged<H>>, Error> {
    let body = Body::of(frame)?;
    let Some(from) = Column::of(frame.settings_from(), body.model().as_deref()).map(Column::to_read) else {
        return Ok(None);
    };
    let (mut said, reports) = body.values(from);
    let model = target.options.model.as_deref().map(str::to_owned).or_else(|| named(&said));
    let Some(to) = Column::of(target.id, model.as_deref()) else { return Ok(None) };
    // The body may have what only the target's servers know.
    let is_new = |one: &Said<H>| !said.iter().any(|known| known.setting.name == one.setting.name || known.at == one.at);
    let more: Vec<_> = body.values(to.to_read()).0.into_iter().filter(is_new).collect();
    said.extend(more);
    // Words of another server, which the target's may lack.
    if frame.settings_from() != target.id {
        for one in rows().filter(|row| REASONING.contains(&row.name)).filter_map(|row| body.word(row, to)) {
            let known = takes_word(from, &one) || !from.cell(one.setting).is_said();
            if known && !said.iter().any(|other| other.at == one.at) {
                said.push(one);
            }
        }
    }
    let mut edits = Edits::of(&body, to.two_spellings);
    for report in &reports {
        edits.remove(&report.path);
    }
    let mut made =
        Translation { frame, target, from: Some(from), to, said, entries: Entries::default(), reports, parallel: None };
    let recorded = made.is_known(&body, model.as_deref());
    for (setting, at) in body.own(from) {
        if made.said.iter().any(|said| said.at == at) {
            continue;
        }
        let cell = to.cell(setting);
        let why = match cell.kind {
            Kind::Refused(why) => why,
            _ if !to.holds(cell, &at) => ONLY_SOURCE,
            _ => continue,
        };
        edits.remove(&Path::of(at.iter().cloned()));
        made.tell(&at, lost(why));
    }
    // Other keys that they refuse are no settings.
    let input = frame.input.as_ref();
    let others = frame.rest.iter().flat_map(|rest| &rest.keys).filter(|one| !one.continues);
    for one in others.filter(|one| to.refuses(&one.key.to_str(input))) {
        let path = one.path(input);
        if !made.said.iter().any(|said| Path::of(said.at.clone()).is_within(&path)) {
            edits.remove(&path);
            made.reports.push(Report { kind: ChangeKind::Lost, path, why: REFUSES.into() });
        }
    }
    made.judge(&mut edits)?;
    let is_known = |report: &Report| recorded.contains(&report.path.to_string());
    let refusals = made.reports.into_iter().map(|report| Refusal { is_recorded: is_known(&report), report });
    Ok(Some(Judged { refusals: refusals.collect(), edits }))
}

impl<H: Host> Translation<'_, H> {
    /// The paths of what a recorded server of this model refuses.
    fn is_known(&self, body: &Body<H>, model: Option<&str>) -> Vec<String> {
        let Some((model, from)) = model.zip(self.from) else { return Vec::new() };
        let said = self.said.iter().map(|said| (said.setting, said.at.clone()));
        let known = said.chain(body.own(from)).filter(|(setting, _)| self.to.cell(setting).is_recorded_for(model));
        known.map(|(_, at)| Path::of(at).to_string()).collect()
    }

    /// Reports what is refused, and notes what is written instead.
    fn judge(&mut self, edits: &mut Edits<H>) -> Result<(), Error> {
        let given: Vec<Said<H>> = self.said.iter().map(Said::share).collect();
        let told = self.reports.len();
        self.each_by_itself(true);
        let is_told = |made: &Self, said: &Said<H>| {
            let path = Path::of(said.at.iter().cloned());
            made.reports[told..].iter().any(|report| report.path.to_string() == path.to_string())
        };
        let reasons = |said: &&Said<H>| REASONING.contains(&said.setting.name);
        let other_word = given.iter().filter(reasons).any(|said| self.is_other_word(said));
        let anew = other_word || given.iter().filter(reasons).any(|said| is_told(self, said));
        if anew {
            // How much the model thinks is said by several keys, which are written together.
            self.reports.truncate(told);
            self.entries = Entries::default();
            self.said = given.iter().map(Said::share).collect();
            self.each_by_itself(false);
            let before = self.reports.len();
            self.write_reasoning(self.target.options.settings.as_deref());
            if self.reports.len() == before
                && let Some(first) = given.iter().find(reasons)
            {
                self.tell(&first.at, changed(if other_word { OTHER_WORDS } else { ELSEWHERE }));
            }
            self.conflicts();
        }
        self.said =
            given.iter().filter(|said| matches!(said.cell(self).kind, Kind::Format(_))).map(Said::share).collect();
        if self.said.iter().any(|said| self.format_is_refused(said)) {
            self.write_format()?;
        }
        let of_reasoning = |name: &str| anew && REASONING.contains(&name);
        let mut group: Vec<_> = self.entries.each(of_reasoning).collect();
        let mut gone = Vec::new();
        for said in &given {
            if of_reasoning(said.setting.name) {
                match group.iter().position(|(place, _)| self.to.is_at(place, &said.at)) {
                    Some(at) => edits.replace(&said.at, Some(group.remove(at))),
                    None => gone.push(Path::of(said.at.iter().cloned())),
                }
            } else if is_told(self, said) {
                edits.replace(&said.at, self.entries.written(said));
            }
        }
        // What is new goes into the objects that are there, for what is left out.
        for (place, value) in group.into_iter().filter(|_| !gone.is_empty()) {
            edits.put(place, value);
        }
        for path in &gone {
            edits.remove(path);
        }
        Ok(())
    }

    /// Whether the target has other words than the server that the body is for. A word that neither knows may be newer than
    /// the table.
    fn is_other_word(&self, said: &Said<H>) -> bool {
        let (Value::Text(word), Some(from)) = (&said.value, self.from) else { return false };
        let effort = said.setting.name == "reasoning_effort" && !word.is("none", None);
        let rests = effort && !self.to.row().effort_with_tools && self.has_tools();
        let known = takes_word(from, said) || !from.cell(said.setting).is_said();
        let has_words = matches!(self.to.cell(said.setting).kind, Kind::Words(_));
        rests || known && has_words && !takes_word(self.to, said)
    }

    /// Judges each setting by its own cell, and what excludes or needs others. A format is composed of several keys, and what
    /// is elsewhere is outside the body. `all`: with those of reasoning.
    fn each_by_itself(&mut self, all: bool) {
        let kept = |said: &crate::rules::Setting| all || !REASONING.contains(&said.name);
        for said in self.said.iter().map(Said::share).collect::<Vec<_>>() {
            let cell = said.cell(self);
            if kept(said.setting) && cell.is_said() && !self.to.holds(cell, &said.at) && cell.kind != Kind::InChoice {
                let key = cell.places[0];
                self.tell(&said.at, changed(format!("the target reads this setting under the key {key:?}")));
            }
        }
        self.write_each(|said, cell| kept(said) && !matches!(cell.kind, Kind::Format(_) | Kind::Elsewhere(_)));
        if all {
            self.conflicts();
        }
    }
}

/// Whether a column has a word as it stands.
fn takes_word<H: Host>(column: Column, said: &Said<H>) -> bool {
    match (column.cell(said.setting).kind, &said.value) {
        (Kind::Words(words), Value::Text(word)) => {
            words.iter().any(|(wire, meant)| wire == meant && word.is(wire, None))
        }
        _ => false,
    }
}

impl<H: Host> Said<H> {
    fn cell(&self, made: &Translation<'_, H>) -> &'static Cell {
        made.to.cell(self.setting)
    }

    fn share(&self) -> Self {
        Self { setting: self.setting, value: self.value.share(), at: self.at.clone() }
    }
}

impl Column {
    /// Whether this path is one of a cell's places.
    fn holds(self, cell: &Cell, at: &[Step]) -> bool {
        cell.places.iter().any(|place| self.is_at(place, at))
    }

    /// Whether a path is this place, perhaps in another spelling.
    fn is_at(self, place: &str, at: &[Step]) -> bool {
        let mut keys = place.split('.');
        let is_it = |step: &Step| keys.next().is_some_and(|key| spells_name(step.name(), key, self.two_spellings));
        at.iter().all(is_it) && keys.next().is_none()
    }
}
