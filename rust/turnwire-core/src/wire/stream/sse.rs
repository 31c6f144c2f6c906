//! Reads server-sent events from bytes that are split anywhere, and returns the data of each event.
//!
//! Lines end with LF, CRLF or CR. An unfinished line is kept until its end arrives. Comments, ids and unknown fields are
//! skipped, and names of events but `error`. A line that begins with a brace is an event by itself, up to the end of its object: some
//! servers stream JSON Lines, and some report an error like that. A body that is one JSON list is read by its objects (`json_list.rs`).

use super::json_list::{JsonList, Piece, is_list};
use crate::report::{Error, error::Code};

/// The bytes that are not yet read.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    buffer: Vec<u8>,
    /// How much of the buffer is read.
    read: usize,
    /// How much of it is known to have no line end, so that no byte is searched twice.
    looked: usize,
    /// Whether the last line ended with CR, so that a following LF belongs to it.
    after_cr: bool,
    /// Whether a line was read. Only the first may have a byte order mark.
    begun: bool,
    /// The data of the event so far. `None` before its first line of data.
    data: Option<Vec<u8>>,
    /// Whether the body is known to be lines instead of a JSON list.
    not_a_list: bool,
    list: Option<JsonList>,
    /// Whether the format sends lines of JSON: whether a line was one. Any other one behind it is damaged.
    of_json: Option<bool>,
    /// A line of such a format that is none, before the first one: a text, unless a line follows.
    odd: Option<Vec<u8>>,
    /// An object on several lines, as far as it has come: the body of a server that does not stream.
    object: Option<Object>,
    /// The name of the event that has begun.
    name: Name,
    last: Last,
}

/// What the name of an event says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Name {
    #[default]
    Any,
    Error,
}

/// How the last event came.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Last {
    /// Its name says that it is an error.
    pub(crate) is_error: bool,
    /// It is a line of JSON, which clients of server-sent events ignore.
    pub(crate) is_bare: bool,
}

impl Lines {
    /// The lines of a format that sends JSON without fields.
    pub(crate) fn of_json() -> Self {
        Self { of_json: Some(false), ..Self::default() }
    }

    /// Takes more bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if let Some(list) = &mut self.list {
            return list.push(bytes);
        }
        // Moves the rest only when most of the buffer is read. So each byte moves about once.
        if self.read > self.buffer.len() / 2 {
            self.buffer.drain(..self.read);
            self.looked -= self.read;
            self.read = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The data of the next complete event. An error if a list is damaged, after which nothing is read.
    pub(crate) fn next(&mut self) -> Option<Result<Vec<u8>, Error>> {
        if !self.not_a_list {
            self.look()?;
        }
        if let Some(list) = &mut self.list {
            loop {
                match list.next()? {
                    Piece::Chunk(object) => return Some(Ok(object.to_vec())),
                    Piece::Between(_) => {}
                    Piece::Wrong(bytes) => return Some(Err(damaged(bytes))),
                }
            }
        }
        while let Some((start, end)) = self.line() {
            if let Some(event) = self.field(start, end) {
                return Some(Ok(event));
            }
        }
        None
    }

    /// How the last event came.
    pub(crate) fn last(&self) -> Last {
        self.last
    }

    /// Takes the bytes that were not read.
    pub(crate) fn unread(&mut self) -> Vec<u8> {
        let left = self.buffer.split_off(self.read);
        (self.read, self.looked) = (self.buffer.len(), self.buffer.len());
        left
    }

    /// The data of an event that did not end, with its unfinished last line.
    pub(crate) fn rest(&mut self) -> Option<Vec<u8>> {
        if let Some(list) = &mut self.list {
            return Some(list.rest().to_vec()).filter(|rest| !rest.is_empty());
        }
        let (start, end) = (self.read, self.buffer.len());
        self.read = end;
        self.looked = end;
        self.field(start, end).or_else(|| Some(self.object.take()?.text)).or_else(|| self.ended())
    }

    /// The data of the event that ends here.
    fn ended(&mut self) -> Option<Vec<u8>> {
        self.last = Last { is_error: std::mem::take(&mut self.name) == Name::Error, is_bare: false };
        self.data.take()
    }

    /// Whether an event of another body cannot follow these bytes: an event has not ended, or they are a list.
    pub(crate) fn is_torn(&self) -> bool {
        self.list.is_some() || self.data.is_some() || self.object.is_some() || self.read < self.buffer.len()
    }

    /// Whether the body is a list without its end.
    pub(crate) fn is_open_list(&self) -> bool {
        self.list.as_ref().is_some_and(|list| !list.has_ended())
    }

    /// Finds out whether the body is a list. `None` while its first bytes may begin one.
    #[cold]
    fn look(&mut self) -> Option<()> {
        let body = &self.buffer[self.read..];
        match is_list(body) {
            Some(true) => {
                let mut list = JsonList::new();
                list.push(body);
                (self.list, self.buffer) = (Some(list), Vec::new());
                (self.read, self.looked) = (0, 0);
            }
            Some(false) => self.not_a_list = true,
            None if body.contains(&b'[') => return None,
            None => {}
        }
        Some(())
    }

    /// The next complete line, without its end.
    fn line(&mut self) -> Option<(usize, usize)> {
        if self.after_cr && self.buffer.len() > self.read {
            self.after_cr = false;
            self.read += usize::from(self.buffer[self.read] == b'\n');
            self.looked = self.looked.max(self.read);
        }
        let rest = self.buffer.get(self.looked..).unwrap_or_default();
        let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
            self.looked = self.buffer.len();
            return None;
        };
        let (start, end) = (self.read, self.looked + length);
        self.after_cr = self.buffer[end] == b'\r';
        (self.read, self.looked) = (end + 1, end + 1);
        Some((start, end))
    }

    /// Reads one line. Returns the event that it ends, if any.
    fn field(&mut self, mut start: usize, end: usize) -> Option<Vec<u8>> {
        const MARK: &[u8] = "\u{FEFF}".as_bytes();
        if !self.begun {
            self.begun = true;
            start += if self.buffer[start..end].starts_with(MARK) { MARK.len() } else { 0 };
        }
        let line = &self.buffer[start..end];
        if self.of_json.is_none() && (self.object.is_some() || line.trim_ascii_start().starts_with(b"{")) {
            self.last = Last { is_error: false, is_bare: true };
            let object = self.object.take().unwrap_or_default().with(line);
            if object.is_open() {
                self.object = Some(object);
                return None;
            }
            return Some(object.text);
        }
        if line.is_empty() {
            return self.ended();
        }
        if line.starts_with(b"{") {
            self.of_json = self.of_json.map(|_| true);
            return self.odd.take().or_else(|| Some(line.to_vec()));
        }
        match self.of_json.filter(|_| !is_field(line)) {
            Some(true) => return Some(line.to_vec()),
            Some(false) => self.odd = Some(line.to_vec()),
            None => {}
        }
        if let Some(name) = line.strip_prefix(b"event:") {
            self.name = if name.trim_ascii() == b"error" { Name::Error } else { Name::Any };
        }
        let value = line.strip_prefix(b"data")?;
        // A line without a colon is only the name of a field.
        let value = if value.is_empty() { value } else { value.strip_prefix(b":")? };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &mut self.data {
            None => self.data = Some(value.to_vec()),
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
        }
        None
    }
}

/// The lines of an object.
#[derive(Debug, Default)]
struct Object {
    text: Vec<u8>,
    /// How many brackets are open.
    depth: i64,
    /// Whether the end of the text is inside a string, and whether the next byte has no meaning of its own there.
    quoted: bool,
    escaped: bool,
}

impl Object {
    /// The object with another line.
    fn with(mut self, line: &[u8]) -> Self {
        for byte in line {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.quoted => self.escaped = true,
                b'"' => self.quoted = !self.quoted,
                b'{' | b'[' if !self.quoted => self.depth += 1,
                b'}' | b']' if !self.quoted => self.depth -= 1,
                _ => {}
            }
        }
        if !self.text.is_empty() {
            self.text.push(b'\n');
        }
        self.text.extend_from_slice(line);
        self
    }

    /// Whether it lacks its end. A string does not go on in the next line, so the line is damaged then.
    fn is_open(&self) -> bool {
        self.depth > 0 && !self.quoted
    }
}

/// Whether a line is a comment, or a field that events have.
fn is_field(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or(line);
    matches!(name.trim_ascii(), b"" | b"data" | b"event" | b"id" | b"retry")
}

#[cold]
fn damaged(bytes: &[u8]) -> Error {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(20)]);
    let reason =
        format!("the stream is a JSON list, whose objects are divided by commas and end with `]`: got {text:?}");
    Error::new(Code::InvalidJson, reason)
}

#[cfg(test)]
mod tests {
    use super::Lines;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut events = Vec::new();
        for piece in pieces {
            lines.push(piece);
            events.extend(std::iter::from_fn(|| lines.next()).map(|event| event.expect("no damage")));
        }
        events.extend(lines.rest());
        events.into_iter().map(|event| String::from_utf8(event).expect("UTF-8")).collect()
    }

    #[test]
    fn the_same_events_however_the_bytes_are_split() {
        let text = "\u{FEFF}: hello\r\n\r\nevent: x\r\ndata: 一\r\ndata:two\rdata\r\rid: 7\n\ndata:  3\n\n\n{\"a\":1}\n{\"b\":2}\ndata: [DONE]";
        let expected = ["一\ntwo\n", " 3", "{\"a\":1}", "{\"b\":2}", "[DONE]"];
        let bytes = text.as_bytes();
        assert_eq!(read(&[bytes]), expected);
        assert_eq!(read(&bytes.iter().map(std::slice::from_ref).collect::<Vec<_>>()), expected);
        for at in 0..bytes.len() {
            let (one, other) = bytes.split_at(at);
            assert_eq!(read(&[one, other]), expected, "split at {at}");
        }
    }

    #[test]
    fn a_body_may_be_a_list() {
        let text = b"\n[{\"a\": [1]\n}\n,\n{\"b\":2}]\n";
        let expected = ["{\"a\": [1]\n}", "{\"b\":2}"];
        assert_eq!(read(&[text]), expected);
        assert_eq!(read(&text.iter().map(std::slice::from_ref).collect::<Vec<_>>()), expected);
    }

    #[test]
    fn a_field_is_no_other_field_that_begins_like_it() {
        assert_eq!(read(&[b"datax: 1\n\ndata : 2\n\n"]), Vec::<String>::new());
    }
}
