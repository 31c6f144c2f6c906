//! Reads and writes the grammar of a custom tool's free text, which OpenAI's two formats wrap differently.

use super::writer::Writer;
use crate::k;
use crate::{
    model::Tool,
    rules::Limits,
    value::{Host, Input, Key, NodeKind, Sink, Source, Text, Tree, Value, door::keys},
};

keys! {
    GRAMMAR = "grammar";
}

/// What stands between a description and the grammar.
pub(crate) const BETWEEN: &str = "\n\n";

/// A grammar: its language, and the rules.
pub(crate) struct Grammar<H: Host> {
    syntax: Text<H>,
    definition: Text<H>,
}

/// The map with the rules of a grammar, alone or inside another map.
pub(crate) fn rules<S: Source>(format: &S) -> Option<S> {
    let is_text = |rules: &S, key: &'static Key| rules.get(key).is_some_and(|node| node.kind() == NodeKind::Text);
    let typed = format.get(&k::TYPE).is_some_and(|kind| kind.word().as_deref() == Some(GRAMMAR.name));
    let inner = format.get(&GRAMMAR).filter(|inner| format.len() == 2 && inner.len() == 2);
    let flat = || (format.len() == 3).then(|| format.clone());
    inner.or_else(flat).filter(|rules| typed && is_text(rules, &k::SYNTAX) && is_text(rules, &k::DEFINITION))
}

/// The grammar of a tool with free text.
fn of<H: Host>(tool: &Tool<H>, input: Option<&Input>) -> Option<Grammar<H>> {
    let mut extras = tool.extras.iter().flat_map(|extras| extras.iter()).filter(|_| tool.custom);
    let (_, format) = extras.find(|(key, _)| key.is(k::FORMAT.name, input))?;
    let format: Value<H> = format.to_value(input).ok()?;
    let rules = rules(&Tree(&format))?;
    let text = |key| rules.get(key).and_then(|text| text.text());
    Some(Grammar { syntax: text(&k::SYNTAX)?, definition: text(&k::DEFINITION)? })
}

/// What the description of a tool says of its grammar, for a target without tools of free text.
pub(crate) fn in_words<H: Host>(tool: &Tool<H>, limits: &Limits, input: Option<&Input>) -> Option<String> {
    let Grammar { syntax, definition } = of(tool, input).filter(|_| !limits.free_text)?;
    Some(format!("The input follows this {} grammar:\n{}", syntax.to_str(None), definition.to_str(None)))
}

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// The grammar of a tool, if the target has tools with free text.
    pub(crate) fn grammar(&self, tool: &Tool<H>) -> Option<Grammar<H>> {
        of(tool, self.p.conversation.frame.input.as_ref()).filter(|_| self.p.target.limits.free_text)
    }

    /// The description of a tool as the target gets it.
    pub(crate) fn description(&self, tool: &Tool<H>) -> Option<Text<H>> {
        let input = self.p.conversation.frame.input.as_ref();
        let given = tool.description.as_ref();
        let Some(words) = in_words(tool, self.p.target.limits, input) else { return given.map(Text::share) };
        let before = given.map(|text| text.to_str(input)).filter(|text| !text.is_empty());
        Some(Text::own(&before.into_iter().chain([words.into()]).collect::<Vec<_>>().join(BETWEEN)))
    }

    /// Writes a grammar. `wrapped`: whether its rules are in a separate map.
    pub(crate) fn format(&mut self, grammar: &Grammar<H>, wrapped: bool) {
        self.out.key(&k::FORMAT);
        self.out.open_map();
        self.out.key(&k::TYPE);
        self.out.literal(&GRAMMAR);
        if wrapped {
            self.out.key(&GRAMMAR);
            self.out.open_map();
        }
        for (key, text) in [(&k::SYNTAX, &grammar.syntax), (&k::DEFINITION, &grammar.definition)] {
            self.out.key(key);
            self.out.text(text);
        }
        if wrapped {
            self.out.close();
        }
        self.out.close();
    }
}
