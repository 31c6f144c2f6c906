//! Translates citations of documents between formats that spell them differently.

use super::value_rule::Entry;
use crate::value::{Host, NodeKind, Source, Text, Tree, Value, tree};

/// How a format spells citations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CitationRule {
    /// Whether the place is under its name, under the key of places. Otherwise the citation itself has the type of its place.
    pub(crate) nested: bool,
    /// The places of characters, pages and blocks: each with the keys of the document's index, of the start and of the end.
    pub(crate) places: [(&'static str, [&'static str; 3]); 3],
    /// The place in a search result, and the key of its index.
    pub(crate) found: (&'static str, &'static str),
    /// The key of a text's citations.
    pub(crate) key: &'static str,
    /// The place of a page of the web.
    pub(crate) web: &'static str,
    /// Whether a citation of the web can be made of its address.
    pub(crate) makes_web: bool,
    /// The keys of a citation that only replies have.
    pub(crate) reply_only: &'static [&'static str],
    /// The profiles that refuse citations on text of the user.
    pub(crate) only_of_assistant: &'static [&'static str],
}

/// A citation.
struct Citation<H: Host> {
    place: Place<H>,
    title: Option<Text<H>>,
    /// The texts that are cited.
    said: Vec<Text<H>>,
    /// Whether it has keys that no other format has.
    has_more: bool,
}

enum Place<H: Host> {
    /// By the index of the kind of place, with its numbers.
    In(usize, [Value<H>; 3]),
    /// An address.
    Web(Text<H>),
}

/// Citations in another spelling, and whether something of them is lost.
pub(crate) struct Translated<H: Host> {
    /// None if nothing is left.
    pub(crate) list: Option<Value<H>>,
    pub(crate) lossy: bool,
}

const TYPE: &str = "type";
const CITED: &str = "cited_text";
const DOCUMENT: &str = "document_title";
const TITLE: &str = "title";
const URL: &str = "url";
const LOCATION: &str = "location";
const CONTENT: &str = "sourceContent";
const TEXT: &str = "text";

/// A list of citations in the spelling of another format. `None` if it is no list.
pub(crate) fn translated<H: Host>(from: &CitationRule, to: &CitationRule, list: &Value<H>) -> Option<Translated<H>> {
    let Value::List(items) = list else { return None };
    let (mut new, mut lossy) = (Vec::new(), false);
    for item in items.iter() {
        let read = from.read(item);
        let written = read.as_ref().and_then(|one| to.written(one));
        lossy |= written.is_none() || read.is_some_and(|one| one.has_more);
        new.extend(written);
    }
    Some(Translated { list: (!new.is_empty()).then(|| Value::List(new.into())), lossy })
}

impl CitationRule {
    /// The citations that point before these documents and search results. `None` if all of them do.
    pub(crate) fn before<H: Host>(&self, list: &Value<H>, limits: [usize; 2]) -> Option<Vec<Value<H>>> {
        let Value::List(items) = list else { return None };
        let kept: Vec<_> = items.iter().filter(|item| self.points_before(item, limits)).map(Value::share).collect();
        (kept.len() < items.len()).then_some(kept)
    }

    /// The citations without the keys that only replies have. `None` if none has one.
    pub(crate) fn without_reply_keys<H: Host>(&self, list: &Value<H>) -> Option<Value<H>> {
        let Value::List(items) = list else { return None };
        let is_reply_key = |(key, _): &Entry<H>| self.reply_only.iter().any(|known| key.is(known, None));
        let strays = |item: &Value<H>| entries(item).is_some_and(|all| all.iter().any(is_reply_key));
        if !items.iter().any(strays) {
            return None;
        }
        let kept = |item: &Value<H>| match entries(item) {
            Some(all) => {
                let kept = all.iter().filter(|entry| !is_reply_key(entry));
                Value::Map(kept.map(|(key, value)| (key.share(), value.share())).collect())
            }
            None => item.share(),
        };
        Some(Value::List(items.iter().map(kept).collect()))
    }

    fn points_before<H: Host>(&self, item: &Value<H>, [documents, found]: [usize; 2]) -> bool {
        let Some(all) = entries(item) else { return true };
        let (kind, within) = if self.nested {
            let Some([(name, within)]) = value(all, LOCATION).and_then(entries) else { return true };
            let Some(within) = entries(within) else { return true };
            (name.share(), within)
        } else {
            let Some(kind) = text(all, TYPE) else { return true };
            (kind, all)
        };
        let place = self.places.iter().find(|(name, _)| kind.is(name, None)).map(|(_, keys)| (keys[0], documents));
        let place = place.or_else(|| kind.is(self.found.0, None).then_some((self.found.1, found)));
        let index = |key| value(within, key).and_then(|index| Tree(index).count());
        place
            .is_none_or(|(key, limit)| index(key).is_none_or(|index| usize::try_from(index).is_ok_and(|at| at < limit)))
    }

    fn read<H: Host>(&self, item: &Value<H>) -> Option<Citation<H>> {
        if self.nested { self.read_nested(item) } else { self.read_flat(item) }
    }

    fn read_flat<H: Host>(&self, item: &Value<H>) -> Option<Citation<H>> {
        let entries = entries(item)?;
        let kind = text(entries, TYPE)?;
        let web = kind.is(self.web, None);
        let place = match self.places.iter().position(|(name, _)| kind.is(name, None)) {
            Some(at) => Place::In(at, numbers(entries, &self.places[at].1)?),
            None => Place::Web(text(entries, URL).filter(|_| web)?),
        };
        let keys = match &place {
            Place::In(at, _) => &self.places[*at].1[..],
            Place::Web(_) => &[URL, TITLE],
        };
        let known = |key: &Text<H>| [TYPE, CITED, DOCUMENT].iter().chain(keys).any(|known| key.is(known, None));
        let has_more = entries.iter().any(|(key, value)| !known(key) && !matches!(value, Value::Null));
        let title = text(entries, if web { TITLE } else { DOCUMENT });
        Some(Citation { place, title, said: text(entries, CITED).into_iter().collect(), has_more })
    }

    fn read_nested<H: Host>(&self, item: &Value<H>) -> Option<Citation<H>> {
        let entries = entries(item)?;
        let [(name, within)] = self::entries(value(entries, LOCATION)?)? else { return None };
        let inside = self::entries(within)?;
        let place = match self.places.iter().position(|(known, _)| name.is(known, None)) {
            Some(at) => Place::In(at, numbers(inside, &self.places[at].1)?),
            None => Place::Web(text(inside, URL).filter(|_| name.is(self.web, None))?),
        };
        let said = match value(entries, CONTENT) {
            Some(Value::List(items)) => items.iter().filter_map(|item| text(self::entries(item)?, TEXT)).collect(),
            _ => Vec::new(),
        };
        let known = |key: &Text<H>| [LOCATION, TITLE, CONTENT].iter().any(|known| key.is(known, None));
        let has_more = entries.iter().any(|(key, value)| !known(key) && !matches!(value, Value::Null));
        Some(Citation { place, title: text(entries, TITLE), said, has_more })
    }

    fn written<H: Host>(&self, one: &Citation<H>) -> Option<Value<H>> {
        let title = || one.title.as_ref().map_or(Value::Null, |title| Value::Text(title.share()));
        let within = |at: usize, numbers: &[Value<H>; 3]| {
            let keys = self.places[at].1;
            keys.into_iter().zip(numbers.each_ref().map(Value::share)).collect::<Vec<_>>()
        };
        if self.nested {
            let (name, inside) = match &one.place {
                Place::In(at, numbers) => (self.places[*at].0, within(*at, numbers)),
                Place::Web(url) if self.makes_web => (self.web, vec![(URL, Value::Text(url.share()))]),
                Place::Web(_) => return None,
            };
            let said = |text: &Text<H>| tree::map([(TEXT, Value::Text(text.share()))]);
            let content = (!one.said.is_empty()).then(|| (CONTENT, tree::list(one.said.iter().map(said))));
            let title = one.title.as_ref().map(|_| (TITLE, title()));
            let place = (LOCATION, tree::map([(name, tree::map(inside))]));
            return Some(tree::map(title.into_iter().chain(content).chain([place])));
        }
        // What is cited is required, and a place of the web has a key that nobody else can make.
        let (Place::In(at, numbers), [said]) = (&one.place, one.said.as_slice()) else { return None };
        let head = [(TYPE, tree::text(self.places[*at].0)), (CITED, Value::Text(said.share())), (DOCUMENT, title())];
        Some(tree::map(head.into_iter().chain(within(*at, numbers))))
    }
}

fn entries<H: Host>(value: &Value<H>) -> Option<&[Entry<H>]> {
    if let Value::Map(entries) = value { Some(entries) } else { None }
}

fn value<'v, H: Host>(entries: &'v [Entry<H>], name: &str) -> Option<&'v Value<H>> {
    entries.iter().find(|(key, _)| key.is(name, None)).map(|(_, value)| value)
}

fn text<H: Host>(entries: &[Entry<H>], name: &str) -> Option<Text<H>> {
    if let Some(Value::Text(text)) = value(entries, name) { Some(text.share()) } else { None }
}

/// The numbers under these keys, if all of them are there.
fn numbers<H: Host>(entries: &[Entry<H>], keys: &[&str; 3]) -> Option<[Value<H>; 3]> {
    let number = |key: &str| value(entries, key).filter(|value| Tree(value).kind() == NodeKind::Number);
    let [index, start, end] = keys.map(number);
    Some([index?.share(), start?.share(), end?.share()])
}
