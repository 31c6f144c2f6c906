//! Dividing a budget: the vectors, and properties of every division.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;
use turnwire_core::text::{Split, budget::to_free};

#[test]
fn vectors() {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../../tests/vectors/budget.json")).unwrap();
    let numbers = |value: &serde_json::Value| serde_json::from_value::<Vec<usize>>(value.clone()).unwrap();
    let cases = file["split"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let split = Split::from_name(case["split"].as_str().unwrap()).unwrap();
        let max_bytes = usize::try_from(case["max_bytes"].as_u64().unwrap()).unwrap();
        assert_eq!(split.shares(&numbers(&case["sizes"]), max_bytes), numbers(&case["expect"]), "{}", case["name"]);
    }
}

#[test]
fn what_is_freed_grows_in_steps() {
    for (total, limit, reserve, freed) in [
        (100, 100, 0.25, 0),
        (101, 100, 0.25, 25),
        (125, 100, 0.25, 25),
        (126, 100, 0.25, 50),
        (101, 100, 0.0, 1),
        (107, 100, 0.019, 7),
        (101, 100, 1.0, 100),
        (9, 0, 0.5, 9),
        (usize::MAX, 1, 1.0, usize::MAX - 1),
    ] {
        assert_eq!(to_free(total, limit, reserve), freed, "{total} under {limit} by {reserve}");
    }
}

proptest! {
    #[test]
    fn even_is_the_same_for_all(sizes in prop::collection::vec(0..9_usize, 0..50), max_bytes: usize) {
        let shares = Split::Even.shares(&sizes, max_bytes);
        prop_assert_eq!(shares.len(), sizes.len());
        prop_assert!(shares.iter().all(|share| *share == max_bytes / sizes.len()));
    }

    #[test]
    fn fair_leaves_nothing_while_someone_wants_more(
        sizes in prop::collection::vec(prop_oneof![0..50_usize, 0..100_000_usize, Just(usize::MAX)], 0..20),
        max_bytes in prop_oneof![0..200_usize, 0..1_000_000_usize, Just(usize::MAX)],
    ) {
        let shares = Split::Fair.shares(&sizes, max_bytes);
        prop_assert_eq!(shares.len(), sizes.len());
        let wide = |numbers: &[usize]| numbers.iter().map(|number| *number as u128).sum::<u128>();
        prop_assert_eq!(wide(&shares), wide(&sizes).min(max_bytes as u128));
        let highest = shares.iter().copied().max().unwrap_or(0);
        for (share, size) in shares.iter().zip(&sizes) {
            prop_assert!(share <= size);
            // A text whose share is smaller than the largest, by more than the odd byte, gets all that it needs.
            prop_assert!(share == size || share + 1 >= highest);
        }
        // Dividing again after the cut changes nothing.
        prop_assert_eq!(Split::Fair.shares(&shares, max_bytes), shares);
    }
}
