//! The face for Rust programs: messages as JSON in, the provider's JSON out, with a receipt.

mod conversion;
mod end;
mod preparation;
mod rendered;
mod wording;

pub use self::{
    conversion::{Convert, convert},
    end::End,
    preparation::{Prepare, prepare},
    rendered::Rendered,
    wording::Wording,
};
use crate::{
    convert::name_of,
    report::{Error, Receipt},
    value::{Input, NoHost, Tape},
};

/// Says what [`prepare`] would change, without options: the same as [`Prepare::check`].
///
/// ```
/// let sound = turnwire_core::check(r#"[{"role":"user","content":"Hi"}]"#, "openai")?;
/// assert!(sound.changes.is_empty());
/// # Ok::<(), turnwire_core::Error>(())
/// ```
pub fn check(messages: &(impl AsRef<[u8]> + ?Sized), target: &str) -> Result<Receipt, Error> {
    prepare(messages, target)?.check()
}

/// The name of the dialect that the messages are in, or of the layout that reads a stored record.
///
/// Fails with [`Code::InvalidJson`](crate::Code::InvalidJson), or with a code of
/// [`ErrorKind::UnknownDialect`](crate::ErrorKind::UnknownDialect) if the messages have no sign of any dialect or signs
/// of several.
///
/// ```
/// let body = r#"{"system":"Be brief.","messages":[{"role":"user","content":"Hi"}]}"#;
/// assert_eq!(turnwire_core::detect(body)?, "anthropic");
/// # Ok::<(), turnwire_core::Error>(())
/// ```
pub fn detect(messages: &(impl AsRef<[u8]> + ?Sized)) -> Result<String, Error> {
    let tape = Tape::read(&Input::new(messages.as_ref().to_vec()))?;
    name_of(&tape.view().root::<NoHost>())
}
