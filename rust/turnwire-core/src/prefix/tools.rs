//! The tools of a body. The check compares them as a set by name, a cache as a list.

use super::element::{Element, Kind, Pair, get, is_mark, text_of, unmarked};
use crate::{
    report::{Path, Step},
    value::{HashMap, HashSet, Host, Value},
};

/// A tool definition.
pub(super) struct Tool<H: Host> {
    pub(super) name: String,
    pub(super) element: Element<H>,
    /// Whether the model does not see the tool until a message names it.
    pub(super) deferred: bool,
}

/// The differences between the tools of two bodies, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    /// Tools that only the second body has.
    pub added: Vec<String>,
    /// Tools that only the first body has.
    pub removed: Vec<String>,
    /// Tools whose definition changed.
    pub redefined: Vec<String>,
    /// Whether the tools that both bodies have are in another order, which is not an edit.
    pub reordered: bool,
}

impl Tools {
    /// Whether the check sees another set of tools.
    #[must_use]
    pub fn changed(&self) -> bool {
        !self.added.is_empty() || !self.removed.is_empty() || !self.redefined.is_empty()
    }
}

impl<H: Host> Element<H> {
    /// Another handle to the same piece.
    pub(super) fn share(&self) -> Self {
        let (path, word, id) = (self.path.clone(), self.word.clone(), self.id.clone());
        let (kind, message, text_at) = (self.kind, self.message, self.text_at);
        Self { path, kind, word, id, message, value: self.value.share(), text_at }
    }
}

/// The tools of a list, including those inside groups.
pub(super) fn listed<H: Host>(list: &Value<H>, path: &Path) -> Vec<Tool<H>> {
    let mut tools = Vec::new();
    let mut names = HashSet::default();
    let mut push = |tool: &Value<H>, path: Path| tools.push(Tool::new(tool, path, &mut names));
    let items = if let Value::List(items) = list { &items[..] } else { std::slice::from_ref(list) };
    for (index, item) in items.iter().enumerate().filter(|(_, item)| !is_mark(item)) {
        let path = if matches!(list, Value::List(_)) { path.clone().then(Step::Index(index)) } else { path.clone() };
        let group = ["functionDeclarations", "function_declarations"];
        let group = group
            .iter()
            .find_map(|key| if let Some(Value::List(held)) = get(item, key) { Some((*key, held)) } else { None });
        match group {
            Some((key, held)) => {
                for (index, one) in held.iter().enumerate() {
                    let path = path.clone().then(Step::Key(key)).then(Step::Index(index));
                    push(one, path);
                }
            }
            None => push(item, path),
        }
    }
    tools
}

impl<H: Host> Tool<H> {
    /// `names`: the names of the tools before it.
    fn new(tool: &Value<H>, path: Path, names: &mut HashSet<String>) -> Self {
        let value = unmarked(tool);
        let mut name = name_of(&value);
        // A second tool with a name counts as another tool.
        if !names.insert(name.clone()) {
            name = format!("{name} ({path})");
        }
        let deferred = matches!(get(&value, "defer_loading"), Some(Value::Bool(true)));
        let (word, id) = ("tool".to_owned(), Some(name.clone()));
        let element = Element { path, kind: Kind::Tool, word, id, message: 0, value, text_at: (None, 0) };
        Self { name, element, deferred }
    }
}

fn name_of<H: Host>(tool: &Value<H>) -> String {
    let inner = ["function", "toolSpec"].iter().find_map(|key| text_of(get(tool, key)?, "name"));
    let own = || ["name", "mcp_server_name", "server_label", "type"].iter().find_map(|key| text_of(tool, key));
    inner.or_else(own).unwrap_or_default()
}

/// The tools of a list with their names, unchanged.
#[must_use]
pub fn named<H: Host>(list: &Value<H>) -> Vec<(String, Value<H>)> {
    listed(list, &Path::default()).into_iter().map(|tool| (tool.name, tool.element.value)).collect()
}

/// The differences of the tools, and the first tool that differs, from each body.
pub(super) fn compare<'a, H: Host>(a: &'a [Tool<H>], b: &'a [Tool<H>]) -> (Tools, Option<Pair<'a, H>>) {
    let mut tools = Tools::default();
    let mut firsts = Vec::new();
    let by_name = |all: &'a [Tool<H>]| all.iter().map(|tool| (tool.name.as_str(), tool)).collect::<HashMap<_, _>>();
    let (old, new) = (by_name(a), by_name(b));
    for tool in b {
        match old.get(tool.name.as_str()) {
            // A deferred tool that becomes a plain one counts as added, and the opposite as removed.
            Some(old) if old.deferred && tool.deferred => {}
            Some(old) if old.deferred != tool.deferred || !old.element.same(&tool.element) => {
                tools.redefined.push(tool.name.clone());
                firsts.push((tool.name.as_str(), Some(&old.element), Some(&tool.element)));
            }
            Some(_) => {}
            None if tool.deferred => {}
            None => {
                tools.added.push(tool.name.clone());
                firsts.push((tool.name.as_str(), None, Some(&tool.element)));
            }
        }
    }
    for tool in a.iter().filter(|tool| !tool.deferred && !new.contains_key(tool.name.as_str())) {
        tools.removed.push(tool.name.clone());
        firsts.push((tool.name.as_str(), Some(&tool.element), None));
    }
    let common = |mine: &'a [Tool<H>], theirs: &HashMap<&str, &Tool<H>>| {
        let shown = mine.iter().filter(|tool| !tool.deferred && theirs.contains_key(tool.name.as_str()));
        shown.map(|tool| tool.name.as_str()).collect::<Vec<_>>()
    };
    tools.reordered = common(a, &new) != common(b, &old);
    let first = firsts.into_iter().min_by(|(one, ..), (other, ..)| one.cmp(other));
    (tools, first.map(|(_, old, new)| (old, new)))
}

/// The names of the tools that a block shows to the model.
pub(super) fn references<H: Host>(value: &Value<H>) -> Vec<String> {
    let mut names = Vec::new();
    collect(value, &mut names);
    names
}

fn collect<H: Host>(value: &Value<H>, names: &mut Vec<String>) {
    match value {
        Value::Map(entries) => {
            match text_of(value, "type").as_deref() {
                Some("tool_removal") => return,
                Some("tool_reference") => names.extend(text_of(value, "name").or_else(|| text_of(value, "tool_name"))),
                _ => {}
            }
            entries.iter().for_each(|(_, held)| collect(held, names));
        }
        Value::List(items) => items.iter().for_each(|held| collect(held, names)),
        _ => {}
    }
}
