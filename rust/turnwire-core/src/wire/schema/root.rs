//! Makes the root of a schema an explicit object without keywords that the target refuses there.

use std::borrow::Cow;

use super::{
    combined::{merge, union},
    node::{Node, target_of},
    repairs::{Refusal, Repairs},
    vocabulary::ANNOTATIONS,
};
use crate::{
    report::{
        Edit, Step,
        sentence::{ONE_ROOT, PATTERN, ROOT_IN_WORDS},
    },
    rules::Draft,
    value::{HashSet, Host},
};

/// Why a schema gets a type.
pub(crate) const SAYS_OBJECT: &str = "the target requires a schema to say that it is an object";

/// The longest chain of references that is followed.
const MOST_HOPS: usize = 100;

pub(super) fn repair<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) -> Result<(), Refusal> {
    let rule = repairs.rule;
    if !rule.typed_root {
        return Ok(());
    }
    if root.has("$ref") {
        resolve(root, repairs);
    }
    let refuses =
        |key: &str| rule.root_refused.contains(&key) || !rule.root_keys.is_empty() && !rule.root_keys.contains(&key);
    if refuses("allOf") {
        all_of(root, repairs);
    }
    for key in ["anyOf", "oneOf"] {
        if refuses(key) {
            one_of(root, key, repairs);
        }
    }
    for key in rule.root_refused {
        repairs.in_words(root, key);
    }
    typed(root, repairs)?;
    if rule.listed_root && !root.has("properties") {
        root.set("properties", Node::empty());
        repairs.changed("properties", "the target requires an object to list its properties");
    }
    named(root, repairs);
    Ok(())
}

/// Replaces a reference at the root by its schema.
fn resolve<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) {
    let mut seen = HashSet::default();
    while let Some(reference) = root.get("$ref").and_then(Node::word).map(Cow::into_owned) {
        let target = target_of(&reference, root).map(Node::share);
        root.take("$ref");
        repairs.changed("$ref", "the target requires an object at the root: the definition replaces the reference");
        match target {
            Some(target) if seen.insert(reference) && seen.len() < MOST_HOPS => join(root, target, "$ref", repairs),
            // A circular reference adds nothing.
            _ => break,
        }
    }
}

/// Merges another schema into the root. Contradictions are added to the description.
fn join<H: Host>(root: &mut Node<H>, other: Node<H>, key: &str, repairs: &mut Repairs) {
    for (name, value) in merge(root, other) {
        repairs.say(root, format!("{name}: {}", value.json()));
        repairs.changed(key, ONE_ROOT);
    }
}

/// An alternative, with a reference at its root replaced.
fn branch<H: Host>(root: &Node<H>, branch: &Node<H>) -> Node<H> {
    let mut branch = branch.share();
    for _ in 0..MOST_HOPS {
        let Some(reference) = branch.get("$ref").and_then(Node::word).map(Cow::into_owned) else { break };
        let Some(target) = target_of(&reference, root).map(Node::share) else { break };
        branch.take("$ref");
        let _ = merge(&mut branch, target);
    }
    branch
}

fn all_of<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) {
    // A merge may add more.
    for _ in 0..MOST_HOPS {
        let Some(Node::List(branches)) = root.take("allOf") else { return };
        repairs.changed("allOf", "the target accepts one schema at the root: all of them are merged");
        for one in &branches {
            let held = branch(root, one);
            join(root, held, "allOf", repairs);
        }
    }
    repairs.in_words(root, "allOf");
}

fn one_of<H: Host>(root: &mut Node<H>, key: &str, repairs: &mut Repairs) {
    let Some(Node::List(branches)) = root.get(key) else { return };
    let branches: Vec<_> = branches.iter().map(|one| branch(root, one)).collect();
    // Arguments are an object, so an alternative of another type can never match.
    let object = |schema: &&Node<H>| !schema.has("type") || schema.is_a("object");
    let objects: Vec<_> = branches.iter().filter(object).map(Node::share).collect();
    let only_required = |schema: &Node<H>| {
        schema.has("required")
            && schema
                .entries()
                .iter()
                .all(|(name, _)| ["required", "title", "description"].iter().any(|may| name.is(may, None)))
    };
    if objects.iter().all(only_required) && !objects.is_empty() {
        let each: Vec<_> = objects.iter().map(|schema| schema.words("required").join(" and ")).collect();
        root.take(key);
        repairs.say(root, format!("give {}", each.join(", or ")));
        repairs.report(Edit::SchemaInWords, key, ROOT_IN_WORDS.into());
        return;
    }
    let Some(one) = union(&objects) else { return repairs.in_words(root, key) };
    root.take(key);
    if objects.len() > 1 {
        let each: Vec<_> = objects.iter().map(keys_of).collect();
        repairs.say(root, format!("give the keys of one: {}", each.join(", or ")));
    }
    repairs.changed(
        key,
        "the target accepts one object at the root: it has the keys of all, and requires those that all require",
    );
    join(root, one, key, repairs);
}

/// The keys of an object, optional ones with a question mark.
fn keys_of<H: Host>(schema: &Node<H>) -> String {
    let required = schema.words("required");
    let properties = schema.get("properties").map_or(&[][..], Node::entries);
    let each = properties.iter().map(|(key, value)| {
        let key = key.to_str(None);
        let told = value.get("const").map_or_else(String::new, |value| format!(" = {}", value.json()));
        let mark = if required.iter().any(|word| *word == key) { "" } else { "?" };
        format!("{key}{mark}{told}")
    });
    format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
}

fn typed<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) -> Result<(), Refusal> {
    let single = root.get("type").is_some_and(|kind| kind.word().is_some());
    if single && root.is_a("object") {
        return Ok(());
    }
    if root.has("type") && !root.is_a("object") {
        if repairs.rule.draft == Draft::Any {
            return Ok(());
        }
        let kind = root.get("type").map_or_else(String::new, Node::json);
        let text = format!("expected the schema of an object, got one of {kind}");
        return Err((vec![Step::Key("type")], text));
    }
    match root {
        Node::Map(entries) if !entries.iter().any(|(key, _)| key.is("type", None)) => {
            entries.insert(0, ("type".into(), Node::text("object")));
        }
        _ => root.set("type", Node::text("object")),
    }
    repairs.changed("type", SAYS_OBJECT);
    Ok(())
}

/// Turns a property with a refused name into a pattern, so that arguments can keep their names.
fn named<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) {
    let rule = repairs.rule.property;
    let Some(Node::Map(properties)) = root.get_mut("properties") else { return };
    if properties.iter().all(|(name, _)| rule.allows(&name.wtf8(None))) {
        return;
    }
    let (legal, refused): (Vec<_>, Vec<_>) =
        std::mem::take(properties).into_iter().partition(|(name, _)| rule.allows(&name.wtf8(None)));
    *properties = legal;
    let mut patterns = root.take("patternProperties").unwrap_or_else(Node::empty);
    for (name, schema) in refused {
        let name = name.to_str(None).into_owned();
        repairs.at.push(Step::Key("properties"));
        repairs.changed(&name, PATTERN);
        repairs.at.pop();
        let pattern = format!("^{}$", escaped(&name));
        let both = match patterns.take(&pattern) {
            None => schema,
            Some(held) => Node::pair("allOf", Node::List(vec![held, schema])),
        };
        patterns.set(&pattern, both);
    }
    root.set("patternProperties", patterns);
}

/// A regular expression that matches only this text.
fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len() * 2);
    for character in text.chars() {
        if "\\^$.|?*+()[]{}/-".contains(character) {
            made.push('\\');
        }
        made.push(character);
    }
    made
}

/// Removes keywords that the root may not have.
pub(super) fn keys<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) {
    let rule = repairs.rule;
    if rule.root_keys.is_empty() {
        return;
    }
    let names: Vec<String> = root.entries().iter().map(|(key, _)| key.to_str(None).into_owned()).collect();
    for name in names.iter().filter(|name| !rule.root_keys.contains(&name.as_str())) {
        let annotates = ANNOTATIONS.contains(&name.as_str());
        if annotates && rule.annotations {
            continue;
        }
        let says_nothing = annotates && name != "description" || ["$defs", "definitions"].contains(&name.as_str());
        if says_nothing || root.get(name).is_some_and(|value| value.flag() == Some(true)) {
            root.take(name);
            repairs.changed(name, "the target does not accept this key at the root");
        } else {
            repairs.in_words(root, name);
        }
    }
}
