//! Names the keys of a reply that need no word when it is written for another format: those that are read, and those that
//! say nothing about the answer.

/// Why a key that is not read needs no word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passed {
    /// It names the format's own kind of object.
    Kind,
    /// It repeats what the request asked for.
    Echo,
    /// It says when, or how long, the server worked.
    Time,
    /// An SDK adds it: the headers of the response.
    Headers,
    /// Another key of the reply says the same.
    Repeats,
    /// It counts something, and is told unless all its counts are 0.
    Counts,
}

/// The keys of a format's replies, and of their choices. A key inside an object is written behind the object's and a dot.
pub(crate) struct ReplyKeys {
    pub(crate) read: &'static str,
    pub(crate) passed: &'static [(Passed, &'static str)],
}

impl ReplyKeys {
    /// Whether a key is read.
    pub(crate) fn reads(&self, name: &str) -> bool {
        has(self.read, name)
    }

    /// Why a key that is not read needs no word, if it needs none.
    pub(crate) fn passed(&self, name: &str) -> Option<Passed> {
        self.passed.iter().find(|(_, names)| has(names, name)).map(|(why, _)| *why)
    }

    /// Whether a key needs no word, whatever it holds.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.reads(name) || self.passed(name).is_some_and(|why| why != Passed::Counts)
    }

    /// Whether some keys of the object under this key are read.
    pub(crate) fn reads_in(&self, name: &str) -> bool {
        let inside = |one: &str| one.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        self.read.split(' ').any(inside)
    }
}

fn has(names: &str, name: &str) -> bool {
    names.split(' ').any(|one| one == name)
}
