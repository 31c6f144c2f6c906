//! `Turn`: one element of a conversation, its role and its parts.

use std::sync::Arc;

use pyo3::{
    Borrowed,
    prelude::*,
    types::{PyList, PyString, PyTuple},
};
use turnwire_core::{
    dialects,
    model::{
        part::Kind,
        turn::{self, Role},
    },
    report::{
        error::{Code, Error},
        register::ChangeKind,
    },
    rules::dialect_id::DialectId,
};

use crate::{
    arguments::{items, not_a},
    error::{host_fault, raise},
    host::PyHost,
    html,
    message::{call::AssistantToolUse, result::ToolUseResult},
    part::{Kept, Media, Opaque, Part, Reasoning, Text, handle, text_of},
    pickle::state::{Packing, State},
    sink::PySink,
    wrong_argument::{Str, named as of_argument},
};

pub(crate) type CoreTurn = turn::Turn<PyHost>;

#[doc = stub!("Turn")]
#[pyclass(frozen, module = "turnwire", name = "Turn")]
pub(crate) struct Turn {
    pub(crate) turn: Arc<CoreTurn>,
}

/// A role by its name.
#[derive(Clone, Copy)]
pub(crate) struct Speaker(Role);

impl<'py> FromPyObject<'_, 'py> for Speaker {
    type Error = PyErr;

    fn extract(role: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let role: Str<'_, '_> = role.extract()?;
        let role = role.to_string_lossy();
        Role::ALL.into_iter().find(|known| known.name() == role).map(Self).ok_or_else(|| {
            let known = Role::ALL.map(Role::name).join(", ");
            raise(Error::new(Code::UnknownRole, format!("expected one of {known}, got {role:?}")))
        })
    }
}

#[pymethods]
impl Turn {
    #[new]
    #[pyo3(signature = (role, parts, id = None))]
    fn new(role: Speaker, parts: &Bound<'_, PyAny>, id: Option<Str<'_, '_>>) -> PyResult<Self> {
        let parts = parts_of(parts).map_err(|error| of_argument(parts.py(), "parts", error))?;
        let mut turn = CoreTurn::new(role.0, parts.0);
        turn.id = id.as_deref().map(handle).transpose()?;
        // Parts with a wire value go back to their own dialect only if the turn names that dialect.
        turn.from = parts.1;
        turn.touched = true;
        Ok(Self { turn: Arc::new(turn) })
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("role", "parts")
    }

    #[doc = stub!("Turn.role")]
    #[getter]
    fn role(&self) -> &'static str {
        self.turn.role.name()
    }

    #[doc = stub!("Turn.id")]
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let stored = self.turn.entity.as_ref().and_then(|entity| entity.id.as_ref());
        self.turn.id.as_ref().or(stored).map(|id| text_of(py, &id.detach(self.turn.input.as_ref()))).transpose()
    }

    #[doc = stub!("Turn.parts")]
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let parts = self.turn.parts.iter().map(|part| wrap(py, part.detach(self.turn.input.as_ref()), self.turn.from));
        PyTuple::new(py, parts.collect::<PyResult<Vec<_>>>()?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let parts = PyList::new(py, self.parts(py)?)?;
        Ok(format!("Turn({:?}, {})", self.role(), parts.repr()?))
    }

    fn _repr_html_(&self) -> String {
        html::conversation("Turn", std::iter::once(&*self.turn))
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.turn.same(&other.get().turn)
    }

    fn __hash__(&self) -> isize {
        (self.turn.parts.len() * 8 + self.turn.role as usize).cast_signed()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, turn) = (slf.py(), &slf.get().turn);
        let state = turn.pack(&Packing { py, input: turn.input.as_ref() })?;
        (slf.get_type().getattr("_restore")?, (state,)).into_pyobject(py)
    }

    #[staticmethod]
    fn _restore(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { turn: Arc::new(State::unpack(state)?) })
    }
}

/// How much of a turn an element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// All of it, unchanged.
    AsItIs,
    /// All of it, but some of it in another form.
    Changed,
}

/// The turn as an element of a dialect, if one element holds all of it.
pub(crate) fn wire<'py>(
    py: Python<'py>,
    turn: &CoreTurn,
    target: DialectId,
) -> Result<Option<(Bound<'py, PyAny>, Whole)>, Error> {
    if target == DialectId::NONE {
        return Ok(None);
    }
    let mut out = PySink::new(py);
    let losses = dialects::registry::render_turn(turn, target, &mut out)?;
    let written = out.finish()?;
    let Some(one) = written.cast::<PyList>().ok().filter(|list| list.len() == 1) else { return Ok(None) };
    let whole = if losses.is_empty() { Whole::AsItIs } else { Whole::Changed };
    let is_lost = losses.iter().any(|loss| loss.kind == ChangeKind::Lost);
    Ok(if is_lost { None } else { Some((one.get_item(0).map_err(host_fault)?, whole)) })
}

/// A part as the object that Python sees. The part must not hold spans.
pub(crate) fn wrap(py: Python<'_>, part: Part, from: DialectId) -> PyResult<Py<PyAny>> {
    Ok(match part.kind {
        Kind::Call(call) => Py::new(py, AssistantToolUse::from(call))?.into_any(),
        Kind::Result(result) => Py::new(py, ToolUseResult::from(result))?.into_any(),
        Kind::Text(_) | Kind::Refusal(_) => Py::new(py, Text { part })?.into_any(),
        Kind::Media(_) => Py::new(py, Media { part })?.into_any(),
        Kind::Reasoning(_) => Py::new(py, Reasoning(Kept { part, from }))?.into_any(),
        Kind::Json(_) | Kind::Opaque(_) => Py::new(py, Opaque(Kept { part, from }))?.into_any(),
    })
}

/// Parts from Python values, and the dialect of the parts that have a wire value.
fn parts_of(parts: &Bound<'_, PyAny>) -> PyResult<(Vec<Part>, DialectId)> {
    let mut from = DialectId::NONE;
    if parts.is_instance_of::<PyString>() {
        return Ok((vec![part_of(parts, &mut from)?], from));
    }
    let parts = items(parts, "a str or a list of parts")?.map(|part| part_of(&part?, &mut from));
    let parts = parts.collect::<PyResult<Vec<_>>>()?;
    Ok((parts, from))
}

/// A part from a Python value: a str, or a part object.
pub(crate) fn part_of(part: &Bound<'_, PyAny>, from: &mut DialectId) -> PyResult<Part> {
    if let Ok(text) = part.cast::<PyString>() {
        return Ok(Part::new(Kind::Text(handle(text)?)));
    }
    if let Ok(text) = part.cast::<Text>() {
        return Ok(text.get().part.share());
    }
    if let Ok(media) = part.cast::<Media>() {
        return Ok(media.get().part.share());
    }
    if let Ok(call) = part.cast::<AssistantToolUse>() {
        return Ok(Part::new(Kind::Call(call.get().call().share())));
    }
    if let Ok(result) = part.cast::<ToolUseResult>() {
        return Ok(Part::new(Kind::Result(result.get().result().share())));
    }
    let kept = if let Ok(thought) = part.cast::<Reasoning>() {
        &thought.get().0
    } else if let Ok(opaque) = part.cast::<Opaque>() {
        &opaque.get().0
    } else {
        return not_a("a str, Text, Media, AssistantToolUse, ToolUseResult, Reasoning or Opaque", part);
    };
    if *from != DialectId::NONE && *from != kept.from {
        let text = format!("parts of one turn come from {} and from {}", from.name(), kept.from.name());
        return Err(raise(Error::new(Code::WrongArgument, text)));
    }
    *from = kept.from;
    Ok(kept.part.share())
}
