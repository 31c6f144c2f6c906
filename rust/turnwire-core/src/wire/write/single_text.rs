//! Joins several items into one text, for formats whose messages or results are strings.

use super::writer::Writer;
use crate::{
    model::{Kind, MOVED_MEDIA},
    report::{Edit, Error},
    value::{Host, Piece, Sink, Text},
    wire::plan::{Item, Outcome, Said},
};

/// Writes the items of a result.
pub(crate) fn outcome<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let said: Vec<_> = outcome.items.iter().collect();
    // If a result must be one text, the plan has already reported the join.
    write(w, outcome.prefix, &said)
}

/// The items of a result.
pub(crate) fn of<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    outcome: &Outcome<'_, H>,
) -> Result<Text<H>, Error> {
    if let ([one], "") = (outcome.items.as_slice(), outcome.prefix) {
        return line(w, one);
    }
    let mut said = outcome.prefix.as_bytes().to_vec();
    for (at, item) in outcome.items.iter().enumerate() {
        if at > 0 {
            said.push(b'\n');
        }
        said.extend_from_slice(&line(w, item)?.wtf8(None));
    }
    w.p.text_of(&said)
}

/// Writes the items of a message, and reports all texts but the first.
pub(crate) fn joined<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[&Item<'_, H>]) -> Result<(), Error> {
    for item in items.iter().skip(1) {
        w.p.losses.changed(
            Edit::Joined,
            w.p.path_of(item),
            "the target allows one text in a message: they are joined, a line each",
        );
    }
    write(w, "", items)
}

/// Writes items as one string, each on its own line.
pub(crate) fn write<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    prefix: &str,
    items: &[&Item<'_, H>],
) -> Result<(), Error> {
    if let ([one], "") = (items, prefix)
        && let Some(text) = one.text()
    {
        w.out.scope(one.input);
        w.out.text(text);
        return Ok(());
    }
    // The items may point into several inputs.
    let lines = items.iter().map(|item| line(w, item)).collect::<Result<Vec<_>, _>>()?;
    let mut pieces = vec![Piece::Str(prefix)];
    for (at, text) in lines.iter().enumerate() {
        pieces.extend((at > 0).then_some(Piece::Str("\n")));
        pieces.push(Piece::Text(text));
    }
    w.out.pieces(&pieces);
    Ok(())
}

/// The text of an item.
pub(crate) fn line<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<Text<H>, Error> {
    let text = match (&item.said, item.text(), item.part.map(|part| &part.kind)) {
        (_, Some(text), _) | (Said::Origin(_), _, Some(Kind::Text(text))) => Some(text),
        (Said::Refusal(text), ..) => Some(*text),
        _ => None,
    };
    // U+FFFD is reported if the host cannot hold lone surrogates.
    if let Some(text) = text {
        return Ok(w.p.detached(text, item.input));
    }
    Ok(match &item.said {
        Said::MovedMedia(result) => {
            let id = w.p.id_of(item, &result.id).wtf8(item.input);
            let said = [MOVED_MEDIA.as_bytes(), &id, b":"].concat();
            w.p.text_of(&said)?
        }
        _ => match item.json() {
            Some(raw) => Text::own(&w.p.json_of(raw, item.input)?),
            None => Text::own(""),
        },
    })
}
