//! Reads and writes AWS's binary event stream: frames of a length, headers, a payload and checksums, split anywhere.
//!
//! A frame is `total length, length of the headers, checksum of both, headers, payload, checksum of all before`.
//! Numbers have four bytes, big-endian. A header is `length of the name, name, type, value`; those that describe the
//! payload are text. Source: "Event stream encoding" of Amazon Transcribe's developer guide, and botocore's
//! `eventstream.py`.

use crate::report::{Error, error::Code};

/// The length of both lengths and their checksum, and that of the checksum at the end.
const HEAD: usize = 12;
const TAIL: usize = 4;
/// The longest headers and payload that clients accept.
const MOST_HEADERS: usize = 128 * 1024;
const MOST: usize = 24 * 1024 * 1024;
/// The type of a header that is text.
const TEXT: u8 = 7;

/// The bytes that are not yet read.
#[derive(Debug, Default)]
pub(crate) struct BinaryFrames {
    buffer: Vec<u8>,
    read: usize,
    /// Whether wrong lengths have arrived, so that the start of the next frame is unknown.
    lost: bool,
}

/// One frame: its name, the message of an error, its payload, and all its bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    pub(crate) name: &'a str,
    pub(crate) message: Option<&'a str>,
    pub(crate) payload: &'a [u8],
    pub(crate) raw: &'a [u8],
}

impl Frame<'_> {
    /// The bytes of this frame with another payload.
    pub(crate) fn with_payload(&self, payload: &[u8]) -> Vec<u8> {
        let mut out = self.raw[..self.raw.len() - TAIL - self.payload.len()].to_vec();
        let headers = out.len() - HEAD;
        out.extend_from_slice(payload);
        seal(0, headers, &mut out);
        out
    }
}

impl BinaryFrames {
    /// Takes more bytes. Nothing can be read after wrong lengths.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.lost {
            return;
        }
        if self.read > self.buffer.len() / 2 {
            self.buffer.drain(..self.read);
            self.read = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete frame.
    pub(crate) fn next(&mut self) -> Option<Result<Frame<'_>, Error>> {
        let rest = &self.buffer[self.read..];
        let total = number(rest, 0)?;
        let headers = number(rest, 4)?;
        let sum = number(rest, 8)?;
        let broken = crc32(&rest[..8]) != sum;
        if broken || headers > MOST_HEADERS || total > MOST + MOST_HEADERS || total < HEAD + headers + TAIL {
            (self.lost, self.read) = (true, self.buffer.len());
            return Some(Err(wrong("the lengths of a frame are impossible, or their checksum is wrong")));
        }
        let start = self.read;
        if rest.len() < total {
            return None;
        }
        self.read += total;
        let frame = &self.buffer[start..start + total];
        let (said, tail) = frame.split_at(total - TAIL);
        if Some(crc32(said)) != number(tail, 0) {
            return Some(Err(wrong("the checksum of a frame is wrong")));
        }
        let payload = &said[HEAD + headers..];
        let named = named(&said[HEAD..HEAD + headers]);
        Some(named.map(|(name, message)| Frame { name, message, payload, raw: frame }))
    }

    /// Takes the bytes that were not read.
    pub(crate) fn unread(&mut self) -> Vec<u8> {
        let left = self.buffer.split_off(self.read);
        self.read = self.buffer.len();
        left
    }

    /// Whether the rest is an incomplete frame.
    pub(crate) fn is_torn(&self) -> bool {
        self.lost || self.read < self.buffer.len()
    }
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?;
    Some(four.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// The name of a frame from its headers: its event, or its exception; and the message of an error, which has no payload.
fn named(mut headers: &[u8]) -> Result<(&str, Option<&str>), Error> {
    let (mut found, mut message) = ("", None);
    while let Some((length, rest)) = headers.split_first() {
        let (key, rest) = rest.split_at_checked(usize::from(*length)).ok_or_else(half)?;
        let (kind, rest) = rest.split_first().ok_or_else(half)?;
        let size = match kind {
            0 | 1 => 0,
            2 => 1,
            3 => 2,
            4 => 4,
            5 | 8 => 8,
            9 => 16,
            6 | &TEXT => {
                2 + rest.first_chunk::<2>().map(|two| usize::from(u16::from_be_bytes(*two))).ok_or_else(half)?
            }
            _ => return Err(wrong("a header of a frame has an unknown type")),
        };
        let (value, rest) = rest.split_at_checked(size).ok_or_else(half)?;
        let text = || std::str::from_utf8(&value[2..]).map_err(|_| wrong("a header of a frame is not UTF-8"));
        match key {
            b":event-type" | b":exception-type" | b":error-code" if *kind == TEXT => found = text()?,
            b":error-message" if *kind == TEXT => message = Some(text()?),
            _ => {}
        }
        headers = rest;
    }
    Ok((found, message))
}

#[cold]
fn half() -> Error {
    wrong("a header of a frame ends in the middle")
}

#[cold]
fn wrong(what: &str) -> Error {
    Error::new(Code::UnexpectedChunk, format!("expected a frame of a binary event stream: {what}"))
}

/// Appends a frame. `failed`: whether it is an exception.
pub(crate) fn write(name: &str, failed: bool, payload: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let (kind, sort) = if failed { (":exception-type", "exception") } else { (":event-type", "event") };
    out.extend_from_slice(&[0; HEAD]);
    for (key, value) in [(kind, name), (":content-type", "application/json"), (":message-type", sort)] {
        out.push(key.len() as u8);
        out.extend_from_slice(key.as_bytes());
        out.push(TEXT);
        out.extend_from_slice(&(value.len() as u16).to_be_bytes());
        out.extend_from_slice(value.as_bytes());
    }
    let headers = out.len() - start - HEAD;
    out.extend_from_slice(payload);
    seal(start, headers, out);
}

/// Writes the lengths and checksums of the frame that begins at `start`. Its headers and payload are already there.
fn seal(start: usize, headers: usize, out: &mut Vec<u8>) {
    let total = (out.len() - start + TAIL) as u32;
    out[start..start + 4].copy_from_slice(&total.to_be_bytes());
    out[start + 4..start + 8].copy_from_slice(&(headers as u32).to_be_bytes());
    let sum = crc32(&out[start..start + 8]) as u32;
    out[start + 8..start + HEAD].copy_from_slice(&sum.to_be_bytes());
    let sum = crc32(&out[start..]) as u32;
    out.extend_from_slice(&sum.to_be_bytes());
}

/// CRC-32 as in Ethernet, gzip and AWS's streams: the polynomial 0x04C11DB7, with its bits and those of each byte
/// reversed.
fn crc32(bytes: &[u8]) -> usize {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut at = 0;
        while at < 256 {
            let (mut sum, mut bit) = (at as u32, 0);
            while bit < 8 {
                sum = if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
                bit += 1;
            }
            table[at] = sum;
            at += 1;
        }
        table
    };
    let step = |sum: u32, byte: &u8| sum >> 8 ^ TABLE[((sum ^ u32::from(*byte)) & 0xFF) as usize];
    !bytes.iter().fold(u32::MAX, step) as usize
}

#[cfg(test)]
mod tests {
    use super::{BinaryFrames, crc32, write};

    fn read(pieces: &[&[u8]]) -> Vec<Option<(String, Vec<u8>)>> {
        let mut frames = BinaryFrames::default();
        let mut found = Vec::new();
        for piece in pieces {
            frames.push(piece);
            while let Some(frame) = frames.next() {
                found.push(frame.ok().map(|frame| (frame.name.to_owned(), frame.payload.to_vec())));
            }
        }
        found
    }

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn frames_are_read_back_however_the_bytes_are_split() {
        let mut bytes = Vec::new();
        write("messageStart", false, b"{\"role\":\"assistant\"}", &mut bytes);
        write("throttlingException", true, b"{}", &mut bytes);
        let whole = vec![
            Some(("messageStart".to_owned(), b"{\"role\":\"assistant\"}".to_vec())),
            Some(("throttlingException".to_owned(), b"{}".to_vec())),
        ];
        assert_eq!(read(&[&bytes]), whole);
        for at in 0..bytes.len() {
            let (one, other) = bytes.split_at(at);
            assert_eq!(read(&[one, other]), whole, "split at {at}");
        }
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 1;
            assert_ne!(read(&[&broken]), whole, "flipped at {at}");
        }
    }
}
