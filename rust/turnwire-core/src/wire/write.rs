//! Writes a payload: the writer, the keys around the turns, and forms that several formats share.

pub(crate) mod by_order;
pub(crate) mod call_json;
pub(crate) mod grammar;
pub(crate) mod message_ids;
pub(crate) mod payload;
pub(crate) mod says;
pub(crate) mod single_part;
pub(crate) mod single_text;
pub(crate) mod system;
mod tool_mark;
pub(crate) mod tool_schema;
pub(crate) mod writer;

pub(crate) use self::{
    single_part::{Form, One},
    system::SystemText,
    tool_schema::STAND_IN,
    writer::{Job, Where, WriteFns, Writer},
};
