//! Reads and writes the grammar of a custom tool's free text, which OpenAI's two formats wrap differently.

use super::writer::Writer;
use crate::k;
use crate::{
    model::Tool,
    value::{Host, Key, NodeKind, Sink, Source, Text, Tree, Value, door::keys},
};

keys! {
    GRAMMAR = "grammar";
}

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

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// The grammar of a tool, if the target has tools with free text.
    pub(crate) fn grammar(&self, tool: &Tool<H>) -> Option<Grammar<H>> {
        let input = self.p.conversation.frame.input.as_ref();
        let format =
            tool.extras.iter().flat_map(|extras| extras.iter()).find(|(key, _)| key.is(k::FORMAT.name, input))?;
        let format: Value<H> =
            format.1.to_value(input).ok().filter(|_| tool.custom && self.p.target.limits.free_text)?;
        let rules = rules(&Tree(&format))?;
        let text = |key| rules.get(key).and_then(|text| text.text());
        Some(Grammar { syntax: text(&k::SYNTAX)?, definition: text(&k::DEFINITION)? })
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
