//! Translates the settings of a body for another server of its own format, where that one does not take them as they are.

use super::{
    Keys, Translated,
    body::{Body, find},
    entries::{Entries, merged},
    said::Said,
    told::Report,
    translation::Translation,
};
use crate::{
    model::Frame,
    report::{ChangeKind, Error, Path, Step},
    rules::{Column, Kind, Setting, Target, settings::rows},
    value::{Host, Value},
};

const EFFORT: &str = "reasoning_effort";
const MODE: &str = "reasoning_mode";
const FORMAT: &str = "response_format";
const MODES: &str = "the target has other words for this setting";

/// What a body says otherwise for another server of its format.
pub(crate) struct Beside<H: Host> {
    /// The keys with other values.
    pub(crate) keys: Keys<H>,
    /// The keys that are left out.
    pub(crate) gone: Vec<String>,
    /// What to report.
    pub(crate) reports: Vec<Report>,
}

/// What a body says otherwise for another row of its format. `None` if the target takes its settings as they are.
pub(crate) fn beside<H: Host>(frame: &Frame<H>, target: Target<'_>) -> Result<Option<Beside<H>>, Error> {
    let from = frame.settings_from();
    if !from.same_wire(target.id) || from == target.id || frame.order.is_empty() {
        return Ok(None);
    }
    let read = |id| Column::of(id, None).map(Column::to_read);
    let (Some(mine), Some(to)) = (read(from), read(target.id)) else { return Ok(None) };
    let body = Body::of(frame)?;
    let mut said: Vec<_> = rows().filter_map(|row| word(&body, row, to)).collect();
    let formats = body.values(mine).0.into_iter().filter(|one| one.setting.name == FORMAT);
    said.extend(formats);
    let entries = Entries::default();
    let mut made =
        Translation { frame, target, from: Some(mine), to, said, entries, reports: Vec::new(), parallel: None };
    let refused: Vec<_> = made.said.iter().filter(|one| made.refuses(one, mine)).map(top).collect();
    if refused.is_empty() {
        return Ok(None);
    }
    made.said.retain(|one| refused.contains(&top(one)));
    made.write_format()?;
    made.write_reasoning(target.options.settings.as_deref());
    let Translated { keys, mut reports, .. } = made.finish(Keys::new());
    let old = |key: &str| body.entries.iter().find(|(known, _)| known.is(key, None)).map(|(_, value)| value);
    let whole = |key: &str, new: &Value<H>| (key != FORMAT).then(|| merged(new, old(key)?)).flatten();
    let keys: Keys<H> = keys
        .into_iter()
        .filter(|(key, _)| refused.iter().any(|known| key.is(known, None)))
        .map(|(key, value)| {
            let value = whole(&key.to_str(None), &value).unwrap_or(value);
            (key, value)
        })
        .collect();
    // A mode becomes another without a word about it where formats differ.
    for (key, _) in &keys {
        let path = Path::of([Step::Name(key.to_str(None).as_ref().into())]);
        let is_told = reports.iter().any(|report| report.path.to_string().starts_with(&path.to_string()));
        if !is_told {
            reports.push(Report { kind: ChangeKind::Restated, path, why: MODES.into() });
        }
    }
    let gone = refused.into_iter().filter(|known| !keys.iter().any(|(key, _)| key.is(known, None))).collect();
    Ok(Some(Beside { keys, gone, reports }))
}

/// How much the model thinks, as the body says it under a key of the target's.
fn word<H: Host>(body: &Body<H>, row: &'static Setting, to: Column) -> Option<Said<H>> {
    let cell = Some(to.cell(row)).filter(|cell| matches!(cell.kind, Kind::Words(_)))?;
    if !matches!(row.name, EFFORT | MODE) {
        return None;
    }
    let (at, value) = cell.places.iter().find_map(|place| find(&body.entries, place, to.two_spellings))?;
    matches!(value, Value::Text(_)).then(|| Said { setting: row, value: value.share(), at })
}

/// The key of the body that holds a setting.
fn top<H: Host>(said: &Said<H>) -> String {
    match said.at.first() {
        Some(Step::Key(key)) => (*key).to_owned(),
        Some(Step::Name(name)) => name.to_string(),
        _ => String::new(),
    }
}

impl<H: Host> Translation<'_, H> {
    /// Whether the target refuses what another server of its format takes.
    fn refuses(&self, said: &Said<H>, mine: Column) -> bool {
        let row = self.to.row();
        match said.setting.name {
            FORMAT => {
                let kind = match &said.value {
                    Value::Map(entries) => entries.iter().find(|(key, _)| key.is("type", None)).map(|(_, value)| value),
                    _ => None,
                };
                let is = |word: &str| matches!(kind, Some(Value::Text(text)) if text.is(word, None));
                let known = mine.row().formats.iter().any(|word| is(word));
                known && !row.formats.iter().any(|word| is(word))
                    || !row.format_with_tools && self.has_tools() && !is("text")
            }
            name => {
                let Value::Text(word) = &said.value else { return false };
                let takes = |column: Column| match column.cell(said.setting).kind {
                    Kind::Words(words) => words.iter().any(|(wire, meant)| wire == meant && word.is(wire, None)),
                    _ => false,
                };
                let beside_tools = name == EFFORT && !row.effort_with_tools && self.has_tools();
                // A word that neither knows may be newer than the table.
                let known = takes(mine) || !mine.cell(said.setting).is_said();
                known && !takes(self.to) || beside_tools && !word.is("none", None)
            }
        }
    }
}
