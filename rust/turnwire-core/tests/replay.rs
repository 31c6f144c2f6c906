//! The fuzz targets without a fuzzer: each takes every input that is kept, and every vector that is one.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

#[path = "../../../fuzz/src/lib.rs"]
#[allow(
    clippy::pedantic,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "a crate of its own"
)]
mod fuzz;

/// The inputs of each target by their names: what a fuzzer found worth keeping, what failed once, and the vectors.
fn inputs() -> BTreeMap<String, Vec<(String, Vec<u8>)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut inputs: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for (target, name, input) in fuzz::vectors::inputs(&root.join("tests/vectors")) {
        inputs.entry(target.into()).or_default().push((name, input));
    }
    for target in files(&root.join("fuzz/seeds")) {
        let name = target.file_name().expect("a target").to_string_lossy().into_owned();
        let kept = files(&target).into_iter().map(|path| {
            let input = fs::read(&path).expect("an input");
            (path.display().to_string(), input)
        });
        inputs.entry(name).or_default().extend(kept);
    }
    inputs
}

/// What is in a folder, in the order of the names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().map(|file| file.expect("a file").path()).collect();
    found.sort();
    found
}

/// `make fuzz-seeds`: libFuzzer begins with the vectors.
#[test]
#[ignore = "it writes files"]
fn vectors_are_written_for_the_fuzzer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (target, name, input) in fuzz::vectors::inputs(&root.join("tests/vectors")) {
        let folder = root.join("fuzz/corpus/vectors").join(target);
        fs::create_dir_all(&folder).expect("a folder that can be written");
        fs::write(folder.join(name), input).expect("a file that can be written");
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the harness shows it where an input fails")]
fn every_kept_input_passes() {
    let mut inputs = inputs();
    for (name, try_input) in fuzz::TARGETS {
        let kept = inputs.remove(name).unwrap_or_default();
        assert!(!kept.is_empty(), "no input is kept for {name}");
        for (place, input) in &kept {
            println!("{name}: {place}");
            try_input(input);
        }
    }
    assert_eq!(inputs.into_keys().collect::<Vec<_>>(), Vec::<String>::new(), "inputs of targets that do not exist");
}
