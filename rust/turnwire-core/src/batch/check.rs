//! The check of a row: what a build would change, and how it is written.

use super::{
    build::{Build, own},
    record::RecordKind,
};
use crate::{
    check::check,
    convert,
    detect::Reading,
    model::{Conversation, Role},
    report::{Change, ChangeCode, Edit, Error, Options, Path, Step, error::Code},
    rules::DialectId,
    stage::Inputs,
    value::{Host, NoHost, TapeSource, Text, json::encode},
};

/// The options of a check: those of the build that is checked.
#[derive(Debug)]
pub struct Check<H: Host> {
    /// The build. Its target is `None` if messages are checked for no API, too.
    pub build: Build<H>,
    /// Whether a payload is checked against its own dialect.
    pub own: bool,
}

impl<H: Host> Check<H> {
    /// The changes of a payload, which is read as `source`. `labelled`: whether it is from a row with lists for its
    /// completions, or read by a layout.
    pub(super) fn changes(
        &self,
        payload: &TapeSource<'_, H>,
        source: Reading,
        labelled: bool,
    ) -> Result<Vec<Change>, Error> {
        let Build { target: asked, records, .. } = &self.build;
        let (source, target) = match self.own.then(|| own(payload, source)) {
            None => (source, *asked),
            Some(Ok((source, dialect))) => (source, Some(dialect)),
            // Messages of a trace may be in several dialects. Then no target has rules for them.
            Some(Err(error)) if error.code() == Code::MixedDialects => (source, None),
            Some(Err(error)) => return Err(error),
        };
        let conversation = convert::parse(payload, source)?;
        self.build.check_pins(&conversation)?;
        let record = RecordKind::of(payload, &conversation.view(), labelled, *asked);
        let row = records.is_row(record, *asked);
        let rendering = Options { row, ..self.build.options.clone() };
        let conversation = conversation.fronted(self.build.front.share());
        let checked = |inputs: &Inputs<'_, H>| check(&conversation, inputs).changes;
        let mut found = self.build.with_inputs((target, row), &rendering, checked);
        let hint = records.hint(record, *asked);
        if !hint.is_empty() {
            let of_request = |change: &&mut Change| is_of_request(change, &conversation, *asked);
            found.iter_mut().filter(of_request).for_each(|change| change.reason.to_mut().push_str(hint));
        }
        Ok(found)
    }
}

/// Whether a change would not be there if the payload were a row.
#[cold]
fn is_of_request<H: Host>(change: &Change, conversation: &Conversation<H>, target: Option<DialectId>) -> bool {
    if change.code == Edit::UnknownKey {
        let last = change.path.steps().last();
        let is = |key: &str| matches!(&last, Some(Step::Name(name)) if **name == *key);
        return target.is_some_and(|target| target.keys().row.iter().any(|(key, _)| is(key)));
    }
    if change.code == ChangeCode::Error(Code::EndsWithAssistant) {
        return true;
    }
    let turns = conversation.turns().iter().enumerate().rev();
    let last = turns.take_while(|(_, turn)| turn.speaker() == Role::Assistant);
    let within = |path: &Path| path.steps().zip(change.path.steps()).all(|(one, other)| one == other);
    change.code == Edit::MissingResult && last.map(|(at, turn)| turn.path(at)).any(|path| within(&path))
}

/// Appends a change as a JSON object with its attributes, and the line number if there is one.
pub(super) fn write_change(change: &Change, line: Option<usize>, out: &mut Vec<u8>) {
    out.push(b'{');
    if let Some(line) = line {
        out.extend_from_slice(format!("\"line\":{line},").as_bytes());
    }
    let path = change.path.to_string();
    let said = [
        ("kind", change.kind.name()),
        ("code", change.code.name()),
        ("severity", change.severity.name()),
        ("path", &path),
        ("reason", &change.reason),
        ("action", &change.action),
    ];
    for (at, (key, value)) in said.into_iter().chain(change.id.as_deref().map(|id| ("id", id))).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("\"{key}\":").as_bytes());
        encode::text::<NoHost>(&Text::own(value), None, out);
    }
    out.push(b'}');
}
