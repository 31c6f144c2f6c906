//! Describes a format's calls that the provider runs, and the blocks with their results.

use super::details::{self, text};
use crate::value::{Host, Text, Value};

/// The blocks of calls that the provider runs. Its servers refuse a result without its call, and a call without its result
/// once the user has said something else.
pub(crate) struct RanRule {
    /// The type of a call.
    pub(crate) call: &'static str,
    /// The types of results, with blanks between them.
    pub(crate) results: &'static str,
    /// The key of a result that names its call.
    pub(crate) answers: &'static str,
    /// The key of a call of the client's tools, and the key inside it, that name the provider's call which made it.
    pub(crate) caller: (&'static str, &'static str),
}

/// How calls that the provider ran, and their results, are made again of the record that a format of many providers has.
pub(crate) struct RemadeRule {
    /// How the ids of such calls begin.
    pub(crate) id: &'static str,
    /// The type of a call, and the key of a result that names it.
    pub(crate) call: (&'static str, &'static str),
    /// Its tools, each with the block of its results. A call may say in its input which of several it is.
    pub(crate) tools: &'static [Remade],
    /// The types of inputs that say no more than their tool.
    pub(crate) plain: &'static str,
    /// Calls of servers that the provider asks.
    pub(crate) passed: Passed,
}

/// The block of a tool's results.
pub(crate) struct Remade {
    pub(crate) tool: &'static str,
    pub(crate) result: &'static str,
    /// How the types of contents begin, if they are not lists.
    pub(crate) content: &'static str,
    /// The type of the object around a list, and the list's key there. Empty if the list is the content.
    pub(crate) around: (&'static str, &'static str),
}

/// Calls of servers that the provider asks.
pub(crate) struct Passed {
    /// The value of the option that says so, and the option with the name of the server.
    pub(crate) option: (&'static str, &'static str),
    /// The types of a call and of its result, and the key of the server's name.
    pub(crate) call: &'static str,
    pub(crate) result: &'static str,
    pub(crate) server: &'static str,
}

/// How a format of many providers records a call that a provider ran, its result, or both.
pub(crate) struct RecordRule {
    /// Its types, with blanks between them. A `*` at the end stands for any end.
    pub(crate) types: &'static str,
    /// Whether a result has the mark of such calls, too.
    pub(crate) marked: bool,
    /// Whether call and result are parts of their own, of which neither means anything without the other.
    pub(crate) apart: bool,
    /// What comes before the name of the tool in the type, where no key has it.
    pub(crate) before_name: &'static str,
    /// The keys of the mark, of the id, of the tool's name and of the input.
    pub(crate) keys: [&'static str; 4],
    /// The places of what the tool returned.
    pub(crate) outputs: &'static [OutputPlace],
}

/// The place of what a tool returned: keys with dots between them.
pub(crate) struct OutputPlace {
    pub(crate) at: &'static str,
    /// Whether the tool failed: a place whose text says so, and how that begins. `None` if it is always or never so.
    pub(crate) fails_if: Option<(&'static str, &'static str)>,
    pub(crate) fails: bool,
}

/// A record of a call, its result, or both.
pub(crate) struct Record<H: Host> {
    pub(crate) id: Text<H>,
    /// The name of the tool.
    pub(crate) name: Text<H>,
    pub(crate) input: Option<Value<H>>,
    /// What the tool returned, and whether it failed.
    pub(crate) output: Option<(Value<H>, bool)>,
}

impl RecordRule {
    /// Reads a record. `paired`: whether a call and its result, each a part of its own, are both there.
    pub(crate) fn read<H: Host>(&self, part: &Value<H>, paired: bool) -> Option<Record<H>> {
        let kind = text(part, "type")?.to_str(None).into_owned();
        let is = |word: &str| word.strip_suffix('*').map_or(word == kind, |begin| kind.starts_with(begin));
        let [flag, id, name, input] = self.keys;
        let ran = || matches!(details::value(part, flag), Some(Value::Bool(true)));
        if !self.types.split(' ').any(is) || self.marked && !ran() || self.apart && !paired {
            return None;
        }
        let in_type = || kind.strip_prefix(self.before_name).filter(|_| !self.before_name.is_empty()).map(Text::own);
        let output = self.outputs.iter().find_map(|place| {
            let begins = |(at, begin): (&str, &str)| {
                matches!(under(part, at), Some(Value::Text(word)) if word.starts_with(begin, None))
            };
            Some((under(part, place.at)?.share(), place.fails || place.fails_if.is_some_and(begins)))
        });
        if output.is_none() && !self.outputs.is_empty() {
            return None;
        }
        let input = details::value(part, input).filter(|_| !input.is_empty()).map(Value::share);
        Some(Record { id: text(part, id)?, name: text(part, name).or_else(in_type)?, input, output })
    }
}

/// What is at these keys, with dots between them.
fn under<'v, H: Host>(value: &'v Value<H>, keys: &str) -> Option<&'v Value<H>> {
    keys.split('.').try_fold(value, details::value)
}
