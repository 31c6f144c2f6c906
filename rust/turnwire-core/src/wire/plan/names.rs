//! Gives documents unique names, for targets that need one for each.

use crate::{
    model::{Content, Kind, Media, Part, View, file_type::type_by_name},
    rules::{DialectId, Limits, MediaClass, MediaRule, NameRule},
    value::{HashSet, Host, Input, Raw, Text, Value},
};

/// The name of a document that has none, or none that can be used.
const UNNAMED: &str = "document";

/// The names in use so far.
pub(crate) struct DocumentNames(Option<HashSet<String>>);

impl DocumentNames {
    /// No names yet.
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    /// The name of a document, and whether it changed. A document that is sent back unchanged keeps its name, which no
    /// other document gets.
    pub(crate) fn name<H: Host>(
        &mut self,
        media: &Media<H>,
        input: Option<&Input>,
        rule: &NameRule,
        (view, target): (&View<'_, H>, DialectId),
    ) -> (Text<H>, bool) {
        let taken = self.0.get_or_insert_with(|| own_names(view, target));
        let came = media.name.as_ref().map(|name| name.to_str(input));
        let name = free_name(came.as_deref(), rule, taken);
        match &media.name {
            Some(same) if came.as_deref() == Some(name.as_str()) => (same.share(), false),
            _ => (Text::own(&name), true),
        }
    }
}

/// The names of the documents of a list in the target's own format.
pub(crate) struct OwnNames<'a> {
    rule: &'a NameRule,
    media: &'a MediaRule,
    taken: HashSet<String>,
}

impl<'a> OwnNames<'a> {
    /// No names yet. `None` if the target has no rule for them.
    pub(crate) fn of(limits: &'a Limits) -> Option<Self> {
        Some(Self { rule: limits.media.names.as_ref()?, media: &limits.media, taken: HashSet::default() })
    }

    /// Whether the documentation forbids a character of a name that the target's servers take.
    pub(crate) fn is_unusual(&self, came: &str) -> bool {
        !is_valid(came, self.rule) && fits_at_home(came, self.media)
    }

    /// The other name that the next document gets, and why, if the target refuses its own.
    pub(crate) fn other(&mut self, came: &str) -> Option<(String, &'static str)> {
        if fits_at_home(came, self.media) && self.taken.insert(came.to_owned()) {
            return None;
        }
        let name = free_name(Some(came), self.rule, &mut self.taken);
        let why = if fits_at_home(came, self.media) { TWICE } else { REFUSED };
        (name != came).then_some((name, why))
    }
}

const TWICE: &str = "the target refuses two documents with the same name";
const REFUSED: &str = "the target refuses this name of a document";

/// The name that a document gets: its own where that is allowed and free. Then it is taken.
fn free_name(came: Option<&str>, rule: &NameRule, taken: &mut HashSet<String>) -> String {
    let base = match came {
        Some(name) if is_valid(name, rule) => name.to_owned(),
        Some(name) => cleaned(stem(name), rule),
        None => UNNAMED.to_owned(),
    };
    let name = unique(&base, rule, taken);
    taken.insert(name.clone());
    name
}

/// Whether a document may have this name. White space must be single and between words.
pub(crate) fn is_valid(name: &str, rule: &NameRule) -> bool {
    rule.allows(name.as_bytes()) && !name.contains("  ") && name.trim() == name
}

/// Whether a document of the target's own format may keep its name.
pub(crate) fn fits_at_home(name: &str, media: &MediaRule) -> bool {
    let allows = |rule: &NameRule| is_valid(&name.replace(media.taken_in_names, "-"), rule);
    media.names.as_ref().is_none_or(allows)
}

/// The name of a file without its extension, because the type is written separately.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if type_by_name(MediaClass::Document, extension).is_some() => stem,
        _ => name,
    }
}

/// The name with a dash for each forbidden character.
fn cleaned(name: &str, rule: &NameRule) -> String {
    let mut kept = String::new();
    for letter in name.chars() {
        let letter = match letter {
            _ if letter.is_whitespace() => ' ',
            _ if letter.is_ascii() && rule.alphabet.has(letter as u8) => letter,
            _ => '-',
        };
        let again = (letter == ' ' || letter == '-') && kept.ends_with([' ', '-']);
        if !again && kept.len() < rule.max {
            kept.push(letter);
        }
    }
    let kept = kept.trim_matches([' ', '-']);
    if kept.is_empty() { UNNAMED.to_owned() } else { kept.to_owned() }
}

/// The name, with a number appended if it is taken.
fn unique(base: &str, rule: &NameRule, taken: &HashSet<String>) -> String {
    if !taken.contains(base) {
        return base.to_owned();
    }
    let numbered = |count: usize| {
        let number = format!(" {count}");
        let head: String = base.chars().take(rule.max.saturating_sub(number.len())).collect();
        format!("{}{number}", head.trim_end())
    };
    // One of these is free, because they are one more than the taken names.
    (2..=taken.len() + 2).map(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}

/// The keys of the name of a document and of its content, in the object under the key that is the block's type.
const NAME: &str = "name";
const SOURCE: &str = "source";

/// The name of a document in an opaque block, with the key that is the block's type.
pub(crate) fn hidden_name<H: Host>(part: &Part<H>, input: Option<&Input>) -> Option<String> {
    let Kind::Opaque(kind) = &part.kind else { return None };
    let Ok(Value::Map(block)) = part.origin.as_ref()?.to_value(input) else { return None };
    let member = |entries: &[(Text<H>, Value<H>)], name: &str| {
        entries.iter().find(|(key, _)| key.is(name, None)).map(|(_, value)| value.share())
    };
    let Some(Value::Map(inside)) = member(&block, &kind.to_str(input)) else { return None };
    match (member(&inside, NAME), member(&inside, SOURCE)) {
        (Some(Value::Text(name)), Some(_)) => Some(name.to_str(None).into_owned()),
        _ => None,
    }
}

/// The wire value of a document with another name and everything else as it came, and the key of the object that holds
/// the name. `None` if the value has no object with a document's content.
pub(crate) fn renamed<H: Host>(origin: &Raw<H>, input: Option<&Input>, name: &str) -> Option<(Raw<H>, String)> {
    let Ok(Value::Map(block)) = origin.to_value(input) else { return None };
    let holds = |value: &Value<H>, name: &str| match value {
        Value::Map(inside) => inside.iter().any(|(key, _)| key.is(name, None)),
        _ => false,
    };
    let (held, Value::Map(inside)) = block.iter().find(|(_, value)| holds(value, SOURCE))? else { return None };
    let mut entries: Vec<_> = inside.iter().map(|(key, value)| (key.share(), value.share())).collect();
    let new = Value::Text(Text::own(name));
    match entries.iter_mut().find(|(key, _)| key.is(NAME, None)) {
        Some((_, value)) => *value = new,
        None => entries.push((Text::own(NAME), new)),
    }
    let document = Value::Map(entries.into());
    let block = block.iter().map(|(key, value)| {
        let value = if std::ptr::eq(key, held) { document.share() } else { value.share() };
        (key.share(), value)
    });
    Some((Raw::Tree(Value::Map(block.collect())), held.to_str(None).into_owned()))
}

/// The names of the target's own documents.
fn own_names<H: Host>(view: &View<'_, H>, target: DialectId) -> HashSet<String> {
    let mut names = HashSet::default();
    for turn in view.turns.iter().filter(|turn| turn.from.same_wire(target)) {
        let mut add = |part: &Part<H>| {
            if let Kind::Media(Media { class: MediaClass::Document, name: Some(name), .. }) = &part.kind
                && !part.touched
            {
                names.insert(name.to_str(turn.input.as_ref()).into_owned());
            }
            names.extend(hidden_name(part, turn.input.as_ref()));
        };
        for part in &turn.parts {
            match &part.kind {
                Kind::Result(result) => {
                    if let Content::Blocks(blocks) = &result.content {
                        blocks.iter().for_each(&mut add);
                    }
                }
                _ => add(part),
            }
        }
    }
    names
}
