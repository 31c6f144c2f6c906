//! The tests of more than one file of the core; `src/lib.rs` includes them.

mod batch;
mod budget;
mod dialects;
mod documents;
mod fit;
mod json;
mod layouts;
mod limits;
mod marks;
mod messages;
mod prefix;
mod replay;
mod request;
mod responses;
mod same;
mod settings;
mod stage;
mod streams;
mod text;
mod window;
