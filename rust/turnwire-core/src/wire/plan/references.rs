//! Decides what another format gets of references to tools in a result: the names of the tools, as JSON.

use super::decide::{Scope, goes_back};
use crate::{
    k,
    model::{Kind, Part},
    rules::{Target, value_rule::member},
    value::{Host, Raw, Text, Value, tree},
};

/// The key of the names.
const TOOLS: &str = "tools";

/// The entries of a reference to a tool, and the tool's name. `None` if the part is none.
fn read<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Option<(Value<H>, Text<H>)> {
    let rule = scope.from.facts.references?;
    match &part.kind {
        Kind::Opaque(kind) if kind.is(rule.block, scope.input) => {
            let block = part.origin.as_ref()?.to_value(scope.input).ok()?;
            let Value::Map(entries) = &block else { return None };
            let Value::Text(name) = member(entries, rule.name)? else { return None };
            let name = name.share();
            Some((block, name))
        }
        _ => None,
    }
}

/// Whether the target gets the name in this part, which is a reference to a tool of another format, or one that it refuses.
pub(super) fn is_told<H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> bool {
    is_one(scope, part) && !goes_back((target.id, target.limits), scope, part)
}

/// Whether a part is a reference to a tool.
pub(super) fn is_one<H: Host>(scope: Scope<'_>, part: &Part<H>) -> bool {
    read(scope, part).is_some()
}

/// `{"tools": […]}` with the names as the target spells them. `None` if it gets none of these blocks so.
pub(super) fn listed<H: Host>(target: &Target<'_>, scope: Scope<'_>, blocks: &[Part<H>]) -> Option<Raw<H>> {
    scope.from.facts.references?;
    let told = blocks.iter().filter(|block| is_told(target, scope, block));
    let name = |block| read(scope, block).map(|(_, name)| tree::text(&target.limits.legal_name(&name, None)));
    let names: Vec<_> = told.filter_map(name).collect();
    (!names.is_empty()).then(|| Raw::Tree(tree::map([(TOOLS, tree::list(names))])))
}

/// The blocks of a result with one JSON value where the target gets several references so. `None` if it gets none.
pub(crate) fn merged<H: Host>(target: &Target<'_>, scope: Scope<'_>, blocks: &[Part<H>]) -> Option<Vec<Part<H>>> {
    let mut list = Some(listed(target, scope, blocks)?);
    let kept = blocks.iter().filter_map(|block| {
        if is_told(target, scope, block) {
            list.take().map(|raw| Part::new(Kind::Json(raw)))
        } else {
            Some(block.share())
        }
    });
    Some(kept.collect())
}

/// The keys of a reference that the list of names has no place for.
pub(super) fn others<H: Host>(scope: Scope<'_>, part: &Part<H>) -> Vec<Text<H>> {
    let Some((rule, (Value::Map(entries), _))) = scope.from.facts.references.zip(read(scope, part)) else {
        return Vec::new();
    };
    let is_other = |(key, value): &&(Text<H>, Value<H>)| {
        !key.is(rule.name, None) && !key.is(k::TYPE.name, None) && !matches!(value, Value::Null)
    };
    entries.iter().filter(is_other).map(|(key, _)| key.share()).collect()
}
