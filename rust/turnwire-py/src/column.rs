//! Columns of Arrow as plain buffers: reads the input in place, and returns buffers.

use pyo3::{prelude::*, types::PyMemoryView};
use turnwire_core::{
    batch::{Done, Job, Note, run},
    report::error::{Code, Error},
    value::handle::Input,
};

use crate::{
    buffer::{Held, view},
    error::raise,
    host::PyHost,
    rows::python_fault,
};

/// The buffers of a column of strings or bytes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Column {
    validity: Option<Held>,
    offsets: Held,
    data: Option<Held>,
    /// Whether offsets have 64 bits.
    wide: bool,
    /// The index of the first row in the buffers, and the number of rows.
    first: usize,
    count: usize,
}

/// A column of text: the end of each text, and the bytes of all.
pub(crate) type Texts<'py> = (Bound<'py, PyMemoryView>, Bound<'py, PyMemoryView>);

/// Payloads with their validity; changes: the end of each row's changes, and their five columns; errors: the numbers of
/// the rows that failed, and their three columns.
pub(crate) type Made<'py> = (
    (Bound<'py, PyMemoryView>, Texts<'py>),
    (Bound<'py, PyMemoryView>, Vec<Texts<'py>>),
    (Bound<'py, PyMemoryView>, Vec<Texts<'py>>),
);

/// The results of a column's rows.
pub(crate) fn made<'py>(py: Python<'py>, job: &Job<PyHost>, column: Column, threads: usize) -> PyResult<Made<'py>> {
    let wide = column.wide;
    let (payloads, changes, errors) = py.detach(|| {
        let rows = rows(column).map_err(raise)?;
        let done = run(&rows, threads, job);
        if let Some(raised) = done.notes.iter().find_map(|(_, note)| python_fault(note)) {
            return Err(raised);
        }
        buffers(done, &rows, wide).map_err(raise)
    })?;
    let texts = |(ends, bytes): (Vec<u8>, Vec<u8>)| Ok((view(py, ends)?, view(py, bytes)?));
    let all = |columns: Vec<Ends>| columns.into_iter().map(|one| texts(one.finish())).collect::<PyResult<Vec<_>>>();
    Ok((
        (view(py, payloads.0)?, texts((payloads.1, payloads.2))?),
        (view(py, changes.0)?, all(changes.1)?),
        (view(py, errors.0)?, all(errors.1)?),
    ))
}

/// Each row as its own input. Checks the buffers, which may be too short.
fn rows(column: Column) -> Result<Vec<Option<Input>>, Error> {
    let Column { validity, offsets, data, wide, first, count } = column;
    let data = data.map_or_else(|| Input::new(Vec::new()), Input::new);
    let size = data.bytes().len();
    let short = || Error::new(Code::OutOfRange, "expected a column, got buffers that are too short for it");
    let offset = |at: usize| -> Option<usize> {
        let bytes = offsets.as_ref();
        if wide {
            let bytes = bytes.get(at.checked_mul(8)?..)?.first_chunk::<8>()?;
            usize::try_from(i64::from_ne_bytes(*bytes)).ok()
        } else {
            let bytes = bytes.get(at.checked_mul(4)?..)?.first_chunk::<4>()?;
            usize::try_from(i32::from_ne_bytes(*bytes)).ok()
        }
    };
    let is_there = |at: usize| match &validity {
        None => Some(true),
        Some(bits) => bits.as_ref().get(at / 8).map(|byte| byte >> (at % 8) & 1 == 1),
    };
    // Reserves no more memory than the rows can need.
    let mut rows = Vec::with_capacity(count.min(offsets.as_ref().len()));
    for at in (0..count).map(|row| first.saturating_add(row)) {
        let (start, end) = offset(at).zip(offset(at + 1)).ok_or_else(short)?;
        if start > end || end > size {
            return Err(short());
        }
        rows.push(is_there(at).ok_or_else(short)?.then(|| data.part(start, end)));
    }
    Ok(rows)
}

/// Texts in a row, and the offset where each ends; the first offset is 0.
struct Ends {
    ends: Vec<i32>,
    bytes: Vec<u8>,
}

impl Ends {
    fn new() -> Self {
        Self { ends: vec![0], bytes: Vec::new() }
    }

    fn several(count: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new()).collect()
    }

    fn push(&mut self, text: &str) -> Result<(), Error> {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(narrow(self.bytes.len())?);
        Ok(())
    }

    fn finish(self) -> (Vec<u8>, Vec<u8>) {
        (self.ends.into_iter().flat_map(i32::to_ne_bytes).collect(), self.bytes)
    }
}

fn narrow(size: usize) -> Result<i32, Error> {
    i32::try_from(size).map_err(|_| {
        let text =
            "the results take more than the 2 GiB that a column of this type holds: cast it to a large type, or cut it";
        Error::new(Code::TooLarge, text)
    })
}

/// Validity and text columns.
type Columns = (Vec<u8>, Vec<Ends>);

/// Validity, offsets and data.
type Payloads = (Vec<u8>, Vec<u8>, Vec<u8>);

/// The results as buffers of Arrow: payloads, changes, errors.
fn buffers(mut done: Done, rows: &[Option<Input>], wide: bool) -> Result<(Payloads, Columns, Columns), Error> {
    let mut there = Bits::new(rows.len());
    for (at, _) in rows.iter().enumerate().filter(|(_, row)| row.is_some()) {
        there.set(at, true);
    }
    let mut failed = Bits::new(rows.len());
    let (mut ends, mut changes, mut errors) = (vec![0_i32], Ends::several(5), Ends::several(3));
    let mut notes = std::mem::take(&mut done.notes).into_iter().peekable();
    let mut count = 0;
    for at in 0..rows.len() {
        let note = notes.next_if(|(row, _)| *row == at).map(|(_, note)| note);
        let mut said = [String::new(), String::new(), String::new()];
        match note {
            None => {}
            Some(Note::Losses(some)) => {
                count += some.losses.len();
                for change in some.losses {
                    let path = change.path.to_string();
                    let said = [change.kind.name(), change.code.name(), &path, &change.reason, &change.action];
                    changes.iter_mut().zip(said).try_for_each(|(column, text)| column.push(text))?;
                }
            }
            Some(Note::Failed(error)) => {
                there.set(at, false);
                failed.set(at, true);
                said = [error.code().name().to_owned(), error.path().to_string(), error.text().to_owned()];
            }
        }
        errors.iter_mut().zip(&said).try_for_each(|(column, text)| column.push(text))?;
        ends.push(narrow(count)?);
    }
    let starts = std::iter::once(&0).chain(&done.ends);
    let offsets = if wide {
        starts.flat_map(|at| (*at as u64).to_ne_bytes()).collect()
    } else {
        narrow(done.bytes.len())?;
        starts.flat_map(|at| (*at as u32).to_ne_bytes()).collect()
    };
    done.bytes.shrink_to_fit();
    let ends = ends.into_iter().flat_map(i32::to_ne_bytes).collect();
    Ok(((there.0, offsets, done.bytes), (ends, changes), (failed.0, errors)))
}

/// One bit for each row, all unset at first.
struct Bits(Vec<u8>);

impl Bits {
    fn new(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(8)])
    }

    fn set(&mut self, at: usize, value: bool) {
        if let Some(byte) = self.0.get_mut(at / 8) {
            let bit = 1 << (at % 8);
            *byte = if value { *byte | bit } else { *byte & !bit };
        }
    }
}
