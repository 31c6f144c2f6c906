//! Reads arguments that several functions share: sizes, words out of a few, dialect names, items of any iterable.

use pyo3::{
    Borrowed, PyClass,
    exceptions::{PyAttributeError, PyTypeError},
    prelude::*,
    types::{PyBool, PyByteArray, PyBytes, PyInt, PyIterator, PyMapping, PyString},
};
use turnwire_core::{
    detect::Reading,
    report::error::{Code, Error},
    rules::dialect_id::DialectId,
    text::{Keep, MAX_USER_MESSAGE_SIZE, budget::Split},
};

use crate::{
    error::raise,
    node::way_out,
    wrong_argument::{Str, WrongArgument, named, wrong},
};

/// A number of bytes that is not negative. A number beyond the address space means no limit.
#[derive(Clone, Copy)]
pub(crate) struct Bytes(pub(crate) usize);

impl Bytes {
    pub(crate) const MESSAGE: Self = Self(MAX_USER_MESSAGE_SIZE);
}

impl<'py> FromPyObject<'_, 'py> for Bytes {
    type Error = PyErr;

    #[inline]
    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(number) = number.cast_exact::<PyInt>()
            && let Ok(bytes) = number.extract::<i64>()
            && let Ok(bytes) = usize::try_from(bytes)
        {
            return Ok(Self(bytes));
        }
        any_integer(number, Code::NegativeBudget, "bytes").map(Self)
    }
}

/// A number of tokens that is not negative.
pub(crate) struct Tokens(pub(crate) usize);

impl<'py> FromPyObject<'_, 'py> for Tokens {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        any_integer(number, Code::NegativeBudget, "tokens").map(Self)
    }
}

/// A number of turns that is not negative.
pub(crate) struct Turns(pub(crate) usize);

impl<'py> FromPyObject<'_, 'py> for Turns {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        any_integer(number, Code::NegativeBudget, "turns").map(Self)
    }
}

/// The size of a text that is not negative.
pub(crate) struct Size(pub(crate) usize);

impl<'py> FromPyObject<'_, 'py> for Size {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        any_integer(number, Code::NegativeSize, "bytes").map(Self)
    }
}

/// A number of tokens in a usage.
pub(crate) struct Count(pub(crate) u64);

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        any_integer(number, Code::OutOfRange, "tokens").map(|count| Self(count as u64))
    }
}

/// The status of an HTTP response.
#[derive(Clone, Copy)]
pub(crate) struct Status(pub(crate) u16);

impl<'py> FromPyObject<'_, 'py> for Status {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let status = any_integer(number, Code::OutOfRange, "as a status")?;
        let known = u16::try_from(status).ok().filter(|status| (100..600).contains(status));
        known.map(Self).ok_or_else(|| {
            raise(Error::new(Code::OutOfRange, format!("expected an HTTP status from 100 to 599, got {status}")))
        })
    }
}

/// Any int, or an object with `__index__`, but no bool: a flag passed as a size is a mistake.
#[cold]
fn any_integer(number: Borrowed<'_, '_, PyAny>, negative: Code, unit: &str) -> PyResult<usize> {
    if number.is_instance_of::<PyBool>() {
        return Err(wrong("an int", &number));
    }
    if !number.is_instance_of::<PyInt>() && !number.hasattr("__index__")? {
        return Err(wrong("an int", &number));
    }
    let number = number.call_method0("__index__")?;
    if number.lt(0)? {
        let what =
            number.extract::<i64>().map_or_else(|_| "a huge negative number".into(), |number| number.to_string());
        return Err(raise(Error::new(negative, format!("{what} {unit}: expected 0 or more"))));
    }
    Ok(number.extract().unwrap_or(usize::MAX))
}

/// One of the words of an option.
#[derive(Clone, Copy)]
pub(crate) struct Word<T>(pub(crate) T);

/// An option with a word as its value.
pub(crate) trait Words: Copy + 'static {
    const OPTION: &'static str;
    const ALL: &'static [Self];
    fn name(self) -> &'static str;
}

impl Words for Keep {
    const OPTION: &'static str = "keep";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        self.name()
    }
}

impl Words for Split {
    const OPTION: &'static str = "split";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        self.name()
    }
}

impl<'py, T: Words> FromPyObject<'_, 'py> for Word<T> {
    type Error = PyErr;

    fn extract(word: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let word: Str<'_, '_> = word.extract()?;
        let text = word.to_string_lossy();
        if let Some(option) = T::ALL.iter().find(|option| option.name() == text) {
            return Ok(Self(*option));
        }
        let words = T::ALL.iter().map(|option| format!("{:?}", option.name())).collect::<Vec<_>>().join(", ");
        Err(raise(Error::new(Code::UnknownOption, format!("{} is {text:?}: expected one of {words}", T::OPTION))))
    }
}

/// What to write: a dialect by its name, or `same` for that of the messages.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Named(DialectId),
    Same,
}

impl<'py> FromPyObject<'_, 'py> for Target {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = name.extract::<Str<'_, '_>>()?;
        if *text == "same" { Ok(Self::Same) } else { name.extract::<Dialect>().map(|dialect| Self::Named(dialect.0)) }
    }
}

/// A dialect by its name.
#[derive(Clone, Copy)]
pub(crate) struct Dialect(pub(crate) DialectId);

impl<'py> FromPyObject<'_, 'py> for Dialect {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        DialectId::named(&name.extract::<Str<'_, '_>>()?.to_string_lossy()).map(Self).map_err(raise)
    }
}

/// The dialect of a payload, or the layout of a record: by its name, or `auto`.
#[derive(Clone, Copy)]
pub(crate) struct Written(Reading);

impl Written {
    pub(crate) const AUTO: Self = Self(Reading::Auto(None));

    /// The dialect that the caller names.
    pub(crate) fn dialect(self) -> Option<DialectId> {
        self.0.named_or_likely().ok()
    }

    /// Also reads a user's text in the form of a result as that result.
    pub(crate) fn with_results(self, wanted: bool) -> Self {
        if wanted { Self(self.0.with_results()) } else { self }
    }

    /// How to read the payload for this target.
    pub(crate) fn reading(self, target: Option<DialectId>) -> Reading {
        match self.0 {
            Reading::As(_) | Reading::WithResults(_) | Reading::Framed(..) => self.0,
            Reading::Layout(layout, _) => Reading::Layout(layout, target),
            Reading::Auto(_) => Reading::Auto(target),
            Reading::AutoWithResults(_) => Reading::Auto(target).with_results(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Written {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Reading::named(&name.extract::<Str<'_, '_>>()?.to_string_lossy(), None).map(Self).map_err(raise)
    }
}

/// The items of an argument that takes any iterable. A mapping, text or bytes are iterable too, but passing one is a
/// mistake.
pub(crate) fn items<'py>(value: &Bound<'py, PyAny>, expected: &str) -> PyResult<Bound<'py, PyIterator>> {
    let is_one = value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyByteArray>()
        || value.cast::<PyMapping>().is_ok();
    if is_one || !value.hasattr("__iter__")? && !value.hasattr("__getitem__")? {
        return not_a(expected, value);
    }
    value.try_iter()
}

/// The type error for a value that the function does not take.
pub(crate) fn not_a<T>(expected: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    let text = format!("expected {expected}, got {}{}", value.get_type().name()?, way_out(value));
    Err(PyErr::new::<WrongArgument, _>(text))
}

/// The value of a keyword. A type error names the keyword, as Python's own errors do.
pub(crate) fn argument<'py, T>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    value.extract::<T>().map_err(|error| named(value.py(), name, error.into()))
}

/// The type error for a call that does not say what to write.
#[cold]
pub(crate) fn missing_target<T>(py: Python<'_>, caller: &str) -> PyResult<T> {
    let hint = py.import("turnwire._hints")?.call_method1("missing_target", (caller,))?;
    Err(PyTypeError::new_err(hint.str()?.to_string()))
}

/// The type error for an unknown keyword, or an unknown key of an option. It names the one that the caller means.
#[cold]
pub(crate) fn unexpected<T>(py: Python<'_>, caller: &str, name: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    let hint = py.import("turnwire._hints")?.call_method1("unexpected", (caller, name, value))?;
    Err(PyTypeError::new_err(hint.str()?.to_string()))
}

/// A function, or None.
pub(crate) fn function<'py>(name: &str, value: Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if value.is_none() || value.is_callable() {
        return Ok((!value.is_none()).then_some(value));
    }
    Err(named(value.py(), name, wrong("a function", &value)))
}

/// The error for an attribute that a class does not have, or had in an earlier version.
#[cold]
pub(crate) fn no_attribute(value: &Bound<'_, impl PyClass>, name: &str) -> PyErr {
    let hint = || {
        let hints = value.py().import("turnwire._hints")?;
        hints.call_method1("no_attribute", (value.as_any().get_type().name()?, name))?.extract::<String>()
    };
    match hint() {
        Ok(text) => PyAttributeError::new_err(text),
        Err(failure) => failure,
    }
}
