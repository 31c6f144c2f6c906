//! Finds the content of a part that can be cut, measures it, and cuts it.
//!
//! Sizes are UTF-8 bytes as the budget counts them. A string in arguments counts as it is written in compact JSON. Both
//! ends of a text are kept, because an error or a pointer to the full text is often at the end.

mod args;
mod marking;
mod passage;
pub(in crate::stage::fit) mod plain;
pub(in crate::stage) mod result;

pub(in crate::stage) use self::marking::Marking;
use crate::{
    model::{Args, Call, Kind, Media, MediaData, Part, Reasoning, ToolResult},
    report::Error,
    stage::size::{Meter, Seat},
    text::{Keep, TRUNCATED_SUFFIX, Units},
    value::{ArgsState, Host, Input, Text, Value, json},
    wire::plan::passages,
};

/// How a part is measured, and where.
#[derive(Clone, Copy)]
pub(in crate::stage) struct Ruler<'a> {
    /// Counts bytes.
    pub(in crate::stage) meter: &'a Meter<'a>,
    pub(in crate::stage) seat: Seat<'a>,
}

impl<'a> Ruler<'a> {
    /// The bytes of a block of a result, without separators.
    fn size<H: Host>(self, block: &Part<H>) -> Result<usize, Error> {
        self.meter.block(self.seat, block)
    }

    /// The bytes of a whole result, with the separators of its blocks.
    fn result<H: Host>(self, result: &ToolResult<H>) -> Result<usize, Error> {
        self.meter.result(self.seat, result)
    }

    /// The input that the turn's spans point into.
    fn input(self) -> Option<&'a Input> {
        self.seat.scope.input
    }
}

/// A part that can be cut.
pub(super) enum Cuttable<'a, H: Host> {
    /// A result, with all of its blocks.
    Result(&'a ToolResult<H>),
    /// The strings in arguments.
    Strings(&'a Call<H>, Value<H>),
    /// The free text of a call, and whether it is written in JSON.
    Free(&'a Call<H>, &'a Text<H>, bool),
    /// A text: the part's own, or the one that it becomes.
    Text(Text<H>),
    /// The texts of a search result or a document, by their total size.
    Passage(usize),
    /// The texts of what a provider's tool has said, by their total size.
    Plain(usize),
}

impl<'a, H: Host> Cuttable<'a, H> {
    /// The content of a part that can be cut. `None` for signed content and for arguments that are not an object.
    pub(super) fn of(part: &'a Part<H>, ruler: Ruler<'_>) -> Option<Self> {
        match &part.kind {
            // A screenshot has no word that could stand for it.
            Kind::Result(ToolResult { form: Some(form), .. }) if !form.cuts() && ruler.meter.is_home(ruler.seat) => {
                None
            }
            Kind::Result(result) => Some(Self::Result(result)),
            // What is said about a document stays before its text.
            Kind::Media(_) if has_texts(part, ruler.seat) => {
                (!is_signed(part, ruler.input())).then(|| Self::Passage(passage::size(part, ruler.seat.scope)))
            }
            // A signature of another dialect is not written.
            Kind::Media(_) | Kind::Reasoning(_) => ruler.meter.becomes_text(ruler.seat, part).map(Self::Text),
            Kind::Opaque(_) if plain::size(part, ruler) > 0 => Some(Self::Plain(plain::size(part, ruler))),
            Kind::Opaque(_) => {
                let passage = passages::of(ruler.seat.scope, part).filter(|_| !is_signed(part, ruler.input()));
                let passage = passage.map(|passage| Self::Passage(passage.size()));
                passage.or_else(|| ruler.meter.becomes_text(ruler.seat, part).map(Self::Text))
            }
            _ if is_signed(part, ruler.input()) => None,
            Kind::Text(text) | Kind::Refusal(text) => Some(Self::Text(text.share())),
            Kind::Call(call) => match &call.args {
                Args::Text(text) if call.custom => Some(Self::Free(call, text, ruler.meter.wraps(call))),
                args if args.state(ruler.input()) == ArgsState::Object => {
                    Some(Self::Strings(call, args.value(ruler.input())?))
                }
                _ => None,
            },
            Kind::Json(_) => None,
        }
    }

    /// Appends the size of each piece that can be cut separately.
    pub(super) fn sizes(&self, ruler: Ruler<'_>, out: &mut Vec<usize>) -> Result<(), Error> {
        match self {
            Self::Result(result) => out.push(ruler.result(result)?),
            Self::Strings(_, value) => args::sizes(value, out),
            Self::Free(_, text, true) => out.push(args::written(text, ruler.input())),
            Self::Free(_, text, false) => out.push(text.utf8_len(ruler.input())),
            Self::Text(text) => out.push(text.utf8_len(ruler.input())),
            Self::Passage(size) | Self::Plain(size) => out.push(*size),
        }
        Ok(())
    }

    /// The part with each piece cut to its share. The shares are in the order of the sizes. In an `old` result, media
    /// are cut before texts.
    pub(super) fn cut(
        &self,
        part: &Part<H>,
        (shares, old): (&mut dyn Iterator<Item = usize>, bool),
        marking: &Marking<'_>,
        ruler: Ruler<'_>,
    ) -> Result<Part<H>, Error> {
        let input = ruler.input();
        let mut share = || shares.next().unwrap_or(usize::MAX);
        let call = |call: &Call<H>, args| Kind::Call(Call { args, ..call.share() });
        let kind = match self {
            Self::Result(result) => {
                let around = result::around(result, ruler)?;
                Kind::Result(result::cut(result, (share().saturating_sub(around), old), marking, ruler)?)
            }
            Self::Strings(given, value) => call(given, args::like(&given.args, args::cut(value, &mut share)?)?),
            Self::Free(given, words, true) => call(given, Args::Text(args::string(words, share(), input)?)),
            Self::Free(given, words, false) => call(given, Args::Text(text(words, share(), input)?)),
            Self::Passage(_) => return passage::cut(part, share(), ruler.seat.scope, &text),
            Self::Plain(_) => return plain::cut(part, share(), ruler, &text),
            Self::Text(words) => match &part.kind {
                Kind::Refusal(_) => Kind::Refusal(text(words, share(), input)?),
                Kind::Reasoning(_) => Kind::Reasoning(Reasoning { text: Some(text(words, share(), input)?) }),
                // The text of a file that was decoded begins with its name.
                Kind::Media(media) => {
                    let data = MediaData::Plain(text(words, share(), input)?);
                    Kind::Media(Media { data, name: None, ..media.share() })
                }
                _ => Kind::Text(text(words, share(), input)?),
            },
        };
        Ok(Part { kind, touched: true, ..part.share() })
    }
}

/// Whether a part is a search result, or a document that is text.
pub(super) fn has_texts<H: Host>(part: &Part<H>, seat: Seat<'_>) -> bool {
    passage::size(part, seat.scope) > 0
}

/// Whether a provider has signed the part, even under an unknown key. Signed content must not change.
fn is_signed<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    let says_so = |word: &[u8]| memchr::memmem::find(word, b"ignature").is_some();
    let inner = part.inner.iter().flat_map(|inner| &inner.extras);
    let mut beside = part.extras.iter().flat_map(|extras| extras.iter()).chain(inner);
    part.signed
        || beside.any(|(key, value)| {
            let mut json = Vec::new();
            let read = json::encode::raw(value, input, &mut json);
            says_so(&key.wtf8(input)) || read.is_ok() && says_so(&json)
        })
}

/// Cuts a text to a number of bytes.
type Cutter<'a, H> = dyn Fn(&Text<H>, usize, Option<&Input>) -> Result<Text<H>, Error> + 'a;

fn text<H: Host>(words: &Text<H>, max_bytes: usize, input: Option<&Input>) -> Result<Text<H>, Error> {
    let cut = words.truncate(max_bytes, Units::from(TRUNCATED_SUFFIX), Keep::Middle, input)?;
    Ok(cut.unwrap_or_else(|| words.share()))
}
