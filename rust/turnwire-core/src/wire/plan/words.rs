//! Lists the texts that a part puts on the wire, which a budget counts.
//!
//! These count: texts, with a prefix or a separating line that the target needs; arguments and JSON results, as compact
//! JSON text; base64 data, addresses and file ids; tool definitions. Keys, quotes and escapes of the wire do not count,
//! nor does content that the target cannot hold.
//!
//! What is written is decided elsewhere: `decide`, `answer`, `arguments`. For each part the sum is an upper bound. It is
//! the exact size if the target joins no texts.

use super::{
    answer::{Answer, answer, block},
    arguments::{ArgsAs, args_as},
    decide::{Fate, Scope, decide, images},
    listed::lists,
    media::ShownData,
    separator::{Leads, separator},
};
use crate::{
    k,
    model::{Args, Call, Content, ERROR_PREFIX, Kind, MOVED_MEDIA, MediaData, Part, Role, Tool, ToolResult},
    report::{Error, PLAIN},
    rules::{CacheMark, CallForm, DialectId, ResultPlace, SystemPlace, Target},
    text::{Units, replace_surrogates},
    value::{
        Host, Input, Numbers, Raw, Text, Value,
        json::{compact, escape},
    },
    wire::write::{
        grammar::{BETWEEN, in_words},
        tool_schema::{SchemaAs, TYPED},
    },
};

/// One text as the target writes it.
pub(crate) enum Word<'w, H: Host> {
    Text(&'w Text<H>),
    /// A text with something before and after it, which is one text on the wire.
    Joined(&'w str, &'w Text<H>, &'w str),
    Made(&'w str),
    /// The bytes of base64 data, an address or a file id, which no counter can count.
    Data(usize),
}

/// A function that receives each text.
pub(crate) type Say<'s, H> = &'s mut dyn FnMut(Word<'_, H>) -> Result<(), Error>;

/// How a part is written for a target.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    /// The target. Without one, a turn goes back to its own dialect.
    pub(crate) target: Option<Target<'a>>,
    pub(crate) scope: Scope<'a>,
    /// Whether the turn is sent back as it came.
    pub(crate) replays: bool,
    /// The text between this text and the one before it in a message.
    pub(crate) between: &'static str,
}

impl Words<'_> {
    /// Visits the texts of a part.
    pub(crate) fn part<H: Host>(self, part: &Part<H>, say: Say<'_, H>) -> Result<(), Error> {
        if let Kind::Result(result) = &part.kind {
            // Each text counts its separator, because it is decided later which text is first in its element.
            let between = self.target.map_or("", |target| target.limits.between_results);
            if !between.is_empty() {
                say(Word::Made(between))?;
            }
            return self.result(result, self.came(part), say);
        }
        match &self.target {
            Some(target) if !self.replays || part.touched => {
                // Text for the system key is all that is left of system text.
                let nowhere = target.limits.system == SystemPlace::Nowhere && self.scope.role.is_system();
                if nowhere && !self.scope.from.same_wire(target.id) {
                    return Ok(());
                }
                let fate = decide(target, self.scope, part, false)?.fate;
                self.fate(&fate, part, &mut *say)?;
                images(part, &fate)
                    .iter()
                    .try_for_each(|image| self.fate(&decide(target, self.scope, image, false)?.fate, image, &mut *say))
            }
            None if part.touched && matches!(part.kind, Kind::Opaque(_) | Kind::Reasoning(_)) => Ok(()),
            _ => self.as_it_came(part, say),
        }
    }

    /// Visits the texts of a block of a result, by itself.
    pub(crate) fn block<H: Host>(self, part: &Part<H>, say: Say<'_, H>) -> Result<(), Error> {
        match &self.target {
            Some(target) if !self.replays || part.touched => {
                let fate = block(target, self.scope, part, (false, false))?.fate;
                self.fate(&fate, part, &mut *say)?;
                images(part, &fate).iter().try_for_each(|image| {
                    self.fate(&block(target, self.scope, image, (false, false))?.fate, image, &mut *say)
                })
            }
            _ => self.as_it_came(part, say),
        }
    }

    /// The target, or the turn's own dialect.
    fn own(&self) -> Option<Target<'_>> {
        let own = || Some(Target { id: self.scope.from, limits: self.scope.from.limits().ok()?, options: &PLAIN });
        self.target.or_else(own)
    }

    /// Whether a result is sent back as it came.
    fn came<H: Host>(&self, part: &Part<H>) -> bool {
        let Some(target) = &self.target else { return !part.touched };
        let has_block = part.place.index.is_some() && target.limits.results != ResultPlace::WithCall;
        let whole = has_block && part.origin.is_some();
        !part.touched && (self.replays || whole && self.scope.from.same_wire(target.id))
    }

    fn fate<H: Host>(self, fate: &Fate<'_, H>, part: &Part<H>, say: Say<'_, H>) -> Result<(), Error> {
        let input = self.scope.input;
        match fate {
            Fate::Origin(_) => self.as_it_came(part, say),
            Fate::Translated(value) => whole(&Raw::Tree(value.share()), input, say),
            Fate::Carried(values) => {
                values.iter().try_for_each(|value| whole(&Raw::Tree(value.share()), None, &mut *say))
            }
            Fate::Listed(values) => lists(values).into_iter().try_for_each(|(_, list)| match list {
                Value::List(each) => each.iter().try_for_each(|one| whole(&Raw::Tree(one.share()), None, &mut *say)),
                _ => Ok(()),
            }),
            Fate::Thought(_, text) => say(Word::Text(text)),
            Fate::Text(text) | Fate::Refusal(text) => self.text(text, say),
            Fate::Made(text) => self.text(text, say),
            // It is decided later whether it is a line of the text before it.
            Fate::More(text) => say(Word::Joined("\n", text, "")),
            Fate::Call(call) => {
                let form = self.target.map_or(ArgsAs::Text, |target| args_as(target.limits, call));
                self.args(call, form, say)
            }
            Fate::Media(shown) => match &shown.data {
                ShownData::Plain(text) => {
                    say(Word::Text(text))?;
                    shown.images.iter().try_for_each(|image| self.as_it_came(image, &mut *say))
                }
                ShownData::Base64 { data, .. } | ShownData::File(data) => say(Word::Data(data.utf8_len(input))),
                ShownData::Url(..) if !shown.frames.is_empty() => {
                    shown.frames.iter().try_for_each(|frame| say(Word::Data(frame.utf8_len(input))))
                }
                ShownData::Url(url, _) => say(Word::Data(url.utf8_len(input))),
            },
            Fate::JsonText(value) if !self.between.is_empty() => {
                let joined = &mut |word: Word<'_, H>| match word {
                    Word::Made(text) => say(Word::Made(&[self.between, text].concat())),
                    word => say(word),
                };
                json(value, input, Numbers::Spelled, joined)
            }
            Fate::Json(value) | Fate::JsonText(value) => json(value, input, Numbers::Spelled, say),
            Fate::Result | Fate::Nothing => Ok(()),
        }
    }

    fn text<H: Host>(self, text: &Text<H>, say: Say<'_, H>) -> Result<(), Error> {
        say(if self.between.is_empty() { Word::Text(text) } else { Word::Joined(self.between, text, "") })
    }

    /// Visits the texts of a part that is sent back unchanged.
    fn as_it_came<H: Host>(self, part: &Part<H>, say: Say<'_, H>) -> Result<(), Error> {
        let input = self.scope.input;
        match &part.kind {
            Kind::Text(text) | Kind::Refusal(text) => self.text(text, say),
            Kind::Json(value) => json(value, input, Numbers::Spelled, say),
            // Only the original value has the signature or the encrypted content.
            Kind::Reasoning(thought) => match (&part.origin, &thought.text) {
                (Some(origin), _) if part.signed => whole(origin, input, say),
                // Blank text only stands for reasoning that is not there.
                (_, text) => {
                    text.iter().filter(|text| !text.is_blank(input)).try_for_each(|text| say(Word::Text(text)))
                }
            },
            // A mark of the prompt cache says nothing.
            Kind::Opaque(name) if is_cache_mark(self.scope.from, name, input) => Ok(()),
            Kind::Opaque(_) => part.origin.as_ref().map_or(Ok(()), |block| whole(block, input, say)),
            Kind::Media(media) => match &media.data {
                MediaData::Texts(texts) => {
                    texts.each.iter().try_for_each(|text| say(Word::Text(text)))?;
                    texts.images.iter().try_for_each(|image| self.as_it_came(image, &mut *say))
                }
                MediaData::Plain(text) => say(Word::Text(text)),
                MediaData::DataUrl(url) => say(Word::Data(url.utf8_len(input) - before_data(url, input))),
                data => say(Word::Data(data.utf8_len(input))),
            },
            Kind::Call(call) => self.args(call, if call.custom { ArgsAs::Free } else { ArgsAs::Text }, say),
            Kind::Result(result) => self.result(result, true, say),
        }
    }

    /// Visits the arguments of a call.
    fn args<H: Host>(self, call: &Call<H>, form: ArgsAs, say: Say<'_, H>) -> Result<(), Error> {
        let input = self.scope.input;
        let refuses = |text: &Text<H>| match form {
            ArgsAs::Object => true,
            ArgsAs::SoundText => self.target.is_none_or(|target| !target.limits.args.allows_text(text, input)),
            _ => false,
        };
        match &call.args {
            Args::Text(text) if matches!(form, ArgsAs::Wrapped { .. }) => {
                let mut out = br#"{"input":"#.to_vec();
                escape::string(Units::Utf8(&text.wtf8(input)), &mut out);
                out.push(b'}');
                made(&out, say)
            }
            Args::Text(text) if call.custom => say(Word::Text(text)),
            Args::Text(text) => match object(&text.wtf8(input)) {
                Some(out) => made(&out, say),
                // Arguments that are not an object are lost, and an empty object is written.
                None if refuses(text) => say(Word::Made("{}")),
                None => say(Word::Text(text)),
            },
            Args::Value(value) if form != ArgsAs::Text && !value.is_map(input) => say(Word::Made("{}")),
            Args::Value(value) => json(value, input, Numbers::Alike, say),
        }
    }

    /// Visits the texts of a result and around it. `came`: whether it is sent back as it came.
    pub(crate) fn result<H: Host>(self, result: &ToolResult<H>, came: bool, say: Say<'_, H>) -> Result<(), Error> {
        let Some(target) = self.own() else { return self.inside(result, None, ("", ""), say) };
        let limits = target.limits;
        // An answer of its own kind says by its own keys that the tool failed.
        let form = result.form.filter(|form| target.id.facts.has_form(*form));
        if came {
            let prefix = if result.error && !limits.error_flag && form.is_none() { ERROR_PREFIX } else { "" };
            return self.inside(result, None, (prefix, ""), say);
        }
        if let Some(words) = form.filter(|form| result.synthetic && !form.cuts()).and_then(CallForm::made_up) {
            return say(Word::Made(words));
        }
        let answer = answer(&target, self.scope, result)?;
        if limits.names_moved_media() && answer.blocks.iter().any(|block| block.moves) {
            let between = separator(&target, Scope { role: Role::User, ..self.scope }, Leads::Nothing);
            say(Word::Joined(&[between, MOVED_MEDIA].concat(), &result.id, ":"))?;
        }
        // The prefix and the first text are one text on the wire. If a result is a single value, all of its texts are
        // one.
        let between = if limits.joins_results() { "\n" } else { "" };
        if result.error && limits.error_repeats {
            let mut text = |word: Word<'_, H>| if let Word::Data(_) = word { Ok(()) } else { say(word) };
            self.inside(result, Some(&answer), ("", "\n"), &mut text)?;
        }
        let prefix = if form.is_some() { "" } else { answer.prefix };
        self.inside(result, Some(&answer), (prefix, between), &mut *say)?;
        let ends = |block: &Part<H>| form.is_some_and(|form| form.keeps(block.place.key));
        let fails = result.error && !matches!(&result.content, Content::Blocks(blocks) if blocks.iter().any(ends));
        form.filter(|_| fails).and_then(CallForm::made_up).map_or(Ok(()), |words| say(Word::Made(words)))
    }

    /// Visits the texts inside a result, each with a text before it: one before the first, another before the others.
    fn inside<H: Host>(
        self,
        result: &ToolResult<H>,
        answer: Option<&Answer<'_, H>>,
        (mut before, between): (&str, &str),
        say: Say<'_, H>,
    ) -> Result<(), Error> {
        let mut mute = true;
        let mut behind = |word: Word<'_, H>| match word {
            Word::Data(_) => say(word),
            word => {
                mute = false;
                match (std::mem::replace(&mut before, between), word) {
                    ("", word) => say(word),
                    (before, Word::Text(text)) => say(Word::Joined(before, text, "")),
                    (before, Word::Made(text)) => say(Word::Made(&[before, text].concat())),
                    (_, word) => say(word),
                }
            }
        };
        let block = Self { between: "", ..self };
        let is_only = |text: &Text<H>| result.only_text().is_some_and(|only| std::ptr::eq(only, text));
        match (answer, &result.content) {
            (Some(answer), _) => {
                if let Some(words) = answer.instead {
                    behind(Word::Made(words))?;
                } else if let Some(text) = answer.text {
                    behind(answer.object.as_deref().map_or(Word::Text(text), Word::Made))?;
                }
                for one in answer.blocks.iter().filter(|one| answer.instead.is_none() || one.moves) {
                    match (&one.decision.fate, &answer.object) {
                        (Fate::Text(text), Some(json)) if is_only(text) => behind(Word::Made(json))?,
                        (fate, _) => block.fate(fate, one.part, &mut behind)?,
                    }
                }
            }
            (None, Content::Absent) => {}
            (None, Content::Text(text)) => behind(Word::Text(text))?,
            (None, Content::Blocks(blocks)) => {
                blocks.iter().try_for_each(|one| block.as_it_came(one, &mut behind))?;
            }
        }
        if mute { say(Word::Made(before)) } else { Ok(()) }
    }
}

/// Visits a tool's name, description, schema and other texts. `target`: none if it goes back to its own dialect.
pub(crate) fn tool<H: Host>(
    tool: &Tool<H>,
    (from, input): (DialectId, Option<&Input>),
    target: Option<&Target<'_>>,
    say: Say<'_, H>,
) -> Result<(), Error> {
    let own = target.is_none_or(|target| target.id.same_wire(from));
    if tool.by_provider {
        if !own {
            // Another provider's tool is not written, but the functions that stand for it are.
            return tool.functions.iter().try_for_each(|one| self::tool(one, (from, input), target, say));
        }
        return tool.origin.iter().filter(|_| own).try_for_each(|origin| json(origin, input, Numbers::Alike, say));
    }
    say(Word::Text(&tool.name))?;
    if let Some(text) = &tool.description {
        say(Word::Text(text))?;
    }
    let told = target.and_then(|target| in_words(tool, target.limits, input));
    if let Some(words) = &told {
        say(Word::Made(&[BETWEEN, words].concat()))?;
    }
    match target.map_or(SchemaAs::of_own(tool), |target| SchemaAs::of(target.limits, tool)) {
        SchemaAs::Nothing => {}
        SchemaAs::Given(schema) => json(schema, input, Numbers::Alike, say)?,
        SchemaAs::Typed(schema) => {
            json(schema, input, Numbers::Alike, say)?;
            say(Word::Made(TYPED))?;
        }
        SchemaAs::Made(text) => say(Word::Made(text))?,
    }
    // Two keys say nothing: `strict`, a flag of the schema, and a mark of the prompt cache. Of another format's keys, only a
    // grammar may be written.
    let mark = from.facts.cache.map(|rule| rule.mark.key());
    let says = |key: &Text<H>| {
        let is_told = told.is_some() && key.is(k::FORMAT.name, input);
        !is_told && !key.is(k::STRICT.name, input) && mark.is_none_or(|mark| !key.is(mark.name, input))
    };
    let grammar = target.is_some_and(|target| tool.custom && target.limits.free_text);
    let extras = tool.extras.iter().flat_map(|extras| extras.iter());
    let mut kept = extras.filter(|(key, _)| says(key) && (own || grammar && key.is(k::FORMAT.name, input)));
    kept.try_for_each(|(_, value)| json(value, input, Numbers::Alike, say))
}

/// Whether an opaque block of this name is a mark of the prompt cache.
fn is_cache_mark<H: Host>(from: DialectId, name: &Text<H>, input: Option<&Input>) -> bool {
    matches!(from.facts.cache.map(|rule| rule.mark), Some(CacheMark::Block(mark)) if name.is(mark.name, input))
}

/// Visits an opaque block. One that has only its type, such as the mark of a step, has no content.
fn whole<H: Host>(block: &Raw<H>, input: Option<&Input>, say: Say<'_, H>) -> Result<(), Error> {
    let bare = |entries: &[(Text<H>, Value<H>)]| matches!(entries, [(key, _)] if key.is("type", None));
    if matches!(block.to_value(input), Ok(Value::Map(entries)) if bare(&entries)) {
        return Ok(());
    }
    json(block, input, Numbers::Alike, say)
}

/// Visits a JSON value as compact text.
fn json<H: Host>(value: &Raw<H>, input: Option<&Input>, numbers: Numbers, say: Say<'_, H>) -> Result<(), Error> {
    let mut out = Vec::new();
    compact::raw(value, input, numbers, &mut out)?;
    made(&out, say)
}

fn made<H: Host>(json: &[u8], say: Say<'_, H>) -> Result<(), Error> {
    say(Word::Made(&replace_surrogates(json)))
}

/// Arguments in compact form, if they are a JSON object. Empty text counts as an empty object.
fn object(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match text.trim_ascii().first() {
        None => return Some(b"{}".to_vec()),
        Some(b'{') => compact::text(text, Numbers::Alike, &mut out).ok()?,
        Some(_) => return None,
    };
    Some(out)
}

/// The length of the head of a `data:` URL.
fn before_data<H: Host>(url: &Text<H>, input: Option<&Input>) -> usize {
    const BASE64: &str = ";base64,";
    // Reads only the head, because the data may be many megabytes.
    url.head(256, input).find(BASE64).map_or(0, |at| at + BASE64.len())
}
