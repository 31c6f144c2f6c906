//! Counts the chunks of a stream, and collects the losses of each under its path, such as `$.events[3]`.

use crate::{
    report::{Change, ChangeKind, Edit, Path, Step},
    value::Source,
    wire::read::Keys,
};

/// The losses of a stream whose chunks have their own paths.
pub(crate) struct ChunkLosses {
    /// The format's name for the list of chunks.
    list: &'static str,
    /// How many chunks have come.
    count: usize,
    all: Vec<Change>,
}

impl ChunkLosses {
    pub(crate) fn new(list: &'static str) -> Self {
        Self { list, count: 0, all: Vec::new() }
    }

    /// Counts the next chunk.
    pub(crate) fn next(&mut self) {
        self.count += 1;
    }

    /// Whether a chunk came before this one.
    pub(crate) fn is_later(&self) -> bool {
        self.count > 1
    }

    /// The path of this chunk.
    pub(crate) fn here(&self) -> Path {
        Path::of([Step::Key(self.list), Step::Index(self.count.saturating_sub(1))])
    }

    /// Reports something in this chunk as lost.
    pub(crate) fn lost(&mut self, code: Edit, reason: &str) {
        self.tell(code.kind_lost(), code, self.here(), reason);
    }

    /// Reports something in this chunk as changed.
    pub(crate) fn changed(&mut self, code: Edit, reason: &str) {
        self.tell(code.kind_changed(), code, self.here(), reason);
    }

    pub(crate) fn tell(&mut self, kind: ChangeKind, code: Edit, path: Path, reason: &str) {
        self.all.push(Change::told(kind, code, path, reason.to_owned()));
    }

    /// Reports the unread keys of a chunk. `kind`: the chunk's type.
    pub(crate) fn unread<S: Source>(&mut self, kind: &str, keys: Keys<'_, S>) {
        let input = keys.node.input();
        for (key, _) in keys.extras().into_iter().flat_map(|extras| *extras).filter(|(_, raw)| !raw.says_nothing(input))
        {
            let name = key.to_str(input);
            let path = self.here().then(Step::Name(name.as_ref().into()));
            let reason = format!("no message can keep the key {name:?} of {kind:?}");
            self.tell(ChangeKind::Lost, Edit::Key, path, &reason);
        }
    }

    pub(crate) fn take(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.all)
    }
}
