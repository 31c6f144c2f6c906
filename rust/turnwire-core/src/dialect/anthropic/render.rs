//! Writing Anthropic messages, system text, tools and tool choice.

use super::super::{ids::Ids, write::STRICT};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{
    base64,
    error::Code,
    handle::{Input, Raw, Text},
    loss::LossCode,
    media::{Media, MediaClass, MediaData},
    part::Kind,
    tool::{Answer, Call, ChoiceKind, Content, MOVED_MEDIA},
    turn::Role,
    value::{Key, Piece},
};

/// A turn with its index.
type At<'a, H> = (usize, &'a Turn<H>);

/// One block, ready to be written: what is lost of it is reported.
enum Block<'a, H: Host> {
    Raw(&'a Raw<H>),
    Text(&'a Text<H>),
    Own(String),
    Json(&'a Raw<H>),
    Source(Shown<'a, H>),
    Call(&'a Call<H>),
    /// A result with its blocks; those that came from this format know their part.
    Answer(&'a Answer<H>, Vec<(Option<&'a Part<H>>, Block<'a, H>)>),
    /// The line before media that left the result at this place.
    Moved(&'a Answer<H>, usize),
}

/// An image or document by its source.
struct Shown<'a, H: Host> {
    class: MediaClass,
    name: Option<&'a Text<H>>,
    data: SourceData<'a, H>,
}

enum SourceData<'a, H: Host> {
    Base64(&'static Key, Text<H>),
    Plain(Text<H>),
    Url(&'a Text<H>),
}

/// A block with its turn and part.
type Placed<'a, H> = (At<'a, H>, usize, Block<'a, H>);

pub(super) fn turns<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let conversation = w.conversation;
    let ids = Ids::of(w);
    let last = conversation.turns().iter().rposition(|turn| !turn.role.is_system()).unwrap_or(0);
    let mut page = Page { w, ids, last, written: 0 };
    let mut run = Vec::new();
    for (index, turn) in conversation.turns().iter().enumerate() {
        let answers = turn.answers().next().is_some();
        let own = turn.from.same_wire(page.w.target.id);
        // Only results that were messages of their own become one; a message of this format stays what it is.
        if own || !answers {
            page.results(&mut run)?;
        }
        if page.w.replay(turn, index)? {
            page.written += 1;
        } else if turn.role.is_system() && !own {
            // It stands in the system key.
        } else if answers && turn.role != Role::Assistant {
            run.push((index, &**turn));
            if own {
                page.results(&mut run)?;
            }
        } else {
            page.message((index, turn))?;
            if answers {
                run.push((index, &**turn));
            }
        }
    }
    page.results(&mut run)?;
    page.finish()
}

/// The list of messages while it is written.
struct Page<'p, 'a, H: Host, K: Sink<H>> {
    w: &'p mut Writer<'a, H, K>,
    ids: Ids<H>,
    /// The last turn that becomes a message.
    last: usize,
    written: usize,
}

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// One turn as one message, its results left out.
    fn message(&mut self, (index, turn): At<'a, H>) -> Result<(), Error> {
        let mut blocks = Vec::with_capacity(turn.parts.len());
        self.said((index, turn), &mut blocks)?;
        if index == self.last && turn.role == Role::Assistant && !turn.from.same_wire(self.w.target.id) {
            self.trim(&mut blocks);
        }
        let role = match turn.role {
            Role::Assistant => &ASSISTANT,
            Role::System | Role::Developer => &SYSTEM,
            Role::User | Role::Tool => &USER,
        };
        self.write((index, turn), role, &blocks)
    }

    /// A run of turns with results as one user message: all results, then what else these turns say.
    fn results(&mut self, run: &mut Vec<At<'a, H>>) -> Result<(), Error> {
        let Some(first) = run.first().copied() else { return Ok(()) };
        let (mut blocks, mut moved) = (Vec::new(), Vec::new());
        for &(index, turn) in run.iter() {
            for (at, part) in turn.parts.iter().enumerate() {
                if let Kind::Answer(answer) = &part.kind {
                    let block = self.answer((index, turn), at, answer, &mut moved)?;
                    blocks.push(((index, turn), at, block));
                }
            }
        }
        blocks.append(&mut moved);
        for turn in run.drain(..).filter(|(_, turn)| turn.role != Role::Assistant) {
            self.said(turn, &mut blocks)?;
        }
        self.write(first, &USER, &blocks)
    }

    /// What is said in a turn beside its results.
    fn said(&mut self, (index, turn): At<'a, H>, blocks: &mut Vec<Placed<'a, H>>) -> Result<(), Error> {
        for (at, part) in turn.parts.iter().enumerate() {
            if !matches!(part.kind, Kind::Answer(_))
                && let Some(block) = self.block((index, turn), at, part)?
            {
                blocks.push(((index, turn), at, block));
            }
        }
        let path = turn.path(index);
        if !turn.from.same_wire(self.w.target.id) {
            self.w.turn_id_lost(turn, index)?;
            self.w.extras_lost(turn.extras.as_deref(), turn.input.as_ref(), &path)?;
        }
        Ok(())
    }

    /// One part as a block, or `None` where a loss says why not.
    fn block(&mut self, (index, turn): At<'a, H>, at: usize, part: &'a Part<H>) -> Result<Option<Block<'a, H>>, Error> {
        let input = turn.input.as_ref();
        if self.ids.renamed(index, at).is_none()
            && let Some(raw) = self.w.part_origin(turn, part)
        {
            return Ok(Some(Block::Raw(raw)));
        }
        let path = self.w.path(turn, index, at);
        let block = match &part.kind {
            Kind::Text(text) => {
                if self.w.blank(text, input, &path)? {
                    return Ok(None);
                }
                Block::Text(text)
            }
            Kind::Refusal(text) => {
                self.w.losses.changed(LossCode::Refusal, path, "the target has no refusal here");
                Block::Text(text)
            }
            Kind::Reasoning(thought) => return Ok(self.w.reasoning(thought, input, path)?.map(Block::Text)),
            Kind::Opaque(name) => return self.w.opaque(name, input, path).map(|()| None),
            Kind::Json(raw) => {
                self.w.losses.changed(LossCode::JsonAsText, path, "the target takes JSON as text");
                Block::Json(raw)
            }
            Kind::Media(_) if turn.role == Role::Assistant => {
                let reason = "the target takes no media from an assistant";
                return self.w.losses.lost(LossCode::Media, path, reason).map(|()| None);
            }
            Kind::Media(media) => match self.media(media, input, &path)? {
                Some(source) => Block::Source(source),
                None => return Ok(None),
            },
            Kind::Call(call) => {
                self.w.name(&call.name, input, || path.clone())?;
                if call.made_up_id {
                    self.w.losses.changed(LossCode::Id, path, "the call came without an id");
                }
                Block::Call(call)
            }
            Kind::Answer(_) => return Ok(None),
        };
        if !turn.from.same_wire(self.w.target.id) {
            let path = self.w.path(turn, index, at);
            self.w.extras_lost(part.extras.as_deref(), input, &path)?;
        }
        Ok(Some(block))
    }

    /// A result. With an error flag it may hold text only, so media move behind the results.
    fn answer(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        answer: &'a Answer<H>,
        moved: &mut Vec<Placed<'a, H>>,
    ) -> Result<Block<'a, H>, Error> {
        let part = turn.parts.get(at);
        // A result that was a whole message of its own has no block to give back.
        let is_block = part.is_some_and(|part| part.place.index.is_some());
        if self.ids.renamed(index, at).is_none()
            && let Some(raw) = part.and_then(|part| self.w.part_origin(turn, part)).filter(|_| is_block)
        {
            return Ok(Block::Raw(raw));
        }
        let input = turn.input.as_ref();
        let path = self.w.path(turn, index, at);
        let mut inner = Vec::new();
        match &answer.content {
            Content::Absent => {}
            // No content at all says the same as empty text, and nobody refuses it.
            Content::Text(text) if text.is_empty() => {}
            Content::Text(text) => {
                if !self.w.blank(text, input, &path)? {
                    inner.push((None, Block::Text(text)));
                }
            }
            Content::Blocks(blocks) => {
                for one in blocks {
                    let path = self.w.block_path(turn, (index, at), one);
                    let Some(block) = self.inner((index, turn), one, &path)? else { continue };
                    if answer.error && matches!(block, Block::Source(_)) {
                        let reason = "a failed result may hold nothing but text: media follow the results";
                        self.w.losses.changed(LossCode::MovedMedia, path, reason);
                        if !moved.iter().any(|(_, _, block)| matches!(block, Block::Moved(same, _) if std::ptr::eq(*same, answer))) {
                            moved.push(((index, turn), at, Block::Moved(answer, at)));
                        }
                        moved.push(((index, turn), at, block));
                    } else {
                        inner.push((turn.from.same_wire(self.w.target.id).then_some(one), block));
                    }
                }
            }
        }
        if !turn.from.same_wire(self.w.target.id) {
            self.w.extras_lost(part.and_then(|part| part.extras.as_deref()), input, &path)?;
        }
        Ok(Block::Answer(answer, inner))
    }

    /// One block inside a result.
    fn inner(&mut self, (_, turn): At<'a, H>, part: &'a Part<H>, path: &Path) -> Result<Option<Block<'a, H>>, Error> {
        let input = turn.input.as_ref();
        if let Some(raw) = self.w.part_origin(turn, part) {
            return Ok(Some(Block::Raw(raw)));
        }
        if !turn.from.same_wire(self.w.target.id) {
            self.w.extras_lost(part.extras.as_deref(), input, path)?;
        }
        match &part.kind {
            Kind::Text(text) | Kind::Refusal(text) => Ok((!self.w.blank(text, input, path)?).then_some(Block::Text(text))),
            Kind::Json(raw) => {
                self.w.losses.changed(LossCode::JsonAsText, path.clone(), "the target takes results as text");
                Ok(Some(Block::Json(raw)))
            }
            Kind::Media(media) => Ok(self.media(media, input, path)?.map(Block::Source)),
            Kind::Opaque(name) => self.w.opaque(name, input, path.clone()).map(|()| None),
            Kind::Reasoning(_) | Kind::Call(_) | Kind::Answer(_) => {
                self.w.losses.lost(LossCode::Opaque, path.clone(), "no result can hold this").map(|()| None)
            }
        }
    }

    /// Media as a source that the target takes, or `None` where a loss says why not.
    fn media(&mut self, media: &'a Media<H>, input: Option<&Input>, path: &Path) -> Result<Option<Shown<'a, H>>, Error> {
        let data = match (media.class, &media.data) {
            (MediaClass::Audio | MediaClass::Video, _) => Err(format!("the target takes no {}", media.class.name()).into()),
            (_, MediaData::File(_)) => Err("a file id is only known to the provider that holds the file".into()),
            (_, MediaData::Url(url)) => Ok(SourceData::Url(url)),
            (MediaClass::Document, MediaData::Plain(text)) => Ok(SourceData::Plain(text.share())),
            (MediaClass::Image, MediaData::Plain(_)) => Err("an image is no text".into()),
            (class, MediaData::Base64(_) | MediaData::DataUrl(_)) => self.bytes(class, media, input, path)?,
        };
        let reason: std::borrow::Cow<'static, str> = match data {
            Ok(data) => {
                let name = media.name.as_ref();
                return Ok(Some(Shown { class: media.class, name, data }));
            }
            Err(reason) => reason,
        };
        self.w.losses.lost(LossCode::Media, path.clone(), reason).map(|()| None)
    }

    fn bytes(
        &mut self,
        class: MediaClass,
        media: &Media<H>,
        input: Option<&Input>,
        path: &Path,
    ) -> Result<Result<SourceData<'a, H>, std::borrow::Cow<'static, str>>, Error> {
        let Some(inline) = media.base64(input)? else {
            return Ok(Err("the target takes data as base64 only".into()));
        };
        let Some(mime) = inline.true_type(input) else {
            return Ok(Err("nothing says what kind of media this is".into()));
        };
        let word = match (class, &*mime) {
            (MediaClass::Image, "image/jpeg") => &JPEG,
            (MediaClass::Image, "image/png") => &PNG,
            (MediaClass::Image, "image/gif") => &GIF,
            (MediaClass::Image, "image/webp") => &WEBP,
            (MediaClass::Document, "application/pdf") => &PDF,
            (MediaClass::Document, plain) if plain.starts_with("text/") => {
                let text = base64::decode(&inline.data.wtf8(input)).and_then(|bytes| String::from_utf8(bytes).ok());
                let Some(text) = text else { return Ok(Err("this text is not UTF-8".into())) };
                if plain != "text/plain" {
                    self.w.losses.changed(LossCode::Media, path.clone(), format!("the target takes {plain} as plain text"));
                }
                return Ok(Ok(SourceData::Plain(Text::own(&text))));
            }
            (_, other) => return Ok(Err(format!("the target takes no {other}").into())),
        };
        if let Some(declared) = inline.mime.as_ref().filter(|declared| !declared.is(&mime, input)) {
            let reason = format!("declared as {}, but it is {mime}", declared.to_str(input));
            self.w.losses.changed(LossCode::Media, path.clone(), reason);
        }
        Ok(Ok(SourceData::Base64(word, inline.data)))
    }

    /// The target refuses white space at the end of a text that it is asked to continue.
    fn trim(&mut self, blocks: &mut [Placed<'a, H>]) {
        let Some(((index, turn), at, block)) = blocks.last_mut() else { return };
        let Block::Text(text) = block else { return };
        let words = text.to_str(turn.input.as_ref());
        let kept = words.trim_end();
        if kept.len() < words.len() {
            let path = self.w.path(turn, *index, *at);
            self.w.losses.changed(LossCode::TrailingSpace, path, "the target refuses white space at the very end");
            *block = Block::Own(kept.to_owned());
        }
    }

    /// Writes a message, unless nothing is left of it.
    fn write(&mut self, (index, turn): At<'a, H>, role: &'static Key, blocks: &[Placed<'a, H>]) -> Result<(), Error> {
        if blocks.is_empty() {
            self.w.losses.changed(LossCode::EmptyTurn, turn.path(index), "nothing of this turn is left to say");
            return Ok(());
        }
        if self.written == 0 && role.name != USER.name && !self.w.conversation.frame.from.same_wire(self.w.target.id) {
            let text = "the target wants the user to speak first";
            return Err(Error::new(Code::Refused, text).at_path(turn.path(index)));
        }
        self.written += 1;
        self.w.out.scope(turn.input.as_ref());
        self.w.out.open_map();
        self.w.out.key(&ROLE);
        self.w.out.literal(role);
        self.w.out.key(&CONTENT);
        match blocks {
            [(_, at, Block::Text(text))] if self.plain(turn, *at) => self.w.out.text(text),
            [(_, _, Block::Own(text))] => self.w.out.pieces(&[Piece::Str(text)]),
            _ => {
                self.w.out.open_list();
                for (at, part, block) in blocks {
                    self.w.out.scope(at.1.input.as_ref());
                    self.write_block(*at, *part, block)?;
                }
                self.w.out.close();
            }
        }
        let path = turn.path(index);
        self.w.out.scope(turn.input.as_ref());
        if turn.from.same_wire(self.w.target.id) {
            self.w.extras(turn, turn.extras.as_deref(), &path)?;
        }
        self.w.out.close();
        self.w.checked(turn, index)
    }

    /// Whether a text may stand alone: it did, or it comes from elsewhere. A list stays a list, whatever changed in it.
    fn plain(&self, turn: &Turn<H>, at: usize) -> bool {
        !turn.from.same_wire(self.w.target.id) || turn.parts.get(at).is_none_or(|part| part.place.index.is_none())
    }

    fn write_block(&mut self, (index, turn): At<'a, H>, at: usize, block: &Block<'a, H>) -> Result<(), Error> {
        match block {
            Block::Raw(raw) => {
                self.w.out.raw(raw);
                return Ok(());
            }
            Block::Call(call) => {
                let path = self.w.path(turn, index, at);
                self.begin(&TOOL_USE);
                self.w.out.key(&ID);
                self.w.id(&self.ids, (index, at), &call.id, &path);
                self.w.out.key(&NAME);
                self.w.out.text(&call.name);
                self.w.out.key(&INPUT);
                self.w.args_as_object(call, turn.input.as_ref(), path)?;
            }
            Block::Answer(answer, inner) => self.write_answer((index, turn), at, answer, inner)?,
            Block::Moved(answer, part) => {
                self.begin(&TEXT);
                self.w.out.key(&TEXT);
                let id = self.ids.renamed(index, *part).unwrap_or(&answer.id);
                self.w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(id), Piece::Str(":")]);
                self.w.out.close();
                return Ok(());
            }
            simple => self.begin_simple(simple),
        }
        if turn.from.same_wire(self.w.target.id) {
            let path = self.w.path(turn, index, at);
            self.w.extras(turn, turn.parts.get(at).and_then(|part| part.extras.as_deref()), &path)?;
        }
        self.w.out.close();
        Ok(())
    }

    fn begin(&mut self, kind: &'static Key) {
        self.w.out.open_map();
        self.w.out.key(&TYPE);
        self.w.out.literal(kind);
    }

    /// Begins a block of text or media; the caller closes it.
    fn begin_simple(&mut self, block: &Block<'a, H>) {
        match block {
            Block::Text(text) => {
                self.begin(&TEXT);
                self.w.out.key(&TEXT);
                self.w.out.text(text);
            }
            Block::Own(text) => {
                self.begin(&TEXT);
                self.w.out.key(&TEXT);
                self.w.out.pieces(&[Piece::Str(text)]);
            }
            Block::Json(raw) => {
                self.begin(&TEXT);
                self.w.out.key(&TEXT);
                self.w.out.raw_as_text(raw);
            }
            Block::Source(source) => self.begin_source(source),
            Block::Raw(_) | Block::Call(_) | Block::Answer(..) | Block::Moved(..) => self.w.out.open_map(),
        }
    }

    fn begin_source(&mut self, source: &Shown<'a, H>) {
        self.begin(if source.class == MediaClass::Image { &IMAGE } else { &DOCUMENT });
        self.w.out.key(&SOURCE);
        match &source.data {
            SourceData::Base64(mime, data) => {
                self.begin(&BASE64);
                self.w.out.key(&MEDIA_TYPE);
                self.w.out.literal(mime);
                self.w.out.key(&DATA);
                self.w.out.text(data);
            }
            SourceData::Plain(text) => {
                self.begin(&TEXT);
                self.w.out.key(&MEDIA_TYPE);
                self.w.out.literal(&PLAIN);
                self.w.out.key(&DATA);
                self.w.out.text(text);
            }
            SourceData::Url(url) => {
                self.begin(&URL);
                self.w.out.key(&URL);
                self.w.out.text(url);
            }
        }
        self.w.out.close();
        if let Some(name) = source.name {
            self.w.out.key(&TITLE);
            self.w.out.text(name);
        }
    }

    /// Begins a result; the caller closes it.
    fn write_answer(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        answer: &Answer<H>,
        inner: &[(Option<&'a Part<H>>, Block<'a, H>)],
    ) -> Result<(), Error> {
        let path = self.w.path(turn, index, at);
        self.begin(&TOOL_RESULT);
        self.w.out.key(&TOOL_USE_ID);
        self.w.id(&self.ids, (index, at), &answer.id, &path);
        match inner {
            [] => {}
            [(None, Block::Text(text))] => {
                self.w.out.key(&CONTENT);
                self.w.out.text(text);
            }
            [(None, Block::Json(raw))] => {
                self.w.out.key(&CONTENT);
                self.w.out.raw_as_text(raw);
            }
            several => {
                self.w.out.key(&CONTENT);
                self.w.out.open_list();
                for (part, block) in several {
                    if let Block::Raw(raw) = block {
                        self.w.out.raw(raw);
                    } else {
                        self.begin_simple(block);
                        self.w.extras(turn, part.and_then(|part| part.extras.as_deref()), &path)?;
                        self.w.out.close();
                    }
                }
                self.w.out.close();
            }
        }
        if answer.error {
            self.w.out.key(&IS_ERROR);
            self.w.out.bool(true);
        }
        Ok(())
    }

    /// The target wants at least one message.
    fn finish(self) -> Result<(), Error> {
        let conversation = self.w.conversation;
        let own = conversation.frame.from.same_wire(self.w.target.id);
        if self.written > 0 || own || conversation.turns().is_empty() {
            return Ok(());
        }
        let text = "the target wants a message, and nothing is left to say but system text";
        Err(Error::new(Code::Refused, text).at_path(Path::key(conversation.frame.from.list())))
    }
}

pub(super) fn system<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, texts: &[SystemText<'_, H>]) {
    if let [SystemText { text, input, origin: None }] = texts {
        w.out.scope(*input);
        w.out.text(text);
        return;
    }
    w.out.open_list();
    for SystemText { text, input, origin } in texts {
        w.out.scope(*input);
        if let Some(raw) = origin {
            w.out.raw(raw);
            continue;
        }
        w.out.open_map();
        w.out.key(&TYPE);
        w.out.literal(&TEXT);
        w.out.key(&TEXT);
        w.out.text(text);
        w.out.close();
    }
    w.out.close();
}

pub(super) fn tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
    let frame = w.conversation.frame.clone();
    w.name(&tool.name, frame.input.as_ref(), || at.clone())?;
    w.out.open_map();
    w.out.key(&NAME);
    w.out.text(&tool.name);
    if let Some(description) = &tool.description {
        w.out.key(&DESCRIPTION);
        w.out.text(description);
    }
    w.out.key(&INPUT_SCHEMA);
    if let Some(schema) = &tool.schema {
        w.out.raw(schema);
    } else {
        w.losses.changed(LossCode::StandIn, at.clone(), "the target wants a schema even where there are no arguments");
        w.out.open_map();
        w.out.key(&TYPE);
        w.out.literal(&OBJECT);
        w.out.close();
    }
    if let Some(strict) = w.tool_extras(tool, at)? {
        w.out.key(&STRICT);
        w.out.raw(strict);
    }
    w.out.close();
    Ok(())
}

pub(super) fn choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
    let kind = match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Opaque => &AUTO,
        ChoiceKind::Required => &ANY,
        ChoiceKind::None => &NONE,
        ChoiceKind::Tool(_) => &TOOL,
    };
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(kind);
    if let ChoiceKind::Tool(name) = &choice.kind {
        w.out.key(&NAME);
        w.out.text(name);
    }
    w.out.close();
}
