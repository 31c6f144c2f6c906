//! Writing Chat Completions messages, tools and tool choice.

use super::*;
use crate::{
    handle::Text,
    loss::LossCode,
    media::{Media, MediaClass, MediaData},
    part::{Kind, Place},
    path::Step,
    tool::{Answer, Call, ChoiceKind, Content, ERROR_PREFIX, MOVED_MEDIA},
    turn::Role,
    value::Piece,
};
use crate::dialect::limits::ReasoningRule;

/// Media on their way out of results: the index of their turn, and the part.
type Moved<'a, H> = Vec<(&'a Turn<H>, &'a Answer<H>, &'a Part<H>)>;

pub(super) fn turns<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let conversation = w.conversation;
    if !conversation.frame.from.same_wire(w.target.id) {
        top_system(w)?;
    }
    let mut moved = Moved::new();
    for (index, turn) in conversation.turns().iter().enumerate() {
        if turn.answers().next().is_none() {
            moved_message(w, &mut moved)?;
        }
        if w.replay(turn, index)? {
            continue;
        }
        w.out.scope(turn.input.as_ref());
        for (at, part) in turn.parts.iter().enumerate() {
            if let Kind::Answer(answer) = &part.kind {
                result(w, turn, (index, at), answer, &mut moved)?;
            }
        }
        if turn.parts.iter().any(is_said) || turn.parts.is_empty() {
            moved_message(w, &mut moved)?;
            message(w, turn, index)?;
        }
        w.checked(turn, index)?;
    }
    moved_message(w, &mut moved)
}

/// System text that another dialect keeps beside its list becomes the first message.
fn top_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let frame = w.conversation.frame.clone();
    let Some(system) = frame.system.as_ref().filter(|system| !system.parts.is_empty()) else { return Ok(()) };
    w.out.scope(frame.input.as_ref());
    w.out.open_map();
    w.out.key(&ROLE);
    w.out.literal(&SYSTEM);
    w.out.key(&CONTENT);
    match system.parts.as_slice() {
        [Part { kind: Kind::Text(text), .. }] => w.out.text(text),
        parts => {
            w.out.open_list();
            for part in parts {
                if let Kind::Text(text) = &part.kind {
                    text_part(w, text, &TEXT);
                    w.out.close();
                }
            }
            w.out.close();
        }
    }
    w.out.close();
    for (index, part) in system.parts.iter().enumerate() {
        let at = Path::key("system").then(Step::Index(index));
        w.extras_lost(part.extras.as_deref(), frame.input.as_ref(), &at)?;
    }
    Ok(())
}

/// Everything of a turn but its results, as one message.
fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, turn: &Turn<H>, index: usize) -> Result<(), Error> {
    let role = match turn.role {
        Role::System => &SYSTEM,
        Role::Developer => &DEVELOPER,
        Role::Assistant => &ASSISTANT,
        Role::User | Role::Tool => &USER,
    };
    let mut content: Vec<(usize, Said<'_, H>)> = Vec::with_capacity(turn.parts.len());
    let (mut calls, mut refusal, mut keyed) = (Vec::new(), None, Vec::new());
    for (at, part) in turn.parts.iter().enumerate() {
        let own = w.part_origin(turn, part);
        match &part.kind {
            Kind::Answer(_) => {}
            Kind::Call(call) => calls.push((at, call, part)),
            Kind::Refusal(text) if refusal.is_none() && turn.role == Role::Assistant => refusal = Some(text),
            _ if own.is_some() && part.place.index.is_none() => keyed.push((at, part)),
            _ => {
                if let Some(said) = said(w, turn, (index, at), part)? {
                    if !calls.is_empty() {
                        let path = w.path(turn, index, at);
                        w.losses.changed(LossCode::Order, path, "the target writes text before the calls of a turn");
                    }
                    content.push((at, said));
                }
            }
        }
    }
    if content.is_empty() && calls.is_empty() && refusal.is_none() && keyed.is_empty() && !turn.parts.is_empty() {
        let path = Path::key(turn.from.list()).then(Step::Index(index));
        w.losses.changed(LossCode::EmptyTurn, path, "nothing of this turn is left to say");
        return Ok(());
    }
    w.out.open_map();
    w.out.key(&ROLE);
    w.out.literal(role);
    let stand_in = matches!(w.target.limits.reasoning, ReasoningRule::Sentinel(_))
        && turn.role == Role::Assistant
        && !keyed.iter().any(|(_, part)| part.place.key == Some(REASONING_CONTENT.name));
    if stand_in {
        w.out.key(&REASONING_CONTENT);
        w.out.literal(&EMPTY);
        let path = Path::key(turn.from.list()).then(Step::Index(index));
        w.losses.changed(LossCode::StandIn, path, "the target wants reasoning_content on every assistant message");
    }
    w.out.key(&CONTENT);
    match content.as_slice() {
        [] if calls.is_empty() && refusal.is_none() => w.out.literal(&EMPTY),
        [] => w.out.null(),
        [(_, Said::Text(text))] => w.out.text(text),
        _ => {
            w.out.open_list();
            for (at, item) in &content {
                item_of(w, turn, (index, *at), item)?;
            }
            w.out.close();
        }
    }
    if let Some(text) = refusal {
        w.out.key(&REFUSAL);
        w.out.text(text);
    }
    for (_, part) in keyed {
        if let (Some(raw), Some(key)) = (&part.origin, part.place.key) {
            w.out.key_text(&Text::own(key));
            w.out.raw(raw);
        }
    }
    // A call of the legacy form stays one: its result is told by name as well.
    if let [(_, call, Part { place: Place { key: Some("function_call"), .. }, .. })] = calls.as_slice()
        && turn.from.same_wire(w.target.id)
    {
        w.out.key(&FUNCTION_CALL);
        w.out.open_map();
        w.out.key(&NAME);
        w.out.text(&call.name);
        w.out.key(&ARGUMENTS);
        w.args_as_text(&call.args);
        w.out.close();
    } else if !calls.is_empty() {
        w.out.key(&TOOL_CALLS);
        w.out.open_list();
        for (at, call, part) in calls {
            tool_call(w, turn, (index, at), call, part)?;
        }
        w.out.close();
    }
    let at = Path::key(turn.from.list()).then(Step::Index(index));
    w.extras(turn, turn.extras.as_deref(), &at)?;
    w.out.close();
    Ok(())
}

/// One item of a content list, or the whole content where it is one text.
enum Said<'a, H: Host> {
    Text(&'a Text<H>),
    Media(&'a Media<H>),
    Raw(&'a crate::handle::Raw<H>),
}

/// What of a part can be said in a content list. Losses are reported here, before anything is written.
fn said<'a, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    turn: &Turn<H>,
    (index, at): (usize, usize),
    part: &'a Part<H>,
) -> Result<Option<Said<'a, H>>, Error> {
    let path = w.path(turn, index, at);
    if let (Some(raw), Some(_)) = (part.origin.as_ref().filter(|_| !part.touched), part.place.index)
        && turn.from == w.target.id
    {
        return Ok(Some(Said::Raw(raw)));
    }
    match &part.kind {
        Kind::Text(text) => Ok(Some(Said::Text(text))),
        Kind::Refusal(text) => {
            w.losses.changed(LossCode::Refusal, path, "the target has no refusal here");
            Ok(Some(Said::Text(text)))
        }
        Kind::Media(media) if turn.role == Role::Assistant => {
            w.losses.lost(LossCode::Media, path, "the target takes no media from an assistant")?;
            let _ = media;
            Ok(None)
        }
        Kind::Media(media) => match unsendable(media) {
            None => Ok(Some(Said::Media(media))),
            Some(reason) => w.losses.lost(LossCode::Media, path, reason).map(|()| None),
        },
        Kind::Reasoning(thought) => match &thought.text {
            Some(text) if w.target.options.reasoning_as_text && !text.is_empty() => {
                w.losses.changed(LossCode::Reasoning, path, "reasoning of another dialect became text");
                Ok(Some(Said::Text(text)))
            }
            _ => w
                .losses
                .lost(LossCode::Reasoning, path, "only the dialect that made it can replay reasoning")
                .map(|()| None),
        },
        Kind::Opaque(name) => {
            let reason = format!("only its own dialect knows {:?}", name.to_str(turn.input.as_ref()));
            w.losses.lost(LossCode::Opaque, path, reason).map(|()| None)
        }
        Kind::Json(_) | Kind::Call(_) | Kind::Answer(_) => Ok(None),
    }
}

/// Why Chat Completions cannot take this, if it cannot.
fn unsendable<H: Host>(media: &Media<H>) -> Option<&'static str> {
    match (media.class, &media.data) {
        (MediaClass::Video, _) => Some("the target takes no film"),
        (MediaClass::Image, MediaData::File(_)) => Some("a file id is only known to the provider that holds the file"),
        (MediaClass::Image, _) | (_, MediaData::Base64(_) | MediaData::DataUrl(_) | MediaData::Plain(_)) => None,
        (_, MediaData::File(_)) => Some("a file id is only known to the provider that holds the file"),
        (_, MediaData::Url(_)) => Some("the target takes no address for this kind of media"),
    }
}

/// Writes one item of a content list.
fn item_of<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    turn: &Turn<H>,
    (index, at): (usize, usize),
    item: &Said<'_, H>,
) -> Result<(), Error> {
    match item {
        Said::Raw(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Text(text) => text_part(w, text, &TEXT),
        Said::Media(media) => media_part(w, media, turn)?,
    }
    let path = w.path(turn, index, at);
    w.extras(turn, turn.parts.get(at).and_then(|part| part.extras.as_deref()), &path)?;
    w.out.close();
    Ok(())
}

/// Begins `{"type": "text", "text": …}`; the caller closes it.
fn text_part<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, text: &Text<H>, kind: &'static crate::value::Key) {
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(kind);
    w.out.key(&TEXT);
    w.out.text(text);
}

/// Begins a media part; the caller closes it.
fn media_part<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, media: &Media<H>, turn: &Turn<H>) -> Result<(), Error> {
    let input = turn.input.as_ref();
    if let MediaData::Plain(text) = &media.data {
        text_part(w, text, &TEXT);
        return Ok(());
    }
    w.out.open_map();
    w.out.key(&TYPE);
    match media.class {
        MediaClass::Image => {
            w.out.literal(&IMAGE_URL);
            w.out.key(&IMAGE_URL);
            w.out.open_map();
            w.out.key(&URL);
            data_url(w, media, turn);
        }
        MediaClass::Audio => {
            w.out.literal(&INPUT_AUDIO);
            w.out.key(&INPUT_AUDIO);
            w.out.open_map();
            w.out.key(&DATA);
            if let Some(inline) = media.base64(input)? {
                w.out.text(&inline.data);
            }
            w.out.key(&FORMAT);
            let mime = media.media_type(input).unwrap_or_default();
            let format = mime.rsplit('/').next().unwrap_or("wav");
            w.out.pieces(&[Piece::Str(if format == "mpeg" { "mp3" } else { format.trim_start_matches("x-") })]);
        }
        MediaClass::Document | MediaClass::Video => {
            w.out.literal(&FILE);
            w.out.key(&FILE);
            w.out.open_map();
            if let Some(name) = &media.name {
                w.out.key(&FILENAME);
                w.out.text(name);
            }
            w.out.key(&FILE_DATA);
            data_url(w, media, turn);
        }
    }
    w.out.close();
    Ok(())
}

/// An address, or the data as a `data:` URL.
fn data_url<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, media: &Media<H>, turn: &Turn<H>) {
    match &media.data {
        MediaData::Base64(data) => {
            let fallback = if media.class == MediaClass::Image { "image/png" } else { "application/octet-stream" };
            let mime = media.media_type(turn.input.as_ref()).unwrap_or(fallback.into());
            w.out.pieces(&[Piece::Str("data:"), Piece::Str(&mime), Piece::Str(";base64,"), Piece::Text(data)]);
        }
        MediaData::DataUrl(text) | MediaData::Url(text) | MediaData::File(text) | MediaData::Plain(text) => {
            w.out.text(text);
        }
    }
}

/// `{"id", "type": "function", "function": {"name", "arguments"}}`
fn tool_call<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    turn: &Turn<H>,
    (index, at): (usize, usize),
    call: &Call<H>,
    part: &Part<H>,
) -> Result<(), Error> {
    if let Some(raw) = w.part_origin(turn, part).filter(|_| part.place.key == Some(TOOL_CALLS.name)) {
        w.out.raw(raw);
        return Ok(());
    }
    let outer = if call.custom { &CUSTOM } else { &FUNCTION };
    w.out.open_map();
    w.out.key(&ID);
    w.out.text(&call.id);
    w.out.key(&TYPE);
    w.out.literal(outer);
    w.out.key(outer);
    w.out.open_map();
    w.out.key(&NAME);
    w.out.text(&call.name);
    w.out.key(if call.custom { &INPUT } else { &ARGUMENTS });
    w.args_as_text(&call.args);
    w.out.close();
    let path = w.path(turn, index, at);
    w.extras(turn, part.extras.as_deref(), &path)?;
    w.out.close();
    Ok(())
}

/// A message of role `tool`. Media wait for the end of the run of results.
fn result<'a, H: Host, K: Sink<H>>(
    w: &mut Writer<'a, H, K>,
    turn: &'a Turn<H>,
    (index, at): (usize, usize),
    answer: &'a Answer<H>,
    moved: &mut Moved<'a, H>,
) -> Result<(), Error> {
    let path = w.path(turn, index, at);
    w.out.open_map();
    w.out.key(&ROLE);
    match &answer.name {
        Some(name) if answer.made_up_id && turn.from.same_wire(w.target.id) => {
            w.out.literal(&FUNCTION);
            w.out.key(&NAME);
            w.out.text(name);
        }
        _ => {
            w.out.literal(&TOOL);
            w.out.key(&TOOL_CALL_ID);
            w.out.text(&answer.id);
        }
    }
    w.out.key(&CONTENT);
    if answer.error {
        w.losses.changed(LossCode::ErrorFlag, path.clone(), "the target has no error flag: the text says so");
    }
    let prefix = if answer.error { ERROR_PREFIX } else { "" };
    let mut texts: Vec<Said<'_, H>> = Vec::new();
    match &answer.content {
        Content::Absent => {}
        Content::Text(text) => texts.push(Said::Text(text)),
        Content::Blocks(blocks) => {
            for part in blocks {
                match &part.kind {
                    Kind::Text(text) | Kind::Refusal(text) => texts.push(Said::Text(text)),
                    Kind::Json(raw) => {
                        w.losses.changed(LossCode::JsonAsText, path.clone(), "the target takes results as text");
                        texts.push(Said::Raw(raw));
                    }
                    Kind::Media(media) => match unsendable(media) {
                        None => {
                            let reason = "the target takes no media in a result: they follow the results";
                            w.losses.changed(LossCode::MovedMedia, path.clone(), reason);
                            moved.push((turn, answer, part));
                        }
                        Some(reason) => w.losses.lost(LossCode::Media, path.clone(), reason)?,
                    },
                    Kind::Opaque(name) => {
                        let reason = format!("only its own dialect knows {:?}", name.to_str(turn.input.as_ref()));
                        w.losses.lost(LossCode::Opaque, path.clone(), reason)?;
                    }
                    Kind::Reasoning(_) | Kind::Call(_) | Kind::Answer(_) => {}
                }
                w.extras_lost(part.extras.as_deref(), turn.input.as_ref(), &path)?;
            }
        }
    }
    if let (false, Some(Said::Text(text))) = (answer.error, texts.first())
        && text.starts_with(ERROR_PREFIX, turn.input.as_ref())
    {
        w.losses.changed(LossCode::AmbiguousError, path.clone(), "this text begins like a failed result and is none");
    }
    match texts.as_slice() {
        [] => w.out.pieces(&[Piece::Str(prefix.trim_end())]),
        [Said::Text(text)] if !answer.error => w.out.text(text),
        [Said::Text(text)] => w.out.pieces(&[Piece::Str(prefix), Piece::Text(text)]),
        [Said::Raw(raw)] if !answer.error => w.out.raw_as_text(raw),
        several => {
            w.out.open_list();
            for (place, said) in several.iter().enumerate() {
                w.out.open_map();
                w.out.key(&TYPE);
                w.out.literal(&TEXT);
                w.out.key(&TEXT);
                let prefix = if place == 0 { prefix } else { "" };
                match said {
                    Said::Text(text) => w.out.pieces(&[Piece::Str(prefix), Piece::Text(text)]),
                    Said::Raw(raw) if prefix.is_empty() => w.out.raw_as_text(raw),
                    Said::Raw(raw) => {
                        let json = crate::json::write::to_string(raw, turn.input.as_ref())?;
                        w.out.pieces(&[Piece::Str(prefix), Piece::Str(&json)]);
                    }
                    Said::Media(_) => w.out.literal(&EMPTY),
                }
                w.out.close();
            }
            w.out.close();
        }
    }
    w.extras(turn, turn.parts.get(at).and_then(|part| part.extras.as_deref()), &path)?;
    w.out.close();
    Ok(())
}

/// One user message with the media of a whole run of results.
fn moved_message<'a, H: Host, K: Sink<H>>(w: &mut Writer<'a, H, K>, moved: &mut Moved<'a, H>) -> Result<(), Error> {
    if moved.is_empty() {
        return Ok(());
    }
    w.out.open_map();
    w.out.key(&ROLE);
    w.out.literal(&USER);
    w.out.key(&CONTENT);
    w.out.open_list();
    let mut named: Option<&Answer<H>> = None;
    for (turn, answer, part) in moved.drain(..) {
        w.out.scope(turn.input.as_ref());
        if !named.is_some_and(|named| std::ptr::eq(named, answer)) {
            w.out.open_map();
            w.out.key(&TYPE);
            w.out.literal(&TEXT);
            w.out.key(&TEXT);
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&answer.id), Piece::Str(":")]);
            w.out.close();
            named = Some(answer);
        }
        if let Kind::Media(media) = &part.kind {
            media_part(w, media, turn)?;
            w.out.close();
        }
    }
    w.out.close();
    w.out.close();
    Ok(())
}

pub(super) fn tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: Path) -> Result<(), Error> {
    let frame = w.conversation.frame.clone();
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(&FUNCTION);
    w.out.key(&FUNCTION);
    w.out.open_map();
    w.out.key(&NAME);
    w.out.text(&tool.name);
    if let Some(description) = &tool.description {
        w.out.key(&DESCRIPTION);
        w.out.text(description);
    }
    if let Some(schema) = &tool.schema {
        w.out.key(&PARAMETERS);
        w.out.raw(schema);
    }
    w.out.close();
    w.out.close();
    w.extras_lost(tool.extras.as_deref(), frame.input.as_ref(), &at)
}

pub(super) fn choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
    match &choice.kind {
        ChoiceKind::Auto => w.out.literal(&AUTO),
        ChoiceKind::Required => w.out.literal(&REQUIRED),
        ChoiceKind::None => w.out.literal(&NONE),
        ChoiceKind::Tool(name) => {
            w.out.open_map();
            w.out.key(&TYPE);
            w.out.literal(&FUNCTION);
            w.out.key(&FUNCTION);
            w.out.open_map();
            w.out.key(&NAME);
            w.out.text(name);
            w.out.close();
            w.out.close();
        }
        ChoiceKind::Opaque => {}
    }
}
