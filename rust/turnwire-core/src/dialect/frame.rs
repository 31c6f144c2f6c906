//! The payload around the turns, the same walk for every dialect: its list, system text, tools and choice of tools.

use super::{Dialect, DialectId, limits::SystemPlace, system, write::Writer};
use crate::{
    conversation::{Frame, Parsed, System},
    error::{Code, Error},
    handle::{Host, Text},
    loss::LossCode,
    node::NodeKind,
    path::{Path, Step, Trail},
    surrogate,
    tool::{ChoiceKind, Tool},
    turn::Turn,
    value::{Key, Sink, Source},
};

/// Where a dialect's payload keeps what.
pub(crate) struct FrameKeys {
    /// The list of turns. A format whose payload is the bare list has no name for it.
    pub(crate) list: &'static Key,
    /// System text.
    pub(crate) system: Option<&'static Key>,
    /// Tool definitions.
    pub(crate) tools: Option<&'static Key>,
    /// The choice of tools.
    pub(crate) choice: Option<&'static Key>,
}

impl FrameKeys {
    fn all(&self) -> impl Iterator<Item = &'static Key> {
        [self.system, Some(self.list), self.tools, self.choice].into_iter().flatten()
    }

    /// Whether the payload is the list and nothing else.
    fn bare(&self) -> bool {
        self.list.name.is_empty()
    }
}

/// Reads a payload: a bare list, or a body whose other keys stay the caller's.
pub(crate) fn parse<D: Dialect, S: Source>(payload: &S, from: DialectId) -> Result<Parsed<S::H>, Error> {
    let keys = D::KEYS;
    let mut frame = Frame::empty(from);
    frame.input = payload.input().cloned();
    let root = Trail::ROOT;
    let list = match payload.kind() {
        NodeKind::List => payload.clone(),
        NodeKind::Map if !keys.bare() => {
            for (key, _) in payload.entries() {
                let known = keys.all().find(|known| key.is(known.name, payload.input()));
                if let Some(known) = known.filter(|known| !frame.order.contains(&known.name)) {
                    frame.order.push(known.name);
                }
            }
            if frame.order.len() == payload.len() {
                frame.whole = Some(payload.raw());
            }
            read_frame::<D, S>(payload, &mut frame)?;
            payload.get(keys.list).ok_or_else(|| {
                Error::new(Code::MissingKey, format!("expected the key {:?}, got an object without it", keys.list.name))
            })?
        }
        _ => {
            let expected = match keys.list.name {
                "" => "a list".to_owned(),
                name => format!("a list or an object with the key {name:?}"),
            };
            return Err(Error::new(Code::WrongType, format!("expected {expected}, got {}", payload.describe())));
        }
    };
    let in_body = payload.kind() == NodeKind::Map;
    let (at, name) = if in_body { (root.key(keys.list.name), keys.list.name) } else { (root, "") };
    if list.kind() != NodeKind::List {
        return Err(wrong_type("a list", &list, &at));
    }
    let mut turns = Vec::with_capacity(list.len());
    for (index, element) in list.items().enumerate() {
        // Read where it will stay: a turn is large.
        turns.push(Turn::read(from, name, &element));
        if let Some(turn) = turns.last_mut() {
            D::turn(&element, index, &at.index(index), turn)?;
        }
    }
    Ok(Parsed { turns, list_origin: list.raw(), frame })
}

/// Reads one element of the list alone.
pub(crate) fn parse_turn<D: Dialect, S: Source>(element: &S, from: DialectId) -> Result<Turn<S::H>, Error> {
    let mut turn = Turn::read(from, "", element);
    D::turn(element, 0, &Trail::ROOT, &mut turn)?;
    Ok(turn)
}

fn read_frame<D: Dialect, S: Source>(payload: &S, frame: &mut Frame<S::H>) -> Result<(), Error> {
    let (keys, root) = (D::KEYS, Trail::ROOT);
    let present = |key: Option<&'static Key>| {
        key.and_then(|key| payload.get(key).filter(|node| node.kind() != NodeKind::Null).map(|node| (key.name, node)))
    };
    if let Some((name, node)) = present(keys.system) {
        frame.system = Some(System { parts: D::system(&node, &root.key(name))?, origin: Some(node.raw()) });
    }
    if let Some((name, node)) = present(keys.tools) {
        let at = root.key(name);
        if node.kind() != NodeKind::List {
            return Err(wrong_type("a list", &node, &at));
        }
        let tools: Result<Vec<_>, _> =
            node.items().enumerate().map(|(index, tool)| D::tool(&tool, &at.index(index))).collect();
        frame.tools = Some(tools?);
        frame.tools_origin = Some(node.raw());
    }
    if let Some((name, node)) = present(keys.choice) {
        frame.choice = Some(D::choice(&node, &root.key(name))?);
    }
    Ok(())
}

/// An error for a value of a type that the dialect does not have there.
#[cold]
#[inline(never)]
pub(crate) fn wrong_type<S: Source>(expected: &str, got: &S, at: &Trail<'_>) -> Error {
    Error::new(Code::WrongType, format!("expected {expected}, got {}", got.describe())).at(at)
}

/// Writes a payload, in its dict form where it has one. What came from the same dialect keeps its order and its wire
/// values.
pub(crate) fn render<D: Dialect, H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let keys = D::KEYS;
    let frame = w.conversation.frame;
    let untouched = frame.from == w.target.id && w.conversation.list_origin.is_some();
    if let Some(whole) = frame.whole.as_ref().filter(|_| untouched) {
        w.out.scope(frame.input.as_ref());
        w.out.raw(whole);
    } else if keys.bare() {
        w.out.scope(frame.input.as_ref());
        render_list::<D, H, K>(w)?;
    } else {
        w.out.open_map();
        for key in order(&keys, frame, w.target.id) {
            w.out.scope(frame.input.as_ref());
            if key.name == keys.list.name {
                w.out.key(key);
                render_list::<D, H, K>(w)?;
                w.replaced(surrogate::place_in_turns);
            } else if keys.system.is_some_and(|system| system.name == key.name) {
                render_system::<D, H, K>(w, key)?;
                w.replaced(surrogate::place_in_system);
            } else if keys.tools.is_some_and(|tools| tools.name == key.name) {
                render_tools::<D, H, K>(w, key)?;
                w.replaced(surrogate::place_in_tools);
            } else {
                render_choice::<D, H, K>(w, key)?;
                w.replaced(|_| Path::key("tool_choice"));
            }
            if let Some(fault) = w.out.fault() {
                return Err(fault);
            }
        }
        w.out.close();
    }
    w.replaced(surrogate::place);
    if w.target.limits.system == SystemPlace::Nowhere {
        system::all(w)?;
    }
    if keys.tools.is_none() && frame.tools.as_ref().is_some_and(|tools| !tools.is_empty()) {
        w.losses.lost(LossCode::Tool, Path::key("tools"), "the target's payload has no tool definitions")?;
    }
    if keys.choice.is_none() && frame.choice.is_some() {
        w.losses.lost(LossCode::ToolChoice, Path::key("tool_choice"), "the target's payload has no choice of tools")?;
    }
    if let Some(fault) = w.out.fault() {
        return Err(fault);
    }
    Ok(())
}

/// The order of the payload's keys: as they came where they came from the same format.
fn order<H: Host>(keys: &FrameKeys, frame: &Frame<H>, target: DialectId) -> Vec<&'static Key> {
    let mut order: Vec<&'static Key> = Vec::with_capacity(4);
    if frame.from.same_wire(target) {
        order.extend(frame.order.iter().filter_map(|name| keys.all().find(|key| key.name == *name)));
    }
    for key in keys.all() {
        if !order.iter().any(|known| known.name == key.name) {
            order.push(key);
        }
    }
    order
}

fn render_list<D: Dialect, H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let conversation = w.conversation;
    if let Some(origin) = conversation.list_origin.filter(|_| conversation.frame.from == w.target.id) {
        w.out.raw(origin);
        return Ok(());
    }
    w.out.open_list();
    D::write_turns(w)?;
    w.out.close();
    Ok(())
}

fn render_system<D: Dialect, H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, key: &'static Key) -> Result<(), Error> {
    let conversation = w.conversation;
    let hoisted = w.hoisted().next().is_some();
    match &conversation.frame.system {
        Some(System { origin: Some(origin), .. }) if !hoisted && conversation.frame.from.same_wire(w.target.id) => {
            w.out.key(key);
            w.out.raw(origin);
        }
        None if !hoisted => {}
        _ => {
            let texts = system::all(w)?;
            if !texts.is_empty() {
                w.out.key(key);
                D::write_system(w, &texts);
            }
        }
    }
    Ok(())
}

fn render_tools<D: Dialect, H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, key: &'static Key) -> Result<(), Error> {
    let frame = w.conversation.frame;
    let Some(tools) = &frame.tools else { return Ok(()) };
    let own = frame.from.same_wire(w.target.id);
    if let Some(origin) = frame.tools_origin.as_ref().filter(|_| own) {
        w.out.key(key);
        w.out.raw(origin);
        return Ok(());
    }
    let path = |index: usize| Path::key("tools").then(Step::Index(index));
    for (index, tool) in tools.iter().enumerate().filter(|(_, tool)| !own && tool.by_provider) {
        let reason = format!("{:?} is run by the provider that defines it", tool.name.to_str(frame.input.as_ref()));
        w.losses.lost(LossCode::Tool, path(index), reason)?;
    }
    let kept: Vec<_> = tools.iter().enumerate().filter(|(_, tool)| own || !tool.by_provider).collect();
    if kept.is_empty() {
        return without_tools(w);
    }
    w.out.key(key);
    w.out.open_list();
    for (index, tool) in kept {
        match &tool.origin {
            Some(origin) if own => w.out.raw(origin),
            _ => D::write_tool(w, tool, &path(index))?,
        }
    }
    w.out.close();
    Ok(())
}

/// Some targets refuse calls and results in the history of a request that defines no tool. A payload without the key says
/// nothing about the request, whose tools may be the caller's; here the key is there, and nothing is left of it.
fn without_tools<H: Host, K: Sink<H>>(w: &Writer<'_, H, K>) -> Result<(), Error> {
    let (conversation, target) = (w.conversation, w.target);
    if !target.limits.tools_required || conversation.frame.from.same_wire(target.id) {
        return Ok(());
    }
    let mut turns = conversation.turns.iter().enumerate();
    match turns.find(|(_, turn)| turn.calls().next().is_some() || turn.results().next().is_some()) {
        None => Ok(()),
        Some((index, turn)) => {
            let text = "the target refuses tool calls and results where the request defines no tool";
            Err(Error::new(Code::Refused, text).at_path(turn.path(index)))
        }
    }
}

fn render_choice<D: Dialect, H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, key: &'static Key) -> Result<(), Error> {
    let frame = w.conversation.frame;
    let Some(choice) = &frame.choice else { return Ok(()) };
    let own = frame.from.same_wire(w.target.id);
    if let Some(origin) = choice.origin.as_ref().filter(|_| own) {
        w.out.key(key);
        w.out.raw(origin);
        return Ok(());
    }
    let any_tool = frame.tools.iter().flatten().any(|tool: &Tool<H>| !tool.by_provider);
    let path = Path::key("tool_choice");
    if !any_tool {
        return w.losses.lost(LossCode::ToolChoice, path, "no tool is left to choose from");
    }
    let left = |name: &Text<H>| {
        let mut tools = frame.tools.iter().flatten().filter(|tool| !tool.by_provider);
        tools.any(|tool| tool.name.wtf8(frame.input.as_ref()) == name.wtf8(frame.input.as_ref()))
    };
    if matches!(&choice.kind, ChoiceKind::Tool(name) if !left(name)) {
        return w.losses.lost(LossCode::ToolChoice, path, "the tool that was chosen is not left");
    }
    w.extras_lost(choice.extras.as_deref(), frame.input.as_ref(), &|| path.clone())?;
    if matches!(choice.kind, ChoiceKind::Opaque) {
        return w.losses.lost(LossCode::ToolChoice, path, "the target has no word for this choice");
    }
    w.out.key(key);
    D::write_choice(w, choice);
    Ok(())
}
