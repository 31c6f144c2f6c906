//! Benches of the core: `cargo bench -p turnwire-benches`. This crate has no other code.
