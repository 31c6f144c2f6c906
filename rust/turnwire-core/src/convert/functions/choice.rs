//! Names the chosen tool as the target gets it, where only its own format describes that tool.

use super::names::Names;
use crate::{
    k,
    model::{Choice, ChoiceKind, Frame},
    rules::{CallForm, value_rule::member},
    value::{Host, Text, Value},
};

/// Whether the choice is one of such a tool.
pub(super) fn names_own<H: Host>(frame: &Frame<H>) -> bool {
    let grouped = |choice: &Choice<H>| match &choice.kind {
        ChoiceKind::Among(among) => among.tools.iter().any(|one| one.group.is_some()),
        _ => false,
    };
    frame.choice.as_ref().is_some_and(grouped) || chosen(frame).is_some()
}

/// Writes the choice of such a tool as that of the function that stands for it.
pub(super) fn rename<H: Host>(made: &mut Frame<H>, given: &Frame<H>, names: &mut Names<'_>) {
    if let Some(ChoiceKind::Among(among)) = made.choice.as_mut().map(|choice| &mut choice.kind) {
        let input = given.input.as_ref();
        for one in &mut among.tools {
            let Some(group) = &one.group else { continue };
            if let Some(wire) = names.of_chosen(&group.to_str(input), &one.name.to_str(input)) {
                (one.group, one.name) = (None, Text::own(&wire));
            }
        }
        return;
    }
    let Some((group, name)) = chosen(given) else { return };
    // A tool that is in no group counts as a group of its own.
    if let Some(choice) = made.choice.as_mut().filter(|_| group == name) {
        choice.extras = None;
        return;
    }
    let Some(wire) = names.of_chosen(&group, &name) else { return };
    made.choice = Some(Choice { kind: ChoiceKind::Tool(Text::own(&wire)), origin: None, extras: None, flaw: None });
}

/// The group and the name of the chosen tool: one of a group, or one that the caller runs.
fn chosen<H: Host>(frame: &Frame<H>) -> Option<(String, String)> {
    let choice = frame.choice.as_ref()?;
    let input = frame.input.as_ref();
    let place = frame.from.facts.deferred?.place;
    match &choice.kind {
        ChoiceKind::Tool(name) => {
            let (_, group) = choice.extras.as_ref()?.iter().find(|(key, _)| key.is(place, input))?;
            match group.to_value(input).ok()? {
                Value::Text(group) => Some((group.to_str(None).into_owned(), name.to_str(input).into_owned())),
                _ => None,
            }
        }
        ChoiceKind::Opaque => {
            let Ok(Value::Map(entries)) = choice.origin.as_ref()?.to_value(input) else { return None };
            let Some(Value::Text(kind)) = member(&entries, k::TYPE.name) else { return None };
            let form = CallForm::ALL.into_iter().find(|form| kind.is(form.tool(), None))?;
            Some((String::new(), form.tool().to_owned()))
        }
        _ => None,
    }
}
