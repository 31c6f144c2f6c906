//! An event: a piece of a streamed reply that a program can use at once.

use super::{finish::Finish, flat::flat_name, reply::Tokens, tool::Args};
use crate::k;
use crate::{
    report::ToolNames,
    rules::{CallForm, Limits},
    value::{Host, Key, Raw, Sink, Text, Value, door::keys},
};

keys! {
    BEGIN = "begin";
    PART_BEGIN = "part_begin";
    PART_END = "part_end";
    CALL_BEGIN = "call_begin";
    CALL_PIECE = "call_piece";
    CALL_WHOLE = "call_whole";
    CALL_END = "call_end";
    CALL = "call";
    CACHED = "cached";
    WRITTEN = "written";
}

/// The kind of text that grows in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSort {
    /// The answer.
    Text,
    /// Reasoning.
    Reasoning,
    /// A refusal.
    Refusal,
}

impl PartSort {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Text, Self::Reasoning, Self::Refusal];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.key().name
    }

    fn key(self) -> &'static Key {
        match self {
            Self::Text => &k::TEXT,
            Self::Reasoning => &k::REASONING,
            Self::Refusal => &k::REFUSAL,
        }
    }
}

/// An event. Its handles need no input.
#[derive(Debug)]
pub enum Event<H: Host> {
    /// More text of the answer.
    Text(Text<H>),
    /// More reasoning.
    Reasoning(Text<H>),
    /// A whole call with an object as its arguments.
    Call {
        /// Its id, if the wire has one.
        id: Option<Text<H>>,
        /// The tool's name.
        name: Text<H>,
        /// Its arguments.
        args: Args<H>,
        /// The group of tools in which its name counts.
        namespace: Option<Text<H>>,
        /// Its kind of item, if that is not the plain one.
        form: Option<CallForm>,
    },
    // The other events are only for callers who ask for all.
    /// The reply begins.
    Begun {
        /// Its id, if the stream has it at the start.
        id: Option<Text<H>>,
        /// The model that answers, if the stream has it at the start.
        model: Option<Text<H>>,
    },
    /// A part begins; its content follows.
    PartBegun(PartSort),
    /// The part ends.
    PartEnded(PartSort),
    /// More of a refusal.
    Refusal(Text<H>),
    /// The whole signature of the last reasoning.
    Signature(Text<H>),
    /// A call begins.
    CallBegun {
        /// The index of the call among the calls of the reply, from 0.
        call: usize,
        /// Its id, if the wire has one.
        id: Option<Text<H>>,
        /// The tool's name.
        name: Text<H>,
        /// Whether its arguments are free text.
        custom: bool,
        /// The group of tools in which its name counts.
        namespace: Option<Text<H>>,
        /// The form of the call for the client, if its arguments allow that.
        form: Option<CallForm>,
    },
    /// More of a call's arguments, as text.
    CallPiece {
        /// Its number.
        call: usize,
        /// The piece.
        text: Text<H>,
    },
    /// The whole arguments of a call, where the pieces before were not those.
    CallWhole {
        /// Its number.
        call: usize,
        /// The arguments, as text.
        text: Text<H>,
    },
    /// A call ends.
    CallEnded {
        /// Its number.
        call: usize,
    },
    /// The usage of the whole reply.
    Usage(Tokens),
    /// The reason of its end.
    Finished(Finish),
    /// The error, unchanged.
    Failed(Value<H>),
}

/// Makes the event for a piece of text of one kind.
pub(crate) type Telling<H> = fn(Text<H>) -> Event<H>;

impl<H: Host> Event<H> {
    /// The keys that every event has, for hosts that write them themselves.
    #[must_use]
    pub fn keys() -> [&'static Key; 2] {
        [&k::TYPE, &k::CONTENT]
    }

    /// The kind and the text, if the event has nothing else.
    #[must_use]
    pub fn said(&self) -> Option<(&'static Key, &Text<H>)> {
        match self {
            Self::Text(text) => Some((&k::TEXT, text)),
            Self::Reasoning(text) => Some((&k::REASONING, text)),
            Self::Refusal(text) => Some((&k::REFUSAL, text)),
            Self::Signature(text) => Some((&k::SIGNATURE, text)),
            _ => None,
        }
    }

    /// The part that it belongs to, if any.
    pub(crate) fn part(&self) -> Option<PartSort> {
        match self {
            Self::Text(_) => Some(PartSort::Text),
            Self::Reasoning(_) => Some(PartSort::Reasoning),
            Self::Refusal(_) => Some(PartSort::Refusal),
            _ => None,
        }
    }

    /// Gives a call the caller's own tool name. One in a group has it.
    pub(crate) fn rename(&mut self, names: &ToolNames) {
        let (Self::Call { name, namespace, form, .. } | Self::CallBegun { name, namespace, form, .. }) = self else {
            return;
        };
        if namespace.is_some() || form.is_some() {
            return;
        }
        let wire = name.to_str(None).into_owned();
        let tool = names.tool(&wire);
        if let Some(own) = tool.map(|tool| &*tool.name).or_else(|| names.own(&wire)) {
            *name = Text::own(own);
        }
        if let Some(tool) = tool {
            (*namespace, *form) = (tool.namespace.as_deref().map(Text::own), tool.call.and_then(CallForm::named));
        }
    }

    /// Gives a call the name that its tool has where there are no groups of tools, and no calls of another kind.
    pub(crate) fn flatten(&mut self, names: &ToolNames, limits: &Limits) {
        let (Self::Call { name, namespace, form, .. } | Self::CallBegun { name, namespace, form, .. }) = self else {
            return;
        };
        let (group, form) = (namespace.take(), form.take());
        if let Some(flat) = flat_name(names, limits, (group.as_ref(), name, form)) {
            *name = Text::own(&flat);
        }
    }

    /// Writes it as a dict, the same for all providers (spec 004).
    pub fn write<K: Sink<H>>(&self, out: &mut K) {
        out.open_map();
        out.key(&k::TYPE);
        if let Some((kind, text)) = self.said() {
            out.literal(kind);
            out.key(&k::CONTENT);
            out.text(text);
        } else {
            out.literal(self.kind());
            out.key(&k::CONTENT);
            self.content(out);
        }
        out.close();
    }

    /// The name of its kind.
    fn kind(&self) -> &'static Key {
        match self {
            Self::Text(_) => &k::TEXT,
            Self::Reasoning(_) => &k::REASONING,
            Self::Call { .. } => &k::TOOL_CALL,
            Self::Begun { .. } => &BEGIN,
            Self::PartBegun(_) => &PART_BEGIN,
            Self::PartEnded(_) => &PART_END,
            Self::Refusal(_) => &k::REFUSAL,
            Self::Signature(_) => &k::SIGNATURE,
            Self::CallBegun { .. } => &CALL_BEGIN,
            Self::CallPiece { .. } => &CALL_PIECE,
            Self::CallWhole { .. } => &CALL_WHOLE,
            Self::CallEnded { .. } => &CALL_END,
            Self::Usage(_) => &k::USAGE,
            Self::Finished(_) => &k::FINISH,
            Self::Failed(_) => &k::ERROR,
        }
    }

    /// Its content.
    fn content<K: Sink<H>>(&self, out: &mut K) {
        let named = |key: &'static Key, text: &Option<Text<H>>, out: &mut K| {
            if let Some(text) = text {
                out.key(key);
                out.text(text);
            }
        };
        let number = |key: &'static Key, count: u64, out: &mut K| {
            out.key(key);
            out.number(count);
        };
        match self {
            Self::Text(text) | Self::Reasoning(text) | Self::Refusal(text) | Self::Signature(text) => {
                return out.text(text);
            }
            Self::PartBegun(sort) | Self::PartEnded(sort) => return out.literal(sort.key()),
            Self::Finished(finish) => return out.text(&Text::own(finish.name())),
            Self::Failed(error) => return out.raw(&Raw::Tree(error.share())),
            _ => {}
        }
        out.open_map();
        match self {
            Self::Call { id, name, args, .. } => {
                out.key(&k::NAME);
                out.text(name);
                out.key(&k::ARGUMENTS);
                match args {
                    Args::Value(value) => out.raw(value),
                    Args::Text(text) => {
                        let _ = out.text_as_raw(text);
                    }
                }
                named(&k::TOOL_CALL_ID, id, out);
            }
            Self::Begun { id, model } => {
                named(&k::ID, id, out);
                named(&k::MODEL, model, out);
            }
            Self::CallBegun { call, id, name, custom, .. } => {
                number(&CALL, *call as u64, out);
                out.key(&k::NAME);
                out.text(name);
                named(&k::TOOL_CALL_ID, id, out);
                if *custom {
                    out.key(&k::CUSTOM);
                    out.bool(true);
                }
            }
            Self::CallPiece { call, text } | Self::CallWhole { call, text } => {
                number(&CALL, *call as u64, out);
                out.key(&k::ARGUMENTS);
                out.text(text);
            }
            Self::CallEnded { call } => number(&CALL, *call as u64, out),
            Self::Usage(Tokens { input, output, cached, reasoning, written }) => {
                for (key, count) in [
                    (&k::INPUT, input),
                    (&k::OUTPUT, output),
                    (&CACHED, cached),
                    (&k::REASONING, reasoning),
                    (&WRITTEN, written),
                ] {
                    if let Some(count) = count {
                        number(key, *count, out);
                    }
                }
            }
            _ => {}
        }
        out.close();
    }

    /// Another handle to the same event.
    #[must_use]
    pub fn share(&self) -> Self {
        let maybe = |text: &Option<Text<H>>| text.as_ref().map(Text::share);
        match self {
            Self::Text(text) => Self::Text(text.share()),
            Self::Reasoning(text) => Self::Reasoning(text.share()),
            Self::Call { id, name, args, namespace, form } => Self::Call {
                id: maybe(id),
                name: name.share(),
                args: args.map(&mut Text::share, &mut Raw::share),
                namespace: maybe(namespace),
                form: *form,
            },
            Self::Begun { id, model } => Self::Begun { id: maybe(id), model: maybe(model) },
            Self::PartBegun(sort) => Self::PartBegun(*sort),
            Self::PartEnded(sort) => Self::PartEnded(*sort),
            Self::Refusal(text) => Self::Refusal(text.share()),
            Self::Signature(text) => Self::Signature(text.share()),
            Self::CallBegun { call, id, name, custom, namespace, form } => Self::CallBegun {
                call: *call,
                id: maybe(id),
                name: name.share(),
                custom: *custom,
                namespace: maybe(namespace),
                form: *form,
            },
            Self::CallPiece { call, text } => Self::CallPiece { call: *call, text: text.share() },
            Self::CallWhole { call, text } => Self::CallWhole { call: *call, text: text.share() },
            Self::CallEnded { call } => Self::CallEnded { call: *call },
            Self::Usage(tokens) => Self::Usage(*tokens),
            Self::Finished(finish) => Self::Finished(*finish),
            Self::Failed(error) => Self::Failed(error.share()),
        }
    }
}
