//! Reads the tools that a choice is limited to.

use crate::{
    k,
    model::{Among, Chosen},
    value::{NodeKind, Source, door::keys},
};

keys! {
    NAMESPACE = "namespace";
}

/// The functions that a choice is limited to. `None` if the mode or a tool says something else: what a provider runs has no
/// name here.
pub(crate) fn among<S: Source>(choice: &S) -> Option<Among<S::H>> {
    let must = match choice.get(&k::MODE)?.word()?.to_ascii_lowercase().as_str() {
        "required" | "any" => true,
        "auto" | "validated" => false,
        _ => return None,
    };
    let list = choice.get(&k::TOOLS).filter(|list| list.kind() == NodeKind::List)?;
    let tools = list.items().map(|tool| named(&tool)).collect::<Option<Vec<_>>>()?;
    (!tools.is_empty()).then_some(Among { must, tools })
}

/// A function or of a custom tool.
fn named<S: Source>(tool: &S) -> Option<Chosen<S::H>> {
    if tool.kind() == NodeKind::Text {
        return Some(Chosen { group: None, name: tool.text()? });
    }
    let kind = tool.get(&k::TYPE)?;
    let outer = match kind.word()?.as_ref() {
        "function" => &k::FUNCTION,
        "custom" => &k::CUSTOM,
        _ => return None,
    };
    let inside = tool.get(outer).unwrap_or_else(|| tool.clone());
    let text = |key| inside.get(key).and_then(|node: S| node.text());
    Some(Chosen { group: text(&NAMESPACE), name: text(&k::NAME)? })
}
