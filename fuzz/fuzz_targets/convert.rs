//! `src/convert.rs` for libFuzzer.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| turnwire_fuzz::convert::try_input(bytes));
