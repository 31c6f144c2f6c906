//! Divides a written payload into the prompt's part and the completion's part.

use super::Node;
use crate::k;
use crate::{
    report::{Error, Provenance, error::Code},
    rules::{DialectId, RowLayout},
    value::{Input, NoHost, NodeKind, Source, Tape},
};

/// The JSON of a payload's parts.
pub(super) struct Divided {
    /// The elements.
    pub(super) prompt: Vec<Vec<u8>>,
    pub(super) completion: Vec<Vec<u8>>,
    /// The keys in order. The list's key has no value here.
    pub(super) keys: Vec<(String, Option<Vec<u8>>)>,
}

impl Divided {
    /// Divides a payload at the first element that comes from the completion. The prompt has `length` elements.
    pub(super) fn of(
        text: Vec<u8>,
        provenance: &Provenance,
        dialect: Option<DialectId>,
        length: usize,
    ) -> Result<Self, Error> {
        let tape = Tape::read(&Input::new(text))?;
        let view = tape.view();
        let root = view.root::<NoHost>();
        let named = dialect.and_then(|dialect| dialect.facts.slots).and_then(|slots| slots.list.some(&root));
        let (list, name) = match named {
            _ if root.kind() == NodeKind::List => (root, ""),
            Some((spelling, list)) if list.kind() == NodeKind::List => (list, spelling.key.name),
            _ => return Err(Error::new(Code::Refused, "the target has no list of messages that could be divided")),
        };
        let keys = root.entries().map(|(key, node)| {
            let key = key.to_str(node.input()).into_owned();
            let value = (key != name).then(|| node.json().to_vec());
            (key, value)
        });
        let keys = keys.collect();
        let elements: Vec<_> = list.items().collect();
        let later = |index: &usize| *index >= length;
        let sources = |at: usize| provenance.sources.get(at).map_or(&[][..], |one| one.as_slice());
        let first = (0..elements.len()).find(|at| length == 0 || sources(*at).iter().any(later));
        let (before, behind) = elements.split_at(first.unwrap_or(elements.len()));
        if (before.len()..elements.len()).any(|at| !sources(at).iter().all(later)) {
            let text = "the target would join this to the end of the prompt, and the row keeps them apart";
            return Err(Error::new(Code::Refused, text));
        }
        Ok(Self { prompt: copied(before), completion: copied(behind), keys })
    }

    /// Checks the completion against the layout that it is written in.
    pub(super) fn check(&self, layout: &RowLayout) -> Result<(), Error> {
        if layout.one_answer && self.completion.len() != 1 {
            let text = format!("the target accepts one element as an answer, got {}", self.completion.len());
            return Err(Error::new(Code::Refused, text));
        }
        if !layout.answers_only {
            return Ok(());
        }
        let mut spoken = false;
        for element in &self.completion {
            let tape = Tape::read(&Input::new(element.clone()))?;
            let view = tape.view();
            let role = view.root::<NoHost>().get(&k::ROLE);
            match role.as_ref().and_then(Source::word).as_deref() {
                Some("assistant") => spoken = true,
                Some("tool") => {}
                role => {
                    let role = role.unwrap_or("nobody");
                    let text =
                        format!("the target accepts messages of the assistant and of tools in an answer, got {role:?}");
                    return Err(Error::new(Code::Refused, text));
                }
            }
        }
        if spoken {
            return Ok(());
        }
        Err(Error::new(Code::Refused, "the target requires a message of the assistant in an answer, got none"))
    }
}

fn copied(elements: &[Node<'_, NoHost>]) -> Vec<Vec<u8>> {
    elements.iter().map(|one| one.json().to_vec()).collect()
}
