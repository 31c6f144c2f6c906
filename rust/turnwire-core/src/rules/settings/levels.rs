//! Finds the word for effort that comes nearest to one that a model or a server lacks: the next lower one, else the lowest.

/// The words for effort, lowest first. Each is the bit of its place in a set.
pub(crate) const SCALE: [&str; 7] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
/// Google's spelling of the levels.
pub(super) const UPPER: [&str; 7] = ["NONE", "MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH", "MAX"];

pub(crate) const NONE: u8 = 1;
pub(crate) const MINIMAL: u8 = 1 << 1;
pub(crate) const LOW: u8 = 1 << 2;
pub(crate) const MEDIUM: u8 = 1 << 3;
pub(crate) const HIGH: u8 = 1 << 4;
pub(crate) const XHIGH: u8 = 1 << 5;
pub(crate) const MAX: u8 = 1 << 6;

pub(crate) const LOW_TO_HIGH: u8 = LOW | MEDIUM | HIGH;
pub(crate) const LOW_TO_XHIGH: u8 = LOW_TO_HIGH | XHIGH;
pub(crate) const LOW_TO_MAX: u8 = LOW_TO_XHIGH | MAX;

/// The word of a set that stands for the one at this place of the scale. `none` stands only for itself and for `minimal`:
/// whoever asks for more wants the model to think.
pub(crate) const fn nearest(own: u8, at: usize) -> Option<usize> {
    let mut place = at;
    loop {
        if own >> place & 1 == 1 && (place > 0 || at < 2) {
            return Some(place);
        }
        if place == 0 {
            break;
        }
        place -= 1;
    }
    place = 1;
    while place < SCALE.len() {
        if own >> place & 1 == 1 {
            return Some(place);
        }
        place += 1;
    }
    None
}

/// Every word of the scale with the word of a set that stands for it: first the set's own, then the others.
pub(crate) const fn words(spelling: [&'static str; 7], own: u8) -> [(&'static str, &'static str); 7] {
    let mut all = [("", ""); 7];
    let (mut filled, mut pass) = (0, 0);
    while pass < 2 {
        let mut at = 0;
        while at < SCALE.len() {
            let is_own = own >> at & 1 == 1;
            if is_own == (pass == 0) {
                // Where the lowest word means much thinking, no word is as near to `none`.
                let word = match nearest(own, at) {
                    Some(place) if at > 0 || place < 3 => spelling[place],
                    _ => "",
                };
                all[filled] = (word, SCALE[at]);
                filled += 1;
            }
            at += 1;
        }
        pass += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{HIGH, LOW, LOW_TO_HIGH, LOW_TO_XHIGH, MAX, MEDIUM, NONE, SCALE, nearest, words};

    fn of(own: u8) -> Vec<&'static str> {
        (0..SCALE.len()).map(|at| nearest(own, at).map_or("", |place| SCALE[place])).collect()
    }

    #[test]
    fn a_missing_word_is_the_next_lower_one_else_the_lowest() {
        assert_eq!(of(LOW_TO_HIGH), ["low", "low", "low", "medium", "high", "high", "high"]);
        assert_eq!(of(NONE | LOW_TO_XHIGH), ["none", "none", "low", "medium", "high", "xhigh", "xhigh"]);
        assert_eq!(of(LOW | HIGH | MAX), ["low", "low", "low", "low", "high", "high", "max"]);
        assert_eq!(of(MEDIUM | HIGH), ["medium", "medium", "medium", "medium", "high", "high", "high"]);
    }

    #[test]
    fn who_asks_for_effort_is_not_answered_with_none() {
        assert_eq!(of(NONE | HIGH), ["none", "none", "high", "high", "high", "high", "high"]);
    }

    #[test]
    fn the_own_words_are_first_and_every_word_has_one() {
        let all = words(SCALE, MEDIUM | HIGH);
        assert_eq!(all[..3], [("medium", "medium"), ("high", "high"), ("", "none")]);
        assert!(SCALE.iter().all(|word| all.iter().any(|(_, meant)| meant == word)));
    }
}
