//! Collects system text for the single place where a target keeps it, or reports it as lost.

mod text;

pub(crate) use self::text::SystemText;
use super::writer::{Where, Writer};
use crate::{
    model::{Kind, Part},
    report::{Edit, Error, Path, Step},
    rules::{DialectId, SystemPlace},
    value::{Host, Input, Piece, Sink, Text},
    wire::plan::{Planner, in_block, in_keys, rules},
};

/// The top-level system text of the payload. Reports other content.
pub(crate) fn top<'a, H: Host>(w: &mut Planner<'a, H>) -> Result<Vec<SystemText<'a, H>>, Error> {
    let conversation = w.conversation;
    let frame = conversation.frame;
    let mut texts = Vec::new();
    let own = stays(w, frame.from);
    beside_lost(w, false)?;
    for part in frame.system.iter().flat_map(|system| &system.parts) {
        gather(w, part, (frame.from, frame.input.as_ref(), own), None, &|| Path::default().at(part.place), &mut texts)?;
    }
    Ok(texts)
}

/// All system text, in order: the top-level text, and the text of turns that cannot stay in the list.
pub(crate) fn all<'a, H: Host>(w: &mut Planner<'a, H>) -> Result<Vec<SystemText<'a, H>>, Error> {
    let mut texts = top(w)?;
    let hoisted: Vec<_> = w.moved_system().collect();
    for ((index, turn), why) in hoisted {
        if let Some(rule) = why {
            w.losses.changed(rule.code, turn.path(index), rule.says);
        }
        let own = stays(w, turn.from);
        let keys = w.target.id.keys();
        let stays = |part: &Part<H>| match &part.kind {
            Kind::Opaque(name) => {
                keys.any
                    || keys
                        .system_blocks
                        .split(' ')
                        .any(|known| !known.is_empty() && name.is(known, turn.input.as_ref()))
            }
            _ => true,
        };
        if turn.parts.is_empty() {
            w.empty_turn(turn, index)?;
            continue;
        }
        for (at, part) in turn.parts.iter().enumerate() {
            let own = own && stays(part);
            gather(
                w,
                part,
                (turn.from, turn.input.as_ref(), own),
                Some(index),
                &|| turn.part_path(index, at),
                &mut texts,
            )?;
        }
        let mark = w.turn_mark(turn).filter(|_| w.target.id.marks().is_some_and(|marks| w.target.marks_system(marks)));
        if let (Some((_, cached)), Some(last)) = (mark, texts.last_mut()) {
            last.cached = last.cached.or(Some(cached));
        }
        w.rest_lost(turn, index)?;
    }
    Ok(texts)
}

/// Writes system texts as one, each on lines of its own. They may come from several inputs.
pub(crate) fn joined<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
    if let [one] = texts {
        w.out.scope(one.input);
        return w.out.text(one.text);
    }
    let texts: Vec<_> = texts.iter().map(|one| w.p.detached(one.text, one.input)).collect();
    let pieces: Vec<_> = texts.iter().flat_map(|text| [Piece::Str("\n"), Piece::Text(text)]).skip(1).collect();
    w.out.pieces(&pieces);
}

/// [`joined`] for a target that allows one text, which is told.
pub(crate) fn one_text<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
    if texts.len() > 1 {
        let path = w.p.first_system_path();
        w.p.losses.changed(Edit::Joined, path, rules::ONE_INSTRUCTION.says);
    }
    joined(w, texts);
}

/// Reports the keys beside top-level system text: those of another format, or the target's `own` ones if no text is
/// left.
pub(crate) fn beside_lost<H: Host>(w: &mut Planner<'_, H>, own: bool) -> Result<(), Error> {
    let frame = w.conversation.frame;
    let system = frame.system.as_ref().filter(|_| stays(w, frame.from) == own);
    let extras = system.and_then(|system| system.extras.as_deref());
    w.extras_lost(extras, frame.input.as_ref(), &|| frame.system_path())
}

/// Whether this format's system text is sent back unchanged. Text that becomes a message is rewritten.
fn stays<H: Host>(w: &Planner<'_, H>, from: DialectId) -> bool {
    from.same_wire(w.target.id) && w.target.id.keeps_system_beside()
}

fn gather<'a, H: Host>(
    w: &mut Planner<'a, H>,
    part: &'a Part<H>,
    (from, input, own): (DialectId, Option<&'a Input>, bool),
    turn: Option<usize>,
    path: Where<'_>,
    texts: &mut Vec<SystemText<'a, H>>,
) -> Result<(), Error> {
    match &part.kind {
        Kind::Text(_) if w.target.limits.system == SystemPlace::Nowhere => {
            w.losses.lost(Edit::System, path(), "the target has no place for system text")
        }
        Kind::Text(text) => {
            let says = !w.blank(text, input, path)?;
            let origin = part.origin.as_ref().filter(|_| own && !part.touched);
            let extras = part.extras.as_deref().filter(|_| own && origin.is_none());
            let mark = in_keys((from, &w.target), |marks| w.target.marks_system(marks), part.extras.as_deref(), input)
                .filter(|_| says);
            if let Some((name, cached)) = mark {
                w.mark_told(cached, &|| path().then(Step::Key(name)))?;
            }
            if !(own && says) {
                let mut keys = part.extras.iter().flat_map(|extras| extras.iter());
                let is_mark = |key: &Text<H>| mark.is_some_and(|(name, _)| key.is(name, input));
                let used = [mark.map_or("", |(name, _)| name)];
                keys.try_for_each(|(key, raw)| {
                    if is_mark(key) { Ok(()) } else { w.options_lost((from, &used, false), (key, raw), input, path) }
                })?;
            }
            if says {
                texts.push(SystemText { text, input, origin, extras, turn, cached: mark.map(|(_, cached)| cached) });
            }
            Ok(())
        }
        // An opaque part of the target's own system text is in its origin.
        Kind::Opaque(name) => match part.origin.as_ref().filter(|_| own && !part.touched) {
            None => {
                match (in_block((from, &w.target), |marks| w.target.marks_system(marks), part, input), texts.last_mut())
                {
                    (Some(cached), Some(before)) => {
                        before.cached = Some(cached);
                        Ok(())
                    }
                    _ => w.opaque(name, (from, part), input, path),
                }
            }
            origin => {
                texts.push(SystemText { text: name, input, origin, extras: None, turn, cached: None });
                Ok(())
            }
        },
        _ => w.losses.lost(Edit::System, path(), rules::SYSTEM_TEXT.says),
    }
}
