//! `src/json_escape.rs` for libFuzzer.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| turnwire_fuzz::json_escape::try_input(bytes));
