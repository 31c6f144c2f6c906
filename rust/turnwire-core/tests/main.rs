//! The tests of the core through its public names; `src/lib.rs` includes them.

mod batch;
mod budget;
mod dialects;
mod fit;
mod json;
mod marks;
mod messages;
mod prefix;
mod same;
mod stage;
mod streams;
mod text;
mod window;
