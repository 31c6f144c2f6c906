//! Drops dangling references, and replaces the others by their schemas for a target that accepts no references.

use std::borrow::Cow;

use super::{
    node::{Node, list_of, target_of},
    repairs::{Refusal, Repairs},
    vocabulary::{ANNOTATIONS, each_inner, inside, inside_value},
};
use crate::{
    report::{Step, sentence::LONE_REFERENCE},
    rules::References,
    value::{Host, Text},
};

/// How many values a schema may have once references are written out.
const MOST_NODES: usize = 100_000;
/// How deep they may be nested.
pub(super) const MOST_DEEP: usize = 200;

pub(super) fn repair<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) -> Result<(), Refusal> {
    if !has_reference(root) {
        return Ok(());
    }
    let whole = root.share();
    lost(root, &whole, repairs);
    match repairs.rule.references {
        References::Any | References::Known => {}
        References::Alone => {
            under_defs(root, repairs);
            alone(root, repairs);
            circles(root, repairs);
        }
        References::None => {
            let mut writing = Writing { root: &whole, stack: Vec::new(), nodes: 0 };
            writing.write(root, repairs)?;
            for key in ["$defs", "definitions"] {
                if root.take(key).is_some() {
                    repairs.changed(key, "nothing refers to these definitions any more");
                }
            }
        }
    }
    Ok(())
}

fn has_reference<H: Host>(schema: &Node<H>) -> bool {
    schema.has("$ref") || {
        let mut found = false;
        each_inner(schema, &mut |inner| found = found || has_reference(inner));
        found
    }
}

fn reference<H: Host>(schema: &Node<H>) -> Option<String> {
    schema.get("$ref").and_then(Node::word).map(Cow::into_owned)
}

/// Lets a dangling reference allow anything.
fn lost<H: Host>(schema: &mut Node<H>, root: &Node<H>, repairs: &mut Repairs) {
    if let Some(reference) = reference(schema)
        && let Some(why) = leads_nowhere(&reference, root)
    {
        repairs.changed("$ref", why);
        schema.take("$ref");
        repairs.say(schema, format!("see {reference}"));
    }
    inside(schema, repairs, &mut |schema, repairs| lost(schema, root, repairs));
}

/// Why a reference has no schema, if it has none.
fn leads_nowhere<H: Host>(first: &str, root: &Node<H>) -> Option<&'static str> {
    let mut seen = vec![first.to_owned()];
    while let Some(target) = target_of(seen.last()?, root) {
        let next = reference(target)?;
        if seen.contains(&next) {
            return Some("this reference leads only to other references, in a circle: any value is allowed here");
        }
        seen.push(next);
    }
    Some("this reference leads nowhere: any value is allowed here")
}

/// Moves definitions of earlier drafts to `$defs`, which is the only place where the target looks for them.
fn under_defs<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) {
    let Some(Node::Map(old)) = root.get("definitions").map(Node::share) else { return };
    let is_known = |key: &Text<H>| root.get("$defs").is_some_and(|known| known.has(&key.to_str(None)));
    // Two schemas cannot have one name.
    if old.iter().any(|(key, _)| is_known(key)) {
        return;
    }
    root.take("definitions");
    let mut held = root.take("$defs").unwrap_or_else(Node::empty);
    for (key, schema) in old {
        held.set(&key.to_str(None), schema);
    }
    root.set("$defs", held);
    repairs.changed("definitions", "the target takes definitions only as `$defs`");
    renamed(root, repairs);
}

fn renamed<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    if let Some(reference) = reference(schema)
        && let Some(name) = reference.strip_prefix("#/definitions/")
    {
        schema.set("$ref", Node::text(&format!("#/$defs/{name}")));
    }
    inside(schema, repairs, &mut renamed);
}

/// Moves a reference beside other keywords into `anyOf`, because the target accepts only a lone reference.
fn alone<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    let may = |key: &Text<H>| {
        key.to_str(None).starts_with('$')
            || ["description", "default", "definitions"].iter().any(|may| key.is(may, None))
    };
    if schema.has("$ref") && !schema.entries().iter().all(|(key, _)| may(key)) {
        if let (Some(target), false) = (schema.take("$ref"), schema.has("anyOf")) {
            schema.set("anyOf", Node::List(vec![Node::pair("$ref", target)]));
            repairs.changed("$ref", LONE_REFERENCE);
        } else {
            repairs.changed("$ref", "the target accepts a reference only alone: the keywords beside it stay");
        }
    }
    inside(schema, repairs, &mut alone);
}

/// Makes the property that closes a circle of required references optional, because the target refuses such a circle.
fn circles<H: Host>(root: &mut Node<H>, repairs: &mut Repairs) {
    // Each round opens one circle.
    for _ in 0..MOST_DEEP {
        let Some((at, name)) = closed(root) else { return };
        let Some(schema) = walk(root, &at) else { return };
        let words: Vec<_> = schema.words("required").into_iter().filter(|word| *word != name).collect();
        schema.set("required", list_of(&words));
        let kept = std::mem::replace(&mut repairs.at, at);
        repairs.changed("required", "the target refuses a circle of required references: one of them is optional now");
        repairs.at = kept;
    }
}

fn walk<'n, H: Host>(root: &'n mut Node<H>, at: &[Step]) -> Option<&'n mut Node<H>> {
    at.iter().try_fold(root, |node, step| match (step, node) {
        (Step::Name(name), node @ Node::Map(_)) => node.get_mut(name),
        (Step::Key(name), node @ Node::Map(_)) => node.get_mut(name),
        (Step::Index(index), Node::List(items)) => items.get_mut(*index),
        _ => None,
    })
}

/// The schema and its property that close a circle.
fn closed<H: Host>(root: &Node<H>) -> Option<(Vec<Step>, String)> {
    let mut state = Circle { root, open: Vec::new(), done: Vec::new() };
    state.every(root)
}

struct Circle<'n, H: Host> {
    root: &'n Node<H>,
    /// The references on the current path.
    open: Vec<String>,
    done: Vec<String>,
}

type Found = Option<(Vec<Step>, String)>;

impl<H: Host> Circle<'_, H> {
    /// Follows every reference of the schema.
    fn every(&mut self, schema: &Node<H>) -> Found {
        if let Some(reference) = reference(schema)
            && let Some(found) = self.behind(&reference)
        {
            return Some(found);
        }
        let mut found = None;
        each_inner(schema, &mut |inner| found = found.take().or_else(|| self.every(inner)));
        found
    }

    fn behind(&mut self, reference: &str) -> Found {
        if self.done.iter().any(|known| known == reference) {
            return None;
        }
        let target = target_of(reference, self.root)?;
        let at = reference.strip_prefix('#')?.split('/').filter(|step| !step.is_empty());
        let mut at: Vec<Step> =
            at.map(|step| Step::Name(step.replace("~1", "/").replace("~0", "~").as_str().into())).collect();
        self.open.push(reference.to_owned());
        let found = self.needed(target, &mut at);
        self.open.pop();
        self.done.push(reference.to_owned());
        found
    }

    /// Follows only the required properties.
    fn needed(&mut self, schema: &Node<H>, at: &mut Vec<Step>) -> Found {
        let required = schema.words("required");
        for (name, property) in schema.get("properties").map_or(&[][..], Node::entries) {
            let name = name.to_str(None).into_owned();
            if !required.contains(&name) {
                continue;
            }
            match reference(property) {
                Some(back) if self.open.contains(&back) => return Some((at.clone(), name)),
                Some(on) => {
                    if let Some(found) = self.behind(&on) {
                        return Some(found);
                    }
                }
                None => {
                    at.extend([Step::Key("properties"), Step::Name(name.as_str().into())]);
                    let found = self.needed(property, at);
                    at.truncate(at.len() - 2);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }
}

/// Writes out references in place.
struct Writing<'n, H: Host> {
    root: &'n Node<H>,
    /// The references on the current path.
    stack: Vec<String>,
    nodes: usize,
}

impl<H: Host> Writing<'_, H> {
    fn write(&mut self, schema: &mut Node<H>, repairs: &mut Repairs) -> Result<(), Refusal> {
        let depth = self.stack.len();
        while let Some(reference) = reference(schema) {
            schema.take("$ref");
            repairs.changed("$ref", "the target does not accept references: the definition is copied here");
            let Some(target) = target_of(&reference, self.root) else { break };
            if self.stack.contains(&reference) {
                again(schema, target, &reference, repairs);
                break;
            }
            self.nodes += target.count();
            if self.nodes > MOST_NODES || repairs.at.len() > MOST_DEEP {
                let text = format!(
                    "the target does not accept references, and without them this schema is larger than {MOST_NODES} values or deeper \
                     than {MOST_DEEP}"
                );
                return Err((repairs.at.clone(), text));
            }
            let mut target = target.share();
            for key in ["$defs", "definitions"] {
                target.take(key);
            }
            // Keys beside a reference add to it.
            let Node::Map(entries) = std::mem::replace(schema, target) else { break };
            for (key, value) in entries {
                let key = key.to_str(None).into_owned();
                if schema.has(&key)
                    && !ANNOTATIONS.contains(&&*key)
                    && schema.get(&key).is_some_and(|held| !held.same(&value))
                {
                    let both = match schema.take("allOf") {
                        Some(Node::List(mut list)) => {
                            list.push(Node::pair(&key, value));
                            list
                        }
                        _ => vec![Node::pair(&key, value)],
                    };
                    schema.set("allOf", Node::List(both));
                } else {
                    schema.set(&key, value);
                }
            }
            self.stack.push(reference);
        }
        let inner = self.inner(schema, repairs);
        self.stack.truncate(depth);
        inner
    }

    fn inner(&mut self, schema: &mut Node<H>, repairs: &mut Repairs) -> Result<(), Refusal> {
        let mut refused = None;
        let Node::Map(entries) = schema else { return Ok(()) };
        for (key, value) in entries {
            let key = key.to_str(None).into_owned();
            if ["$defs", "definitions"].contains(&&*key) {
                continue;
            }
            repairs.at.push(Step::Name(key.as_str().into()));
            inside_value(&key, value, repairs, &mut |schema, repairs| {
                if refused.is_none() {
                    refused = self.write(schema, repairs).err();
                }
            });
            repairs.at.pop();
        }
        refused.map_or(Ok(()), Err)
    }
}

/// Replaces a recursive reference, whose schema already occurs further up.
fn again<H: Host>(schema: &mut Node<H>, target: &Node<H>, reference: &str, repairs: &mut Repairs) {
    if let Some(kind) = target.get("type") {
        schema.set("type", kind.share());
    }
    let name = reference.rsplit('/').next().unwrap_or(reference);
    repairs.changed("$ref", "the target does not accept references, and this one leads back to itself: it ends here");
    repairs.say(schema, if name == "#" { "as the whole".to_owned() } else { format!("as {name} above") });
}
