//! Decides what the target gets of a part.
//!
//! Items, sizes and questions about turns follow this, so that no rule is decided twice. A decision reports nothing and knows
//! no place: whoever writes the part reports why it changes. `answer` decides about results, `arguments` about calls.

use std::borrow::Cow;

pub(crate) use super::scope::Scope;
use super::{
    blank::takes_blank,
    carried,
    media::{self, Shown, Taken},
    options, passages, remade,
    rules::{self, Rule},
    served,
    thought::{self, Thought},
};
use crate::{
    k,
    model::{Call, Kind, Media, Part, Reasoning, Role, compaction},
    report::{ChangeKind, Error, ReasoningChoice},
    rules::{DialectId, Limits, Target, shared_block},
    value::{Host, Key, Raw, Source, Text, Tree, Value},
};

/// What the target gets of a part.
pub(crate) enum Fate<'p, H: Host> {
    /// Its wire value, unchanged.
    Origin(&'p Raw<H>),
    /// Its wire value in the target's spelling.
    Translated(Value<H>),
    /// Reasoning from another format's keys, as its maker spells it.
    Carried(Vec<Value<H>>),
    /// Reasoning of other makers, as items of the lists under these keys.
    Listed(Vec<(&'static Key, Value<H>)>),
    /// Readable reasoning under a key.
    Thought(&'static str, &'p Text<H>),
    /// A text: its own, or one that stands for it.
    Text(&'p Text<H>),
    /// New text that stands for it.
    Made(Text<H>),
    /// The same, which goes on from the text before it if both are of one call.
    More(Text<H>),
    Refusal(&'p Text<H>),
    Call(&'p Call<H>),
    /// A result, which [`answer`] takes apart.
    Result,
    Media(Box<Shown<'p, H>>),
    /// A JSON value as a value.
    Json(Raw<H>),
    /// A JSON value as text.
    JsonText(Raw<H>),
    Nothing,
}

/// Why a part changes or is lost.
pub(crate) struct Why {
    pub(crate) rule: &'static Rule,
    pub(crate) kind: ChangeKind,
    pub(crate) says: Cow<'static, str>,
}

impl Why {
    #[cold]
    fn of(rule: &'static Rule, kind: ChangeKind) -> Self {
        Self { rule, kind, says: rule.says.into() }
    }
}

/// What the target gets of a part, and why, if that is not the part itself.
pub(crate) struct Decision<'p, H: Host> {
    pub(crate) fate: Fate<'p, H>,
    pub(crate) why: Option<Box<Why>>,
}

impl<'p, H: Host> Decision<'p, H> {
    #[inline]
    pub(super) fn of(fate: Fate<'p, H>) -> Self {
        Self { fate, why: None }
    }

    pub(super) fn changed(rule: &'static Rule, fate: Fate<'p, H>) -> Self {
        Self { fate, why: Some(Why::of(rule, rule.code.kind_changed()).into()) }
    }

    pub(super) fn lost(rule: &'static Rule) -> Self {
        Self { fate: Fate::Nothing, why: Some(Why::of(rule, ChangeKind::Lost).into()) }
    }

    /// A blank text is left out. Empty text is not a loss.
    fn blank(rule: &'static Rule, text: &Text<H>) -> Self {
        let kind = if text.is_empty() { rule.code.kind_changed() } else { ChangeKind::Lost };
        Self { fate: Fate::Nothing, why: Some(Why::of(rule, kind).into()) }
    }

    /// The same with a sentence that names what it is about.
    pub(super) fn saying(mut self, says: impl Into<Cow<'static, str>>) -> Self {
        if let Some(why) = &mut self.why {
            why.says = says.into();
        }
        self
    }

    /// Whether anything is written.
    #[inline]
    pub(crate) fn says(&self) -> bool {
        !matches!(self.fate, Fate::Nothing)
    }
}

/// What the target gets of a part that is not a block of a result. `afresh`: whether the part may not be sent back as it
/// came, because its id changed, or because it is blank text that would become a message of its own.
#[inline(always)]
#[expect(clippy::inline_always, reason = "a call costs as much as deciding about most parts")]
pub(crate) fn decide<'p, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    part: &'p Part<H>,
    afresh: bool,
) -> Result<Decision<'p, H>, Error> {
    if target.limits.reasoning_ids && lacks_id(scope, part) {
        return Ok(unread(target, scope, part, &rules::REASONING_ID));
    }
    if let Some(fate) = thought::fate((target.id, target.limits), scope, part, afresh) {
        return Ok(Decision::of(fate));
    }
    if let Some(origin) = part.origin.as_ref().filter(|_| !afresh && goes_back((target.id, target.limits), scope, part))
    {
        return Ok(Decision::of(Fate::Origin(origin)));
    }
    match &part.kind {
        Kind::Call(call) => Ok(Decision::of(Fate::Call(call))),
        // Nearly every other part is a text that stays as it is.
        Kind::Text(text) if !afresh && !is_refused(target.limits, text, scope) => Ok(Decision::of(Fate::Text(text))),
        _ => changed(target, scope, part, afresh),
    }
}

/// [`decide`] for a part that is neither a call nor a text that stays as it is.
#[inline(never)]
fn changed<'p, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    part: &'p Part<H>,
    afresh: bool,
) -> Result<Decision<'p, H>, Error> {
    let of_family = || in_family(target.id, scope, part).filter(|_| target.is_relative(scope.from));
    if let Some(value) = options::native(target.id, scope, part).or_else(of_family) {
        return Ok(Decision::of(Fate::Translated(value)));
    }
    let limits = target.limits;
    if let Some(blocks) = remade::blocks(target.id, scope, part) {
        return Ok(Decision::of(Fate::Carried(blocks)));
    }
    if let Some((fate, whole)) = carried::fate(target, scope, part) {
        let why = (!whole).then(|| Why::of(&rules::REASONING, ChangeKind::Lost).into());
        return Ok(Decision { fate, why });
    }
    Ok(match &part.kind {
        Kind::Result(_) => Decision::of(Fate::Result),
        Kind::Text(text) | Kind::Refusal(text) if afresh => Decision::blank(&rules::SILENT, text),
        Kind::Refusal(text) if limits.refusals && scope.role == Role::Assistant && !is_refused(limits, text, scope) => {
            Decision::of(Fate::Refusal(text))
        }
        Kind::Reasoning(_) => unread(target, scope, part, &rules::REASONING),
        Kind::Media(_) if !(limits.media_of_all || matches!(scope.role, Role::User | Role::Tool)) => {
            Decision::lost(&rules::OF_USER)
        }
        Kind::Json(raw) => Decision::changed(&rules::JSON_TEXT, Fate::JsonText(raw.share())),
        _ => content(target, scope, part)?,
    })
}

/// What the target gets of reasoning that it cannot replay, for this reason.
fn unread<'p, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    part: &'p Part<H>,
    why: &'static Rule,
) -> Decision<'p, H> {
    if target.options.reasoning != ReasoningChoice::Text {
        return Decision::lost(why);
    }
    match &part.kind {
        Kind::Reasoning(Reasoning { text: Some(text) }) if !text.is_blank(scope.input) => {
            Decision::changed(&rules::REASONING_TEXT, Fate::Text(text))
        }
        _ => match carried::readable(scope, part) {
            Some(text) => Decision::changed(&rules::REASONING_TEXT, Fate::Made(text)),
            None => Decision::lost(why),
        },
    }
}

/// Whether reasoning has no id of its own. That of another format has none here.
pub(super) fn lacks_id<H: Host>(scope: Scope<'_>, part: &Part<H>) -> bool {
    if !matches!(part.kind, Kind::Reasoning(_)) {
        return false;
    }
    let item = part.origin.as_ref().and_then(|origin| origin.to_value(scope.input).ok());
    let id = item.as_ref().and_then(|item| Tree(item).get(&k::ID)?.text());
    id.is_none_or(|id| id.is_blank(None))
}

/// What the target gets of text, media or an opaque part, in a message or a result.
pub(super) fn content<'p, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    part: &'p Part<H>,
) -> Result<Decision<'p, H>, Error> {
    let (limits, input) = (target.limits, scope.input);
    Ok(match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) if is_refused(limits, text, scope) => {
            Decision::blank(&rules::BLANK, text)
        }
        Kind::Text(text) => Decision::of(Fate::Text(text)),
        Kind::Refusal(text) => Decision::changed(&rules::REFUSAL, Fate::Text(text)),
        Kind::Media(media) => shown(target, scope, (part, media))?,
        Kind::Opaque(name) => match compaction::summary((scope.from, input), part) {
            Some(summary) => Decision::changed(&rules::SUMMARY, Fate::Made(summary)),
            None => passages::decide(target, scope, part)
                .or_else(|| served::decide(target, scope, part))
                .unwrap_or_else(|| Decision::lost(&rules::OPAQUE).saying(rules::only_own(&name.to_str(input)))),
        },
        Kind::Reasoning(_) | Kind::Call(_) | Kind::Result(_) | Kind::Json(_) => Decision::lost(&rules::NO_PLACE),
    })
}

/// What the target gets of media.
fn shown<'p, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    (part, media): (&'p Part<H>, &'p Media<H>),
) -> Result<Decision<'p, H>, Error> {
    let (limits, input) = (target.limits, scope.input);
    let has_images = media.data.texts().is_some_and(|texts| texts.has_images);
    // A name may be blank, too.
    let headed =
        |text: &Text<H>| passages::headed(scope, (part, media), text).filter(|whole| !is_refused(limits, whole, scope));
    let mut decision = match media::take(&limits.media, media, scope.from, input)? {
        Taken::Not(reason) => Decision::lost(&rules::MEDIA).saying(reason),
        Taken::As(shown, None) => Decision::of(Fate::Media(Box::new(shown))),
        Taken::As(shown, Some(note)) => {
            Decision::changed(&rules::OTHER_MEDIA, Fate::Media(Box::new(shown))).saying(note)
        }
        Taken::AsText(text) => match headed(text) {
            Some(whole) => Decision::changed(&rules::DOCUMENT_TEXT, Fate::Made(whole)),
            None if is_refused(limits, text, scope) => Decision::blank(&rules::BLANK, text),
            // A document of images only has no text.
            None if text.is_empty() && has_images => Decision::changed(&rules::DOCUMENT_TEXT, Fate::Nothing),
            None => Decision::changed(&rules::DOCUMENT_TEXT, Fate::Text(text)),
        },
        Taken::Decoded(text) => match headed(&text) {
            Some(whole) => Decision::changed(&rules::DOCUMENT_TEXT, Fate::Made(whole)),
            None if is_refused(limits, &text, scope) => Decision::blank(&rules::BLANK, &text),
            None => Decision::changed(&rules::DOCUMENT_TEXT, Fate::Made(text)),
        },
    };
    let inside = || matches!(&decision.fate, Fate::Media(shown) if shown.images.is_empty());
    if has_images && (inside() || decision.says() && images(part, &decision.fate).is_empty()) {
        decision.why = Some(Why { says: IMAGES_INSIDE.into(), ..Why::of(&rules::MEDIA, ChangeKind::Lost) }.into());
    }
    Ok(decision)
}

/// The images of a document that the target does not get as one: they stand behind its text.
pub(super) fn images<'p, H: Host>(part: &'p Part<H>, fate: &Fate<'_, H>) -> &'p [Part<H>] {
    match (&part.kind, fate) {
        (Kind::Media(media), Fate::Text(_) | Fate::Made(_) | Fate::Nothing) => {
            media.data.texts().map_or(&[], |texts| &texts.images)
        }
        _ => &[],
    }
}

/// Whether the target gets anything of a part.
pub(crate) fn says_part<H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> Result<bool, Error> {
    let decision = decide(target, scope, part, false)?;
    let says = |image| decide(target, scope, image, false).is_ok_and(|decision| decision.says());
    Ok(decision.says() || images(part, &decision.fate).iter().any(says))
}

/// Why a document of texts and images loses something.
const IMAGES_INSIDE: &str = "no document of the target has images between its texts";

/// Whether the target refuses a text because it is blank.
#[inline]
pub(super) fn is_refused<H: Host>(limits: &Limits, text: &Text<H>, scope: Scope<'_>) -> bool {
    !takes_blank(limits, scope.role) && text.is_blank(scope.input)
}

/// Whether a part may be sent back unchanged inside a turn that is rewritten.
#[inline]
pub(crate) fn goes_back<H: Host>((target, limits): (DialectId, &Limits), scope: Scope<'_>, part: &Part<H>) -> bool {
    if let Some(thought) = thought::thought((target, limits), scope, part) {
        return thought == Thought::Stays && !part.touched;
    }
    is_home(target, scope, part)
}

/// Whether the target made a part, or another server of its kind.
fn is_home<H: Host>(target: DialectId, scope: Scope<'_>, part: &Part<H>) -> bool {
    let own = if bound(part) { reads_bound(target, scope, part) } else { scope.from.same_wire(target) };
    own && !part.touched
}

/// Whether the target reads reasoning, or a signature, of this turn's format where it stands.
pub(crate) fn reads_bound<H: Host>(target: DialectId, scope: Scope<'_>, part: &Part<H>) -> bool {
    if scope.role.is_system() && matches!(part.kind, Kind::Reasoning(_)) {
        return scope.from.same_wire(target) && target.limits().is_ok_and(|limits| limits.system_reasons);
    }
    scope.from.reasons_as(target, part.signed)
}

/// Whether a part is for the profile that made it only: reasoning, or a signature.
pub(crate) fn bound<H: Host>(part: &Part<H>) -> bool {
    part.signed || matches!(part.kind, Kind::Reasoning(_))
}

/// A part in the target's spelling, if the target is another format of the same family of models and has such parts.
fn in_family<H: Host>(target: DialectId, scope: Scope<'_>, part: &Part<H>) -> Option<Value<H>> {
    // Only the assistant reasons, and only the system announces tools.
    let alike = match &part.kind {
        Kind::Opaque(_) => scope.role.is_system(),
        Kind::Reasoning(_) => part.signed && scope.role == Role::Assistant,
        _ => false,
    };
    if !alike || part.touched || part.flaw.is_some() || !scope.from.is_relative(target) {
        return None;
    }
    let block = part.origin.as_ref()?.to_value(scope.input).ok()?;
    shared_block::translated(scope.from.facts.shared, target.facts.shared, &block)
}

/// Whether a reply of the target may have an opaque part or reasoning, unchanged or in the target's spelling.
pub(crate) fn is_taken<H: Host>(target: DialectId, scope: Scope<'_>, part: &Part<H>) -> bool {
    part.origin.is_some()
        && (is_home(target, scope, part)
            || options::native(target, scope, part).is_some()
            || in_family(target, scope, part).is_some()
            || remade::blocks(target, scope, part).is_some())
}
