//! Declares the keys of Mistral.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    PREFIX = "prefix";
    DOCUMENT_URL = "document_url";
    DOCUMENT_NAME = "document_name";
}
