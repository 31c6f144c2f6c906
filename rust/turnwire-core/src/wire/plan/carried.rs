//! Finds reasoning that lies in another format's keys, and decides whether its maker gets it back.

use super::{
    decide::{Fate, Scope},
    options,
    said_before::is_said_before,
};
use crate::{
    model::{Call, Kind, Part, Reasoning, Role, Turn},
    pairing::links,
    report::ReasoningChoice,
    rules::{
        Carries, DialectId, Family, ReasoningRule, Target,
        carrier::{CLAUDE, Holds, Maker},
        details::{self, Piece, text, value},
        passage::lines,
        shared_block,
    },
    value::{HashMap, HashSet, Host, Input, Key, Raw, Text, Value, base64},
};

/// What the target gets of reasoning in a carrier, and whether that is all of it. `None` if it gets nothing.
pub(super) fn fate<'p, H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> Option<(Fate<'p, H>, bool)> {
    if let Some(rule) = target.id.facts.options {
        let (made, whole) = options::written(rule, scope, part, || pieces(scope, part))?;
        return Some((Fate::Carried(made), whole));
    }
    let (pieces, whole) = pieces(scope, part)?;
    let all = pieces.len();
    if all == 0 && whole {
        return Some((Fate::Nothing, true));
    }
    let carries = target.limits.carries;
    if matches!(carries, Carries::Details) {
        // What a gateway knows goes back to it whole.
        if let Some(values) = scope.from.facts.options.and_then(|rule| options::details(rule, part, scope.input)) {
            let values = values.into_iter().map(|value| (details::LIST, value)).collect();
            return Some((Fate::Listed(values), true));
        }
        let values: Vec<_> = pieces.iter().flat_map(details::written).map(|value| (details::LIST, value)).collect();
        return (!values.is_empty()).then_some((Fate::Listed(values), whole));
    }
    let is_theirs = |piece: &Piece<H>| {
        let proof = || text(&piece.value, "thoughtSignature");
        takes(target, piece.maker) && proof().is_none_or(|proof| is_sound(target, &proof, None))
    };
    let mut taken: Vec<_> = pieces.into_iter().filter(is_theirs).collect();
    // One signature that names no call is written. Nothing says where another would belong.
    let is_proof = |piece: &Piece<H>| piece.maker == Maker::Google && !matches!(piece.value, Value::Map(_));
    let unplaced = taken.iter().filter(|piece| is_proof(piece) && piece.call.is_none()).count();
    let whole = whole && taken.len() == all && unplaced < 2;
    let signs = !taken.is_empty();
    // A signature is written with what it signs.
    taken.retain(|piece| !is_proof(piece));
    if carries.keys().is_some() {
        let listed = |piece: Piece<H>| Some((carries.list_of(piece.maker)?, piece.value));
        let values: Vec<_> = taken.into_iter().filter_map(listed).collect();
        return signs.then_some((if values.is_empty() { Fate::Nothing } else { Fate::Listed(values) }, whole));
    }
    let spelled = |piece: Piece<H>| match piece.maker {
        Maker::Claude => shared_block::translated(CLAUDE, target.id.facts.shared, &piece.value),
        // What has no other proof is known by its id.
        _ if scope.from.facts.options.is_some() => Some(piece.value),
        _ => Some(details::without_id(&piece.value)),
    };
    let values: Vec<_> = taken.into_iter().filter_map(spelled).collect();
    signs.then_some((if values.is_empty() { Fate::Nothing } else { Fate::Carried(values) }, whole))
}

/// Whether the target is a gateway that takes the reasoning of others as details, each item once.
pub(crate) fn has_details(target: &Target<'_>) -> bool {
    matches!(target.limits.carries, Carries::Details)
}

/// Whether the target verifies the reasoning of this maker.
fn takes(target: &Target<'_>, maker: Maker) -> bool {
    let carries = target.limits.carries;
    match maker {
        _ if carries.list_of(maker).is_some() => true,
        Maker::Claude => target.family() == Family::Claude,
        Maker::OpenAi => target.id.facts.maker == Some(maker),
        Maker::Mistral => target.id.facts.maker == Some(maker) && target.limits.reasoning != ReasoningRule::None,
        Maker::Google => {
            matches!(target.limits.reasoning, ReasoningRule::Signature(_)) || !carries.signature().is_empty()
        }
    }
}

/// The pieces of reasoning in a part, and whether they are all that it says. `None` if no maker is known.
fn pieces<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Option<(Vec<Piece<H>>, bool)> {
    let facts = scope.from.facts;
    // Nothing proves Mistral's, which all of its models read.
    let bound = part.signed || facts.maker == Some(Maker::Mistral);
    if !matches!(part.kind, Kind::Reasoning(_)) || scope.role != Role::Assistant || !bound {
        return None;
    }
    if let Some(rule) = facts.options {
        return if part.touched { None } else { options::pieces(rule, part, scope.input) };
    }
    let holds = facts.carriers.holds(part.place.key);
    let chunk = facts.carriers.among_contents.filter(|_| part.place.index.is_some());
    let maker = scope.from.limits().ok().and_then(|limits| match limits.family {
        Family::Claude => Some(Maker::Claude),
        Family::Any => facts.maker,
    });
    if holds.is_none() && chunk.is_none() && (maker.is_none() || part.touched || part.flaw.is_some()) {
        return None;
    }
    let origin = part.origin.as_ref()?.to_value(scope.input).ok()?;
    Some(match (holds, &origin) {
        (Some(Holds::Details), Value::List(list)) => details::read(list),
        (Some(Holds::Blocks(maker)), Value::List(list)) => {
            let pieces: Vec<_> = list.iter().filter_map(|block| native(maker, block)).collect();
            let whole = pieces.len() == list.len();
            (pieces, whole)
        }
        (None, block) => {
            let maker = chunk.or(maker)?;
            let block = match maker {
                Maker::Claude => &shared_block::translated(facts.shared, CLAUDE, block)?,
                _ => block,
            };
            (vec![native(maker, block)?], true)
        }
        (Some(_), _) => return None,
    })
}

/// A block as its maker's own piece, if it has a proof.
fn native<H: Host>(maker: Maker, block: &Value<H>) -> Option<Piece<H>> {
    let value = match maker {
        Maker::Claude => {
            // A signature or data that are empty prove nothing.
            ["signature", "data"].into_iter().find_map(|key| text(block, key)).filter(|proof| !proof.is_empty())?;
            shared_block::translated(CLAUDE, CLAUDE, block)?
        }
        Maker::OpenAi => {
            text(block, "encrypted_content")?;
            details::with_summary(block)
        }
        Maker::Mistral => block.share(),
        Maker::Google => return None,
    };
    Some(Piece { maker, value, call: None })
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

/// The readable text of reasoning that lies in a carrier, for a target that gets it as text.
pub(super) fn readable<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Option<Text<H>> {
    let Kind::Reasoning(Reasoning { text: None }) = &part.kind else { return None };
    scope.from.facts.carriers.holds(part.place.key)?;
    let Ok(Value::List(items)) = part.origin.as_ref()?.to_value(scope.input) else { return None };
    let said = items.iter().flat_map(details::readable).collect::<Vec<_>>();
    let whole = lines(&said, None);
    (!whole.is_blank(None)).then_some(whole)
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

/// Whether a signature is one, and not the documented stand-in, perhaps in base64.
pub(super) fn is_sound<H: Host>(target: &Target<'_>, signature: &Text<H>, input: Option<&Input>) -> bool {
    base64::is_strict(&signature.wtf8(input)) && !stands_in(target, signature, input)
}

/// Whether a signature is the documented stand-in for one, perhaps in base64.
fn stands_in<H: Host>(target: &Target<'_>, signature: &Text<H>, input: Option<&Input>) -> bool {
    let ReasoningRule::Signature(word) = target.limits.reasoning else { return false };
    let coded = || base64::decode(&signature.wtf8(input)).is_some_and(|bytes| bytes == word.as_bytes());
    signature.is(word, input) || coded()
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

/// Whether a part is a key that carries the reasoning of others.
pub(crate) fn is_in_key<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    turn.from.facts.carriers.holds(part.place.key).is_some()
}

/// Whether a part carries blocks of Claude's alone, and the target is a format of its family.
pub(crate) fn is_claudes<H: Host>(target: DialectId, scope: Scope<'_>, part: &Part<H>) -> bool {
    let claude = target.limits().is_ok_and(|limits| limits.family == Family::Claude);
    let all = |(pieces, _): (Vec<Piece<H>>, bool)| {
        !pieces.is_empty() && pieces.iter().all(|piece| piece.maker == Maker::Claude)
    };
    claude && pieces(scope, part).is_some_and(all)
}

/// Whether the model of the request refuses reasoning of the target's own format, because it is of another family than
/// the format's own.
pub(crate) fn is_of_others<H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> bool {
    let (Some(takes), Some(model)) = (target.id.facts.others_think, target.options.model.as_deref()) else {
        return false;
    };
    let others = target.family() != target.limits.family && scope.from.same_wire(target.id);
    others && matches!(part.kind, Kind::Reasoning(_)) && (part.signed || !takes(model))
}

/// Whether another part of the turn, which the target gets, holds the same thought.
pub(super) fn repeats<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> bool {
    if is_said_before(turn, part) {
        return true;
    }
    let Kind::Reasoning(Reasoning { text: Some(said) }) = &part.kind else { return false };
    let (scope, input) = (Scope::of(turn), turn.input.as_ref());
    if part.signed {
        return false;
    }
    let as_text = target.options.reasoning == ReasoningChoice::Text;
    turn.parts.iter().any(|other| {
        let same = || {
            let (pieces, _) = pieces(scope, other)?;
            let thoughts = pieces.iter().filter_map(|piece| text(&piece.value, "thinking"));
            let whole: Vec<u8> = thoughts.flat_map(|thought| thought.wtf8(None).into_owned()).collect();
            (*whole == *said.wtf8(input)).then_some(())
        };
        other.signed && (fate(target, scope, other).is_some() || as_text) && same().is_some()
    })
}
