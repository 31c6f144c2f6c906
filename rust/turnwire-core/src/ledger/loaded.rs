//! Reads the state from JSON.

use std::sync::Arc;

use super::{
    adopted::Adopted,
    awaited::{Awaited, Said},
    growing::Growing,
    head::{Given, Head},
    identity::SignedBlock,
    pending::{Pending, Talk},
    records::{Record, Records},
    state::{Break, State},
    stored::{KEY, VERSION},
};
use crate::{
    detect::ReadAs,
    prefix::Restart,
    report::{Error, error::Code},
    rules::DialectId,
    stage::{Compacted, Cut, Marker, Note},
    value::{NoHost, Text, Value, base64, json::read},
};

type Json = Value<NoHost>;

impl State {
    /// Reads JSON that `to_json` wrote, in this version or an earlier one.
    pub fn of_json(bytes: &[u8]) -> Result<Self, Error> {
        let value: Json = read::value(bytes).map_err(|error| bad(&format!("JSON, got {}", error.text())))?;
        let version = Reader(Some(&value)).get(KEY).number().map_err(|_| bad(&format!("an object with {KEY:?}")))?;
        if version > VERSION {
            let text = format!(
                "expected the state of a ledger in version {VERSION} or earlier, got version {version}: a later turnwire wrote it"
            );
            return Err(Error::new(Code::BadState, text));
        }
        let state = Reader(Some(&value));
        // Earlier versions did not have this key.
        let (growing, settled_in) = match state.get("growing").some(Reader::items)?.as_deref() {
            None => (None, None),
            Some([last, settled]) => {
                let read = |one: &&Json| Reader(Some(*one)).some(Reader::growing);
                (read(last)?, read(settled)?)
            }
            Some(_) => return Err(bad("a pair in \"growing\"")),
        };
        // Field by field, because one expression with so many ways to fail becomes much more code.
        let mut read = Self {
            target: state.get("target").text()?,
            settings: state.get("settings").0.map_or(Value::Null, Value::share),
            growing,
            settled_in,
            forgot: matches!(state.get("forgot").0, Some(Value::Bool(true))),
            ..Self::default()
        };
        read.head = state.get("head").some(Reader::head)?;
        read.given = state.get("given").some(Reader::given)?;
        read.hoisted = state.get("hoisted").numbers()?.into_iter().collect();
        read.cut = state.get("cut").some(Reader::cut)?;
        read.answered = state.get("answered").numbers()?;
        read.notes = state.get("notes").each(Reader::note)?;
        read.left_out = state.get("left_out").signed_blocks()?.collect();
        read.records = records(&state.get("records").bytes()?)?;
        read.pending = state.get("pending").all_pending()?;
        read.summarised = state.get("summarised").some(Reader::pending)?;
        read.adopted = state.get("adopted").some(|one| one.adopted(&[]))?;
        read.settled = state.get("settled").number()?;
        read.breaks = state.get("breaks").each(Reader::broken)?;
        // Earlier versions did not have these keys, or had "messages" for "sums", with hashes that depended on the order
        // of keys.
        read.read_as = state.get("read_as").some(Reader::read_as)?.unwrap_or_default();
        read.begun = state.get("begun").some(Reader::number)?.unwrap_or_default();
        read.pinned = state.get("pinned").some(Reader::numbers)?.unwrap_or_default();
        read.waiting = state.get("waiting").some(Reader::all_pending)?.unwrap_or_default();
        read.said = state.get("words").some(Reader::said)?.unwrap_or_default();
        read.elsewhere_awaited = state.get("awaited").some(|all| all.each(Reader::awaited))?.unwrap_or_default();
        read.asked = state.get("asked").some(Reader::number)?.unwrap_or(usize::from(read.summarised.is_some()));
        read.spare = state.get("spare").some(Reader::sums)?.unwrap_or_default();
        let newest = read.adopted.as_ref().and_then(|one| one.covered.clone()).unwrap_or_default();
        read.elsewhere = state.get("elsewhere").some(|all| all.each(|one| one.adopted(&newest)))?.unwrap_or_default();
        read.markers = state.get("markers").some(|all| all.each(Reader::marker))?.unwrap_or_default();
        read.messages = state.get("sums").some(Reader::sums)?.unwrap_or_default();
        Ok(read)
    }
}

fn records(mut bytes: &[u8]) -> Result<Records, Error> {
    let mut found = Records::default();
    let take = |bytes: &mut &[u8]| -> Result<u64, Error> {
        let (sum, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| bad("whole numbers in \"records\""))?;
        *bytes = rest;
        Ok(u64::from_le_bytes(*sum))
    };
    while !bytes.is_empty() {
        let token = take(&mut bytes)?;
        let (kind, rest) = bytes.split_first().ok_or_else(|| bad("whole numbers in \"records\""))?;
        bytes = rest;
        let record = match kind {
            0 => Record::Free,
            1 => Record::Bound { all: take(&mut bytes)?, last: None },
            2 => Record::Bound { all: take(&mut bytes)?, last: Some(take(&mut bytes)?) },
            3 => Record::Unknown,
            _ => return Err(bad("known kinds in \"records\"")),
        };
        found.add(token, record);
    }
    Ok(found)
}

#[cold]
fn bad(expected: &str) -> Error {
    Error::new(Code::BadState, format!("expected the state of a ledger: {expected}"))
}

/// A value of a type that the reader expects.
#[derive(Clone, Copy)]
struct Reader<'a>(Option<&'a Json>);

impl<'a> Reader<'a> {
    #[inline(never)]
    fn get(self, key: &'static str) -> Self {
        let Some(Value::Map(entries)) = self.0 else { return Self(None) };
        Self(entries.iter().find(|(name, _)| name.is(key, None)).map(|(_, held)| held))
    }

    fn some<T>(self, read: impl FnOnce(Self) -> Result<T, Error>) -> Result<Option<T>, Error> {
        match self.0 {
            None | Some(Value::Null) => Ok(None),
            Some(_) => read(self).map(Some),
        }
    }

    #[inline(never)]
    fn number(self) -> Result<usize, Error> {
        let Some(Value::Number(digits)) = self.0 else { return Err(bad("a number")) };
        digits.parse().map_err(|_| bad("a whole number"))
    }

    #[inline(never)]
    fn text(self) -> Result<String, Error> {
        let Some(Value::Text(text)) = self.0 else { return Err(bad("a text")) };
        Ok(text.to_str(None).into_owned())
    }

    #[inline(never)]
    fn items(self) -> Result<Vec<&'a Json>, Error> {
        let Some(Value::List(items)) = self.0 else { return Err(bad("a list")) };
        Ok(items.iter().collect())
    }

    fn each<T>(self, read: impl Fn(Self) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        self.items()?.into_iter().map(|item| read(Self(Some(item)))).collect()
    }

    #[inline(never)]
    fn numbers(self) -> Result<Vec<usize>, Error> {
        self.each(Self::number)
    }

    #[inline(never)]
    fn bytes(self) -> Result<Vec<u8>, Error> {
        base64::decode(self.text()?.as_bytes()).ok_or_else(|| bad("base64"))
    }

    #[inline(never)]
    fn sums(self) -> Result<Vec<u64>, Error> {
        let bytes = self.bytes()?;
        let (sums, rest) = bytes.as_chunks::<8>();
        if rest.is_empty() {
            Ok(sums.iter().map(|sum| u64::from_le_bytes(*sum)).collect())
        } else {
            Err(bad("whole numbers"))
        }
    }

    fn head(self) -> Result<Head, Error> {
        let lead = self.get("lead").items()?.into_iter().map(Value::share).collect();
        Ok(Head { body: self.get("body").0.map_or(Value::Null, Value::share), lead })
    }

    fn cut(self) -> Result<Cut, Error> {
        Ok(Cut {
            count: self.get("count").number()?,
            limit: self.get("limit").some(Self::number)?,
            pinned: self.get("pinned").numbers()?,
            tools: self.get("tools").number()?,
        })
    }

    fn note(self) -> Result<Note, Error> {
        let [index, element, told @ ..] = &self.items()?[..] else { return Err(bad("pairs in \"notes\"")) };
        // Earlier versions did not have more than these.
        let mut told = told.iter().map(|one| Reader(Some(*one)));
        let lines = told.next().unwrap_or(Reader(None)).some(Reader::sums)?.unwrap_or_default();
        let tools = told.next().unwrap_or(Reader(None)).some(|all| all.each(Reader::told))?.unwrap_or_default();
        Ok(Note { index: Reader(Some(*index)).number()?, json: Reader(Some(*element)).text()?, lines, tools })
    }

    fn told(self) -> Result<(String, Option<u64>), Error> {
        let [name, sum] = self.items()?[..] else { return Err(bad("pairs of tools in \"notes\"")) };
        Ok((Reader(Some(name)).text()?, Reader(Some(sum)).sums()?.first().copied()))
    }

    fn marker(self) -> Result<Marker, Error> {
        let [id, sum, words] = self.items()?[..] else { return Err(bad("three values in \"markers\"")) };
        let sum = Reader(Some(sum)).sums()?.first().copied().ok_or_else(|| bad("a number in \"markers\""))?;
        Ok(Marker { id: Reader(Some(id)).text()?, sum, words: Reader(Some(words)).some(Reader::text)? })
    }

    fn broken(self) -> Result<Break, Error> {
        let [length, path] = self.items()?[..] else { return Err(bad("pairs in \"breaks\"")) };
        Ok(Break { length: Reader(Some(length)).number()?, path: Reader(Some(path)).text()? })
    }

    fn all_pending(self) -> Result<Vec<Pending>, Error> {
        self.each(Self::pending)
    }

    fn pending(self) -> Result<Pending, Error> {
        let bound = self.get("bound").sums()?;
        // Earlier versions did not have this key.
        let list = self.get("list").some(Reader::sums)?.unwrap_or_default();
        let base = self.get("base").some(Reader::sums)?.unwrap_or_default();
        Ok(Pending {
            length: self.get("length").number()?,
            list: list.first().copied().unwrap_or(0),
            behind: list.get(4).copied(),
            talk: match list[..] {
                [_, turns, sum, ..] => Talk { turns: usize::try_from(turns).unwrap_or(usize::MAX), sum },
                _ => Talk::default(),
            },
            all: *bound.first().ok_or_else(|| bad("a number in \"bound\""))?,
            base: base.first().copied().unwrap_or(0),
            last: bound.get(1).copied(),
            binds: matches!(self.get("binds").0, Some(Value::Bool(true))),
            answered: matches!(self.get("answered").0, Some(Value::Bool(true))),
            root: list.get(3).copied().unwrap_or(0),
            reply: base.get(1).copied().unwrap_or(0),
            given: self.get("given").some(Reader::given)?,
            pinned: self.get("pinned").some(Reader::numbers)?.unwrap_or_default(),
            left_out: self.get("left_out").some(Reader::signed_blocks)?.into_iter().flatten().collect(),
        })
    }

    fn signed_blocks(self) -> Result<impl Iterator<Item = SignedBlock>, Error> {
        match self.items()?[..] {
            [indices, blocks] => Ok(Reader(Some(indices)).numbers()?.into_iter().zip(Reader(Some(blocks)).sums()?)),
            _ => Err(bad("a pair in \"left_out\"")),
        }
    }

    fn awaited(self) -> Result<Awaited, Error> {
        let [request, words, asked] = self.items()?[..] else { return Err(bad("three values in \"awaited\"")) };
        let (request, said) = (Reader(Some(request)).pending()?, Reader(Some(words)).said()?);
        Ok(Awaited { request, said, asked: Reader(Some(asked)).number()? })
    }

    fn said(self) -> Result<Said, Error> {
        let sums = self.sums()?;
        // An earlier version had the first only.
        let (words, all) = (sums.first().copied().unwrap_or(0), sums.get(1).copied().unwrap_or(0));
        Ok(Said { words, all, turns: sums.get(2..).unwrap_or_default().to_vec() })
    }

    fn growing(self) -> Result<Growing, Error> {
        let sum = self.get("sum").sums()?.first().copied().ok_or_else(|| bad("a number in \"growing\""))?;
        let [at, parts] = self.get("place").numbers()?[..] else { return Err(bad("two numbers in \"place\"")) };
        Ok(Growing { at, parts, sum })
    }

    /// `newest`: what the newest summary covers.
    fn adopted(self, newest: &[u64]) -> Result<Adopted, Error> {
        let [covers, at] = self.get("place").numbers()?[..] else { return Err(bad("two numbers in \"place\"")) };
        let [token, base, all] = self.get("restart").sums()?[..] else {
            return Err(bad("three numbers in \"restart\""));
        };
        // Earlier versions did not have these keys.
        let [next, last] = ["next", "last"].map(|key| self.get(key).some(Reader::sums));
        let first = |sums: Option<Vec<u64>>| sums.and_then(|sums| sums.first().copied());
        let (next, last) = (first(next?), first(last?));
        let (place, restart) = (Compacted { covers, at }, Restart { token, base, all });
        let covered = |one: Self| match one.0 {
            Some(Value::Number(_)) => Ok(newest[..one.number()?.min(newest.len())].to_vec()),
            _ => one.sums(),
        };
        let covered = self.get("covered").some(covered)?.map(Arc::from);
        Ok(Adopted { place, restart, last, covered, next, is_here: false })
    }

    fn given(self) -> Result<Given, Error> {
        let Some(Value::Map(tools)) = self.get("tools").0 else { return Err(bad("tools")) };
        let tool = |(name, sum): &(Text<NoHost>, Json)| {
            let sum = Reader(Some(sum)).sums()?.first().copied().ok_or_else(|| bad("a number of a tool"))?;
            Ok((name.to_str(None).into_owned(), sum))
        };
        Ok(Given { lines: self.get("lines").sums()?, tools: tools.iter().map(tool).collect::<Result<_, Error>>()? })
    }

    fn read_as(self) -> Result<ReadAs, Error> {
        let run = |run: Self| match run.items()?[..] {
            [name, count] => {
                let name = Reader(Some(name)).text()?;
                let known = if name == DialectId::NONE.name() { Ok(DialectId::NONE) } else { DialectId::named(&name) };
                let dialect = known.map_err(|_| bad("known dialects in \"read_as\""))?;
                Ok((dialect, Reader(Some(count)).number()?))
            }
            _ => Err(bad("pairs in \"read_as\"")),
        };
        Ok(self.each(run)?.into_iter().collect())
    }
}
