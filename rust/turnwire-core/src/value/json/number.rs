//! Writes numbers in one spelling, that of Python's `repr`, so that a number gives the same bytes through both doors.

use std::io::Write;

use super::builder::Number;

/// Appends a finite number: the shortest digits that read back as the same number, in Python's layout.
pub fn float(number: f64, out: &mut Vec<u8>) {
    let written = if number == 0.0 || (1e-4..1e16).contains(&number.abs()) {
        // `Debug`, unlike `Display`, keeps the ".0" of a whole number; below 1e16 it writes no exponent.
        write!(out, "{number:?}")
    } else {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        match exponent.strip_prefix('-') {
            Some(exponent) => write!(out, "{digits}e-{exponent:0>2}"),
            None => write!(out, "{digits}e+{exponent:0>2}"),
        }
    };
    debug_assert!(written.is_ok(), "a vector takes what is written");
}

/// Appends a number as a program writes it after reading it. A number that 64 bits cannot hold keeps its spelling.
pub fn alike(number: Number<'_>, out: &mut Vec<u8>) {
    match number.as_str().parse::<f64>() {
        Ok(value) if !number.is_integer && value.is_finite() => float(value, out),
        // Python's ints have only one zero.
        _ if number.spelling == b"-0" => out.push(b'0'),
        _ => out.extend_from_slice(number.spelling),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_python_writes_them() {
        for (spelled, expected) in [
            ("1", "1"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("1.50", "1.5"),
            ("1.0", "1.0"),
            ("1E5", "100000.0"),
            ("1e16", "1e+16"),
            ("0.00001", "1e-05"),
            ("1e400", "1e400"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
        ] {
            let mut out = Vec::new();
            let is_integer = spelled.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
            alike(Number { spelling: spelled.as_bytes(), is_integer }, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected, "{spelled}");
        }
    }
}
