//! Converts timestamps between Python and the core: an aware `datetime`, or RFC 3339 text.

use pyo3::{
    Borrowed,
    prelude::*,
    types::{PyDateAccess, PyDateTime, PyDelta, PyDeltaAccess, PyString, PyTimeAccess, PyTzInfo},
};
use turnwire_core::{
    report::error::{Code, Error},
    spec::message::Timestamp,
};

use crate::{arguments::not_a, error::raise};

/// An argument that is a moment.
pub(crate) struct Moment(pub(crate) Timestamp);

impl<'py> FromPyObject<'_, 'py> for Moment {
    type Error = PyErr;

    fn extract(moment: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = moment.cast::<PyString>() {
            return Timestamp::parse(&text.to_string_lossy()).map(Self).map_err(raise);
        }
        let Ok(moment) = moment.cast::<PyDateTime>() else {
            return not_a("an aware datetime or RFC 3339 text", &moment);
        };
        let offset = moment.call_method0("utcoffset")?;
        let Ok(offset) = offset.cast::<PyDelta>() else {
            return Err(bad(&moment, "has no offset from UTC: give it a tzinfo"));
        };
        if offset.get_seconds() % 60 != 0 || offset.get_microseconds() != 0 {
            return Err(bad(&moment, "has an offset that is not a whole number of minutes"));
        }
        // Python stores a negative offset as a negative number of days and a positive number of seconds.
        let offset = offset.get_days() * 24 * 60 + offset.get_seconds() / 60;
        let date = (u16::try_from(moment.get_year())?, moment.get_month(), moment.get_day());
        let time = (moment.get_hour(), moment.get_minute(), moment.get_second());
        // A `datetime` that stands for a leap second may have a million microseconds or more.
        let micros = moment.get_microsecond().min(999_999);
        Timestamp::new(date, time, micros, i16::try_from(offset)?).map(Self).map_err(raise)
    }
}

fn bad(moment: &Bound<'_, PyDateTime>, what: &str) -> PyErr {
    match moment.repr() {
        Ok(moment) => raise(Error::new(Code::BadTimestamp, format!("{moment} {what}"))),
        Err(failure) => failure,
    }
}

/// A moment as an aware `datetime`.
pub(crate) fn datetime<'py>(py: Python<'py>, moment: &Timestamp) -> PyResult<Bound<'py, PyDateTime>> {
    let offset = PyDelta::new(py, 0, i32::from(moment.offset()) * 60, 0, true)?;
    let zone = PyTzInfo::fixed_offset(py, offset)?;
    let ((year, month, day), (hour, minute, second)) = (moment.date(), moment.time());
    PyDateTime::new(py, year.into(), month, day, hour, minute, second, moment.micros(), Some(&zone))
}
