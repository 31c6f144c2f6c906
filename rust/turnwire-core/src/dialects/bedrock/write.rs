//! Writes Converse messages and system text.

use super::keys as k;
use super::{Bedrock, blobs, cache::cache_point, media, tools};
use crate::{
    model::{Choice, MOVED_MEDIA, Role, Tool},
    report::{Error, Path},
    value::{Host, Input, Piece, Raw, Sink, Source, Text, Tree, Value},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, has_other_blobs},
        write::{SystemText, Writer},
    },
};

impl Write for Bedrock {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        w.out.open_map();
        w.out.key(&k::ROLE);
        w.out.literal(match message.role {
            Role::Assistant => &k::ASSISTANT,
            Role::System | Role::Developer => &k::SYSTEM,
            Role::User | Role::Tool => &k::USER,
        });
        w.out.key(&k::CONTENT);
        w.out.open_list();
        for item in &message.items {
            block(w, item, guard(item))?;
            cache_point(w, item.cached);
        }
        w.out.close();
        w.message_extras(message);
        w.out.close();
        Ok(())
    }
    fn write_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
        system(w, texts);
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        tools::write(w, tool, at)
    }
    fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
        tools::write_choice(w, choice);
    }
}

/// Writes one block: an object with one key. `guard`: the guardrail's mark around it. Results have none.
fn block<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    guard: Option<&Raw<H>>,
) -> Result<(), Error> {
    w.out.scope(item.input);
    if let Some(raw) = item.whole() {
        match hidden(item).filter(|_| w.p.target.options.raw_blobs) {
            Some(data) => {
                w.out.open_map();
                w.out.key(&k::REASONING_CONTENT);
                w.out.open_map();
                w.out.key(&k::REDACTED_CONTENT);
                w.out.text_as_blob(&data);
                w.out.close();
                w.out.close();
            }
            None if item.part.is_some_and(|part| has_other_blobs(&w.p.target, part, item.input)) => {
                blobs::write(w.out, &raw.to_value(item.input)?, w.p.target.options.raw_blobs)?;
            }
            None => w.out.raw(raw),
        }
        return Ok(());
    }
    w.out.open_map();
    match &item.said {
        Said::Call(call) => {
            w.out.key(&k::TOOL_USE);
            w.out.open_map();
            w.out.key(&k::TOOL_USE_ID);
            w.id(item, &call.id);
            w.out.key(&k::NAME);
            w.out.text(&call.name);
            w.out.key(&k::INPUT);
            w.args(item, call)?;
            w.inner_extras(item);
            w.out.close();
        }
        Said::Result(outcome) => result(w, item, outcome)?,
        Said::Media(shown) => match guard {
            // It holds the media with all of their keys.
            Some(mark) => {
                w.out.key(&k::GUARD_CONTENT);
                w.out.raw(mark);
            }
            None => media::write(w, shown, |w| media::beside(w, item, shown.class))?,
        },
        Said::Json(raw) => {
            w.out.key(&k::JSON);
            w.out.sound(raw);
        }
        _ => said(w, item, guard)?,
    }
    // The guardrail's mark is around the block, not in it.
    for (key, raw) in item.extras().into_iter().flatten().filter(|(key, _)| !is_mark(key, item.input)) {
        w.out.key_text(key);
        w.out.raw(raw);
    }
    w.out.close();
    Ok(())
}

/// The base64 text of hidden reasoning that came from another format.
fn hidden<H: Host>(item: &Item<'_, H>) -> Option<Text<H>> {
    let Said::Translated(Raw::Tree(block)) = &item.said else { return None };
    let block = Tree(block);
    block.get(&k::REASONING_CONTENT)?.get(&k::REDACTED_CONTENT)?.text()
}

/// Writes text inside its mark.
fn said<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    guard: Option<&Raw<H>>,
) -> Result<(), Error> {
    if let Some(mark) = guard {
        guarded(w, mark.to_value(item.input)?, |w| text(w, item));
    } else if item.cited.is_some()
        || item.own
            && item
                .part
                .and_then(|part| part.inner.as_ref())
                .is_some_and(|inner| inner.key == k::CITATIONS_CONTENT.name)
    {
        w.out.key(&k::CITATIONS_CONTENT);
        w.out.open_map();
        w.out.key(&k::CONTENT);
        w.out.open_list();
        w.out.open_map();
        text(w, item);
        w.out.close();
        w.out.close();
        if let Some(cited) = &item.cited {
            w.out.key(&k::CITATIONS);
            w.out.sound(cited);
        }
        w.inner_extras(item);
        w.out.close();
    } else {
        text(w, item);
    }
    Ok(())
}

/// Writes text, by `text`, inside the guardrail's mark that it had.
fn guarded<'w, 'p, H: Host, K: Sink<H>>(
    w: &mut Writer<'w, 'p, H, K>,
    mark: Value<H>,
    text: impl FnOnce(&mut Writer<'w, 'p, H, K>),
) {
    w.out.key(&k::GUARD_CONTENT);
    w.out.open_map();
    w.out.key(&k::TEXT);
    w.out.open_map();
    text(w);
    let (inside, beside) = entries(mark).into_iter().partition::<Vec<_>, _>(|(key, _)| key.is(k::TEXT.name, None));
    let inside = inside.into_iter().flat_map(|(_, value)| entries(value));
    others(w, inside.filter(|(key, _)| !key.is(k::TEXT.name, None)));
    w.out.close();
    others(w, beside.into_iter());
    w.out.close();
}

/// The guardrail's mark of an item.
fn guard<'i, H: Host>(item: &Item<'i, H>) -> Option<&'i Raw<H>> {
    let mut extras = item.extras().into_iter().flatten();
    extras.find(|(key, _)| is_mark(key, item.input)).map(|(_, mark)| mark)
}

fn is_mark<H: Host>(key: &Text<H>, input: Option<&Input>) -> bool {
    key.is(k::GUARD_CONTENT.name, input)
}

type Entry<H> = (Text<H>, Value<H>);

/// The entries of an object.
fn entries<H: Host>(value: Value<H>) -> Vec<Entry<H>> {
    match value {
        Value::Map(entries) => entries.iter().map(|(key, value)| (key.share(), value.share())).collect(),
        _ => Vec::new(),
    }
}

/// Writes keys of the mark that are not its text.
fn others<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, entries: impl Iterator<Item = Entry<H>>) {
    for (key, value) in entries {
        w.out.key_text(&key);
        w.out.raw(&Raw::Tree(value));
    }
}

/// `"text": …`
fn text<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) {
    w.out.key(&k::TEXT);
    match (&item.said, item.text()) {
        (_, Some(words)) => w.out.text(words),
        (Said::Json(raw) | Said::JsonText(raw), _) => w.out.raw_as_text(raw),
        (Said::MovedMedia(result), _) => {
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        _ => w.out.pieces(&[]),
    }
}

/// `"toolResult": {…}`. A success needs no status, and some models refuse one.
fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    w.out.key(&k::TOOL_RESULT);
    w.out.open_map();
    w.out.key(&k::TOOL_USE_ID);
    w.id(item, &outcome.result.id);
    w.result_name_lost(item, outcome.result)?;
    w.out.key(&k::CONTENT);
    w.out.open_list();
    outcome.items.iter().try_for_each(|one| block(w, one, None))?;
    w.out.close();
    if outcome.result.error {
        w.out.key(&k::STATUS);
        w.out.literal(&k::ERROR);
    }
    w.out.scope(item.input);
    w.inner_extras(item);
    w.out.close();
    Ok(())
}

pub(super) fn system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
    w.out.open_list();
    for SystemText { text, input, origin, extras, cached, .. } in texts {
        w.out.scope(*input);
        if let Some(raw) = origin {
            w.out.raw(raw);
            continue;
        }
        w.out.open_map();
        let (marks, beside): (Vec<_>, Vec<_>) =
            extras.iter().copied().flatten().partition(|(key, _)| is_mark(key, *input));
        let words = |w: &mut Writer<'_, '_, H, K>| {
            w.out.key(&k::TEXT);
            w.out.text(text);
        };
        match marks.first().map(|(_, mark)| mark.to_value(*input)) {
            Some(Ok(mark)) => guarded(w, mark, words),
            _ => words(w),
        }
        for (key, raw) in beside {
            w.out.key_text(key);
            w.out.raw(raw);
        }
        w.out.close();
        cache_point(w, *cached);
    }
    w.out.close();
}
