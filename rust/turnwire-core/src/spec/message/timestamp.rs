//! A moment with its own offset from UTC, as RFC 3339 writes it.

use std::fmt;

use crate::report::{Error, error::Code};

/// A local date and time and its offset from UTC. Two are equal if they read the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Timestamp {
    date: (u16, u8, u8),
    time: (u8, u8, u8),
    micros: u32,
    offset: i16,
}

impl Timestamp {
    /// Makes a moment from year, month and day, hour, minute and second, microseconds, and the offset in minutes east of UTC.
    pub fn new(date: (u16, u8, u8), time: (u8, u8, u8), micros: u32, offset: i16) -> Result<Self, Error> {
        let (year, month, day) = date;
        let fits = (1..=9999).contains(&year)
            && (1..=days_in_month(year, month)).contains(&day)
            && time.0 < 24
            && time.1 < 60
            && time.2 < 60
            && micros < 1_000_000
            && offset.unsigned_abs() < 24 * 60;
        if fits {
            Ok(Self { date, time, micros, offset })
        } else {
            Err(Error::new(Code::BadTimestamp, "this date or time does not exist"))
        }
    }

    /// Reads RFC 3339 text. Drops digits beyond the microsecond. Fails for a leap second.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refused =
            || Error::new(Code::BadTimestamp, format!("{text:?} is not an RFC 3339 timestamp with an offset"));
        let (moment, offset) = split(text).ok_or_else(refused)?;
        let ([year, month, day, hour, minute, second], micros) = moment;
        Self::new((year, month as u8, day as u8), (hour as u8, minute as u8, second as u8), micros, offset)
            .map_err(|error| Error::new(error.code(), format!("{text:?}: {}", error.text())))
    }

    /// Year, month and day.
    #[must_use]
    pub fn date(&self) -> (u16, u8, u8) {
        self.date
    }

    /// Hour, minute and second.
    #[must_use]
    pub fn time(&self) -> (u8, u8, u8) {
        self.time
    }

    /// The microseconds of the second.
    #[must_use]
    pub fn micros(&self) -> u32 {
        self.micros
    }

    /// Minutes east of UTC.
    #[must_use]
    pub fn offset(&self) -> i16 {
        self.offset
    }

    /// The English name of its day of the week.
    #[must_use]
    pub fn weekday(&self) -> &'static str {
        // The Gregorian calendar repeats every 400 years, which are whole weeks. Years that begin in March have the
        // leap day last.
        let (year, month, day) = (usize::from(self.date.0), usize::from(self.date.1), usize::from(self.date.2));
        let year = if month < 3 { year - 1 } else { year };
        let shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let days = year + year / 4 - year / 100 + year / 400 + shift[(month - 1) % 12] + day;
        ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][days % 7]
    }
}

/// RFC 3339 with milliseconds and the moment's own offset.
impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((year, month, day), (hour, minute, second)) = (self.date, self.time);
        let (sign, offset) = (if self.offset < 0 { '-' } else { '+' }, self.offset.unsigned_abs());
        let (millis, hours, minutes) = (self.micros / 1000, offset / 60, offset % 60);
        write!(
            out,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}{sign}{hours:02}:{minutes:02}"
        )
    }
}

fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    }
}

/// The numbers of `YYYY-MM-DDTHH:MM:SS[.fraction](Z|+HH:MM)`: date and time, microseconds, offset.
fn split(text: &str) -> Option<(([u16; 6], u32), i16)> {
    let text = text.as_bytes();
    let (moment, rest) = text.split_at_checked(19)?;
    let marks = [(4, b"-"), (7, b"-"), (10, b"Tt "), (13, b":"), (16, b":")] as [(usize, &[u8]); 5];
    if !marks.iter().all(|(at, any)| any.contains(&moment[*at])) {
        return None;
    }
    let mut numbers = [0; 6];
    for (number, range) in numbers.iter_mut().zip([0..4, 5..7, 8..10, 11..13, 14..16, 17..19]) {
        *number = digits(&moment[range])?;
    }
    let (micros, rest) = match rest.split_first() {
        Some((b'.', fraction)) => {
            let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let micros = (0..6).fold(0, |micros, at| {
                micros * 10 + fraction[..length].get(at).map_or(0, |digit| u32::from(digit - b'0'))
            });
            (length > 0).then_some((micros, &fraction[length..]))?
        }
        _ => (0, rest),
    };
    let offset = match rest {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (digits(&[*h1, *h2])?, digits(&[*m1, *m2])?);
            let east = (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)?.cast_signed();
            if *sign == b'-' { -east } else { east }
        }
        _ => return None,
    };
    Some(((numbers, micros), offset))
}

fn digits(text: &[u8]) -> Option<u16> {
    text.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u16::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_rfc_3339() {
        for (text, written, weekday) in [
            ("2025-10-25T14:53:00+09:00", "2025-10-25T14:53:00.000+09:00", "Saturday"),
            ("2025-10-25T14:53:00.123+09:00", "2025-10-25T14:53:00.123+09:00", "Saturday"),
            ("2025-10-25t14:53:00.123999999z", "2025-10-25T14:53:00.123+00:00", "Saturday"),
            ("2024-02-29 00:00:00-03:30", "2024-02-29T00:00:00.000-03:30", "Thursday"),
            ("0001-01-01T00:00:00.5Z", "0001-01-01T00:00:00.500+00:00", "Monday"),
            ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.000-23:59", "Friday"),
            ("2000-03-01T00:00:00Z", "2000-03-01T00:00:00.000+00:00", "Wednesday"),
        ] {
            let moment = Timestamp::parse(text).expect(text);
            assert_eq!((moment.to_string().as_str(), moment.weekday()), (written, weekday));
            let again = Timestamp::parse(&moment.to_string()).expect("what was written reads");
            assert_eq!(again.to_string(), written);
        }
    }

    #[test]
    fn refuses_what_is_no_moment() {
        for text in [
            "",
            "now",
            "2025-10-25",
            "2025-10-25T14:53:00",
            "2025-10-25T14:53:00.Z",
            "2025-10-25T14:53Z",
            "2025-10-25T14:53:60Z",
            "2025-10-25T24:00:00Z",
            "2025-02-29T00:00:00Z",
            "2025-13-01T00:00:00Z",
            "2025-00-01T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "2025-10-25T14:53:00+0900",
            "2025-10-25T14:53:00+24:00",
            "2025-10-25T14:53:00+09:60",
            "2025-10-25T14:53:00+09:00 ",
            "２０２５-10-25T14:53:00Z",
            "20251025T145300Z",
        ] {
            let error = Timestamp::parse(text).expect_err(text);
            assert_eq!(error.code(), Code::BadTimestamp);
        }
    }
}
