//! Pairs results that have a name and no id with calls that have ids: by name, as if no call had an id.

use crate::value::HashMap;

use std::collections::VecDeque;

use super::matching::{Fate, Matching};

impl Matching<'_> {
    /// Pairs a result whose id was made up from its tool's name. It answers the first call of that tool in the run
    /// before it that no id refers to. Otherwise an earlier run's call with the same made-up id would get it.
    pub(super) fn by_name(&mut self) {
        let strays = |at: &usize| {
            let result = &self.results[*at];
            let at_home = matches!(result.fate, Fate::Of(call) if Some(self.calls[call].run) == result.run);
            result.unnamed && !at_home && result.fate != Fate::OnServer
        };
        let strays: Vec<_> = (0..self.results.len()).filter(strays).collect();
        if strays.is_empty() {
            return;
        }
        let mut open: HashMap<(usize, Vec<u8>), VecDeque<usize>> = HashMap::default();
        for (at, call) in self.calls.iter().enumerate().filter(|(_, call)| call.result.is_none() && !call.unnamed) {
            open.entry((call.run, call.name.to_vec())).or_default().push_back(at);
        }
        for result in strays {
            let site = &self.results[result];
            let Some((run, name)) = site.run.zip(site.name.as_ref()) else { continue };
            let Some(call) = open.get_mut(&(run, name.to_vec())).and_then(VecDeque::pop_front) else { continue };
            if let Fate::Of(earlier) = site.fate {
                self.calls[earlier].result = None;
            }
            self.pair(call, result);
        }
    }
}
