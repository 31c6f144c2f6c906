//! Measures the cut and the size for each storage of a text: `cargo bench -p turnwire-benches --bench text`.

use divan::{Bencher, counter::BytesCount};
use turnwire_core::text::{Keep, MAX_USER_MESSAGE_SIZE, TRUNCATED_SUFFIX, Units};

fn main() {
    divan::main();
}

/// Ten megabytes, of which 400 kB are kept.
const LENGTH: usize = 10_000_000;

fn latin1() -> Vec<u8> {
    b"Le caf\xE9 \xE9tait ferm\xE9; o\xF9 \xEAtes-vous?\n".iter().copied().cycle().take(LENGTH).collect()
}

fn ucs2() -> Vec<u16> {
    "2026年11月21日 決済: 接続を取得できません。\n".encode_utf16().cycle().take(LENGTH / 3).collect()
}

fn ucs4() -> Vec<u32> {
    "step 4 of 9 done 🚀 all checks passed 🙂\n".chars().map(u32::from).cycle().take(LENGTH).collect()
}

fn cut(bencher: Bencher<'_, '_>, text: Units<'_>, keep: Keep) {
    bencher
        .counter(BytesCount::new(MAX_USER_MESSAGE_SIZE))
        .bench(|| divan::black_box(text).cut(MAX_USER_MESSAGE_SIZE, TRUNCATED_SUFFIX.len(), keep));
}

#[divan::bench(args = Keep::ALL)]
fn cut_utf8(bencher: Bencher<'_, '_>, keep: Keep) {
    let text = Units::Ucs2(&ucs2()).wtf8().into_owned();
    cut(bencher, Units::Utf8(&text), keep);
}

#[divan::bench(args = Keep::ALL)]
fn cut_latin1(bencher: Bencher<'_, '_>, keep: Keep) {
    cut(bencher, Units::Latin1(&latin1()), keep);
}

#[divan::bench(args = Keep::ALL)]
fn cut_ucs2(bencher: Bencher<'_, '_>, keep: Keep) {
    cut(bencher, Units::Ucs2(&ucs2()), keep);
}

#[divan::bench(args = Keep::ALL)]
fn cut_ucs4(bencher: Bencher<'_, '_>, keep: Keep) {
    cut(bencher, Units::Ucs4(&ucs4()), keep);
}

#[divan::bench]
fn utf8_len_ucs2(bencher: Bencher<'_, '_>) {
    let text = ucs2();
    bencher.counter(BytesCount::of_slice(&text)).bench(|| divan::black_box(Units::Ucs2(&text)).utf8_len());
}

/// Splitting a budget is only arithmetic. It costs almost nothing compared with the cuts that follow.
#[divan::bench(args = [50, 5_000])]
fn fair_shares(bencher: Bencher<'_, '_>, texts: usize) {
    let sizes: Vec<usize> = (0..texts).map(|at| at * at % 9_973).collect();
    bencher.bench(|| turnwire_core::text::budget::Split::Fair.shares(divan::black_box(&sizes), MAX_USER_MESSAGE_SIZE));
}
