//! Finds Google's signatures of calls and texts, wherever a message has them.

use super::{
    carried::{has_details, pieces, takes},
    decide::Scope,
    proof::{is_sound, stands_in},
};
use crate::{
    model::{Call, Kind, Part, Role, Turn},
    pairing::links,
    report::ReasoningChoice,
    rules::{
        Target,
        carrier::{Holds, Maker},
        details::{self, Piece, value},
    },
    value::{HashMap, HashSet, Host, Input, Key, Raw, Text, Value},
};

/// Whether a call of the target's own format has Google's signature where this server does not read it.
pub(super) fn has_loose_signature<H: Host>(target: &Target<'_>, turn: &Turn<H>) -> bool {
    if target.limits.carries.signature().is_empty() && !has_details(target) {
        return false;
    }
    let details = Signatures::of(turn);
    turn.parts.iter().any(|part| loose_signature(target, turn, part, Some(&details)).is_some())
}

/// The signature of a call of the target's own format, if this server reads it elsewhere: among the details of the
/// message, of which there are none, or under another key of the call.
///
/// `details`: the signatures among the details, which are read once for all calls of the message.
pub(super) fn loose_signature<H: Host>(
    target: &Target<'_>,
    turn: &Turn<H>,
    part: &Part<H>,
    details: Option<&Signatures<H>>,
) -> Option<Text<H>> {
    let path = target.limits.carries.signature();
    if !matches!(part.kind, Kind::Call(_)) || turn.role != Role::Assistant || path.is_empty() && !has_details(target) {
        return None;
    }
    if !path.is_empty() {
        return match signature_among(target, turn, part, details) {
            OwnSignature::Elsewhere(signature) => Some(signature),
            OwnSignature::InPlace | OwnSignature::Nowhere => None,
        };
    }
    let is_detailed = |part: &Part<H>| matches!(turn.from.facts.carriers.holds(part.place.key), Some(Holds::Details));
    let found = signature(turn, part).filter(|_| !turn.parts.iter().any(is_detailed))?;
    is_sound(target, &found, turn.input.as_ref()).then_some(found)
}

/// Google's signatures among the details of one turn.
pub(super) struct Signatures<H: Host> {
    of_calls: HashMap<Vec<u8>, Text<H>>,
    /// One that names no call of the turn, which is the first call's.
    first: Option<Text<H>>,
}

impl<H: Host> Signatures<H> {
    pub(super) fn of(turn: &Turn<H>) -> Self {
        let mut all = Self { of_calls: HashMap::default(), first: None };
        let mut found = turn.parts.iter().filter_map(|part| pieces(Scope::of(turn), part)).peekable();
        if found.peek().is_none() {
            return all;
        }
        let input = turn.input.as_ref();
        let calls: HashSet<_> = turn.calls().map(|call| call.id.wtf8(input).into_owned()).collect();
        for piece in found.flat_map(|(pieces, _)| pieces).filter(|piece| piece.maker == Maker::Google) {
            let Value::Text(signature) = piece.value else { continue };
            match piece.call.map(|id| id.wtf8(None).into_owned()).filter(|id| calls.contains(id)) {
                Some(id) => drop(all.of_calls.entry(id).or_insert(signature)),
                None => drop(all.first.get_or_insert(signature)),
            }
        }
        all
    }

    /// The signature of the first text of a message without calls.
    pub(super) fn of_text(&self, turn: &Turn<H>, part: &Part<H>) -> Option<&Text<H>> {
        let is_first = first_text(turn).is_some_and(|first| std::ptr::eq(first, part));
        self.first.as_ref().filter(|_| is_first && turn.calls().next().is_none())
    }

    pub(super) fn of_call(&self, turn: &Turn<H>, call: &Call<H>) -> Option<&Text<H>> {
        let is_first = turn.calls().next().is_some_and(|first| std::ptr::eq(first, call));
        let own = self.of_calls.get(&*call.id.wtf8(turn.input.as_ref()));
        own.or_else(|| self.first.as_ref().filter(|_| is_first))
    }
}

/// Whether the target writes Google's signatures of a turn.
pub(super) fn signs<H: Host>(target: &Target<'_>, turn: &Turn<H>) -> bool {
    let gateway = has_details(target) || target.id.facts.options.is_some();
    let takes = takes(target, Maker::Google) || gateway;
    takes && target.options.reasoning != ReasoningChoice::Drop && turn.role == Role::Assistant
}

/// Google's signature beside a part: a call, a text that has one, or the first text of a message without calls.
pub(super) fn signature<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<Text<H>> {
    match &part.kind {
        Kind::Call(_) => {
            let may = part.signed || part.extras.is_some() || part.inner.is_some();
            part.origin.as_ref().filter(|_| may).and_then(|raw| in_raw(turn, raw))
        }
        // A part may have its own.
        Kind::Text(_) if part.signed => part.origin.as_ref().and_then(|raw| in_raw(turn, raw)),
        Kind::Text(_) if turn.extras.is_some() => {
            let is_first = first_text(turn).is_some_and(|first| std::ptr::eq(first, part));
            let origin = turn.origin.as_ref().filter(|_| is_first);
            origin.and_then(|raw| in_raw(turn, raw))
        }
        _ => None,
    }
}

fn first_text<H: Host>(turn: &Turn<H>) -> Option<&Part<H>> {
    turn.parts.iter().find(|part| matches!(part.kind, Kind::Text(_)))
}

/// Where a call of the target's own format has Google's signature.
pub(super) enum OwnSignature<H: Host> {
    /// Where the target reads it.
    InPlace,
    /// Under another key.
    Elsewhere(Text<H>),
    /// Nowhere.
    Nowhere,
}

/// Where a call of the target's own format has Google's signature, if the target reads it from a key of its own. The
/// documented stand-in counts as one in its place.
pub(super) fn own_signature<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> OwnSignature<H> {
    let details = (!target.limits.carries.signature().is_empty()).then(|| Signatures::of(turn));
    signature_among(target, turn, part, details.as_ref())
}

/// The same, where the signatures among the details of the message are known.
fn signature_among<H: Host>(
    target: &Target<'_>,
    turn: &Turn<H>,
    part: &Part<H>,
    details: Option<&Signatures<H>>,
) -> OwnSignature<H> {
    let path = target.limits.carries.signature();
    let whole =
        part.origin.as_ref().filter(|_| !path.is_empty()).and_then(|raw| raw.to_value(turn.input.as_ref()).ok());
    let at = |whole| path.iter().try_fold(whole, |at, key| value(at, key.name));
    let is_one = |text: &Text<H>| is_sound(target, text, None) || stands_in(target, text, None);
    if matches!(whole.as_ref().and_then(at), Some(Value::Text(text)) if is_one(text)) {
        return OwnSignature::InPlace;
    }
    // A key that is left out beside it may have been its place.
    let found = part.origin.as_ref().filter(|_| whole.is_some()).and_then(|raw| in_raw(turn, raw));
    let found = found.or_else(|| match &part.kind {
        Kind::Call(call) if whole.is_some() => {
            let listed = details.and_then(|details| details.of_call(turn, call)).map(Text::share);
            listed.or_else(|| in_id(turn, call))
        }
        _ => None,
    });
    let sound = found.filter(|signature| is_sound(target, signature, turn.input.as_ref()));
    sound.map_or(OwnSignature::Nowhere, OwnSignature::Elsewhere)
}

/// Whether a call has a signature under a key that the target does not read.
pub(super) fn has_signature_elsewhere<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> bool {
    matches!(own_signature(target, turn, part), OwnSignature::Elsewhere(_))
}

/// Whether a call has a signature where the target reads it. `None` for other parts.
pub(super) fn is_signed<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> Option<bool> {
    let of_call = matches!(part.kind, Kind::Call(_));
    of_call.then(|| part.signed || matches!(own_signature(target, turn, part), OwnSignature::InPlace))
}

/// The signature at one of the paths of the format.
fn in_raw<H: Host>(turn: &Turn<H>, raw: &Raw<H>) -> Option<Text<H>> {
    let paths = turn.from.facts.carriers.signatures;
    if paths.is_empty() {
        return None;
    }
    let whole = raw.to_value(turn.input.as_ref()).ok()?;
    paths.iter().find_map(|path| {
        let found = path.iter().try_fold(&whole, |at, key| value(at, key))?;
        match found {
            Value::Text(text) if !text.is_empty() => Some(text.share()),
            Value::List(items) => match items.first()? {
                Value::Text(text) if !text.is_empty() => Some(text.share()),
                _ => None,
            },
            _ => None,
        }
    })
}

/// The signature behind the id of a call.
pub(super) fn in_id<H: Host>(turn: &Turn<H>, call: &Call<H>) -> Option<Text<H>> {
    let id = call.id.wtf8(turn.input.as_ref());
    let (_, signature) = turn.from.facts.carriers.split(&id)?;
    Some(Text::own(&String::from_utf8_lossy(signature)))
}

/// Whether the target gets the id of a call without the signature behind it.
pub(super) fn loses_id<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> bool {
    let Kind::Call(call) = &part.kind else { return false };
    // Few formats have such ids.
    !turn.from.facts.carriers.in_id.is_empty()
        && links::bare(turn, &call.id.wtf8(turn.input.as_ref()), target.id).is_some()
}

/// A signature as details of the target.
pub(super) fn as_details<H: Host>(
    signature: Text<H>,
    call: Option<&Text<H>>,
    input: Option<&Input>,
) -> Vec<(&'static Key, Value<H>)> {
    let call = call.map(|id| id.detach(input));
    let piece = Piece { maker: Maker::Google, value: Value::Text(signature), call };
    details::written(&piece).into_iter().map(|value| (details::LIST, value)).collect()
}

/// Whether a key carries a signature and nothing else.
pub(super) fn is_carrier<H: Host>(turn: &Turn<H>, entry: &(Text<H>, Raw<H>)) -> bool {
    turn.from.facts.carriers.signs(entry, turn.input.as_ref())
}
