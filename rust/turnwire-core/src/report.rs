//! What a run reports beside its payload: errors, paths, losses, receipts.

pub mod change;
pub mod error;
pub mod loss;
pub mod path;
pub mod placed;
pub mod provenance;
pub mod reasoning_choice;
pub mod receipt;
pub mod register;
pub(crate) mod sentence;
pub mod server_tools;
pub mod severity;
pub mod tool_names;

pub use self::{
    change::{Change, ChangeCode, Why},
    error::Error,
    loss::{AssistantRole, AutoMarks, Losses, Options, Others, PLAIN, Settings},
    path::{Path, Place, Step, Trail},
    provenance::{Home, Provenance, Rendering, Sources},
    reasoning_choice::ReasoningChoice,
    receipt::{Reasoning, Receipt, Totals},
    register::{ChangeKind, Edit},
    server_tools::ServerTools,
    severity::Severity,
    tool_names::ToolNames,
};
