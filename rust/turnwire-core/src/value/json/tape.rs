//! JSON text as a tape: one small node for each value, in the order of the text, whose spans point into it.

use std::{borrow::Cow, marker::PhantomData};

use super::{
    builder::{Body, Builder, Number},
    escape::unescape,
    read::build,
};
use crate::{
    report::Error,
    text::replace_surrogates,
    value::{Escapes, Head, Host, Input, Key, NodeKind, Raw, Source, Span, Text},
};

/// A JSON text that has been read, and the bytes that its spans point into.
#[derive(Debug)]
pub struct Tape {
    input: Input,
    nodes: Vec<Node>,
}

/// One value. Sixteen bytes, however large the value.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Its first byte. For a string, the first byte after the quote.
    start: u32,
    /// How many bytes it has. For a string, without the quotes.
    len: u32,
    /// How many nodes it takes, itself included, which leads to the next value.
    nodes: u32,
    /// How many entries a container has, as far as this number can count.
    count: u16,
    kind: NodeKind,
    escapes: Escapes,
}

/// A container with this many entries or more is counted again when its size is needed.
const MANY: u16 = u16::MAX;

impl Tape {
    /// Reads `input`, which must be one JSON text in UTF-8.
    pub fn read(input: &Input) -> Result<Self, Error> {
        let bytes = input.bytes();
        // A guess that suits conversations. A tape of smaller values grows.
        let mut tape = Taping { open: 0, nodes: Vec::with_capacity(bytes.len() / 32 + 8), count: 0 };
        build(bytes, &mut tape)?;
        Ok(Self { input: input.clone(), nodes: tape.nodes })
    }

    /// Everything that a value on it needs, computed once.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { nodes: &self.nodes, bytes: self.input.bytes(), input: &self.input }
    }

    /// The bytes that were read.
    #[must_use]
    pub fn input(&self) -> &Input {
        &self.input
    }
}

/// Writes the tape. While a container is open, its node holds what is needed to close it: in `len` the node of the
/// container around it, in `nodes` how many entries that container has so far. The two numbers are apart on purpose. If
/// they were neighbours, the compiler would read both at once after they were written one by one, and the machine would
/// have to wait.
#[repr(C)]
struct Taping {
    open: usize,
    nodes: Vec<Node>,
    count: usize,
}

impl Taping {
    #[inline]
    fn push(&mut self, kind: NodeKind, start: usize, len: usize, escapes: Escapes) {
        self.nodes.push(Node { start: start as u32, len: len as u32, nodes: 1, count: 0, kind, escapes });
    }

    #[inline]
    fn scalar(&mut self, kind: NodeKind, start: usize, len: usize) {
        self.count += 1;
        self.push(kind, start, len, Escapes::None);
    }

    #[inline]
    fn open(&mut self, kind: NodeKind, at: usize) {
        let here = self.nodes.len();
        let (len, nodes) = (self.open as u32, self.count as u32);
        self.nodes.push(Node { start: at as u32, len, nodes, count: 0, kind, escapes: Escapes::None });
        self.open = here;
        self.count = 0;
    }
}

impl Builder for Taping {
    #[inline]
    fn null(&mut self, at: usize) {
        self.scalar(NodeKind::Null, at, 4);
    }
    #[inline]
    fn bool(&mut self, value: bool, at: usize) {
        self.scalar(NodeKind::Bool, at, if value { 4 } else { 5 });
    }
    #[inline]
    fn number(&mut self, number: Number<'_>, at: usize) {
        self.scalar(NodeKind::Number, at, number.spelling.len());
    }
    #[inline]
    fn text(&mut self, body: Body<'_>) {
        self.count += 1;
        self.key(body);
    }
    #[inline]
    fn key(&mut self, body: Body<'_>) {
        self.push(NodeKind::Text, body.at, body.bytes.len(), body.escapes);
    }
    #[inline]
    fn open_list(&mut self, at: usize) {
        self.open(NodeKind::List, at);
    }
    #[inline]
    fn open_map(&mut self, at: usize) {
        self.open(NodeKind::Map, at);
    }
    #[inline]
    fn close(&mut self, end: usize) {
        let (here, all) = (self.open, self.nodes.len());
        let count = u16::try_from(self.count).unwrap_or(MANY);
        if let Some(node) = self.nodes.get_mut(here) {
            (self.open, self.count) = (node.len as usize, node.nodes as usize + 1);
            *node = Node { len: end as u32 - node.start, nodes: (all - here) as u32, count, ..*node };
        }
    }
}

/// A tape that is being read.
#[derive(Clone, Copy, Debug)]
pub struct View<'t> {
    nodes: &'t [Node],
    bytes: &'t [u8],
    input: &'t Input,
}

impl<'t> View<'t> {
    /// The outermost value.
    #[must_use]
    pub fn root<H: Host>(&self) -> TapeSource<'_, H> {
        TapeSource { view: self, at: 0, host: PhantomData }
    }

    /// The bytes of a value. For a string, without the quotes.
    fn body(&self, node: &Node) -> &'t [u8] {
        self.bytes.get(node.start as usize..node.start as usize + node.len as usize).unwrap_or_default()
    }

    /// Whether a key of a map is this one. Compares one word, except for the last keys of a text.
    #[inline]
    fn is_key(&self, node: &Node, key: &'static Key) -> bool {
        if node.escapes == Escapes::None {
            if node.len as usize != key.name.len() {
                return false;
            }
            let head = self.bytes.get(node.start as usize..).and_then(<[u8]>::first_chunk);
            if let (Some(head), 0..=Head::SIZE) = (head, key.name.len()) {
                return key.head.begins(head);
            }
        }
        self.says(node, key.name)
    }

    /// Whether a string is this word.
    #[inline]
    fn says(&self, node: &Node, name: &str) -> bool {
        match node.escapes {
            Escapes::None => node.len as usize == name.len() && self.body(node) == name.as_bytes(),
            Escapes::Some => self.says_escaped(node, name),
            Escapes::Lone => false,
        }
    }

    #[cold]
    fn says_escaped(&self, node: &Node, name: &str) -> bool {
        unescape(self.body(node)) == name.as_bytes()
    }
}

/// A value on a tape, for the handles of the host `H`. As cheap to copy as a reference, and small enough to be returned
/// in registers, because it is passed on far more often than it is read.
pub struct TapeSource<'t, H> {
    view: &'t View<'t>,
    /// Its node.
    at: usize,
    host: PhantomData<H>,
}

impl<H> Clone for TapeSource<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for TapeSource<'_, H> {}

/// Marks a missing node. No tape has a node at this address.
static NOTHING: Node = Node { start: 0, len: 0, nodes: 1, count: 0, kind: NodeKind::Null, escapes: Escapes::None };

impl<'t, H: Host> TapeSource<'t, H> {
    fn node(&self) -> &'t Node {
        self.view.nodes.get(self.at).unwrap_or(&NOTHING)
    }

    /// The node behind the last one inside, if it is of this kind.
    #[inline]
    fn behind(&self, kind: NodeKind) -> usize {
        let node = self.node();
        if node.kind == kind { self.at + node.nodes as usize } else { 0 }
    }

    /// The nodes inside, if it is of this kind.
    fn inside(&self, kind: NodeKind) -> &'t [Node] {
        self.view.nodes.get(self.at + 1..self.behind(kind)).unwrap_or_default()
    }

    /// Shows each key of a map and its value. Hot: most of reading looks for keys.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call a key costs as much as the look at it")]
    fn each_value(&self, mut show: impl FnMut(&'t Node, Self)) {
        let (nodes, behind) = (self.view.nodes, self.behind(NodeKind::Map));
        let mut at = self.at + 1;
        while at < behind
            && let (Some(name), Some(value)) = (nodes.get(at), nodes.get(at + 1))
        {
            show(name, Self { at: at + 1, ..*self });
            at += 1 + value.nodes as usize;
        }
    }

    /// The bytes of the value. For a string, without the quotes.
    fn body(&self) -> &'t [u8] {
        self.view.body(self.node())
    }

    /// The offset where its JSON begins.
    pub(crate) fn start(&self) -> usize {
        self.node().start as usize - usize::from(self.node().kind == NodeKind::Text)
    }

    /// The offset where its JSON ends.
    pub(crate) fn end(&self) -> usize {
        let Node { start, len, kind, .. } = *self.node();
        start as usize + len as usize + usize::from(kind == NodeKind::Text)
    }

    /// Its JSON.
    pub(crate) fn json(&self) -> &'t [u8] {
        self.view.bytes.get(self.start()..self.end()).unwrap_or_default()
    }

    fn span(&self) -> Span {
        let Node { start, len, escapes, .. } = *self.node();
        Span { start, len, escapes }
    }

    /// All values directly inside: the items of a list, or the keys and values of a map in turn.
    fn each(&self, kind: NodeKind) -> impl Iterator<Item = Self> + use<'t, H> {
        let (outer, mut rest, mut at) = (*self, self.inside(kind), self.at + 1);
        std::iter::from_fn(move || {
            let next = Self { at, ..outer };
            let nodes = rest.first()?.nodes as usize;
            rest = rest.get(nodes..).unwrap_or_default();
            at += nodes;
            Some(next)
        })
    }

    /// The entries of a map.
    fn pairs(&self) -> impl Iterator<Item = (Self, Self)> + use<'t, H> {
        let mut each = self.each(NodeKind::Map);
        std::iter::from_fn(move || Some((each.next()?, each.next()?)))
    }
}

impl<H: Host> Source for TapeSource<'_, H> {
    type H = H;

    fn kind(&self) -> NodeKind {
        self.node().kind
    }

    fn get(&self, key: &'static Key) -> Option<Self> {
        let mut found = None;
        self.each_value(|name, value| {
            if self.view.is_key(name, key) {
                // Of repeated keys, the last one counts.
                found = Some(value);
            }
        });
        found
    }

    fn get_each<const N: usize>(&self, keys: [&'static Key; N], _: usize) -> [Option<Self>; N] {
        let mut found = [None; N];
        self.each_value(|name, value| {
            for (found, key) in found.iter_mut().zip(&keys) {
                if self.view.is_key(name, key) {
                    *found = Some(value);
                    return;
                }
            }
        });
        found
    }

    #[inline]
    fn len(&self) -> usize {
        match *self.node() {
            Node { count: MANY, kind: NodeKind::Map, .. } => self.pairs().count(),
            Node { count: MANY, kind, .. } => self.each(kind).count(),
            Node { count, .. } => usize::from(count),
        }
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        self.each(NodeKind::List)
    }

    fn entries(&self) -> impl Iterator<Item = (Text<H>, Self)> {
        self.pairs().map(|(key, value)| (Text::Span(key.span()), value))
    }

    fn each_entry(&self, mut show: impl FnMut(&str, &Self)) {
        for (key, value) in self.pairs() {
            show(&key.word().unwrap_or_default(), &value);
        }
    }

    fn text(&self) -> Option<Text<H>> {
        (self.kind() == NodeKind::Text).then(|| Text::Span(self.span()))
    }

    fn word(&self) -> Option<Cow<'_, str>> {
        if self.kind() != NodeKind::Text {
            return None;
        }
        Some(match self.node().escapes {
            // The text was already checked when it was read, and checking one word again is cheap.
            Escapes::None => {
                str::from_utf8(self.body()).map_or_else(|_| String::from_utf8_lossy(self.body()), Cow::Borrowed)
            }
            Escapes::Some | Escapes::Lone => Cow::Owned(replace_surrogates(&unescape(self.body())).into_owned()),
        })
    }

    #[inline]
    fn one_of<T: Copy>(&self, words: &[(&'static str, T)]) -> Option<T> {
        let node = self.node();
        if node.kind != NodeKind::Text {
            return None;
        }
        words.iter().find(|(word, _)| self.view.says(node, word)).map(|(_, meaning)| *meaning)
    }

    fn bool(&self) -> Option<bool> {
        (self.kind() == NodeKind::Bool).then(|| self.body() == b"true")
    }

    #[inline]
    fn raw(&self) -> Raw<H> {
        let Node { start, len, kind, .. } = *self.node();
        let quote = u32::from(kind == NodeKind::Text);
        Raw::Span(Span { start: start - quote, len: len + 2 * quote, escapes: Escapes::None })
    }

    fn input(&self) -> Option<&Input> {
        Some(self.view.input)
    }
}

const _: () = assert!(size_of::<Node>() == 16, "a tape is read far more often than it is written");
