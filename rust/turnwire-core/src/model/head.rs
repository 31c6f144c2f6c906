//! The head of a reply: its id, its model and its time, under the keys of any format.

use crate::k;
use crate::value::{Host, Key, Source, Text, door::keys};

keys! {
    RESPONSE_ID = "responseId";
    MODEL = "model";
    MODEL_VERSION = "modelVersion";
}

/// The head of a reply, as far as it is known.
#[derive(Debug)]
pub struct Head<H: Host> {
    /// Its id.
    pub id: Option<Text<H>>,
    /// The model that made it.
    pub model: Option<Text<H>>,
    /// Its time, in seconds since 1970.
    pub created: Option<u64>,
}

impl<H: Host> Default for Head<H> {
    fn default() -> Self {
        Self { id: None, model: None, created: None }
    }
}

impl<H: Host> Head<H> {
    /// Reads the head of a reply, or of a chunk.
    pub(crate) fn of<S: Source<H = H>>(reply: &S) -> Self {
        let input = reply.input();
        let text = |keys: [&'static Key; 3]| {
            let found = keys.into_iter().find_map(|key| reply.get(key)?.text());
            found.map(|text| text.detached(input)).filter(|text| !text.is_empty())
        };
        let created = [&k::CREATED, &k::CREATED_AT].into_iter().find_map(|key| seconds(&reply.get(key)?));
        Self {
            id: text([&k::ID, &RESPONSE_ID, &k::RESPONSE_ID]),
            model: text([&MODEL, &MODEL_VERSION, &k::MODEL_VERSION]),
            created,
        }
    }

    /// Reads the head of a list of chunks, as far as each of them knows it.
    pub(crate) fn of_chunks<S: Source<H = H>>(chunks: &S) -> Self {
        let mut head = Self::default();
        chunks.items().for_each(|chunk| head.learn(Self::of(&chunk)));
        head
    }

    /// Fills gaps from another head.
    pub(crate) fn learn(&mut self, more: Self) {
        self.id = self.id.take().or(more.id);
        self.model = self.model.take().or(more.model);
        // A chunk before the reply itself has the time 0.
        self.created = self.created.filter(|at| *at > 0).or(more.created).or(self.created);
    }

    /// Another handle to the same head.
    #[must_use]
    pub fn share(&self) -> Self {
        let share = |text: &Option<Text<H>>| text.as_ref().map(Text::share);
        Self { id: share(&self.id), model: share(&self.model), created: self.created }
    }
}

/// A time as a number, which may have a fraction, or as an RFC 3339 text.
fn seconds<S: Source>(time: &S) -> Option<u64> {
    if let Some(count) = time.count() {
        return Some(count);
    }
    let written = time.text().map(|text| text.to_str(time.input()).into_owned());
    match written {
        Some(text) => date::seconds(&text),
        None => crate::value::json::encode::to_string(&time.raw(), time.input()).ok()?.split('.').next()?.parse().ok(),
    }
}

/// Dates of the Gregorian calendar as RFC 3339 writes them, in whole seconds of UTC.
pub(crate) mod date {
    /// Days from 0000-03-01 to the first day of a month. Years start in March, so that a leap day comes last.
    fn days(year: u64, month: u64, day: u64) -> u64 {
        let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
        year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1
    }

    /// 1970-01-01.
    const EPOCH: u64 = 719_468;

    /// `2025-11-25T02:43:21Z`, with or without a fraction, as seconds since 1970.
    pub(crate) fn seconds(text: &str) -> Option<u64> {
        let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<u64>().ok();
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        if !(1970..10_000).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let zone = text.get(19..)?.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
        let offset = match zone.as_bytes() {
            b"Z" | b"z" => 0,
            [sign @ (b'+' | b'-'), rest @ ..] if rest.len() == 5 && zone.is_ascii() => {
                let part = |range: std::ops::Range<usize>| zone.get(range)?.parse::<i64>().ok();
                let minutes = part(1..3)? * 60 + part(4..6)?;
                if *sign == b'+' { minutes * 60 } else { -minutes * 60 }
            }
            _ => return None,
        };
        let whole = (days(year, month, day) - EPOCH) * 86_400 + hour * 3_600 + minute * 60 + second;
        whole.checked_add_signed(-offset)
    }

    /// A time in seconds as RFC 3339 text.
    pub(crate) fn written(seconds: u64) -> String {
        // The year 9999 is the last one with four digits.
        let seconds = seconds.min(253_402_300_799);
        let (days, rest) = (seconds / 86_400 + EPOCH, seconds % 86_400);
        let era = days / 146_097;
        let day = days % 146_097;
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let date = day - (153 * month + 2) / 5 + 1;
        let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
        let year = year + era * 400;
        format!("{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::date::{seconds, written};

    #[test]
    fn dates_go_both_ways() {
        assert_eq!(written(0), "1970-01-01T00:00:00Z");
        assert_eq!(written(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(written(1_764_038_601), "2025-11-25T02:43:21Z");
        assert_eq!(written(u64::MAX), "9999-12-31T23:59:59Z");
        for step in 0..20_000 {
            let time = step * 86_400 * 7 / 5 + step;
            assert_eq!(seconds(&written(time)), Some(time));
        }
        assert_eq!(seconds("2025-11-25T02:43:21.123456789Z"), Some(1_764_038_601));
        assert_eq!(seconds("2025-11-25T03:43:21+01:00"), Some(1_764_038_601));
        for wrong in [
            "",
            "2025",
            "2025-11-25",
            "2025-11-25T02:43:21",
            "2025-13-25T02:43:21Z",
            "1969-01-01T00:00:00Z",
            "1970-01-01T00:00:00+01:00",
            "ä025-11-25T02:43:21Z",
        ] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
