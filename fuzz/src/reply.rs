//! Fuzzes whole replies of every dialect that has them. No panic; only calls that can be run; turns that go back to
//! their own dialect and read as the same. What is written for another dialect is a reply there.

use turnwire_core::{
    dialects,
    model::finish::Finish,
    replies::{
        self as core_replies,
        write::{self, Beside},
    },
    rules::dialect_id::DialectId,
    value::{handle::NoHost, json::read, node::ArgsState},
};

use super::{named, replies};

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Some((id, body)) = named::dialect(bytes, replies::answers) else { return };
    let Ok(payload) = read::value::<NoHost>(body) else { return };
    // Detecting the dialect does not panic, either.
    let _ = core_replies::read(&payload, None);
    let Ok(reply) = core_replies::read(&payload, Some(id)) else { return };
    assert!(reply.finish != Finish::ToolCalls || reply.calls().count() > 0);
    let cut = reply.calls().any(|call| !call.custom && call.args.state(None) == ArgsState::Incomplete);
    assert!(!cut || !matches!(reply.finish, Finish::Stop | Finish::ToolCalls | Finish::Other));
    replies::replays(id, &reply);
    for name in dialects::table::names() {
        let target = DialectId::named(&name).expect("it is in the table");
        let beside = Beside { status: None, asked: Some(&payload) };
        let Ok(written) = write::write(&reply, target, &beside) else { continue };
        // What is written is a reply of the target, or the original, which was one.
        core_replies::read(&written.payload, Some(target)).expect("the target reads it");
    }
}
