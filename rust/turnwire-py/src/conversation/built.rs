//! The conversation that a build made.

use pyo3::prelude::*;
use turnwire_core::model::conversation;

use super::{Conversation, LastReceipt};
use crate::host::PyHost;

impl Conversation {
    /// The conversation of a build.
    pub(crate) fn of_build(inner: conversation::Conversation<PyHost>, receipt: LastReceipt) -> Self {
        Self { receipt, ..Self::from(inner) }
    }

    /// The conversation of a build. If the build changed nothing, it shares the turns that Python already has.
    pub(super) fn built(
        &self,
        py: Python<'_>,
        inner: conversation::Conversation<PyHost>,
        receipt: LastReceipt,
    ) -> PyResult<Self> {
        let mut built = Self::of_build(inner, receipt);
        if built.receipt.get(py)?.get().0.first_changed_index.is_none() {
            built.turns = self.turns.clone();
        }
        Ok(built)
    }
}
