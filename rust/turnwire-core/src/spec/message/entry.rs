//! Writes a user message for its own service, as one turn of that dialect.

use super::user::UserMessage;
use crate::{
    dialects::{self, amazon_q::typed},
    model::{Content, Kind, Parts},
    report::{Change, ChangeKind, Edit, Error, Path, Place, error::Code},
    text::{MAX_USER_MESSAGE_SIZE, Split},
    value::{Host, Sink, Text, Value},
};

/// The keys of results and their blocks in the message.
const RESULTS: &str = "tool_use_results";
const CONTENT: &str = "content";

impl<H: Host> UserMessage<H> {
    /// Writes the message, cut to [`MAX_USER_MESSAGE_SIZE`], without absent keys. A history keeps it without model and
    /// tools; a request has them.
    ///
    /// Content that the service cannot hold is an error, whose path begins at the message. So is an id that it refuses,
    /// because the call with that id is in another message.
    pub fn write_entry(
        &self,
        model_id: Option<&Text<H>>,
        tools: Vec<Value<H>>,
        out: &mut impl Sink<H>,
    ) -> Result<(), Error> {
        let cut = self.truncate_safe(MAX_USER_MESSAGE_SIZE, Split::Even)?;
        let mut turn = cut.as_ref().unwrap_or(self).to_turn()?;
        turn.from = typed::dialect();
        place(&mut turn.parts);
        turn.parts.extend((!tools.is_empty()).then(|| typed::tools(tools)));
        turn.parts.extend(model_id.map(typed::model));
        let losses = dialects::registry::render_message(&turn, out).map_err(|error| {
            let path = inside(error.path());
            error.at_path(path)
        })?;
        let refused = |loss: &&Change| loss.kind == ChangeKind::Lost || loss.code == Edit::RenamedId;
        match losses.iter().find(refused) {
            None => Ok(()),
            Some(loss) => Err(Error::new(Code::Refused, loss.reason.clone()).at_path(inside(&loss.path))),
        }
    }
}

/// Gives results and their blocks a place in the message, for paths.
fn place<H: Host>(parts: &mut Parts<H>) {
    let results = parts.iter_mut().filter(|part| matches!(part.kind, Kind::Result(_)));
    for (index, part) in results.enumerate() {
        part.place = Place::item(RESULTS, index);
        if let Kind::Result(result) = &mut part.kind
            && let Content::Blocks(blocks) = &mut result.content
        {
            blocks.iter_mut().enumerate().for_each(|(at, block)| block.place = Place::item(CONTENT, at));
        }
    }
}

/// A path without the index of the only turn.
fn inside(path: &Path) -> Path {
    Path::of(path.steps().skip(1))
}
