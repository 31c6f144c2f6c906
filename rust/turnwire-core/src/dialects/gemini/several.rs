//! Splits a part with several contents, of which a part may have one.

use super::spelling::is_said;
use crate::{
    model::{Flaw, Part},
    report::Error,
    rules::extra_keys::other_spelling,
    value::{Host, Input, Source, Text, Value},
};

pub(super) static SEVERAL: Flaw = Flaw::refused("a part says one thing");

/// The keys that can hold the content of a part. A part may have one of them.
const DATA_KEYS: &str = "text functionCall function_call functionResponse function_response inlineData inline_data \
    fileData file_data executableCode executable_code codeExecutionResult code_execution_result \
    toolCall tool_call toolResponse tool_response";

fn is_data<H: Host>(key: &Text<H>, input: Option<&Input>) -> bool {
    DATA_KEYS.split(' ').any(|known| key.is(known, input))
}

/// Whether the extras of a part hold further content. A key that only repeats another in the other spelling does not
/// count.
pub(super) fn says_several<S: Source>(part: &Part<S::H>, element: &S) -> bool {
    let input = element.input();
    let extras = || part.extras.iter().flat_map(|extras| extras.iter());
    let read = |other: &str| is_said(element, other) && !extras().any(|(key, _)| key.is(other, input));
    let twin = |key: &Text<S::H>| other_spelling(&key.to_str(input)).is_some_and(|other| read(&other));
    extras().any(|(key, _)| is_data(key, input) && !twin(key))
}

/// Splits a part with several contents into parts with one each. The first keeps the other keys.
pub(super) fn apart<S: Source>(element: &S) -> Result<Vec<Value<S::H>>, Error> {
    let Value::Map(entries) = element.raw().to_value(element.input())? else { return Ok(Vec::new()) };
    let mut data = entries.iter().filter(|(key, value)| is_data(key, None) && !matches!(value, Value::Null));
    let beside = entries.iter().filter(|(key, _)| !is_data(key, None));
    let first: Vec<_> = data.next().into_iter().chain(beside).collect();
    let share = |(key, value): &(Text<S::H>, Value<S::H>)| (key.share(), value.share());
    let first = Value::Map(first.into_iter().map(share).collect());
    Ok(std::iter::once(first).chain(data.map(|one| Value::Map([share(one)].into()))).collect())
}
