//! Says where a turn stands in a whole reply.

use crate::{
    model::Reply,
    report::{Path, Step},
    value::{Host, Source, Tree, Value},
};

/// The path of a turn in its reply.
pub(super) fn place<H: Host>(reply: &Reply<H>, index: usize) -> Path {
    let message = Path::written(reply.from.facts.reply_message);
    if reply.from.facts.replies_in_items { message.then(Step::Index(echoed(reply) + index)) } else { message }
}

/// How many items come before the first turn, because a reply may repeat its request's items.
fn echoed<H: Host>(reply: &Reply<H>) -> usize {
    let Some(origin) = &reply.origin else { return 0 };
    let list = Path::written(reply.from.facts.reply_message);
    let list = list.steps().try_fold(Tree(origin), |node, step| inside(&node, &step));
    list.map_or(0, |list| list.len().saturating_sub(reply.turns.len()))
}

/// Descends one step.
pub(super) fn inside<'a, H: Host>(node: &Tree<'a, H>, step: &Step) -> Option<Tree<'a, H>> {
    match (node.0, step) {
        (Value::List(items), Step::Index(index)) => items.get(*index).map(Tree),
        (Value::Map(entries), Step::Key(_) | Step::Name(_)) => {
            let key = step.name();
            entries.iter().rev().find(|(name, _)| name.is(key, None)).map(|(_, value)| Tree(value))
        }
        _ => None,
    }
}

/// The path in the reply of a path in a turn.
pub(super) fn within<H: Host>(reply: &Reply<H>, index: usize, path: &Path) -> Path {
    Path::of(place(reply, index).steps().chain(path.steps().skip(1)))
}
