//! Finds reasoning that lies in another format's keys, and decides whether its maker gets it back.

use super::{
    decide::{Fate, Scope},
    options,
    proof::is_sound,
    said_before::is_said_before,
};
use crate::{
    model::{Kind, Part, Reasoning, Role, Turn},
    report::ReasoningChoice,
    rules::{
        Carries, DialectId, Family, ReasoningRule, Target,
        carrier::{CLAUDE, Holds, Maker},
        details::{self, Piece, text},
        passage::lines,
        shared_block,
    },
    value::{Host, Text, Value},
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
        // What has no other proof is known by its id, and some servers know all of it so.
        _ if scope.from.facts.options.is_some() || target.limits.reasoning_ids => Some(piece.value),
        _ => Some(details::without_id(&piece.value)),
    };
    let values: Vec<_> = taken.into_iter().filter_map(spelled).collect();
    signs.then_some((if values.is_empty() { Fate::Nothing } else { Fate::Carried(values) }, whole))
}

/// Whether reasoning of the target's own format lies in a key of other servers, and the target has a place of its own for
/// its maker's.
pub(super) fn lies_elsewhere<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> bool {
    let carries = target.limits.carries;
    let has_place = match (turn.from.facts.carriers.holds(part.place.key), carries) {
        (Some(Holds::Blocks(_)), Carries::Details) | (Some(Holds::Details), Carries::Keys(_)) => true,
        (Some(Holds::Blocks(maker)), Carries::Keys(_)) => {
            carries.list_of(maker).is_some_and(|key| part.place.key != Some(key.name))
        }
        _ => false,
    };
    has_place && matches!(fate(target, Scope::of(turn), part), Some((Fate::Listed(_) | Fate::Nothing, _)))
}

/// Whether the target is a gateway that takes the reasoning of others as details, each item once.
pub(crate) fn has_details(target: &Target<'_>) -> bool {
    matches!(target.limits.carries, Carries::Details)
}

/// Whether the target verifies the reasoning of this maker.
pub(super) fn takes(target: &Target<'_>, maker: Maker) -> bool {
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
pub(super) fn pieces<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Option<(Vec<Piece<H>>, bool)> {
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

/// The readable text of reasoning that lies in a carrier, for a target that gets it as text.
pub(crate) fn readable<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Option<Text<H>> {
    let Kind::Reasoning(Reasoning { text: None }) = &part.kind else { return None };
    scope.from.facts.carriers.holds(part.place.key)?;
    let Ok(Value::List(items)) = part.origin.as_ref()?.to_value(scope.input) else { return None };
    let said = items.iter().flat_map(details::readable).collect::<Vec<_>>();
    let whole = lines(&said, None);
    (!whole.is_blank(None)).then_some(whole)
}

/// The text of blocks of which none has a proof, with the key under which the target reads thoughts. `None` if it has no such
/// key, or takes the blocks.
pub(crate) fn unproved<H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    part: &Part<H>,
) -> Option<(&'static str, Text<H>)> {
    let (ReasoningRule::Key(key, _) | ReasoningRule::Own(key)) = target.limits.reasoning else { return None };
    let Some(Holds::Blocks(maker)) = scope.from.facts.carriers.holds(part.place.key) else { return None };
    let Ok(Value::List(blocks)) = part.origin.as_ref()?.to_value(scope.input) else { return None };
    let taken = target.limits.carries.list_of(maker).is_some() || matches!(target.limits.carries, Carries::Details);
    let is_proved = |block: &Value<H>| native(maker, block).is_some();
    if taken || part.touched || blocks.iter().any(is_proved) { None } else { Some((key, readable(scope, part)?)) }
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
