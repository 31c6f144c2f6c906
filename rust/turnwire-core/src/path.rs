//! Where in a payload something is: `$.messages[3].content[0]`, for errors, losses and receipts.

use std::{fmt, sync::Arc};

/// One step down from a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key that a dialect knows.
    Key(&'static str),
    /// A key that came with the data.
    Name(Arc<str>),
    /// A place in a list, from 0.
    Index(usize),
}

/// A whole path, from the payload's root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// The path of one key of the root.
    #[must_use]
    pub fn key(name: &'static str) -> Self {
        Self(vec![Step::Key(name)])
    }

    /// This path and one step more.
    #[must_use]
    pub fn then(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("$")?;
        for step in &self.0 {
            match step {
                Step::Index(index) => write!(out, "[{index}]")?,
                Step::Key(key) => write_key(out, key)?,
                Step::Name(key) => write_key(out, key)?,
            }
        }
        Ok(())
    }
}

fn write_key(out: &mut fmt::Formatter<'_>, key: &str) -> fmt::Result {
    let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if plain { write!(out, ".{key}") } else { write!(out, "[{key:?}]") }
}

/// A path on the way down, kept on the stack: it costs nothing until somebody asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Trail<'a> {
    parent: Option<&'a Trail<'a>>,
    step: Option<TrailStep<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum TrailStep<'a> {
    Key(&'static str),
    Name(&'a str),
    Index(usize),
}

impl<'a> Trail<'a> {
    /// The payload itself.
    pub const ROOT: Trail<'static> = Trail { parent: None, step: None };

    /// One known key further.
    #[must_use]
    pub fn key(&'a self, key: &'static str) -> Trail<'a> {
        Trail { parent: Some(self), step: Some(TrailStep::Key(key)) }
    }

    /// One key of the data further.
    #[must_use]
    pub fn name(&'a self, name: &'a str) -> Trail<'a> {
        Trail { parent: Some(self), step: Some(TrailStep::Name(name)) }
    }

    /// One list place further.
    #[must_use]
    pub fn index(&'a self, index: usize) -> Trail<'a> {
        Trail { parent: Some(self), step: Some(TrailStep::Index(index)) }
    }

    /// The path that can be kept.
    #[must_use]
    pub fn to_path(&self) -> Path {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(trail) = here {
            match trail.step {
                Some(TrailStep::Key(key)) => steps.push(Step::Key(key)),
                Some(TrailStep::Name(name)) => steps.push(Step::Name(name.into())),
                Some(TrailStep::Index(index)) => steps.push(Step::Index(index)),
                None => {}
            }
            here = trail.parent;
        }
        steps.reverse();
        Path(steps)
    }
}
