//! `src/convert_stream.rs` for libFuzzer.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| turnwire_fuzz::convert_stream::try_input(bytes));
