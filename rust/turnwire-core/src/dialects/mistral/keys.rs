//! Declares the keys of Mistral.

use crate::value::door::keys;

keys! {
    PREFIX = "prefix";
    SIGNATURE = "signature";
    DOCUMENT_URL = "document_url";
    DOCUMENT_NAME = "document_name";
    FILE_ID = "file_id";
    INPUT_AUDIO = "input_audio";
    DATA = "data";
}
