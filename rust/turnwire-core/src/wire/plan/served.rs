//! Decides what the target gets of a call that another provider ran, and of its result, where the caller wants them as text.

use std::borrow::Cow;

use super::{
    decide::{Decision, Fate, Scope},
    item::{Item, Said},
    rules,
};
use crate::{
    model::{Kind, Part, Turn},
    report::ServerTools,
    rules::{Target, passage::lines, served_rule::Served},
    value::{Host, Text},
};

/// The call that another provider ran, or its result, in a part, and the name of its type.
fn of<'p, H: Host>(scope: Scope<'p>, part: &'p Part<H>) -> Option<(Cow<'p, str>, Served<H>)> {
    let rules = scope.from.facts.served;
    let Kind::Opaque(kind) = &part.kind else { return None };
    if rules.is_empty() {
        return None;
    }
    let (kind, block) = (kind.to_str(scope.input), part.origin.as_ref()?.to_value(scope.input).ok()?);
    let found = rules.iter().find_map(|rule| rule.read(&kind, &block))?;
    Some((kind, found))
}

/// What the target gets of a call that another provider ran, or of its result. `None` if the part is neither.
pub(super) fn decide<'p, H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> Option<Decision<'p, H>> {
    if scope.from.same_wire(target.id) {
        return None;
    }
    let (name, Served { call, lines: said, more, .. }) = of(scope, part)?;
    if target.options.server_tools == ServerTools::Drop {
        return Some(Decision::lost(&rules::OPAQUE).saying(rules::only_own_server(&name)));
    }
    let first = call.map(|call| Text::own(&call));
    if first.is_none() && said.is_empty() {
        let rule = if more { &rules::SERVED_MEDIA } else { &rules::SERVED_SILENT };
        return Some(Decision::lost(rule));
    }
    let text = lines(first.iter().chain(&said), None);
    let fate = if first.is_some() { Fate::Made(text) } else { Fate::More(text) };
    if !more {
        return Some(Decision::changed(&rules::SERVED_TEXT, fate));
    }
    Some(Decision { fate, ..Decision::lost(&rules::SERVED_MEDIA) })
}

/// Whether a result belongs to the call in the item before it, so that both are one text.
pub(super) fn goes_on<H: Host>(turn: &Turn<H>, before: &Item<'_, H>, part: &Part<H>) -> bool {
    let (Said::Made(_), Some(first)) = (&before.said, before.part) else { return false };
    let read = |part| of(Scope::of(turn), part);
    let Some(((_, call), (_, result))) = read(first).zip(read(part)) else { return false };
    call.call.is_some() && Text::same_option(call.id.as_ref(), result.id.as_ref())
}
