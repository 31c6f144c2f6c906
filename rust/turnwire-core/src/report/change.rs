//! A change: one thing that is done to the caller's messages, or told of them.

use std::{borrow::Cow, fmt};

use super::{
    error::{Code, Error},
    path::Path,
    register::{ChangeKind, Edit},
    severity::Severity,
};

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeCode {
    /// What is done, or noticed.
    Edit(Edit),
    /// The error that a build raises.
    Error(Code),
    /// The name of the difference from the last request.
    Diff(&'static str),
}

impl ChangeCode {
    /// The stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Edit(edit) => edit.name(),
            Self::Error(code) => code.name(),
            Self::Diff(name) => name,
        }
    }

    /// The code of an edit; `None` for errors and differences.
    #[must_use]
    pub fn edit(self) -> Option<Edit> {
        if let Self::Edit(edit) = self { Some(edit) } else { None }
    }
}

impl From<Edit> for ChangeCode {
    fn from(edit: Edit) -> Self {
        Self::Edit(edit)
    }
}

impl PartialEq<Edit> for ChangeCode {
    fn eq(&self, edit: &Edit) -> bool {
        self.edit() == Some(*edit)
    }
}

/// Why a change is made: the reason, and what is done if that is not what its code and kind say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    reason: Cow<'static, str>,
    action: Option<Cow<'static, str>>,
}

/// A fixed text is the reason, or the reason and what is done, with a colon between.
impl From<&'static str> for Why {
    fn from(text: &'static str) -> Self {
        match text.split_once(": ") {
            Some((reason, action)) => Self { reason: reason.into(), action: Some(action.into()) },
            None => Self { reason: text.into(), action: None },
        }
    }
}

/// A text with words of the caller is the reason, whatever it contains.
impl From<String> for Why {
    fn from(reason: String) -> Self {
        Self { reason: reason.into(), action: None }
    }
}

impl From<Cow<'static, str>> for Why {
    fn from(text: Cow<'static, str>) -> Self {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl<R: Into<Cow<'static, str>>, A: Into<Cow<'static, str>>> From<(R, A)> for Why {
    fn from((reason, action): (R, A)) -> Self {
        Self { reason: reason.into(), action: Some(action.into()) }
    }
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it does to the content.
    pub kind: ChangeKind,
    /// What it is about.
    pub code: ChangeCode,
    /// How serious the fault is.
    pub severity: Severity,
    /// The place in the caller's payload.
    pub path: Path,
    /// The caller's index of the turn. For an added turn, the index of the turn that it belongs to. `None` beside the list.
    pub index: Option<usize>,
    /// What is the matter, as a clause.
    pub reason: Cow<'static, str>,
    /// What is done about it, as a clause in the present tense; empty for a warning.
    pub action: Cow<'static, str>,
    /// The id of the call, unchanged.
    pub id: Option<String>,
    /// The new id.
    pub new_id: Option<String>,
    /// The sizes before and after, in UTF-8 bytes, where they differ.
    pub bytes: Option<(usize, usize)>,
}

impl Change {
    /// A change of a turn in the target's own format, without ids or sizes.
    #[must_use]
    pub fn new(code: Edit, index: usize, path: Path, why: impl Into<Why>) -> Self {
        let index = (path.is_root() || path.turn().is_some()).then_some(index);
        Self { index, ..Self::told(code.kind(), code, path, why).graded(code.severity()) }
    }

    /// What a conversion changes or loses.
    #[must_use]
    pub fn told(kind: ChangeKind, code: Edit, path: Path, why: impl Into<Why>) -> Self {
        let Why { mut reason, mut action } = why.into();
        // Nothing is done, so all of it is the reason.
        if kind == ChangeKind::Warning
            && let Some(rest) = action.take()
        {
            reason = format!("{reason}: {rest}").into();
        }
        Self {
            kind,
            code: code.into(),
            severity: code.severity_abroad(),
            path,
            index: None,
            reason,
            action: action.unwrap_or_else(|| code.action(kind).into()),
            id: None,
            new_id: None,
            bytes: None,
        }
    }

    /// What the caller should know although nothing changes. A colon in the text is part of it.
    #[must_use]
    pub fn warning(code: Edit, path: Path, text: impl Into<Cow<'static, str>>) -> Self {
        let why = Why { reason: text.into(), action: None };
        Self::told(ChangeKind::Warning, code, path, why).graded(code.severity())
    }

    /// The error that a build raises.
    #[must_use]
    pub fn refused(error: &Error) -> Self {
        let (path, reason) = (error.path().clone(), error.text().to_owned().into());
        let change = Self::told(ChangeKind::Refused, Edit::Opaque, path, Why { reason, action: None });
        let code = ChangeCode::Error(error.code());
        Self { code, severity: Severity::Error, action: "the build raises this as an error".into(), ..change }
    }

    /// Sets what is done to the content, with the action that its code has for that.
    #[must_use]
    pub fn kind(mut self, kind: ChangeKind) -> Self {
        let default = |kind| self.code.edit().map_or("", |edit| edit.action(kind));
        if self.action == default(self.kind) {
            self.action = default(kind).into();
        }
        self.kind = kind;
        self
    }

    /// Sets the severity of the fault.
    #[must_use]
    pub fn graded(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the id of the call.
    #[must_use]
    pub fn of(mut self, id: String) -> Self {
        self.id = Some(id);
        self
    }

    /// Sets the sizes.
    #[must_use]
    pub fn sized(mut self, before: usize, after: usize) -> Self {
        self.bytes = (before != after).then_some((before, after));
        self
    }

    /// Gives it its place in the record that its list was made from.
    pub fn put_at(&mut self, path: Path) {
        (self.path, self.index) = (path, None);
    }

    /// Whether nothing is changed: the caller should only know of it.
    #[must_use]
    pub fn is_warning(&self) -> bool {
        matches!(self.kind, ChangeKind::Warning | ChangeKind::Refused)
    }

    /// The size before, in UTF-8 bytes; 0 where none is known.
    #[must_use]
    pub fn before(&self) -> usize {
        self.bytes.map_or(0, |(before, _)| before)
    }

    /// The size after.
    #[must_use]
    pub fn after(&self) -> usize {
        self.bytes.map_or(0, |(_, after)| after)
    }

    /// What it says of its place: the path, the ids and the sizes.
    #[must_use]
    pub fn place(&self) -> String {
        let mut place = self.path.to_string();
        if let Some(id) = &self.id {
            place += " (";
            place += id;
            if let Some(new) = &self.new_id {
                place += " -> ";
                place += new;
            }
            place += ")";
        }
        if let Some((before, after)) = self.bytes {
            place += ", ";
            place += &grouped(before);
            place += " -> ";
            place += &grouped(after);
            place += " bytes";
        }
        place
    }

    /// The reason, and what is done about it.
    #[must_use]
    pub fn says(&self) -> String {
        if self.action.is_empty() { self.reason.to_string() } else { format!("{}; {}", self.reason, self.action) }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} at {}: {}", self.kind.name(), self.code.name(), self.place(), self.says())
    }
}

/// A number with a comma after each third digit.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
