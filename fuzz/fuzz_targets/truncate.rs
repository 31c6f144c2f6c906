//! `src/truncate.rs` for libFuzzer.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| turnwire_fuzz::truncate::try_input(bytes));
