//! The check of a row: its findings, and how they are written.

use super::{
    build::own,
    record::{RecordKind, RecordOptions},
};
use crate::{
    convert,
    detect::Reading,
    model::{Conversation, Role},
    report::{Edit, Error, Options, PLAIN, Path, Step, error::Code, notice::Notice},
    rules::DialectId,
    stage::{self, Finding, Inputs},
    value::{Host, NoHost, TapeSource, Text, json::encode},
};

/// The options of a check.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The dialect of the rows.
    pub source: Reading,
    /// The target.
    pub target: Option<DialectId>,
    /// Whether a payload is checked against its own dialect.
    pub own: bool,
    /// What the caller says about records.
    pub records: RecordOptions,
}

impl Check {
    /// The findings of a payload, which is read as `source`. `labelled`: whether it is from a row with lists for its
    /// completions, or read by a layout.
    pub(super) fn findings<H: Host>(
        &self,
        payload: &TapeSource<'_, H>,
        source: Reading,
        labelled: bool,
    ) -> Result<Vec<Finding>, Error> {
        let (source, target) = match self.own.then(|| own(payload, source)) {
            None => (source, self.target),
            Some(Ok((source, dialect))) => (source, Some(dialect)),
            // Messages of a trace may be in several dialects. Then no target has rules for them.
            Some(Err(error)) if error.code() == Code::MixedDialects => (source, None),
            Some(Err(error)) => return Err(error),
        };
        let conversation = convert::parse(payload, source)?;
        let record = RecordKind::of(payload, &conversation.view(), labelled, self.target);
        let row = self.records.is_row(record, self.target);
        let rendering = Options { row, ..PLAIN.clone() };
        let inputs = Inputs { target, rendering: &rendering, keep_open: row, ..Inputs::default() };
        let mut found = stage::check(&conversation, &inputs);
        let hint = self.records.hint(record, self.target);
        if !hint.is_empty() {
            let of_request = |finding: &&mut Finding| is_of_request(finding, &conversation, self.target);
            found.iter_mut().filter(of_request).for_each(|finding| finding.message.to_mut().push_str(hint));
        }
        Ok(found)
    }
}

/// Whether a finding would not be there if the payload were a row.
#[cold]
fn is_of_request<H: Host>(finding: &Finding, conversation: &Conversation<H>, target: Option<DialectId>) -> bool {
    if finding.code == Notice::UnknownKey.name() {
        let last = finding.path.steps().last();
        let is = |key: &str| matches!(&last, Some(Step::Name(name)) if **name == *key);
        return target.is_some_and(|target| target.keys().row.iter().any(|(key, _)| is(key)));
    }
    if finding.code == Code::EndsWithAssistant.name() {
        return true;
    }
    let turns = conversation.turns().iter().enumerate().rev();
    let last = turns.take_while(|(_, turn)| turn.speaker() == Role::Assistant);
    let within = |path: &Path| path.steps().zip(finding.path.steps()).all(|(one, other)| one == other);
    finding.code == Edit::MissingResult.name() && last.map(|(at, turn)| turn.path(at)).any(|path| within(&path))
}

/// Appends a finding as a JSON object with its attributes, and the line number if there is one.
pub(super) fn write_finding(finding: &Finding, path: &Path, line: Option<usize>, out: &mut Vec<u8>) {
    let Finding { code, severity, id, message, would, .. } = finding;
    out.push(b'{');
    if let Some(line) = line {
        out.extend_from_slice(format!("\"line\":{line},").as_bytes());
    }
    let path = path.to_string();
    let said =
        [("code", *code), ("severity", severity.name()), ("path", &path), ("message", message), ("would", would)];
    for (at, (key, value)) in said.into_iter().chain(id.as_deref().map(|id| ("id", id))).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("\"{key}\":").as_bytes());
        encode::text::<NoHost>(&Text::own(value), None, out);
    }
    out.push(b'}');
}
