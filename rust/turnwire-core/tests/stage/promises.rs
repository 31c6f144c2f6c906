//! Promises that every build keeps, whatever its input.

use std::{collections::HashSet, sync::Arc};

use turnwire_core::{
    model::{Conversation, Kind, Part, Role, ToolResult, Turn},
    rules::DialectId,
    stage::{Built, Inputs, build},
    value::NoHost,
};

pub(crate) type Conv = Conversation<NoHost>;

/// The receipt reports every change, the result is paired, and a second build changes nothing.
pub(crate) fn holds(given: &Conv, inputs: &Inputs<'_, NoHost>, built: &Built<NoHost>) {
    let same = built.conversation.turns().len() == given.turns().len()
        && built.conversation.turns().iter().zip(given.turns()).all(|(new, old)| Arc::ptr_eq(new, old));
    let same = same && Arc::ptr_eq(&built.conversation.frame, &given.frame);
    assert_eq!(built.receipt.is_unchanged(), same, "{}", built.receipt);
    if let Some(first) = built.receipt.first_changed_index {
        let (new, old) = (built.conversation.turns(), given.turns());
        assert!(first <= old.len() && new.iter().zip(old).take(first).all(|(new, old)| Arc::ptr_eq(new, old)));
    }
    paired(&built.conversation, inputs);
    let again = build(&built.conversation, inputs);
    let again = again.unwrap_or_else(|error| panic!("a second build fails: {error}\n{}", built.receipt));
    assert!(
        again.receipt.is_unchanged(),
        "a second build changes something: {}\nafter {}",
        again.receipt,
        built.receipt
    );
}

/// Every call is in a turn of the assistant and has exactly one result after its run, every result has its call, and no
/// id occurs twice.
fn paired(conversation: &Conv, inputs: &Inputs<'_, NoHost>) {
    let joins = |from: DialectId| from.limits().is_ok_and(|limits| limits.joins_assistant);
    let by_place =
        inputs.target.and_then(|target| target.limits().ok()).is_some_and(|limits| limits.results_in_call_order);
    let (mut seen, mut on_server) = (HashSet::new(), HashSet::new());
    let mut open: Vec<Vec<u8>> = Vec::new();
    let mut closed = false;
    for turn in conversation.turns() {
        let input = turn.input.as_ref();
        if turn.role == Role::Assistant {
            let follows = turn.from == DialectId::NONE || joins(turn.from);
            assert!(
                open.is_empty() || (follows && !closed),
                "a call has no result before the next turn of the assistant"
            );
            closed = false;
        }
        for (part, result) in turn.parts.iter().enumerate().filter_map(|(at, part)| Some((at, result_of(part)?))) {
            let id = result.id.wtf8(input);
            let Some(at) = open.iter().position(|open| *open == *id) else {
                // A result of a call on the server stays where it is.
                assert!(conversation.frame.continues.is_some() && !seen.contains(&*id), "a result follows its call");
                on_server.insert(id.into_owned());
                continue;
            };
            open.remove(at);
            closed = true;
            assert!(at == 0 || inputs.keep_open || !by_place, "results are not in the order of their calls");
            assert!(turn.role != Role::Assistant, "the assistant gives a result");
            assert!(!is_late(turn, part), "a result stands behind something else");
        }
        let others = turn.parts.is_empty() || turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_)));
        assert!(turn.role == Role::Assistant || !others || open.is_empty(), "a call has no result");
        for call in turn.calls() {
            assert!(turn.role == Role::Assistant, "somebody else calls");
            let id = call.id.wtf8(input).into_owned();
            assert!(call.made_up_id || seen.insert(id.clone()), "{id:?} stands twice");
            assert!(!on_server.contains(&id), "{id:?} was a call on the server");
            if let Some(target) = inputs.target {
                let rule = target.limits().expect("a target has limits").id;
                assert!(call.made_up_id || rule.allows(&id), "{id:?} is refused");
            }
            open.push(id);
            closed |= !joins(turn.from);
        }
    }
    assert!(open.is_empty() || inputs.keep_open, "a call has no result");
}

fn result_of(part: &Part<NoHost>) -> Option<&ToolResult<NoHost>> {
    match &part.kind {
        Kind::Result(result) => Some(result),
        _ => None,
    }
}

/// Whether a result comes after other content of the same list.
fn is_late(turn: &Turn<NoHost>, result: usize) -> bool {
    let (before, list) = (&turn.parts[..result], turn.parts[result].place.key);
    before.iter().any(|part| result_of(part).is_none() && part.place.key == list)
}
