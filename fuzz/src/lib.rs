//! The fuzz targets, a function each: libFuzzer calls them with inputs that it makes (`fuzz_targets`), the core's tests
//! with the inputs that are kept.

pub mod builder;
pub mod case;
pub mod convert;
pub mod convert_stream;
pub mod json_escape;
pub mod json_read;
pub mod lines;
pub mod message;
pub mod named;
pub mod parse_openai;
pub mod replies;
pub mod reply;
pub mod stream;
pub mod truncate;
pub mod vectors;

/// A target's name and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 11] = [
    ("builder", builder::try_input),
    ("convert", convert::try_input),
    ("convert_stream", convert_stream::try_input),
    ("json_escape", json_escape::try_input),
    ("json_read", json_read::try_input),
    ("lines", lines::try_input),
    ("message", message::try_input),
    ("parse_openai", parse_openai::try_input),
    ("reply", reply::try_input),
    ("stream", stream::try_input),
    ("truncate", truncate::try_input),
];
