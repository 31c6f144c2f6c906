//! Writing spec 003's messages.

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use super::{super::write::Where, parse::BODY_CONTENT};
use crate::{
    handle::{Input, Text},
    links::Links,
    loss::LossCode,
    media::{Media, MediaClass, MediaData},
    node::ArgsState,
    part::{Kind, Part},
    surrogate,
    tool::{Args, Call, Content, ToolResult},
    turn::Role,
    value::Key,
};

pub(super) fn turns<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let conversation = w.conversation;
    top_system(w)?;
    let links = Links::of(conversation, w.target.limits, |turn| w.replays(turn));
    for (index, turn) in conversation.turns.iter().enumerate() {
        let input = turn.input.as_ref();
        if w.replay(turn, index)? {
            continue;
        }
        w.out.scope(input);
        message(w, turn, index, &links)?;
        w.checked(turn, index)?;
    }
    Ok(())
}

/// System text that another dialect keeps beside its list is the first message here.
fn top_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    for system in super::super::system::top(w)? {
        w.out.scope(system.input);
        w.out.open_map();
        role(w, &SYSTEM);
        w.out.key(&CONTENT);
        w.out.text(system.text);
        w.out.close();
    }
    w.replaced(surrogate::place_in_top_system);
    Ok(())
}

fn role<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, role: &'static Key) {
    w.out.key(&ROLE);
    w.out.literal(role);
}

fn message<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    turn: &Turn<H>,
    index: usize,
    links: &Links<'_, H>,
) -> Result<(), Error> {
    let own = turn.from.same_wire(w.target.id);
    let mut kept = Vec::with_capacity(turn.parts.len());
    for (at, part) in turn.parts.iter().enumerate() {
        if let Some(part) = sayable(w, turn, part, &|| turn.part_path(index, at))? {
            kept.push((at, part));
        }
    }
    if kept.is_empty() && !turn.parts.is_empty() {
        return w.empty_turn(turn, index);
    }
    if let Some(id) = &turn.id {
        w.out.open_map();
        w.out.key(&ID);
        w.out.text(id);
        w.out.key(&BODY);
    }
    w.out.open_map();
    role(
        w,
        match turn.role {
            Role::System | Role::Developer => &SYSTEM,
            Role::Assistant => &ASSISTANT,
            // Spec 001's own messages stay what they are.
            Role::Tool if own && turn.origin.is_some() => &TOOL,
            Role::User | Role::Tool => &USER,
        },
    );
    w.out.key(&CONTENT);
    match kept.as_slice() {
        [] => w.out.pieces(&[]),
        [(at, part @ Part { kind: Kind::Text(text), .. })] if turn.role != Role::Assistant && plain(w, turn, part) => {
            w.out.text(text);
            w.extras(turn, part.extras.as_deref(), &|| turn.part_path(index, *at))?;
        }
        _ => {
            w.out.open_list();
            for (at, part) in kept {
                block(w, turn, (index, at), part, links, &|| turn.part_path(index, at))?;
            }
            w.out.close();
        }
    }
    // An entity's own keys stand beside its body.
    if own && turn.id.is_none() {
        w.extras(turn, turn.extras.as_deref(), &|| turn.path(index))?;
    } else if !own {
        w.extras_lost(turn.extras.as_deref(), turn.input.as_ref(), &|| turn.path(index))?;
    }
    w.out.close();
    if turn.id.is_some() {
        if own {
            w.extras(turn, turn.extras.as_deref(), &|| turn.path(index))?;
        }
        w.out.close();
    }
    Ok(())
}

/// The part, unless a loss says why it cannot be said here.
fn sayable<'p, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    turn: &Turn<H>,
    part: &'p Part<H>,
    path: Where<'_>,
) -> Result<Option<&'p Part<H>>, Error> {
    if w.part_origin(turn, part).is_some() {
        return Ok(Some(part));
    }
    let input = turn.input.as_ref();
    match &part.kind {
        Kind::Reasoning(thought) => Ok(w.reasoning(thought, input, path)?.map(|_| part)),
        Kind::Opaque(name) => w.opaque(name, input, path).map(|()| None),
        Kind::Media(media) if unsendable(media) => {
            w.losses.lost(LossCode::Media, path(), "the target takes images by their data or address").map(|()| None)
        }
        _ => Ok(Some(part)),
    }
}

fn unsendable<H: Host>(media: &Media<H>) -> bool {
    media.class != MediaClass::Image || matches!(media.data, MediaData::File(_) | MediaData::Plain(_))
}

fn block<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    turn: &Turn<H>,
    (index, at): (usize, usize),
    part: &Part<H>,
    links: &Links<'_, H>,
    path: Where<'_>,
) -> Result<(), Error> {
    // A call out of `toolCalls` is written as a block, so its own wire value would not fit.
    let fits = matches!(part.place.key, Some("content" | BODY_CONTENT));
    if let Some(raw) = w.part_origin(turn, part).filter(|_| fits || !matches!(part.kind, Kind::Call(_))) {
        w.out.raw(raw);
        return Ok(());
    }
    let input = turn.input.as_ref();
    match &part.kind {
        Kind::Text(text) => open_text(w, text),
        Kind::Refusal(text) => {
            w.losses.changed(LossCode::Refusal, path(), "the target has no refusal");
            open_text(w, text);
        }
        Kind::Reasoning(thought) => match &thought.text {
            Some(text) => open_text(w, text),
            None => open_text(w, &Text::own("")),
        },
        Kind::Json(raw) => {
            w.losses.changed(LossCode::JsonAsText, path(), "the target takes JSON as text here");
            w.out.open_map();
            w.out.key(&TYPE);
            w.out.literal(&TEXT);
            w.out.key(&TEXT);
            w.out.raw_as_text(raw);
        }
        Kind::Media(media) => open_image(w, media, input, path)?,
        Kind::Call(call) => open_call(w, call, input, path)?,
        Kind::Result(result) => open_result(w, turn, (index, at), result, links)?,
        Kind::Opaque(_) => return Ok(()),
    }
    w.extras(turn, part.extras.as_deref(), path)?;
    w.out.close();
    Ok(())
}

/// Whether the content may be this alone: it was, or it comes from elsewhere. A list stays a list, whatever changed in it.
fn plain<H: Host, K: Sink<H>>(w: &Writer<'_, H, K>, turn: &Turn<H>, part: &Part<H>) -> bool {
    !turn.from.same_wire(w.target.id) || part.place.index.is_none()
}

fn open_text<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, text: &Text<H>) {
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(&TEXT);
    w.out.key(&TEXT);
    w.out.text(text);
}

fn open_image<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    media: &Media<H>,
    input: Option<&Input>,
    path: Where<'_>,
) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(&IMAGE);
    w.out.key(&SOURCE);
    w.out.open_map();
    w.out.key(&TYPE);
    if let Some(inline) = media.base64(input)? {
        w.out.literal(&BASE64);
        if let Some(mime) = inline.true_type(input) {
            if let Some(declared) = inline.mime.as_ref().filter(|declared| !declared.is(&mime, input)) {
                let reason = format!("declared as {}, but it is {mime}", declared.to_str(input));
                w.losses.changed(LossCode::Media, path(), reason);
            }
            w.out.key(&MEDIA_TYPE);
            w.out.text(&Text::own(&mime));
        }
        w.out.key(&DATA);
        w.out.text(&inline.data);
    } else {
        w.out.literal(&URL);
        w.out.key(&URL);
        w.out.text(media.data.text());
    }
    w.out.close();
    Ok(())
}

fn open_call<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    call: &Call<H>,
    input: Option<&Input>,
    path: Where<'_>,
) -> Result<(), Error> {
    if call.made_up_id {
        w.losses.changed(LossCode::Id, path(), "the call came without an id");
    }
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(&TOOL_USE);
    w.out.key(&ID);
    w.out.text(&call.id);
    w.out.key(&NAME);
    w.out.text(&call.name);
    w.out.key(&INPUT);
    match &call.args {
        Args::Value(raw) => w.out.raw(raw),
        // Read back, a text would be arguments that are no JSON.
        Args::Text(_) if call.custom => return w.args_as_object(call, input, path),
        Args::Text(text) if call.args.state(input) == ArgsState::Object => {
            w.out.text_as_raw(text);
        }
        // What is no object stays the text that it is.
        Args::Text(text) => w.out.text(text),
    }
    Ok(())
}

fn open_result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    turn: &Turn<H>,
    (index, at): (usize, usize),
    result: &ToolResult<H>,
    links: &Links<'_, H>,
) -> Result<(), Error> {
    let input = turn.input.as_ref();
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(&TOOL_RESULT);
    w.out.key(&TOOL_USE_ID);
    w.out.text(&result.id);
    w.out.key(&TOOL_NAME);
    let own = result.name.as_deref().map(|name| (name, input));
    match own.or_else(|| links.call_name(index, at)) {
        Some((name, input)) => {
            w.out.scope(input);
            w.out.text(name);
        }
        None => w.out.literal(&UNKNOWN),
    }
    w.out.scope(input);
    w.out.key(&CONTENT);
    match &result.content {
        Content::Absent => w.out.pieces(&[]),
        Content::Text(text) => w.out.text(text),
        Content::Blocks(blocks) => match blocks.as_slice() {
            [one @ Part { kind: Kind::Text(text), .. }] if plain(w, turn, one) => {
                w.out.text(text);
                w.extras(turn, one.extras.as_deref(), &|| turn.block_path(index, at, one))?;
            }
            [one @ Part { kind: Kind::Json(raw), .. }] if plain(w, turn, one) => {
                w.out.raw(raw);
                w.extras(turn, one.extras.as_deref(), &|| turn.block_path(index, at, one))?;
            }
            _ => {
                w.out.open_list();
                for one in blocks.iter() {
                    let path = || turn.block_path(index, at, one);
                    if sayable(w, turn, one, &path)?.is_some() {
                        block(w, turn, (index, at), one, links, &path)?;
                    }
                }
                w.out.close();
            }
        },
    }
    if result.error {
        w.out.key(&IS_ERROR);
        w.out.bool(true);
    }
    Ok(())
}
