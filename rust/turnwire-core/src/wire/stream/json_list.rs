//! Reads the objects of one JSON list from bytes that are split anywhere. Some servers send a stream as such a list,
//! unless the client asks for events.

/// The mark that may stand before any text.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Whether a body is a list of objects. `None` if its first bytes do not tell yet.
pub(crate) fn is_list(body: &[u8]) -> Option<bool> {
    let text = body.strip_prefix(MARK).unwrap_or(body).trim_ascii_start();
    let (first, rest) = text.split_first()?;
    if *first != b'[' {
        return (!MARK.starts_with(body)).then_some(false);
    }
    rest.trim_ascii_start().first().map(|next| matches!(next, b'{' | b']'))
}

/// The bytes that are not yet read, and where in the list they begin.
#[derive(Debug)]
pub(crate) struct JsonList {
    buffer: Vec<u8>,
    /// How much of the buffer is read.
    read: usize,
    /// How much of it has been looked at.
    looked: usize,
    at: At,
    /// How many brackets of the object are open.
    depth: usize,
    /// Whether the last byte looked at is inside a string, and whether the next one is escaped.
    quoted: bool,
    escaped: bool,
}

/// Where the next byte belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Start,
    First,
    Object,
    AfterObject,
    AfterComma,
    End,
    /// Something came that no list has there.
    Damaged,
}

/// A piece of the list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// An object.
    Chunk(&'a [u8]),
    /// What stands around the objects.
    Between(&'a [u8]),
    /// Bytes that no list has here.
    Wrong(&'a [u8]),
}

impl<'a> Piece<'a> {
    /// All its bytes.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        let (Self::Chunk(bytes) | Self::Between(bytes) | Self::Wrong(bytes)) = self;
        bytes
    }
}

impl JsonList {
    pub(crate) fn new() -> Self {
        Self { buffer: Vec::new(), read: 0, looked: 0, at: At::Start, depth: 0, quoted: false, escaped: false }
    }

    /// Takes more bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.read > self.buffer.len() / 2 {
            self.buffer.drain(..self.read);
            self.looked -= self.read;
            self.read = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete piece. After wrong bytes nothing is an object.
    pub(crate) fn next(&mut self) -> Option<Piece<'_>> {
        let start = self.read;
        while let Some(byte) = self.buffer.get(self.looked).copied() {
            let next = match (self.at, byte) {
                (At::Object, _) => {
                    if !self.object() {
                        return None;
                    }
                    self.at = At::AfterObject;
                    self.read = self.looked;
                    return Some(Piece::Chunk(&self.buffer[start..self.read]));
                }
                (At::Damaged, _) => {
                    self.looked = self.buffer.len();
                    break;
                }
                (At::Start, 0xEF | 0xBB | 0xBF) => self.at,
                (at, byte) if byte.is_ascii_whitespace() => at,
                (At::Start, b'[') => At::First,
                (At::First | At::AfterObject, b']') => At::End,
                (At::AfterObject, b',') => At::AfterComma,
                (At::First | At::AfterComma, b'{') => At::Object,
                _ => At::Damaged,
            };
            match next {
                At::Object | At::Damaged if start < self.looked => {
                    self.read = self.looked;
                    return Some(Piece::Between(&self.buffer[start..self.read]));
                }
                At::Damaged => {
                    (self.at, self.looked, self.read) = (At::Damaged, self.buffer.len(), self.buffer.len());
                    return Some(Piece::Wrong(&self.buffer[start..]));
                }
                next => self.at = next,
            }
            if next != At::Object {
                self.looked += 1;
            }
        }
        self.read = self.looked;
        (start < self.read).then(|| Piece::Between(&self.buffer[start..self.read]))
    }

    /// Looks for the end of the object. Returns whether it was found.
    fn object(&mut self) -> bool {
        while let Some(byte) = self.buffer.get(self.looked).copied() {
            if self.quoted {
                if std::mem::take(&mut self.escaped) {
                    self.looked += 1;
                    continue;
                }
                let rest = &self.buffer[self.looked..];
                let Some(length) = memchr::memchr2(b'"', b'\\', rest) else {
                    self.looked = self.buffer.len();
                    return false;
                };
                self.escaped = rest[length] == b'\\';
                self.quoted = self.escaped;
                self.looked += length + 1;
                continue;
            }
            self.looked += 1;
            match byte {
                b'"' => self.quoted = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// The bytes of an object that did not end.
    pub(crate) fn rest(&mut self) -> &[u8] {
        let start = std::mem::replace(&mut self.read, self.buffer.len());
        self.looked = self.buffer.len();
        &self.buffer[start..]
    }

    /// Whether the list has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.at == At::End
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonList, Piece, is_list};

    /// The objects, all bytes in order, and whether the list has ended.
    fn read(pieces: &[&[u8]]) -> (Vec<String>, String, bool) {
        let mut list = JsonList::new();
        let (mut chunks, mut all) = (Vec::new(), Vec::new());
        for piece in pieces {
            list.push(piece);
            while let Some(piece) = list.next() {
                all.extend_from_slice(piece.bytes());
                if let Piece::Chunk(bytes) | Piece::Wrong(bytes) = piece {
                    chunks.push(String::from_utf8(bytes.to_vec()).expect("UTF-8"));
                }
            }
        }
        all.extend_from_slice(list.rest());
        (chunks, String::from_utf8(all).expect("UTF-8"), list.has_ended())
    }

    #[test]
    fn the_same_objects_however_the_bytes_are_split() {
        let text = "\u{FEFF} \r\n[{\"a\": \"]}\\\"{\", \"b\": [{\"c\": \"\\\\\"}]}\n,\r\n{\"一\":1}\n]\n";
        let expected = ["{\"a\": \"]}\\\"{\", \"b\": [{\"c\": \"\\\\\"}]}", "{\"一\":1}"];
        let bytes = text.as_bytes();
        let check = |pieces: &[&[u8]]| {
            let (chunks, all, ended) = read(pieces);
            assert_eq!(chunks, expected);
            assert_eq!(all, text);
            assert!(ended);
        };
        check(&[bytes]);
        check(&bytes.iter().map(std::slice::from_ref).collect::<Vec<_>>());
        for at in 0..bytes.len() {
            let (one, other) = bytes.split_at(at);
            check(&[one, other]);
        }
    }

    #[test]
    fn after_damage_nothing_is_read() {
        for (text, wrong) in [
            ("[{\"a\":1};{\"b\":2}]", ";{\"b\":2}]"),
            ("[{\"a\":1},]", "]"),
            ("[{\"a\":1},,{\"b\":2}]", ",{\"b\":2}]"),
            ("[{\"a\":1}]{\"b\":2}", "{\"b\":2}"),
            ("[{\"a\":1}][{\"b\":2}]", "[{\"b\":2}]"),
        ] {
            let (chunks, all, ended) = read(&[text.as_bytes()]);
            assert_eq!(chunks, ["{\"a\":1}", wrong], "{text}");
            assert_eq!((all.as_str(), ended), (text, false));
        }
    }

    #[test]
    fn a_list_that_breaks_off_has_not_ended() {
        let whole = b"[{\"a\":1},{\"b\":2}]";
        for at in 1..whole.len() {
            let (_, all, ended) = read(&[&whole[..at]]);
            assert_eq!((all.as_bytes(), ended), (&whole[..at], false));
        }
    }

    #[test]
    fn a_mark_at_the_end_of_a_stream_is_no_list() {
        let told = |text: &str| is_list(text.as_bytes());
        assert_eq!(told(" \n"), None);
        assert_eq!(told("["), None);
        assert_eq!(told("[DONE]"), Some(false));
        assert_eq!(told("data: []"), Some(false));
        assert_eq!((is_list(&super::MARK[..2]), told("{}")), (None, Some(false)));
        assert_eq!(told("\u{FEFF}\n[ {"), Some(true));
        assert_eq!(told("[]"), Some(true));
    }
}
