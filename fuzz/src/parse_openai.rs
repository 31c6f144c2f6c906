//! Fuzzes the openai dialect on JSON text: it never panics, and the output keeps the bytes of each element.

use turnwire_core::{
    convert::{self, Options},
    rules::dialect_id::DialectId,
    value::{
        door::{Key, Source},
        handle::{Input, NoHost},
        json::{encode, tape::Tape, write::JsonSink},
        node::NodeKind,
    },
};

static MESSAGES: Key = Key::new("messages");

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Ok(tape) = Tape::read(&Input::new(bytes.to_vec())) else { return };
    let view = tape.view();
    let root = view.root::<NoHost>();
    let openai = DialectId::named("openai").expect("it is in the table");
    let Ok(mut conversation) = convert::parse(&root, openai) else { return };
    let before = elements(&root);
    let _ = conversation.turns_mut();
    let mut sink = JsonSink::default();
    convert::render(&conversation, openai, &Options::default(), &mut sink).expect("it goes back to its own dialect");
    let after = Tape::read(&Input::new(sink.into_bytes())).expect("what was written is JSON");
    assert_eq!(elements(&after.view().root::<NoHost>()), before);
}

/// The elements of the list, each in its spelling.
fn elements<S: Source>(payload: &S) -> Vec<String> {
    let list = if payload.kind() == NodeKind::Map { payload.get(&MESSAGES) } else { Some(payload.clone()) };
    let list = list.expect("it was parsed");
    list.items().map(|item| encode::to_string(&item.raw(), item.input()).expect("it was UTF-8")).collect()
}
