//! Decides what the target gets of a result: which of its blocks, around which texts.

use super::{
    decide::{Decision, Fate, Scope, content, goes_back, is_refused},
    rules,
};
use crate::{
    model::{Content, ERROR_PREFIX, Kind, Media, Part, ToolResult, tool::words_for_nothing},
    report::Error,
    rules::{JsonPlace, Limits, Target},
    value::{Host, Input, Text},
};

/// What the target gets of a result.
pub(crate) struct Answer<'p, H: Host> {
    /// The prefix of its first text, if it failed and the target has no flag for that.
    pub(crate) prefix: &'static str,
    /// Its text, if it is no list of blocks, and the target accepts it.
    pub(crate) text: Option<&'p Text<H>>,
    /// Its blocks.
    pub(crate) blocks: Vec<Block<'p, H>>,
    /// The object that its only text spells, as JSON, if the target writes objects.
    pub(crate) object: Option<String>,
    /// The text that it gets because it says nothing, if the target needs one.
    pub(crate) instead: Option<&'static str>,
}

/// A block of a result.
pub(crate) struct Block<'p, H: Host> {
    pub(crate) part: &'p Part<H>,
    pub(crate) decision: Decision<'p, H>,
    /// Whether it moves to a message after the results.
    pub(crate) moves: bool,
}

/// What the target gets of a result that is written from its content.
#[inline]
pub(crate) fn answer<'p, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    result: &'p ToolResult<H>,
) -> Result<Answer<'p, H>, Error> {
    let (limits, input) = (target.limits, scope.input);
    let (text, blocks) = match &result.content {
        Content::Absent => (None, Vec::new()),
        // No content means the same as empty text, and no server refuses it. The target does not check text under a key of
        // an object.
        Content::Text(words) => {
            let refused = !limits.json.holds_objects() && is_refused(limits, words, scope);
            ((!words.is_empty() && !refused).then_some(words), Vec::new())
        }
        Content::Blocks(given) => (None, blocks(target, scope, given, result.error)?),
    };
    let spelled = Some(result)
        .filter(|_| limits.json.holds_objects())
        .and_then(ToolResult::only_text)
        .filter(|only| text.is_some_and(|text| std::ptr::eq(text, *only)) || blocks.iter().any(|block| block.is(only)));
    let object = spelled.and_then(|text| limits.json.object_of(text, input, result.error));
    let instead = words_for_nothing(limits, result.error).filter(|_| {
        let is_nothing = |text: &Text<H>| limits.is_nothing(text, result.error, input);
        object.is_none() && text.is_none_or(is_nothing) && blocks.iter().all(|block| block.says_nothing(&is_nothing))
    });
    let prefix = if result.error && !limits.error_flag { ERROR_PREFIX } else { "" };
    Ok(Answer { prefix, text, blocks, object, instead })
}

/// What the target gets of the blocks of a result. `failed`: whether it is a failed tool's.
#[inline(never)]
fn blocks<'p, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    given: &'p [Part<H>],
    failed: bool,
) -> Result<Vec<Block<'p, H>>, Error> {
    let limits = target.limits;
    let media = |block: &&Part<H>| limits.joins_results() && matches!(block.kind, Kind::Media(_));
    let alone = given.len() - given.iter().filter(media).count() == 1;
    let mut blocks = Vec::with_capacity(given.len());
    for part in given {
        let decision = block(target, scope, part, (failed, alone))?;
        let moves = match &decision.fate {
            Fate::Media(shown) => !limits.media_in_result.holds(shown.class, shown.data.mime(), failed),
            _ => false,
        };
        blocks.push(Block { part, decision, moves });
    }
    Ok(blocks)
}

/// Whether media stay in a result as they were read. `failed`: whether the tool failed.
pub(super) fn stays_in<H: Host>(limits: &Limits, media: &Media<H>, failed: bool, input: Option<&Input>) -> bool {
    limits.media_in_result.holds(media.class, media.media_type(input).as_deref(), failed)
}

impl<H: Host> Block<'_, H> {
    /// Whether it is written as this text.
    fn is(&self, text: &Text<H>) -> bool {
        matches!(self.decision.fate, Fate::Text(said) if std::ptr::eq(said, text))
    }

    /// Whether nothing of it stays in the result but text for which this is true.
    fn says_nothing(&self, is_nothing: &dyn Fn(&Text<H>) -> bool) -> bool {
        match (&self.decision.fate, &self.part.kind) {
            (Fate::Nothing, _) => true,
            (Fate::Text(text), _) => is_nothing(text),
            (Fate::Made(text), _) | (Fate::Origin(_), Kind::Text(text)) => is_nothing(text),
            _ => self.moves,
        }
    }
}

/// What the target gets of a block of a result. `failed`: whether the result is a failed tool's. `alone`: whether the block
/// is the only one, apart from media.
pub(super) fn block<'p, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    block: &'p Part<H>,
    (failed, alone): (bool, bool),
) -> Result<Decision<'p, H>, Error> {
    // A text after the error prefix differs from its origin.
    let whole = target.limits.error_flag || !(failed && matches!(block.kind, Kind::Text(_)));
    if let Some(origin) = block.origin.as_ref().filter(|_| whole && goes_back((target.id, target.limits), scope, block))
    {
        return Ok(Decision::of(Fate::Origin(origin)));
    }
    Ok(match &block.kind {
        // In a result, it is the tool's text.
        Kind::Refusal(text) if !is_refused(target.limits, text, scope) => Decision::of(Fate::Text(text)),
        Kind::Json(raw) => {
            let as_value = match target.limits.json {
                JsonPlace::Nowhere | JsonPlace::OneText => false,
                JsonPlace::InResult => true,
                JsonPlace::ObjectInResult => raw.is_object(scope.input),
                JsonPlace::ObjectAsResult => alone && raw.is_object(scope.input),
                JsonPlace::AsResult => alone && !raw.looks_like_blocks(scope.input),
                JsonPlace::Tagged | JsonPlace::OneValue | JsonPlace::OneObject(_) => alone,
            };
            if as_value {
                Decision::of(Fate::Json(raw))
            } else {
                Decision::changed(&rules::JSON_RESULT, Fate::JsonText(raw))
            }
        }
        Kind::Reasoning(_) => Decision::lost(&rules::NOT_IN_RESULT),
        _ => content(target, scope, block)?,
    })
}
