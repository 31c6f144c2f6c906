//! Finds the records in a JSON document piece by piece while it is read: strings and brackets only, no parse.

use std::sync::Arc;

/// What is at a place of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// An item of the list that was looked for, with its index.
    Item(usize),
    /// A value of the document that has no such list.
    Whole,
    /// Nothing, where an item should be.
    Missing(usize),
    /// The end of the document inside of a value.
    CutOff,
}

/// A piece of a document. What it holds was not checked: it may be no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub piece: Piece,
    /// How many of the keys lead to its list.
    pub matched: usize,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
}

/// Reads a document in pieces of any size. It keeps offsets in a buffer, whose beginning the caller may drop.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Scanner {
    /// The keys that lead from the document to the list; none if the document is the list.
    keys: Vec<Arc<str>>,
    /// How many containers are open.
    depth: usize,
    /// How many of the keys lead to here.
    matched: usize,
    /// The items of the list, if it is open.
    list: Option<List>,
    /// Whether the value of the document that is being read had such a list.
    had_list: bool,
    is_text: bool,
    is_escaped: bool,
    /// Whether the next text is a key on the way to the list.
    awaits_key: bool,
    /// Where that key begins.
    key: Option<usize>,
    /// Whether the next value is on the way to the list.
    is_way: bool,
    /// Where the value of the document begins that is being read.
    whole: Option<usize>,
    /// How far the buffer has been read.
    at: usize,
    /// The pieces that were found. The caller takes them.
    pub pieces: Vec<Found>,
    /// The keys on the way that do not lead to the list, of the value of the document that is being read.
    passed: Vec<String>,
    /// Such keys of the values that had a list, each once.
    around: Vec<String>,
}

/// An open list.
#[derive(Clone, Copy, Debug)]
struct List {
    /// Its own depth.
    depth: usize,
    /// The index of the item that is read.
    index: usize,
    /// Where that item begins.
    item: Option<usize>,
}

impl Scanner {
    /// A scanner of a document whose records are in the list under these keys.
    #[must_use]
    pub fn new(keys: Vec<Arc<str>>) -> Self {
        Self {
            keys,
            depth: 0,
            matched: 0,
            list: None,
            had_list: false,
            is_text: false,
            is_escaped: false,
            awaits_key: false,
            key: None,
            is_way: true,
            whole: None,
            at: 0,
            pieces: Vec::new(),
            passed: Vec::new(),
            around: Vec::new(),
        }
    }

    /// The keys around the lists so far, which belong to no record. Of very many, only the first ones are kept.
    #[must_use]
    pub fn around(&self) -> &[String] {
        &self.around
    }

    /// Whether the value of the document that was read last has a list without items.
    #[must_use]
    pub fn has_empty_list(&self) -> bool {
        self.had_list && self.list.is_none() && self.pieces.is_empty()
    }

    /// Reads on in the buffer, which begins with the bytes that were kept, until `most` pieces are found.
    pub fn read(&mut self, buffer: &[u8], most: usize) {
        while self.pieces.len() < most
            && let Some(rest) = buffer.get(self.at..).filter(|rest| !rest.is_empty())
        {
            if self.is_text {
                self.read_text(rest, buffer);
            } else if self.depth > self.floor() {
                self.read_inside(rest);
            } else {
                self.read_byte(rest[0], buffer);
            }
        }
    }

    /// What is left at the end of the document.
    pub fn finish(&mut self, buffer: &[u8]) {
        let end = buffer.len();
        if let Some(List { item: Some(_), depth, .. }) = self.list {
            // An item that is not whole is an error by itself.
            let is_cut = self.depth > depth || self.is_text;
            self.end_item(end, buffer);
            if is_cut {
                return;
            }
        }
        self.end_way();
        match self.whole.take() {
            Some(start) if !self.had_list => self.add(Piece::Whole, start, end, buffer),
            Some(_) => self.add(Piece::CutOff, end, end, buffer),
            None => {}
        }
    }

    /// The offset before which the buffer is not needed any more.
    #[must_use]
    pub fn kept_from(&self) -> usize {
        match (self.list, self.whole) {
            (Some(list), _) => list.item.unwrap_or(self.at),
            (None, Some(whole)) if !self.had_list => whole,
            (None, _) => self.key.unwrap_or(self.at),
        }
    }

    /// Tells that the first bytes of the buffer are gone.
    pub fn forget(&mut self, bytes: usize) {
        self.at -= bytes;
        for place in [&mut self.key, &mut self.whole].into_iter().chain(self.list.as_mut().map(|list| &mut list.item)) {
            // Where a value begins that had a list is not read again.
            *place = place.map(|place| place.saturating_sub(bytes));
        }
    }

    /// The depth at which more than texts and brackets counts.
    fn floor(&self) -> usize {
        match self.list {
            Some(list) => list.depth,
            None if self.is_on_way() => self.depth,
            None => self.matched + 1,
        }
    }

    /// Whether the innermost open container is an object on the way to the list, or the document itself.
    fn is_on_way(&self) -> bool {
        self.depth == 0 || self.depth == self.matched + 1
    }

    fn read_text(&mut self, rest: &[u8], buffer: &[u8]) {
        if std::mem::take(&mut self.is_escaped) {
            self.at += 1;
            return;
        }
        let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
            self.at += rest.len();
            return;
        };
        self.at += found + 1;
        if rest[found] == b'\\' {
            self.is_escaped = true;
            return;
        }
        self.is_text = false;
        if let Some(start) = self.key.take() {
            let key = buffer.get(start..self.at).unwrap_or_default();
            self.is_way = self.keys.get(self.matched).is_some_and(|wanted| is_key(key, wanted));
            if !self.is_way && self.passed.len() < MOST_NAMED {
                let way = self.keys.iter().take(self.matched).map(ToString::to_string);
                self.passed.push(way.chain([shown(key)]).collect::<Vec<_>>().join("."));
            }
        }
    }

    /// Reads on where only texts and brackets count.
    fn read_inside(&mut self, rest: &[u8]) {
        let floor = self.floor();
        for (at, byte) in rest.iter().enumerate() {
            match byte {
                b'"' => {
                    self.is_text = true;
                    self.at += at + 1;
                    return;
                }
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == floor {
                        self.at += at + 1;
                        return;
                    }
                }
                _ => {}
            }
        }
        self.at += rest.len();
    }

    fn read_byte(&mut self, byte: u8, buffer: &[u8]) {
        let start = self.at;
        self.at += 1;
        if byte.is_ascii_whitespace() {
            return;
        }
        match self.list {
            Some(list) => self.read_in_list(byte, start, list, buffer),
            None if self.depth == 0 => self.read_document(byte, start, buffer),
            None => self.read_on_way(byte, start, buffer),
        }
    }

    fn read_in_list(&mut self, byte: u8, start: usize, list: List, buffer: &[u8]) {
        match byte {
            b',' => {
                self.end_item(start, buffer);
                return;
            }
            b']' | b'}' => {
                // Only an empty list has no item before its end.
                if list.item.is_some() || list.index > 0 {
                    self.end_item(start, buffer);
                }
                self.list = None;
                if byte == b'}' {
                    self.add(Piece::CutOff, start, start, buffer);
                }
                self.close(start, buffer);
                return;
            }
            b'"' => self.is_text = true,
            b'{' | b'[' => self.depth += 1,
            _ => {}
        }
        self.list = Some(List { item: list.item.or(Some(start)), ..list });
    }

    /// Between the values of the document, or in one that is neither an object nor a list.
    fn read_document(&mut self, byte: u8, start: usize, buffer: &[u8]) {
        if matches!(byte, b'{' | b'[') {
            self.end_whole(start, buffer);
            self.whole = Some(start);
            (self.matched, self.had_list, self.is_way) = (0, false, true);
            self.open(byte);
            return;
        }
        self.whole = self.whole.or(Some(start));
        self.had_list = false;
        self.is_text = byte == b'"';
    }

    /// In an object on the way to the list.
    fn read_on_way(&mut self, byte: u8, start: usize, buffer: &[u8]) {
        match byte {
            b'"' => {
                self.is_text = true;
                if std::mem::take(&mut self.awaits_key) {
                    self.key = Some(start);
                }
            }
            b',' => (self.awaits_key, self.is_way) = (true, false),
            b'{' | b'[' => self.open(byte),
            b'}' | b']' => self.close(start, buffer),
            _ => {}
        }
    }

    fn open(&mut self, byte: u8) {
        let is_way = std::mem::take(&mut self.is_way);
        if self.depth > 0 && is_way {
            self.matched += 1;
        }
        self.depth += 1;
        if !is_way {
            return;
        }
        if byte == b'[' {
            self.had_list = true;
            self.list = Some(List { depth: self.depth, index: 0, item: None });
        } else if self.matched < self.keys.len() {
            self.awaits_key = true;
        } else {
            // An object, where a list was looked for.
            self.matched = self.matched.saturating_sub(1);
        }
    }

    /// Closes a container on the way to the list, or the list.
    fn close(&mut self, start: usize, buffer: &[u8]) {
        self.depth = self.depth.saturating_sub(1);
        self.matched = self.matched.min(self.depth.saturating_sub(1));
        (self.awaits_key, self.is_way) = (false, false);
        if self.depth == 0 {
            self.end_whole(start + 1, buffer);
        }
    }

    fn end_item(&mut self, end: usize, buffer: &[u8]) {
        let Some(list) = &mut self.list else { return };
        let (index, item) = (list.index, list.item.take());
        list.index += 1;
        let piece = if item.is_some() { Piece::Item(index) } else { Piece::Missing(index) };
        self.add(piece, item.unwrap_or(end), end, buffer);
    }

    fn end_whole(&mut self, end: usize, buffer: &[u8]) {
        self.end_way();
        let whole = self.whole.take().filter(|_| !self.had_list);
        if let Some(start) = whole {
            self.add(Piece::Whole, start, end, buffer);
        }
    }

    /// Keeps the keys around a list. Those of a value without one belong to the value.
    fn end_way(&mut self) {
        for key in std::mem::take(&mut self.passed) {
            if self.had_list && self.around.len() < MOST_NAMED && !self.around.contains(&key) {
                self.around.push(key);
            }
        }
    }

    /// Adds a piece, without the white space at its end.
    fn add(&mut self, piece: Piece, start: usize, end: usize, buffer: &[u8]) {
        let end = start + buffer.get(start..end).unwrap_or_default().trim_ascii_end().len();
        self.pieces.push(Found { piece, matched: self.matched, start, end });
    }
}

/// The most keys around a list that are kept.
const MOST_NAMED: usize = 20;

/// A JSON text without its quotes and escapes.
fn shown(written: &[u8]) -> String {
    let bare = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    String::from_utf8_lossy(&crate::value::json::escape::unescape(bare)).into_owned()
}

/// Whether a JSON text, with its quotes, is this key.
fn is_key(written: &[u8], key: &str) -> bool {
    let bare = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    if !bare.contains(&b'\\') {
        return bare == key.as_bytes();
    }
    crate::value::json::escape::unescape(bare) == key.as_bytes()
}
