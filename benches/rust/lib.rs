//! Benches of the core: `cargo bench -p turnwire-benches`. There is nothing else in this crate.
