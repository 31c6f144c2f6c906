//! Writes the arguments of a call in the form of the target's limits row.

use super::Writer;
use crate::{
    model::{Args, Call, says_no_args},
    report::{Edit, Error},
    rules::ArgsForm,
    text::Units,
    value::{ArgsState, Host, Piece, Sink, Text, door::keys, json},
    wire::plan::{
        Item,
        arguments::{ArgsAs, args_as},
    },
};

/// Why free text is not written as it is.
pub(crate) const NO_FREE_TEXT: &str = "the target has no tools with free text: it is in a key";

keys! {
    INPUT = "input";
    EMPTY_OBJECT = "{}";
}

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// Writes the arguments of a call in the form of the target's limits row.
    pub(crate) fn args(&mut self, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
        match (args_as(self.p.target.limits, call), &call.args) {
            (ArgsAs::Free, Args::Text(text)) => self.out.text(text),
            (ArgsAs::Wrapped { text: true }, Args::Text(text)) => self.free_text_as_json(item, text),
            (ArgsAs::Wrapped { text: false }, Args::Text(text)) => self.free_text_as_object(item, text),
            (ArgsAs::SoundText, args) => return self.args_as_sound_text(item, call, args),
            (ArgsAs::Either, Args::Text(text)) if call.args.state(item.input) != ArgsState::Object => {
                self.out.text(text);
            }
            (ArgsAs::Object | ArgsAs::Either, _) => return self.args_as_object(item, call),
            (ArgsAs::Text | ArgsAs::Free | ArgsAs::Wrapped { .. }, args) => self.args_as_text(args, item),
        }
        Ok(())
    }

    /// Writes the free text of a tool under the key of an object.
    fn free_text_as_object(&mut self, item: &Item<'_, H>, text: &Text<H>) {
        self.p.losses.changed(Edit::Arguments, self.p.path_of(item), NO_FREE_TEXT);
        self.out.open_map();
        self.out.key(&INPUT);
        self.out.text(text);
        self.out.close();
    }

    /// Writes arguments as a JSON object. Anything else is a loss, and the object stays empty.
    fn args_as_object(&mut self, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
        let input = item.input;
        match &call.args {
            Args::Text(text) => match self.out.text_as_raw(text) {
                ArgsState::Object => return Ok(()),
                ArgsState::Invalid | ArgsState::Incomplete => {}
            },
            Args::Value(raw) if raw.is_map(input) => {
                self.out.sound(raw);
                return Ok(());
            }
            Args::Value(_) => {
                self.out.open_map();
                self.out.close();
            }
        }
        self.args_lost(item, call)
    }

    /// Reports arguments that are not an object.
    pub(crate) fn args_lost(&mut self, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
        let got = match &call.args {
            Args::Text(text) => text.head(80, item.input),
            Args::Value(_) => "another value".to_owned(),
        };
        let wanted = if self.p.target.limits.args == ArgsForm::JsonText { "JSON" } else { "a JSON object" };
        let reason = format!("the target accepts only {wanted} as arguments, got {got:?}");
        self.p.losses.lost(Edit::Arguments, self.p.path_of(item), reason)
    }

    /// Writes the free text of a tool as the JSON text of an object with one key.
    fn free_text_as_json(&mut self, item: &Item<'_, H>, text: &Text<H>) {
        self.p.losses.changed(Edit::Arguments, self.p.path_of(item), NO_FREE_TEXT);
        let mut json = br#"{"input":"#.to_vec();
        self.p.made += json::escape::string(Units::Utf8(&text.wtf8(item.input)), &mut json);
        self.out.pieces(&[Piece::Str(&String::from_utf8_lossy(&json)), Piece::Str("}")]);
    }

    /// Writes arguments as JSON text that the target accepts. Anything else is a loss, and an empty object is written.
    fn args_as_sound_text(&mut self, item: &Item<'_, H>, call: &Call<H>, args: &Args<H>) -> Result<(), Error> {
        match args {
            Args::Text(text) if self.p.target.limits.args.allows_text(text, item.input) => self.out.text(text),
            Args::Value(raw) if raw.is_map(item.input) => self.out.raw_as_text(raw),
            Args::Text(text) => {
                self.out.literal(&EMPTY_OBJECT);
                if !says_no_args(text, item.input) {
                    return self.args_lost(item, call);
                }
            }
            Args::Value(_) => {
                self.out.literal(&EMPTY_OBJECT);
                return self.args_lost(item, call);
            }
        }
        Ok(())
    }

    /// Writes arguments as JSON text. Text that says that there are none becomes the empty object, unless it came from the
    /// target's own format.
    fn args_as_text(&mut self, args: &Args<H>, item: &Item<'_, H>) {
        match args {
            Args::Text(text) if !item.own && says_no_args(text, item.input) => {
                self.out.literal(&EMPTY_OBJECT);
            }
            Args::Text(text) => self.out.text(text),
            Args::Value(raw) => self.out.raw_as_text(raw),
        }
    }
}
