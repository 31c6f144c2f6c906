//! Free text for a client's own tool. A provider without such tools puts it under a key of an object.

use std::sync::Arc;

use crate::{
    model::{Args, Call, Kind, Part, Reply},
    report::{Error, ToolNames},
    value::{Host, Source, Text, Tree, json},
    wire::write::writer::INPUT,
};

/// The text under the one key of these arguments. If the model wrote anything else, all of it is the text, because the
/// client has no other place for it.
pub(super) fn of<H: Host>(args: Text<H>) -> Text<H> {
    let value = json::read::value::<H>(&args.wtf8(None)).ok();
    let text = value.as_ref().map(Tree).filter(|value| value.len() == 1).and_then(|value| value.get(&INPUT)?.text());
    text.unwrap_or(args)
}

impl<H: Host> Reply<H> {
    /// Turns calls of the caller's free-text tools back into calls with free text.
    pub fn free_texts(&mut self, names: &ToolNames) -> Result<(), Error> {
        let is_text = |call: &Call<H>| {
            let group = call.namespace.as_ref().map(|group| group.to_str(None));
            !call.custom && names.is_text(group.as_deref(), &call.name.to_str(None))
        };
        for turn in &mut self.turns {
            if !turn.parts.iter().any(|part| matches!(&part.kind, Kind::Call(call) if is_text(call))) {
                continue;
            }
            let mut new = turn.touch();
            let input = new.input.clone();
            for Part { kind, touched, .. } in &mut new.parts {
                let Kind::Call(call) = kind else { continue };
                if is_text(call) {
                    let text = match &call.args {
                        Args::Text(text) => text.detach(input.as_ref()),
                        Args::Value(raw) => Text::own(&json::encode::to_string(raw, input.as_ref())?),
                    };
                    (call.args, call.custom, *touched) = (Args::Text(of(text)), true, true);
                }
            }
            *turn = Arc::new(new);
        }
        Ok(())
    }
}
