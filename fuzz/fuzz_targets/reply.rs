//! Fuzzes whole replies of every dialect that has them: no panic, only calls that say what they want, and turns that go back
//! to their own dialect and read as the same.
#![no_main]

mod named;
mod replies;

use libfuzzer_sys::fuzz_target;
use turnwire_core::{
    model::reply::Finish,
    replies as core_replies,
    value::{handle::NoHost, json::read, node::ArgsState},
};

fuzz_target!(|bytes: &[u8]| {
    let Some((id, body)) = named::dialect(bytes, replies::answers) else { return };
    let Ok(payload) = read::value::<NoHost>(body) else { return };
    // Whoever it is from, finding that out is no panic either.
    let _ = core_replies::read(&payload, None);
    let Ok(reply) = core_replies::read(&payload, Some(id)) else { return };
    assert!(reply.finish != Finish::ToolCalls || reply.calls().count() > 0);
    let cut = reply.calls().any(|call| !call.custom && call.args.state(None) == ArgsState::Incomplete);
    assert!(!cut || !matches!(reply.finish, Finish::Stop | Finish::ToolCalls | Finish::Other));
    replies::replays(id, &reply);
});
