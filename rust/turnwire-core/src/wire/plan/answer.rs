//! Decides what the target gets of a result: which of its blocks, around which texts.

use super::{
    decide::{Decision, Fate, Scope, content, goes_back, images, is_refused},
    passages, references, rules,
};
use crate::{
    model::{Content, ERROR_PREFIX, Kind, Media, MediaData, Part, ToolResult, tool::words_for_nothing},
    report::Error,
    rules::{JsonPlace, Limits, Target},
    value::{Host, Input, Raw, Text},
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
    // All references to tools are one value, where the first of them is.
    let mut names = references::listed(target, scope, given);
    let is_told = |part: &&Part<H>| references::is_told(target, scope, part);
    let told = if names.is_some() { given.iter().filter(is_told).count() } else { 0 };
    let alone = given.len() - given.iter().filter(media).count() - told.saturating_sub(1) == 1;
    let mut blocks = Vec::with_capacity(given.len());
    for part in given {
        let decision = if told > 0 && is_told(&part) {
            let fate = names.take().map(|names| json(target.limits, names, alone, scope.input));
            Decision::changed(&rules::REFERENCES, fate.unwrap_or(Fate::Nothing))
        } else {
            block(target, scope, part, (failed, alone))?
        };
        let images = images(part, &decision.fate);
        blocks.push(Block::of(limits, part, decision, failed));
        for image in images {
            blocks.push(Block::of(limits, image, content(target, scope, image)?, failed));
        }
    }
    Ok(blocks)
}

/// Whether media stay in a result as they were read. `failed`: whether the tool failed.
pub(super) fn stays_in<H: Host>(limits: &Limits, media: &Media<H>, failed: bool, input: Option<&Input>) -> bool {
    limits.media_in_result.holds(media.class, media.media_type(input).as_deref(), failed)
}

impl<'p, H: Host> Block<'p, H> {
    fn of(limits: &Limits, part: &'p Part<H>, decision: Decision<'p, H>, failed: bool) -> Self {
        let moves = match &decision.fate {
            Fate::Media(shown) => !limits.media_in_result.holds(shown.class, shown.data.mime(), failed),
            _ => false,
        };
        Self { part, decision, moves }
    }

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
        Kind::Json(raw) => match json(target.limits, raw.share(), alone, scope.input) {
            Fate::JsonText(raw) => Decision::changed(&rules::JSON_RESULT, Fate::JsonText(raw)),
            fate => Decision::of(fate),
        },
        Kind::Reasoning(_) => Decision::lost(&rules::NOT_IN_RESULT),
        Kind::Opaque(_) => match references::listed(target, scope, std::slice::from_ref(block)) {
            Some(name) => Decision::changed(&rules::REFERENCES, json(target.limits, name, alone, scope.input)),
            None => match passages::of(scope, block).filter(|_| failed && target.limits.fails_in_text()) {
                Some(passage) => passages::told(&passage),
                None => content(target, scope, block)?,
            },
        },
        _ => words(target.limits, scope, block, content(target, scope, block)?, failed),
    })
}

/// A document of text that a failed result cannot hold as one, as that text.
fn words<'p, H: Host>(
    limits: &Limits,
    scope: Scope<'_>,
    block: &'p Part<H>,
    decision: Decision<'p, H>,
    failed: bool,
) -> Decision<'p, H> {
    match (&decision.fate, &block.kind) {
        (Fate::Media(shown), Kind::Media(media)) if failed && limits.fails_in_text() => match shown.plain() {
            Some(text) if !text.is_empty() => {
                let whole = passages::headed(scope, (block, media), text).unwrap_or_else(|| text.share());
                Decision::changed(&rules::FAILED_TEXT, Fate::Made(whole))
            }
            _ => decision,
        },
        _ => decision,
    }
}

/// Whether a document of the target's own format is that text in a failed result.
pub(super) fn fails_as_text<H: Host>(limits: &Limits, media: &Media<H>, failed: bool) -> bool {
    let text = match &media.data {
        MediaData::Plain(text) => text,
        MediaData::Texts(texts) => &texts.whole,
        _ => return false,
    };
    failed && limits.fails_in_text() && !text.is_empty()
}

/// A JSON value in a result: as a value where the target takes one, else as text. `alone`: whether nothing else is in it.
fn json<'p, H: Host>(limits: &Limits, raw: Raw<H>, alone: bool, input: Option<&Input>) -> Fate<'p, H> {
    let as_value = match limits.json {
        JsonPlace::Nowhere | JsonPlace::OneText => false,
        JsonPlace::InResult => true,
        JsonPlace::ObjectInResult => raw.is_object(input),
        JsonPlace::ObjectAsResult => alone && raw.is_object(input),
        JsonPlace::AsResult => alone && !raw.looks_like_blocks(input),
        JsonPlace::Tagged | JsonPlace::OneValue | JsonPlace::OneObject(_) => alone,
    };
    if as_value { Fate::Json(raw) } else { Fate::JsonText(raw) }
}

/// Whether the target gets this block of a format's own as text, in the result of a tool that failed.
pub(crate) fn is_words<H: Host>(scope: Scope<'_>, block: &Part<H>) -> bool {
    passages::of(scope, block).is_some() || references::is_one(scope, block)
}
