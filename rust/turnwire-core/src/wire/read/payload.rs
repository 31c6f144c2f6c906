//! Reads the payload around the turns, the same way for every dialect: its list, system text, tools and choice of tools.

use super::{
    elements::Elements,
    keys::{Keys, elements_of, missing, wrong_type},
    tools::FOREIGN_TOOL,
    unclear,
};
use crate::{
    k,
    model::{
        Choice, ChoiceKind, Content, Entity, Flaw, Frame, Kind, Outer, Parsed, Part, Rest, RestKey, Role, System, Tool,
        Turn,
    },
    pairing::unnamed,
    report::{Error, Path, Trail, error::Code},
    rules::{DialectId, MessageId, Slot, Slots, Spelling, Verdict},
    value::{Host, Key, NodeKind, Source, Text, Tree, Value, door::keys, json},
};

keys! {
    PREVIOUS_MESSAGE_ID = "previous_message_id";
}

/// Reads one element of the list in the dialect that the turn names.
pub(crate) type ReadTurn<S> = fn(&S, usize, &Trail<'_>, &mut Turn<<S as Source>::H>) -> Result<(), Error>;

/// How a dialect reads the parts of a payload from one kind of source: see the functions of `Dialect`.
#[expect(clippy::type_complexity, reason = "each is the signature of one function of `Dialect`")]
pub(crate) struct ReadFns<S: Source> {
    pub(crate) slots: &'static Slots,
    pub(crate) turn: fn(&S, usize, &Trail<'_>, &mut Turn<S::H>) -> Result<(), Error>,
    pub(crate) results_in_text: fn(&mut Turn<S::H>) -> Result<(), Error>,
    pub(crate) system: fn(&S, &'static str) -> Result<System<S::H>, Error>,
    pub(crate) tools: fn(&S, &Trail<'_>) -> Result<Vec<Tool<S::H>>, Error>,
    /// Reads definitions as JSON text. `None` for dialects that never have them.
    pub(crate) tools_of_text: Option<ToolsOfText<S::H>>,
    pub(crate) choice: fn(&S, &Trail<'_>) -> Result<Choice<S::H>, Error>,
    pub(crate) settle: fn(&mut [Turn<S::H>], &Frame<S::H>),
}

pub(crate) type ToolsOfText<H> = fn(&Tree<'_, H>, &Trail<'_>) -> Result<Vec<Tool<H>>, Error>;

/// Reads a payload: a bare list, or a body whose other keys are kept for the caller.
pub(crate) fn parse<S: Source>(
    dialect: &ReadFns<S>,
    payload: &S,
    from: DialectId,
    elements: &Elements<'_, S>,
    read_other: ReadTurn<S>,
) -> Result<Parsed<S::H>, Error> {
    let slots = dialect.slots;
    let mut frame = Frame::empty(from);
    frame.input = payload.input().cloned();
    let root = Trail::ROOT;
    let is_list = slots.bare() && slots.list.some(payload).is_none();
    let in_body = payload.kind() == NodeKind::Map && !is_list;
    let (list, name) = if in_body {
        read_frame(dialect, payload, &mut frame)?;
        let (spelling, list) = slots.list.some(payload).ok_or_else(|| missing(payload, slots.list_key(), &root))?;
        (list, spelling.key.name)
    } else {
        (payload.clone(), "")
    };
    let at = if in_body { root.key(name) } else { root };
    let text = slots.list_or_text && list.kind() == NodeKind::Text;
    let single = slots.singles && in_body && list.kind() == NodeKind::Map;
    if list.kind() != NodeKind::List && !text && !single {
        return Err(wrong_list(slots, &list, in_body).at(&at));
    }
    let mut turns = Vec::with_capacity(list.len().max(1));
    let mut whole = elements.each.is_none();
    for (index, element) in elements_of(&list).enumerate() {
        if let Some(turn) = elements.turn(&element).filter(|_| !text) {
            whole = false;
            turns.push(Turn { list: name, ..turn.map_err(|error| error.at(&at.index(index)))? });
            continue;
        }
        let own = elements.dialect(index).unwrap_or(from);
        // Makes and reads it in the list itself, because a turn is large.
        turns.extend(std::iter::once_with(|| Turn::read(own, name, &element)));
        let Some(turn) = turns.last_mut() else { continue };
        // A value instead of the list is not an element of one.
        turn.lone = text || single;
        if single {
            turn.flaw = Some(&SINGLE);
        }
        if text {
            turn.origin = None;
        }
        let at = if turn.lone { at } else { at.index(index) };
        let read = |element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>| {
            if own == from { (dialect.turn)(element, index, at, turn) } else { read_other(element, index, at, turn) }?;
            says_something(turn, element, at)
        };
        if let Err(error) = read(&element, &at, turn) {
            // An element that is not a message may be an entity that holds one.
            let Some((body, at)) = enter(turn, &element, &at) else { return Err(error.in_dialect(&own.name())) };
            read(&body, &at, turn).map_err(|error| error.in_dialect(&own.name()))?;
            whole &= has_entities(from);
        }
        if elements.results && own == from {
            (dialect.results_in_text)(turn)?;
        }
    }
    unnamed::link(&mut turns);
    (dialect.settle)(&mut turns, &frame);
    if let Some(turn) = unclear::first(&turns) {
        return Err(unclear::error(&at.index(turn)).in_dialect(&turns[turn].from.name()));
    }
    frame.whole = frame.whole.filter(|_| whole);
    Ok(Parsed { turns, list_origin: whole.then(|| list.raw()), frame })
}

/// Reads one element of the list by itself. `index` is its later index.
pub(crate) fn parse_turn<S: Source>(
    dialect: &ReadFns<S>,
    element: &S,
    index: usize,
    from: DialectId,
) -> Result<Turn<S::H>, Error> {
    let mut turn = Turn::read(from, "", element);
    let read = |element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>| {
        (dialect.turn)(element, index, at, turn)?;
        says_something(turn, element, at)
    };
    if let Err(error) = read(element, &Trail::ROOT, &mut turn) {
        let Some((body, at)) = enter(&mut turn, element, &Trail::ROOT) else { return Err(error) };
        read(&body, &at, &mut turn)?;
    }
    unnamed::link(std::slice::from_mut(&mut turn));
    Ok(turn)
}

/// Fails for an element that has no key in which its format says something: such a key may be misspelt, so this must not
/// count as an empty message. A call may lack its result's text, and an assistant may be silent, if nothing is unread.
#[inline]
fn says_something<S: Source>(turn: &Turn<S::H>, element: &S, at: &Trail<'_>) -> Result<(), Error> {
    let silent = match turn.parts.as_slice() {
        [] => !turn.lone,
        [Part { kind: Kind::Result(result), .. }] => turn.extras.is_some() && matches!(result.content, Content::Absent),
        _ => false,
    };
    if silent { said(turn, element, at) } else { Ok(()) }
}

#[cold]
fn said<S: Source>(turn: &Turn<S::H>, element: &S, at: &Trail<'_>) -> Result<(), Error> {
    let says = turn.from.facts.says;
    let Some(usual) = says.first().filter(|_| element.kind() == NodeKind::Map) else { return Ok(()) };
    let mut keys = element.entries();
    if keys.any(|(key, _)| says.iter().any(|name| key.is(name, element.input()))) {
        return Ok(());
    }
    // The assistant may be silent, a role alone is a message where parts are, and so is a type alone without roles.
    let has_role = element.get(&k::ROLE).is_some();
    let alone = turn.role == Role::Assistant
        || *usual != k::CONTENT.name && has_role
        || !has_role && element.get(&k::TYPE).is_some();
    if alone && !has_unknown(turn) { Ok(()) } else { Err(missing(element, usual, at)) }
}

/// Whether a turn has a key that its format does not know, which may be a misspelt one.
fn has_unknown<H: Host>(turn: &Turn<H>) -> bool {
    let (keys, input) = (turn.from.keys(), turn.input.as_ref());
    let unknown = |key, value| keys.any || keys.judge(keys.turn, (key, value), input) == Verdict::Unknown;
    turn.extras.iter().flat_map(|extras| extras.iter()).any(|(key, value)| unknown(key, value))
}

/// Whether the format itself has entities, so that a list of them is sent back unchanged.
fn has_entities(dialect: DialectId) -> bool {
    dialect.limits().is_ok_and(|limits| limits.message_id == MessageId::Entity)
}

/// The message of an entity, from which the turn is read.
#[cold]
fn enter<'a, S: Source>(turn: &mut Turn<S::H>, element: &S, at: &'a Trail<'a>) -> Option<(S, Trail<'a>)> {
    let (body, entity) = Entity::open(element)?;
    *turn = Turn { entity: Some(Box::new(entity)), ..Turn::read(turn.from, turn.list, &body) };
    Some((body, at.key(Entity::<S::H>::body())))
}

static ALIEN_CHOICE: Flaw = Flaw::refused("the choice is under a key that does not go with that of the tools");
static NULL: Flaw = Flaw::refused("a key of the payload is null, and the target accepts it only left out");
/// Servers that read the JSON form of protobuf accept it, but the types of their clients do not.
pub(crate) static SINGLE: Flaw = Flaw::unsure("a list of one is a list");
static NO_TOOLS: Flaw = Flaw::refused("what holds the tools of the payload holds none");

fn read_frame<S: Source>(dialect: &ReadFns<S>, payload: &S, frame: &mut Frame<S::H>) -> Result<(), Error> {
    let slots = dialect.slots;
    let mut rest = Vec::new();
    for (key, value) in payload.entries() {
        match slots.tops(payload).find(|known| key.is(known.name, payload.input())) {
            Some(known) if frame.order.contains(&known.name) => {}
            Some(known) => frame.order.push(known.name),
            None => {
                let known = || slots.continues.iter().any(|known| key.is(known.name, payload.input()));
                let continues = is_id(&value) && known();
                rest.push(RestKey { before: frame.order.len(), key, value: value.raw(), continues });
            }
        }
    }
    // A key that is repeated in JSON is read as one key, and sent back as it was.
    if rest.is_empty() {
        frame.whole = Some(payload.raw());
    } else {
        frame.rest = Some(Box::new(Rest { origin: Some(payload.raw()), from: frame.from, keys: rest }));
    }
    let continues = |key: &&&'static Key| payload.get(key).is_some_and(|id| is_id(&id));
    frame.continues = slots.continues.iter().find(continues).map(|key| key.name);
    let null = |slot: Slot| slot.find(payload).is_some_and(|(_, node)| node.kind() == NodeKind::Null);
    frame.flaw = slots.all().any(null).then_some(&NULL);
    read_outer(slots, payload, frame)?;
    if let Some((spelling, node)) = slots.system.and_then(|slot| slot.some(payload)) {
        frame.places.system = spelling.path();
        let system = (dialect.system)(&node, spelling.path()).map_err(|error| placed(error, spelling.to_path()))?;
        frame.system = Some(System { origin: Some(node.raw()), ..system });
    }
    if let Some((spelling, node)) = slots.tools.and_then(|slot| slot.some(payload)) {
        frame.places.tools = spelling.path();
        frame.places.tools_in_text = node.kind() == NodeKind::Text;
        let tools = match (node.kind(), dialect.tools_of_text) {
            (NodeKind::List, _) => (dialect.tools)(&node, &Trail::ROOT),
            (NodeKind::Map, _) if slots.singles => {
                frame.flaw = Some(&SINGLE);
                (dialect.tools)(&node, &Trail::ROOT)
            }
            (NodeKind::Text, Some(read)) => tools_in_text(&node, read),
            _ => Err(wrong_type("a list", &node, &Trail::ROOT)),
        };
        let mut tools = tools.map_err(|error| placed(error, spelling.to_path()))?;
        if spelling.old {
            // A definition form that is foreign under the first key is this key's own form, and vice versa.
            for tool in tools.iter_mut().filter(|tool| !tool.by_provider) {
                tool.flaw = match tool.flaw {
                    None => Some(&FOREIGN_TOOL),
                    Some(flaw) => Some(flaw).filter(|flaw| flaw.says != FOREIGN_TOOL.says),
                };
            }
        }
        frame.tools = Some(tools);
        frame.tools_origin = Some(node.raw());
    }
    if let Some((spelling, node)) = slots.choice.and_then(|slot| slot.some(payload)) {
        frame.places.choice = spelling.path();
        let mut choice = (dialect.choice)(&node, &Trail::ROOT).map_err(|error| placed(error, spelling.to_path()))?;
        if slots.tools.is_some_and(|tools| tools.find(payload).is_some_and(|(tools, _)| tools.old != spelling.old)) {
            choice.flaw = Some(&ALIEN_CHOICE);
        } else if spelling.old && !matches!(choice.kind, ChoiceKind::Opaque) {
            choice.flaw = None;
        }
        frame.choice = Some(choice);
    }
    Ok(())
}

/// Whether a key that names something on the server has a value: an id, an object with an id, or one of type
/// `continue`.
fn is_id<S: Source>(id: &S) -> bool {
    let says = |id: &S| id.text().is_some_and(|id| !id.is_empty());
    let goes_on = id.get(&k::TYPE).is_some_and(|kind| kind.text().is_some_and(|kind| kind.is("continue", id.input())));
    says(id) || goes_on || [&k::ID, &PREVIOUS_MESSAGE_ID].into_iter().any(|key| id.get(key).is_some_and(|id| says(&id)))
}

/// Tool definitions as the JSON text of a list. Empty text means no tools.
fn tools_in_text<S: Source>(node: &S, read: ToolsOfText<S::H>) -> Result<Vec<Tool<S::H>>, Error> {
    let text = node.text().unwrap_or_else(|| Text::own(""));
    if text.is_blank(node.input()) {
        return Ok(Vec::new());
    }
    match json::read::value(text.to_str(node.input()).as_bytes()) {
        Ok(list @ Value::List(_)) => read(&Tree(&list), &Trail::ROOT).map_err(|error| error.at_path(Path::default())),
        _ => Err(wrong_type("a list, or JSON text of one", node, &Trail::ROOT)),
    }
}

/// Reads the object that several slots share, with its keys that belong to no slot. Lists the spellings that are not
/// read, because another one counts.
fn read_outer<S: Source>(slots: &Slots, payload: &S, frame: &mut Frame<S::H>) -> Result<(), Error> {
    let spellings = || slots.all().flat_map(|slot| slot.0);
    let unread = slots.all().flat_map(|slot| slot.unread(payload));
    // The object that holds a value which is read comes first.
    let read = slots.all().filter_map(|slot| slot.some(payload)?.0.outer);
    let mut outers: Vec<(&'static Key, S)> = Vec::new();
    let others = spellings().filter(|spelling| spelling.has_room(payload)).filter_map(|spelling| spelling.outer);
    for outer in read.chain(others) {
        let Some(node) = payload.get(outer).filter(|_| !outers.iter().any(|(known, _)| known.name == outer.name))
        else {
            continue;
        };
        if node.kind() == NodeKind::Null {
            frame.flaw = Some(&NULL);
        } else {
            outers.push((outer, node));
        }
    }
    let inside = |outer: &Key| outers.iter().skip(1).any(|(other, _)| other.name == outer.name);
    frame.unread = unread.filter(|one| !one.outer.is_some_and(inside)).map(Spelling::path).collect();
    frame.unread.extend(outers.iter().skip(1).map(|(other, _)| other.name));
    let Some((outer, node)) = outers.into_iter().next() else { return Ok(()) };
    let at = Trail::ROOT.key(outer.name);
    let mut keys = Keys::of(&node, &at)?;
    for spelling in spellings().filter(|spelling| spelling.outer.is_some_and(|known| std::ptr::eq(known, outer))) {
        let _: Option<S> = keys.take(spelling.key);
    }
    let keeps_tools = |slot: Slot| slot.first().outer.is_some_and(|known| std::ptr::eq(known, outer));
    if slots.tools.is_some_and(|slot| keeps_tools(slot) && slot.some(payload).is_none()) {
        frame.flaw = Some(&NO_TOOLS);
    }
    let among = |one: &Spelling| one.among && one.outer.is_some_and(|known| std::ptr::eq(known, outer));
    let settings = spellings().any(among);
    frame.outer = Some(Outer { name: outer.name, origin: Some(node.raw()), extras: keys.extras(), settings });
    Ok(())
}

/// An error whose path begins at a slot.
fn placed(error: Error, at: Path) -> Error {
    let path = at.join(error.path());
    error.at_path(path)
}

#[cold]
fn wrong_list<S: Source>(slots: &Slots, got: &S, in_body: bool) -> Error {
    let name = slots.list_key();
    let json = got.text().filter(|text| in_body && text.starts_with("[", got.input()));
    if json.is_some_and(|text| json::read::value::<S::H>(text.to_str(got.input()).as_bytes()).is_err()) {
        return Error::new(Code::TornJson, "expected a list, got JSON text of one that ends in the middle");
    }
    let expected = match (slots.list_or_text, in_body || name.is_empty()) {
        (true, true) => "a list or a string".to_owned(),
        (false, true) => "a list".to_owned(),
        (true, false) => format!("a list, a string or an object with the key {name:?}"),
        (false, false) => format!("a list or an object with the key {name:?}"),
    };
    Error::new(Code::WrongType, format!("expected {expected}, got {}", got.describe()))
}
