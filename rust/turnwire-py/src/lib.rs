//! `turnwire._core`: the core for Python, with one file for each noun that Python sees.
//!
//! `python/turnwire/_core.pyi` says for Python users what a function does, takes and raises.

// Defines `stub!`, which gives the docstrings of `_core.pyi` by name.
include!(concat!(env!("OUT_DIR"), "/stub.rs"));

mod arguments;
mod budget;
mod buffer;
mod builder;
mod bytes;
mod change;
mod column;
mod conformance;
mod conversation;
mod convert;
mod cut;
mod diff;
mod documents;
mod element;
mod error;
mod event;
mod fields;
mod fingerprint;
mod freeze;
mod host;
mod html;
mod interpreter;
mod item;
mod json;
mod leaf;
mod ledger;
mod limits;
mod log;
mod mark;
mod message;
mod node;
mod options;
mod ours;
mod part;
mod pickle;
mod prepare;
mod receipt;
mod rendered;
mod rendered_reply;
mod reply;
mod request;
mod rows;
mod servers;
mod settings;
mod share;
mod sink;
mod source;
mod stream;
mod stream_converter;
mod string;
mod summarise;
mod summary;
mod text;
mod tokens;
mod turn;
mod wide;
mod wrong_argument;

use pyo3::ffi;

/// The function that Python calls first: PyO3's own one, and a guard.
#[unsafe(no_mangle)]
pub extern "C" fn PyInit__core() -> *mut ffi::PyObject {
    // SAFETY: Python calls this with an attached thread, as PyO3's function requires. It returns its definition, a static.
    unsafe {
        let definition = _native::__pyo3_init();
        interpreter::guard(definition.cast());
        definition
    }
}

/// The native half of turnwire.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;
    use turnwire_core::{spec::message, stage, text as core};

    #[expect(non_upper_case_globals, reason = "the name that Python gives it")]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const MAX_USER_MESSAGE_SIZE: usize = core::MAX_USER_MESSAGE_SIZE;
    #[pymodule_export]
    const TRUNCATED_SUFFIX: &str = core::TRUNCATED_SUFFIX;
    #[pymodule_export]
    const USER_ENTRY_START_HEADER: &str = message::USER_ENTRY_START_HEADER;
    #[pymodule_export]
    const USER_ENTRY_END_HEADER: &str = message::USER_ENTRY_END_HEADER;
    #[pymodule_export]
    const CONTEXT_ENTRY_START_HEADER: &str = message::CONTEXT_ENTRY_START_HEADER;
    #[pymodule_export]
    const CONTEXT_ENTRY_END_HEADER: &str = message::CONTEXT_ENTRY_END_HEADER;
    #[pymodule_export]
    const MAX_CURRENT_WORKING_DIRECTORY_LEN: usize = message::MAX_CURRENT_WORKING_DIRECTORY_LEN;
    #[pymodule_export]
    const MAX_DEPTH: usize = turnwire_core::value::node::MAX_DEPTH;
    #[pymodule_export]
    const ERROR_PREFIX: &str = turnwire_core::model::tool::ERROR_PREFIX;
    #[pymodule_export]
    const REDACTED_RESULT: &str = message::REDACTED_RESULT;
    #[pymodule_export]
    const CANCELLED_RESULT: &str = message::CANCELLED_RESULT;
    #[pymodule_export]
    const MISSING_RESULT: &str = stage::MISSING_RESULT;

    #[pymodule_export]
    use super::{
        budget::{Budget, split_budget},
        change::{_change, _change_codes, Change},
        conformance::_check_doors,
        conversation::Conversation,
        convert::{_dialect_table, _layout_table, convert, convert_json, detect, dialects},
        cut::Cut,
        diff::{Diff, diff, diff_codes},
        documents::{Items, Records},
        element::{_dialect_of, _element_of, _element_turn, _linked, _restored_line, _settled, _stored_line},
        error::error_codes,
        fields::_held,
        fingerprint::_fingerprint,
        html::_html,
        ledger::LedgerState,
        message::{
            assistant::AssistantMessage,
            block::ToolUseResultBlock,
            call::AssistantToolUse,
            content::UserMessageContent,
            env::{EnvState, UserEnvContext},
            image::ImageBlock,
            result::{ToolUseResult, truncate_tool_results},
            status::ToolResultStatus,
            user::UserMessage,
        },
        part::{Media, Opaque, Reasoning, Text},
        prepare::{
            _ledger_prepared, _tried,
            adapter::{_prepared, _to_send},
            check, prepare, prepare_json,
        },
        receipt::Receipt,
        rendered::Rendered,
        rendered_reply::{RenderedReply, convert_reply, convert_reply_json},
        reply::{_failure_status, Reply, parse_reply},
        rows::Rows,
        servers::{_server, _server_row},
        settings::_settings_column,
        settings::_settings_table,
        stream::StreamAssembler,
        stream_converter::StreamConverter,
        summary::Summary,
        text::{truncate, truncate_safe, utf8_len},
        tokens::Tokens,
        turn::Turn,
    };

    /// A receipt is a sequence for `isinstance` and for patterns.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let sequence = py.import("collections.abc")?.getattr("Sequence")?;
        sequence.call_method1("register", (py.get_type::<Receipt>(),)).map(drop)
    }
}
