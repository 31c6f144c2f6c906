//! Rows about streaming.

use super::{
    cell::{Cell, Kind, NONE, at},
    setting::Setting,
};

const STREAM: Cell = at(&["stream"], Kind::Flag).absent("false");
const OTHER_URL: Kind = Kind::Elsewhere("the target streams at another address");
const ALWAYS: Cell = at(&[], Kind::Always);
const PADDING: Cell = at(&["stream_options.include_obfuscation"], Kind::Flag);

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "stream",
        meaning: "whether the reply is streamed",
        cells: [
            STREAM,
            STREAM,
            STREAM,
            at(&["stream"], OTHER_URL),
            at(&["stream"], OTHER_URL),
            STREAM,
            STREAM,
            at(&["stream"], Kind::Flag).absent("true"),
            STREAM,
        ],
    },
    Setting {
        name: "stream_usage",
        meaning: "whether the last piece of a stream has the usage",
        cells: [
            at(&["stream_options.include_usage"], Kind::Flag),
            ALWAYS,
            ALWAYS,
            ALWAYS,
            ALWAYS,
            ALWAYS,
            ALWAYS,
            ALWAYS,
            ALWAYS,
        ],
    },
    Setting {
        name: "stream_padding",
        meaning: "whether the pieces of a stream are padded, to hide their sizes",
        cells: [PADDING, PADDING, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
];
