//! Fuzzes what is known of a text: its size and its UTF-8.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire_core::text::{Units, replace_surrogates};

fuzz_target!(|units: Vec<u16>| {
    let text = Units::Ucs2(&units);
    assert_eq!(text.utf8_len(), text.wtf8().len());
    assert_eq!(replace_surrogates(&text.wtf8()).len(), text.utf8_len());
});
