//! The arguments of a call, in the form that the target's row names.

use super::Writer;
use crate::{
    dialect::{limits::ArgsForm, outline::Item},
    error::Error,
    handle::Host,
    loss::LossCode,
    node::ArgsState,
    tool::{Args, Call},
    value::{Sink, keys},
};

keys! {
    INPUT = "input";
    EMPTY_OBJECT = "{}";
}

impl<H: Host, K: Sink<H>> Writer<'_, H, K> {
    /// Writes the arguments of a call in the form that the target's row names.
    pub(crate) fn args(&mut self, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
        let free_text = call.custom && self.target.limits.free_text;
        match (self.target.limits.args, &call.args) {
            (_, Args::Text(text)) if free_text => self.out.text(text),
            // Read back, free text would be arguments that are no JSON.
            (_, Args::Text(_)) if call.custom => return self.args_as_object(item, call),
            (ArgsForm::Text, args) => self.args_as_text(args, item.own),
            (ArgsForm::Either, Args::Text(text)) if call.args.state(item.input) != ArgsState::Object => {
                self.out.text(text);
            }
            (ArgsForm::Object | ArgsForm::Either, _) => return self.args_as_object(item, call),
        }
        Ok(())
    }

    /// Writes arguments as a JSON object. What is none is a loss, and the object stays empty.
    fn args_as_object(&mut self, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
        let input = item.input;
        match &call.args {
            Args::Text(text) if call.custom => {
                let reason = "the target has no tools with free text: it is in a key";
                self.losses.changed(LossCode::Arguments, self.path_of(item), reason);
                self.out.open_map();
                self.out.key(&INPUT);
                self.out.text(text);
                self.out.close();
                return Ok(());
            }
            Args::Text(text) => match self.out.text_as_raw(text) {
                ArgsState::Object => return Ok(()),
                ArgsState::Invalid | ArgsState::Incomplete => {}
            },
            Args::Value(raw) if raw.is_map(input) => {
                self.out.raw(raw);
                return Ok(());
            }
            Args::Value(_) => {
                self.out.open_map();
                self.out.close();
            }
        }
        let got = match &call.args {
            Args::Text(text) => text.head(80, input),
            Args::Value(_) => "another value".to_owned(),
        };
        let reason = format!("the target takes nothing but a JSON object as arguments, got {got:?}");
        self.losses.lost(LossCode::Arguments, self.path_of(item), reason)
    }

    /// Writes arguments as JSON text. No text at all is the empty object, unless it came from this very format.
    fn args_as_text(&mut self, args: &Args<H>, own: bool) {
        match args {
            Args::Text(text) if text.is_empty() && !own => self.out.literal(&EMPTY_OBJECT),
            Args::Text(text) => self.out.text(text),
            Args::Value(raw) => self.out.raw_as_text(raw),
        }
    }
}
