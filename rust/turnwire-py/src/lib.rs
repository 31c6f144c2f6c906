//! `turnwire._core`: the core for Python, one file per noun that Python sees.
//!
//! What a function does, takes and raises is written for Python users in `python/turnwire/_core.pyi`.

mod arguments;
mod budget;
mod convert;
mod error;
mod freeze;
mod host;
mod json;
mod leaf;
mod rendered;
mod sink;
mod source;
mod string;
mod text;
mod wide;

/// The native half of turnwire.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    use turnwire_core::text as core;

    #[expect(non_upper_case_globals, reason = "the name that Python gives it")]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const MAX_USER_MESSAGE_SIZE: usize = core::MAX_USER_MESSAGE_SIZE;
    #[pymodule_export]
    const TRUNCATED_SUFFIX: &str = core::TRUNCATED_SUFFIX;

    #[pymodule_export]
    use super::{
        budget::split_budget,
        convert::{convert, convert_json, dialects},
        error::error_codes,
        rendered::{Loss, Rendered, loss_codes},
        text::{truncate, truncate_safe, utf8_len},
    };
}
