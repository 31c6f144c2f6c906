//! Measures the escape step and the reading pass, beside `serde_json` and beside code that only copies or only checks.
//!
//! `cargo bench -p turnwire-benches --bench json`: throughput is in bytes of JSON, written or read.
#![allow(missing_docs, reason = "a program")]

use divan::{Bencher, black_box, counter::BytesCount};
use turnwire_core::{
    text::Units,
    value::{
        handle::{Input, NoHost},
        json::{escape, read, tape::Tape},
    },
};

fn main() {
    divan::main();
}

/// Typical texts sent to models, 256 kB of each.
const TEXTS: [&str; 7] = ["clean", "prose", "json", "latin1", "japanese", "japanese+ascii", "emoji"];

fn text(name: &str) -> String {
    let sample = match name {
        "clean" => "The quick brown fox jumps over the lazy dog, and then it does so once more. ",
        "prose" => "Results of the search:\n- first, see \"src/main.rs\"\n- second, nothing at all was found there\n\n",
        "json" => r#"{"id":7,"name":"Ada","tags":["a","b"],"path":"C:\\temp"},"#,
        "latin1" => "Él quería saber qué pasó después de la reunión; nadie le contestó en todo el día. ",
        "japanese" => "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
        "japanese+ascii" => "設定ファイル config.toml を読み込み、値 42 を\n更新しました。詳細は README を参照。",
        _ => "Great work 🎉 the tests pass 🚀 and 日本語 too. ",
    };
    sample.repeat((256 << 10) / sample.len())
}

/// The text as CPython stores it.
enum Stored {
    Ascii(String),
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Stored {
    fn new(text: &str) -> Self {
        match text.chars().max().map_or(0, u32::from) {
            0..0x80 => Self::Ascii(text.to_owned()),
            0x80..0x100 => Self::One(text.chars().map(|c| u32::from(c) as u8).collect()),
            0x100..0x1_0000 => Self::Two(text.encode_utf16().collect()),
            _ => Self::Four(text.chars().map(u32::from).collect()),
        }
    }

    fn units(&self) -> Units<'_> {
        match self {
            Self::Ascii(text) => Units::Ascii(text),
            Self::One(units) => Units::Latin1(units),
            Self::Two(units) => Units::Ucs2(units),
            Self::Four(units) => Units::Ucs4(units),
        }
    }
}

mod escaping {
    use super::{Bencher, BytesCount, Stored, TEXTS, Units, black_box, escape, text};

    #[divan::bench(args = TEXTS)]
    fn turnwire(bencher: Bencher<'_, '_>, name: &str) {
        let stored = Stored::new(&text(name));
        let mut out = Vec::new();
        escape::string(stored.units(), &mut out);
        bencher.counter(BytesCount::new(out.len())).bench_local(|| {
            out.clear();
            escape::string(black_box(stored.units()), &mut out);
            black_box(out.len())
        });
    }

    /// The code that the Python door runs on a machine with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[divan::bench(args = TEXTS, ignore = !is_x86_feature_detected!("avx2"))]
    fn turnwire_avx2(bencher: Bencher<'_, '_>, name: &str) {
        let stored = Stored::new(&text(name));
        let mut out = Vec::new();
        escape::string(stored.units(), &mut out);
        bencher.counter(BytesCount::new(out.len())).bench_local(|| {
            out.clear();
            // SAFETY: the bench is skipped on machines without AVX2, and all machines with AVX2 have the other
            // features.
            black_box(unsafe { escape::avx2::body(black_box(stored.units()), &mut out) })
        });
    }

    /// Reads UTF-8. A Python string that is not ASCII has no UTF-8 until some code asks for it.
    #[divan::bench(args = TEXTS)]
    fn serde_json(bencher: Bencher<'_, '_>, name: &str) {
        let text = text(name);
        let mut out = serde_json::to_vec(&text).unwrap_or_default();
        bencher.counter(BytesCount::new(out.len())).bench_local(|| {
            out.clear();
            let written = serde_json::to_writer(&mut out, black_box(&text));
            black_box(written.is_ok())
        });
    }

    #[divan::bench]
    fn memcpy(bencher: Bencher<'_, '_>) {
        let text = text("clean");
        let mut out = text.clone().into_bytes();
        bencher.counter(BytesCount::new(out.len())).bench_local(|| {
            out.clear();
            out.extend_from_slice(black_box(text.as_bytes()));
            black_box(out.len())
        });
    }

    /// Many short texts, like keys, ids and names.
    #[divan::bench(args = [4, 12, 24, 40, 100])]
    fn turnwire_short(bencher: Bencher<'_, '_>, length: usize) {
        let texts = short(length);
        let mut out = Vec::new();
        bencher.counter(BytesCount::new(texts.len() * length)).bench_local(|| {
            out.clear();
            for text in &texts {
                escape::string(black_box(Units::Ascii(text)), &mut out);
            }
            black_box(out.len())
        });
    }

    #[divan::bench(args = [4, 12, 24, 40, 100])]
    fn serde_json_short(bencher: Bencher<'_, '_>, length: usize) {
        let texts = short(length);
        let mut out = Vec::new();
        bencher.counter(BytesCount::new(texts.len() * length)).bench_local(|| {
            out.clear();
            for text in &texts {
                black_box(serde_json::to_writer(&mut out, black_box(text)).is_ok());
            }
            black_box(out.len())
        });
    }

    fn short(length: usize) -> Vec<String> {
        (0..1000).map(|_| text("clean")[..length].to_owned()).collect()
    }
}

mod reading {
    use serde::de::IgnoredAny;

    use super::{Bencher, BytesCount, Input, NoHost, Tape, black_box, read, text};

    const PAYLOADS: [&str; 4] = ["history", "ascii-escaped", "japanese", "small-values"];

    fn payload(name: &str) -> Vec<u8> {
        let turn = |index: usize| {
            let words = match name {
                "japanese" => text("japanese")[..900].to_owned(),
                _ => text("prose")[..900].to_owned(),
            };
            serde_json::json!([
                {"role": "user", "content": words},
                {"role": "assistant", "content": null, "tool_calls": [{"id": format!("call_{index}"), "type": "function",
                    "function": {"name": "search", "arguments": "{\"query\": \"weather\", \"limit\": 10}"}}]},
                {"role": "tool", "tool_call_id": format!("call_{index}"), "content": words},
            ])
        };
        let value = match name {
            "small-values" => {
                serde_json::json!((0..20_000).map(|n| serde_json::json!({"a": n, "b": [true, n]})).collect::<Vec<_>>())
            }
            _ => serde_json::json!({"messages": (0..300).map(turn).collect::<Vec<_>>()}),
        };
        let bytes = serde_json::to_vec(&value).unwrap_or_default();
        if name != "ascii-escaped" {
            return bytes;
        }
        let japanese =
            serde_json::to_string(&serde_json::json!({"messages": vec![text("japanese"); 2]})).unwrap_or_default();
        let ascii = |c: char| if c.is_ascii() { c.to_string() } else { format!("\\u{:04x}", u32::from(c)) };
        japanese.chars().map(ascii).collect::<String>().into_bytes()
    }

    #[divan::bench(args = PAYLOADS)]
    fn turnwire_tape(bencher: Bencher<'_, '_>, name: &str) {
        let input = Input::new(payload(name));
        bencher.counter(BytesCount::new(input.bytes().len())).bench(|| Tape::read(black_box(&input)).is_ok());
    }

    #[divan::bench(args = PAYLOADS)]
    fn turnwire_value(bencher: Bencher<'_, '_>, name: &str) {
        let bytes = payload(name);
        bencher.counter(BytesCount::new(bytes.len())).bench(|| read::value::<NoHost>(black_box(&bytes)).is_ok());
    }

    #[divan::bench(args = PAYLOADS)]
    fn serde_json_ignored(bencher: Bencher<'_, '_>, name: &str) {
        let bytes = payload(name);
        bencher
            .counter(BytesCount::new(bytes.len()))
            .bench(|| serde_json::from_slice::<IgnoredAny>(black_box(&bytes)).is_ok());
    }

    #[divan::bench(args = PAYLOADS)]
    fn serde_json_value(bencher: Bencher<'_, '_>, name: &str) {
        let bytes = payload(name);
        bencher
            .counter(BytesCount::new(bytes.len()))
            .bench(|| serde_json::from_slice::<serde_json::Value>(black_box(&bytes)).is_ok());
    }

    #[divan::bench]
    fn args_state(bencher: Bencher<'_, '_>) {
        let args = br#"{"query": "weather in Paris tomorrow", "limit": 10, "units": "metric", "exact": true}"#;
        bencher.counter(BytesCount::new(args.len())).bench(|| read::args_state(black_box(args)));
    }
}
