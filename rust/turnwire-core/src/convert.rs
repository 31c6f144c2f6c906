//! Converts a payload of any dialect into one of any other: parse, then render. Read this file first.
//!
//! A payload comes in through a [`Source`] and is parsed into turns of parts, whose texts and values stay in the input.
//! A [`Conversation`] keeps and shares turns, and stages may change them; [`convert`] needs neither. A renderer reads
//! them through a [`View`], writes them into a [`Sink`] and lists what its dialect could not express. An unchanged turn
//! goes back to its own dialect as its original wire value.

mod foreign_tools;
pub(crate) mod functions;
mod placed;
mod record;
mod row_media;
mod unreasoned;
mod updated;

pub use self::record::{Record, name_of, parse_payload, refuse_record};
use self::{record::by_layout, updated::Updated};
pub use crate::report::loss::Options;
use crate::{
    detect::{self, Plan, ReadAs, Reading},
    dialects,
    layouts::Layout,
    model::{Conversation, Frame, Parsed, Turn, View},
    report::{Error, Home, Losses, Others, Path, ReasoningChoice, Rendering, error::Code, receipt},
    rules::{DialectId, Target},
    value::{Host, Input, JsonSink, NodeKind, Sink, Source},
    wire::{
        marks,
        read::{Elements, Made},
        settings,
    },
};

/// Reads `payload` as `source` and writes it to `out` as `target`.
pub fn convert<S: Source, K: Sink<S::H>>(
    payload: &S,
    source: impl Into<Reading>,
    target: DialectId,
    options: &Options,
    out: &mut K,
) -> Result<Rendering, Error> {
    convert_with(payload, source, target, options, out, &|_| None)
}

/// [`convert`] for lists whose elements may be turns already.
pub fn convert_with<S: Source, K: Sink<S::H>>(
    payload: &S,
    source: impl Into<Reading>,
    target: DialectId,
    options: &Options,
    out: &mut K,
    made: Made<'_, S>,
) -> Result<Rendering, Error> {
    let source = source.into();
    if let Reading::Layout(row, likely) = source {
        return by_layout(payload, Layout::ready(row)?, likely, target, options, out);
    }
    if let Reading::Auto(likely) = source
        && let Some(layout) = Layout::ahead(payload)
    {
        return by_layout(payload, layout, likely, target, options, out);
    }
    let parsed = read(payload, source, made, &ReadAs::default());
    match (&parsed, source) {
        (Err(error), Reading::Auto(likely)) => match Layout::instead(payload, error) {
            Some(layout) => by_layout(payload, layout, likely, target, options, out),
            None => Err(error.clone()),
        },
        _ => written(parsed?, target, options, out),
    }
}

/// Writes what was read.
fn written<H: Host, K: Sink<H>>(
    parsed: Parsed<H>,
    target: DialectId,
    options: &Options,
    out: &mut K,
) -> Result<Rendering, Error> {
    if options.reasoning == ReasoningChoice::Drop {
        return render(&parsed.into(), target, options, out);
    }
    let mut written = write(&parsed.view(), target, options, out)?;
    receipt::sort(&mut written.losses);
    Ok(written)
}

/// [`convert`] with options that depend on what was read.
pub(crate) fn convert_as<S: Source, K: Sink<S::H>>(
    payload: &S,
    source: Reading,
    target: DialectId,
    options: impl FnOnce(&View<'_, S::H>) -> Options,
    out: &mut K,
) -> Result<Rendering, Error> {
    let parsed = read(payload, source, &|_| None, &ReadAs::default())?;
    let options = options(&parsed.view());
    written(parsed, target, &options, out)
}

/// Reads `payload` as `source`.
pub fn parse<S: Source>(payload: &S, source: impl Into<Reading>) -> Result<Conversation<S::H>, Error> {
    parse_with(payload, source, &|_| None, &ReadAs::default())
}

/// [`parse`] for lists whose elements may be turns already. `before`: how the first elements were read in an earlier
/// list, which counts for [`Reading::Auto`].
pub fn parse_with<S: Source>(
    payload: &S,
    source: impl Into<Reading>,
    made: Made<'_, S>,
    before: &ReadAs,
) -> Result<Conversation<S::H>, Error> {
    read(payload, source.into(), made, before).map(Conversation::from)
}

/// Reads one element of a list by itself, which will be at `index`. Text that looks like a result stays text.
pub fn parse_element<S: Source>(element: &S, index: usize, source: impl Into<Reading>) -> Result<Turn<S::H>, Error> {
    if element.kind() != NodeKind::Map {
        let text = format!("expected a message, which is an object, got {}", element.describe());
        return Err(Error::new(Code::WrongType, text));
    }
    // What came before is no target: it decides also for a message with a key that it does not know.
    let dialect = source.into().named_or_likely().or_else(|likely| detect::detect(element, likely))?;
    dialects::registry::parse_turn(element, index, dialect)
        .map_err(|error| detect::explained_alone(error, element, dialect))
}

/// [`convert`] for JSON text.
pub fn convert_json<H: Host>(
    input: &Input,
    source: Reading,
    target: DialectId,
    options: &Options,
    out: &mut JsonSink,
) -> Result<Rendering, Error> {
    convert(&source.tape(input)?.view().root::<H>(), source, target, options, out)
}

fn read<S: Source>(payload: &S, source: Reading, made: Made<'_, S>, before: &ReadAs) -> Result<Parsed<S::H>, Error> {
    let mut parsed = read_payload(payload, source, made, before)?;
    foreign_tools::read(&mut parsed.frame)?;
    Ok(parsed)
}

fn read_payload<S: Source>(
    payload: &S,
    source: Reading,
    made: Made<'_, S>,
    before: &ReadAs,
) -> Result<Parsed<S::H>, Error> {
    let results = matches!(source, Reading::WithResults(_) | Reading::AutoWithResults(_));
    match source {
        Reading::Framed(frame, likely) => return read_framed(payload, frame, likely),
        Reading::Layout(row, _) => return Err(Layout::ready(row)?.read_only()),
        _ => {}
    }
    match source.named_or_likely() {
        Ok(dialect) => {
            dialects::registry::parse(payload, dialect, &Elements { each: None, texts: false, results, made })
                .map_err(|error| record::explained(error, payload, dialect))
        }
        Err(likely) => {
            let plan = detect::plan(payload, likely, before)?;
            let parse = |plan: &Plan| {
                let each = plan.each.as_deref();
                dialects::registry::parse(payload, plan.frame, &Elements { each, texts: true, results, made })
                    .map_err(|error| detect::explained_reply(error, payload))
            };
            let parsed = parse(&plan);
            // A target that does not know every key does not win a tie. What it does not know is then a loss.
            let Some(target) = likely.filter(|_| !results) else { return parsed };
            let mut parsed = match plan.without(target, payload, parsed.as_ref(), before)? {
                Some(first) => parse(&first).map(|mut parsed| {
                    parsed.frame.lost_tie = Some(target);
                    parsed
                }),
                None => parsed,
            }?;
            detect::rows::settle(&mut parsed, target);
            Ok(parsed)
        }
    }
}

/// Reads a body of a known dialect. Each element is in the dialect that its signs show.
fn read_framed<S: Source>(body: &S, frame: DialectId, likely: Option<DialectId>) -> Result<Parsed<S::H>, Error> {
    let list =
        frame.facts.slots.and_then(|slots| slots.list.some(body)).map(|(spelling, list)| (spelling.path(), list));
    let (name, list) =
        list.ok_or_else(|| Error::new(Code::MissingKey, "expected a list of messages, got a body without one"))?;
    let plan = detect::plan(&list, likely, &ReadAs::default()).map_err(|error| {
        let path = Path::key(name).join(error.path());
        error.at_path(path)
    })?;
    let each = plan.each.unwrap_or_else(|| vec![plan.frame; list.len()]);
    let elements = Elements { each: Some(&each), texts: true, results: false, made: &|_| None };
    dialects::registry::parse(body, frame, &elements)
}

/// Writes `conversation` to `out` as `target`. Returns the losses, and the sources of each element.
pub fn render<H: Host, K: Sink<H>>(
    conversation: &Conversation<H>,
    target: DialectId,
    options: &Options,
    out: &mut K,
) -> Result<Rendering, Error> {
    if options.reasoning == ReasoningChoice::Drop {
        return render_without_reasoning(conversation, target, options, out);
    }
    let origins = conversation.origins();
    let seen = |path: Path| match origins {
        Some(origins) => path.seen_from(origins),
        // This list is the caller's own, whatever its turns were read from.
        None => path.read_from(Home::NONE),
    };
    let mut written = write(&conversation.view(), target, options, out).map_err(|error| {
        let path = seen(error.path().clone());
        error.at_path(path)
    })?;
    for loss in &mut written.losses {
        loss.path = seen(std::mem::take(&mut loss.path));
    }
    receipt::sort(&mut written.losses);
    if let Some(origins) = origins {
        written.provenance = written.provenance.seen_from(origins).settled();
    }
    Ok(written)
}

/// [`render`] of a conversation whose reasoning is left out first, as a build does it.
fn render_without_reasoning<H: Host, K: Sink<H>>(
    conversation: &Conversation<H>,
    target: DialectId,
    options: &Options,
    out: &mut K,
) -> Result<Rendering, Error> {
    let mut losses = Losses::new(options);
    let rest = unreasoned::without_reasoning(conversation, target, &mut losses)?;
    let mut written = render(&rest, target, &Options { reasoning: ReasoningChoice::Valid, ..options.clone() }, out)?;
    written.losses.splice(..0, losses.list);
    receipt::sort(&mut written.losses);
    Ok(written)
}

fn write<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    options: &Options,
    out: &mut K,
) -> Result<Rendering, Error> {
    let mut losses = Losses::new(options);
    let filled = row_media::filled(conversation, target, options, &mut losses)?;
    let functions = functions::of(conversation, target, &mut losses)?;
    let updated = Updated::of(conversation, target, options, &mut losses)?;
    let placed = placed::of(conversation, target, &mut losses)?;
    let frame = functions.frame.as_ref().unwrap_or(conversation.frame);
    let settled = settled(frame, target, options, &mut losses)?;
    let changed = || filled.iter().chain(&functions.turns).chain(&placed);
    let is_same = changed().next().is_none();
    if is_same && functions.frame.is_none() && settled.is_none() && updated.is_empty() {
        return write_as(conversation, target, options, losses, out);
    }
    let mut turns = conversation.turns.clone();
    for (at, turn) in changed() {
        turns[*at] = turn;
    }
    let frame = settled.as_ref().unwrap_or(frame);
    let list_origin = conversation.list_origin.filter(|_| is_same && functions.frame.is_none());
    let view = View { turns, list_origin, frame, origins: conversation.origins };
    if updated.is_empty() {
        return write_as(&view, target, options, losses, out);
    }
    updated.written(&view, losses, |view, losses| write_as(view, target, options, losses, out))
}

/// The frame of a body of the target's own format with the settings that another version, server or model takes. A body for
/// the same one stays unchanged: only a build repairs it.
fn settled<H: Host>(
    frame: &Frame<H>,
    target: DialectId,
    options: &Options,
    losses: &mut Losses,
) -> Result<Option<Frame<H>>, Error> {
    let from = frame.settings_from();
    let is_another = from.profile() != target.profile() || options.model.is_some();
    if options.rest != Others::Convert || !from.same_wire(target) || !is_another {
        return Ok(None);
    }
    settings::settled(frame, Target { id: target, limits: target.limits()?, options }, losses)
}

fn write_as<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    options: &Options,
    mut losses: Losses,
    out: &mut K,
) -> Result<Rendering, Error> {
    let provenance = dialects::registry::render(conversation, target, options, &mut losses, out)?;
    if let Some(auto) = &options.marks {
        let path = |index: usize| conversation.turns.get(index).map(|turn| turn.path(index)).unwrap_or_default();
        let origin = marks::Origin { frame: conversation.frame, provenance: &provenance, path: &path };
        marks::add((target, auto), &origin, &mut losses, out)?;
    }
    Ok(Rendering { losses: losses.list, provenance, names: conversation.frame.names.clone() })
}
