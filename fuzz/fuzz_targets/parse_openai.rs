//! `src/parse_openai.rs` for libFuzzer.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| turnwire_fuzz::parse_openai::try_input(bytes));
