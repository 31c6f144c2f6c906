//! Makes calls that the target's provider ran, and their results, of the record that a format of many providers has.

use super::scope::Scope;
use crate::{
    model::{Kind, Part, Role},
    rules::{
        DialectId,
        details::{self, text},
        extra_keys::other_spelling,
        option_rule::{Means, OptionRule},
        ran_rule::{Record, Remade, RemadeRule},
    },
    value::{Host, Text, Value, tree},
};

/// The blocks of a call that the target's provider ran, of its result, or of both. `None` if the part is neither, or not
/// whole.
pub(super) fn blocks<H: Host>(target: DialectId, scope: Scope<'_>, part: &Part<H>) -> Option<Vec<Value<H>>> {
    let (Kind::Opaque(_), Role::Assistant) = (&part.kind, scope.role) else { return None };
    let (rule, options) = (target.facts.remade?, scope.from.facts.options?);
    if part.touched || part.flaw.is_some() {
        return None;
    }
    let whole = part.origin.as_ref()?.to_value(scope.input).ok()?;
    let record = options.records.iter().find_map(|rule| rule.read(&whole, part.signed))?;
    server(rule, options, &whole).map_or_else(|| own(rule, &record), |server| Some(passed(rule, &record, server)))
}

/// The name of the server that the provider asked, if the options say that it did.
fn server<H: Host>(rule: &RemadeRule, options: &OptionRule, part: &Value<H>) -> Option<Text<H>> {
    let given = options.of_value(part);
    let (kind, name) = rule.passed.option;
    options.text(&given, Means::Kind).filter(|word| word.is(kind, None))?;
    given.iter().find(|one| one.key.is(name, None)).and_then(|one| match &one.value {
        Value::Text(name) => Some(name.share()),
        _ => None,
    })
}

/// A call of a server, and its result.
fn passed<H: Host>(rule: &RemadeRule, record: &Record<H>, server: Text<H>) -> Vec<Value<H>> {
    let passed = &rule.passed;
    let call = record.input.as_ref().map(|input| {
        tree::map([
            (TYPE, tree::text(passed.call)),
            ("id", Value::Text(record.id.share())),
            ("name", Value::Text(record.name.share())),
            ("input", input.share()),
            (passed.server, Value::Text(server)),
        ])
    });
    let result = record.output.as_ref().map(|(output, failed)| {
        tree::map([
            (TYPE, tree::text(passed.result)),
            (rule.call.1, Value::Text(record.id.share())),
            ("is_error", Value::Bool(*failed)),
            ("content", snake(output)),
        ])
    });
    call.into_iter().chain(result).collect()
}

/// A call of the provider's own tools, and its result.
fn own<H: Host>(rule: &'static RemadeRule, record: &Record<H>) -> Option<Vec<Value<H>>> {
    if !record.id.starts_with(rule.id, None) {
        return None;
    }
    let by_name = |name: &Text<H>| rule.tools.iter().find(|known| name.is(known.tool, None));
    let tool = by_name(&record.name)?;
    let call = record.input.as_ref().map(|input| {
        let kind = text(input, TYPE);
        let which = kind.as_ref().and_then(by_name);
        let typed = which.is_some() || kind.is_some_and(|kind| kind.is(rule.plain, None));
        let input = if typed { without(input, TYPE) } else { input.share() };
        tree::map([
            (TYPE, tree::text(rule.call.0)),
            ("id", Value::Text(record.id.share())),
            ("name", tree::text(which.unwrap_or(tool).tool)),
            ("input", input),
        ])
    });
    let result = record.output.as_ref().map(|(output, failed)| {
        let (block, content) = content(rule, tool, output, *failed);
        tree::map([
            (TYPE, tree::text(block.result)),
            (rule.call.1, Value::Text(record.id.share())),
            ("content", content),
        ])
    });
    Some(call.into_iter().chain(result).collect())
}

/// The content of a result, and its block: the type of the content may say which of several it is.
fn content<H: Host>(
    rule: &'static RemadeRule,
    tool: &'static Remade,
    output: &Value<H>,
    failed: bool,
) -> (&'static Remade, Value<H>) {
    let error = |tool: &Remade, code: Value<H>| {
        let kind = format!("{}_error", tool.result);
        tree::map([(TYPE, tree::text(&kind)), ("error_code", code)])
    };
    match output {
        Value::List(_) if tool.around.0.is_empty() => (tool, snake(output)),
        Value::List(_) => (tool, tree::map([(TYPE, tree::text(tool.around.0)), (tool.around.1, snake(output))])),
        Value::Map(_) => {
            let kind = text(output, TYPE);
            let begins = |one: &&Remade| kind.as_ref().is_some_and(|kind| kind.starts_with(one.content, None));
            let block = rule.tools.iter().filter(begins).max_by_key(|one| one.content.len()).unwrap_or(tool);
            let code = details::value(output, "errorCode").filter(|_| failed && kind.is_none());
            (block, code.map_or_else(|| snake(output), |code| error(block, code.share())))
        }
        _ => (tool, error(tool, tree::text("unavailable"))),
    }
}

/// A value with its keys in snake case.
fn snake<H: Host>(value: &Value<H>) -> Value<H> {
    match value {
        Value::List(items) => Value::List(items.iter().map(snake).collect()),
        Value::Map(entries) => {
            let key = |key: &Text<H>| {
                let name = key.to_str(None);
                let other = if name.contains('_') { None } else { other_spelling(&name) };
                other.map_or_else(|| key.share(), |other| Text::own(&other))
            };
            Value::Map(entries.iter().map(|(name, value)| (key(name), snake(value))).collect())
        }
        other => other.share(),
    }
}

fn without<H: Host>(map: &Value<H>, name: &str) -> Value<H> {
    let Value::Map(entries) = map else { return map.share() };
    let kept = entries.iter().filter(|(key, _)| !key.is(name, None));
    Value::Map(kept.map(|(key, value)| (key.share(), value.share())).collect())
}

const TYPE: &str = "type";
