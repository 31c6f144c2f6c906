//! Writes the text of one item.

use super::super::keys as k;
use crate::{
    model::MOVED_MEDIA,
    report::Error,
    value::{Host, Piece, Sink},
    wire::{
        plan::{Item, Said},
        write::Writer,
    },
};

/// Writes the text of an item alone.
pub(crate) fn text<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    prefix: &str,
) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::MovedMedia(result) => {
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        Said::Origin(raw) if prefix.is_empty() => w.out.raw_as_text(raw),
        Said::Json(raw) | Said::JsonText(raw) if prefix.is_empty() => w.json_text(raw, item.input),
        _ => match (item.text(), item.json()) {
            (Some(text), _) if prefix.is_empty() => w.out.text(text),
            (Some(text), _) => w.out.pieces(&[Piece::Str(prefix), Piece::Text(text)]),
            (None, Some(raw)) => {
                let json = w.p.json_of(raw, item.input)?;
                w.out.pieces(&[Piece::Str(prefix), Piece::Str(&json)]);
            }
            (None, None) => w.out.literal(&k::EMPTY),
        },
    }
    Ok(())
}
