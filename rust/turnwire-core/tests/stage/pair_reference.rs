//! Pairs calls and results a second time, slowly: follows the contract word by word.

use std::collections::{BTreeSet, HashMap};

use turnwire_core::{
    model::{Content, Kind, Part, Role},
    rules::DialectId,
    value::{Input, NoHost, json},
};

use super::promises::Conv;

/// One call or result and its position.
pub(crate) struct Use {
    /// The turn, or the piece of a turn in which another role calls.
    pub(crate) piece: usize,
    pub(crate) run: usize,
    /// The last run of the calling side.
    pub(crate) behind: usize,
    pub(crate) call: bool,
    pub(crate) id: Vec<u8>,
    /// For a call, whether its id was made up.
    unnamed: bool,
    /// The name of the tool. A result may have none.
    tool: Option<String>,
    /// The name of a call, or the text of a result.
    pub(crate) says: String,
}

/// Every call and result in order. `split`: whether calls of roles other than the assistant have separate turns.
pub(crate) fn uses(conversation: &Conv, split: bool) -> Vec<Use> {
    let mut uses = Vec::new();
    // Whether the next turn may join the run: in any case, or only if its dialect allows it.
    let (mut piece, mut run, mut behind, mut any, mut some) = (0, 0, 0, false, false);
    for turn in conversation.turns() {
        let is_call = |part: &Part<NoHost>| matches!(part.kind, Kind::Call(_));
        let other = split && turn.role != Role::Assistant;
        let calls = turn.calls().next().is_some();
        for parts in turn.parts.chunk_by(|a, b| !other || is_call(a) == is_call(b)) {
            piece += 1;
            let calling = turn.role == Role::Assistant || (if split { parts.iter().any(is_call) } else { calls });
            let joins = turn.from.limits().is_ok_and(|limits| limits.joins_assistant);
            let joined = calling && (any || (some && (joins || turn.from == DialectId::NONE)));
            run += usize::from(!joined);
            behind = if calling { run } else { behind };
            (any, some) = match (calling, parts.iter().any(is_call)) {
                (false, _) => (false, false),
                (true, true) => (false, joins),
                (true, false) => (any || !joined, some && joined),
            };
            for part in parts {
                let input = turn.input.as_ref();
                let (call, id, says) = match &part.kind {
                    Kind::Call(call) => (true, &call.id, call.name.to_str(input).into_owned()),
                    Kind::Result(result) => (false, &result.id, said(&result.content, input)),
                    _ => continue,
                };
                let (unnamed, tool) = match &part.kind {
                    Kind::Call(call) => (call.made_up_id, Some(says.clone())),
                    Kind::Result(result) => (false, result.name.as_ref().map(|name| name.to_str(input).into_owned())),
                    _ => (false, None),
                };
                uses.push(Use { piece, run, behind, call, id: id.wtf8(input).into_owned(), unnamed, tool, says });
            }
        }
    }
    uses
}

/// Calls of one run that share an id, and their results.
#[derive(Default)]
struct Twins {
    calls: Vec<usize>,
    results: Vec<usize>,
}

/// The call of each result that has one, by index. Follows the contract word by word, at any cost. `continues`: whether
/// a call that is not before its result is on the server.
pub(crate) fn answers(uses: &[Use], continues: bool) -> HashMap<usize, usize> {
    let mut answers: HashMap<usize, usize> = HashMap::new();
    let fits = |answers: &HashMap<usize, usize>, result: usize, call: usize| {
        let same = uses[call].id == uses[result].id && !uses[call].id.is_empty();
        uses[call].call && same && !answers.values().any(|taken| *taken == call)
    };
    let results: Vec<_> = (0..uses.len()).filter(|at| !uses[*at].call).collect();
    for result in results.iter().copied() {
        let open = (0..result).filter(|call| fits(&answers, result, *call));
        let nearest = open.min_by_key(|call| (std::cmp::Reverse(uses[*call].piece), *call));
        answers.extend(nearest.map(|call| (result, call)));
    }
    for result in results.iter().copied() {
        if !answers.contains_key(&result) && !continues {
            let later = (result..uses.len()).find(|call| fits(&answers, result, *call));
            answers.extend(later.map(|call| (result, call)));
        }
    }
    // Calls of one run that share an id are answered in order.
    let mut runs: HashMap<(usize, &[u8]), Twins> = HashMap::new();
    for (result, call) in &answers {
        let twins = runs.entry((uses[*call].run, &uses[*call].id)).or_default();
        twins.results.push(*result);
        twins.calls.push(*call);
    }
    let sorted = |mut list: Vec<usize>| {
        list.sort_unstable();
        list
    };
    let paired = runs.into_values().flat_map(|twins| sorted(twins.results).into_iter().zip(sorted(twins.calls)));
    left_over(uses, continues, paired.collect())
}

/// Pairs by elimination. If an exchange has as many calls as results left, of a tool that results name or of all, and
/// each pair lacks an id, they pair in order. Then a result without an id answers the first open call of
/// its exchange, after which as many calls as results may be left again. Else it answers the nearest earlier run that
/// lacks one, else a later run.
fn left_over(uses: &[Use], continues: bool, mut answers: HashMap<usize, usize>) -> HashMap<usize, usize> {
    let open =
        |answers: &HashMap<usize, usize>, call: usize| uses[call].call && !answers.values().any(|one| *one == call);
    let none = |at: usize| uses[at].id.is_empty();
    let left = |answers: &HashMap<usize, usize>, result: usize| {
        let elsewhere = continues || uses.iter().any(|one| one.call && one.id == uses[result].id);
        !uses[result].call && !answers.contains_key(&result) && (none(result) || !elsewhere)
    };
    // Once for each call, so that it ends when nothing is left to pair.
    for run in uses.iter().filter(|one| one.call).map(|one| one.run) {
        let calls: Vec<_> = (0..uses.len()).filter(|at| open(&answers, *at) && uses[*at].run == run).collect();
        let results: Vec<_> = (0..uses.len()).filter(|at| left(&answers, *at) && uses[*at].behind == run).collect();
        // A made-up id counts as none. But a result that names another tool does not answer this call.
        let fit = |(call, result): (&usize, &usize)| {
            let (asked, said) = (&uses[*call], &uses[*result]);
            let nameless = none(*call) || none(*result) || asked.unnamed;
            let is_same_tool = !asked.unnamed || said.tool.is_none() || said.tool == asked.tool;
            call < result && nameless && is_same_tool
        };
        let settled = |calls: &[usize], results: &[usize]| {
            let all = calls.len() == results.len() && calls.iter().zip(results).all(fit);
            let pairs = results.iter().copied().zip(calls.iter().copied());
            if all { pairs.collect::<Vec<_>>() } else { Vec::new() }
        };
        // Results that name their tool come first.
        let tools: BTreeSet<_> = results.iter().filter_map(|at| uses[*at].tool.as_ref()).collect();
        for tool in tools {
            let of = |at: &&usize| uses[**at].tool.as_ref() == Some(tool);
            let pick = |from: &[usize]| from.iter().filter(of).copied().collect::<Vec<_>>();
            answers.extend(settled(&pick(&calls), &pick(&results)));
        }
        let calls: Vec<_> = calls.iter().copied().filter(|at| open(&answers, *at)).collect();
        let results: Vec<_> = results.iter().copied().filter(|at| left(&answers, *at)).collect();
        answers.extend(settled(&calls, &results));
        // What is left without an id answers the first open call before it, of its tool if it names one.
        for result in results.into_iter().filter(|at| none(*at)) {
            let may = |call: &usize| {
                let is_tool = uses[result].tool.is_none() || uses[result].tool == uses[*call].tool;
                open(&answers, *call) && *call < result && is_tool
            };
            let first = if left(&answers, result) { calls.iter().copied().find(may) } else { None };
            answers.extend(first.map(|call| (result, call)));
        }
    }
    for result in (0..uses.len()).filter(|at| !uses[*at].call && none(*at)) {
        if !answers.contains_key(&result) {
            let before = (0..result).filter(|call| open(&answers, *call) && none(*call));
            let nearest = before.min_by_key(|call| (std::cmp::Reverse(uses[*call].run), *call));
            let later = || (result..uses.len()).find(|call| !continues && open(&answers, *call) && none(*call));
            let call = nearest.or_else(later);
            answers.extend(call.map(|call| (result, call)));
        }
    }
    answers
}

/// The pairs of calls and results, by name and text.
pub(crate) fn pairs(uses: &[Use], answers: &HashMap<usize, usize>) -> HashMap<String, String> {
    answers.iter().map(|(result, call)| (uses[*call].says.clone(), uses[*result].says.clone())).collect()
}

/// Whether no call before this result has its id.
pub(crate) fn is_first(uses: &[Use], result: usize) -> bool {
    !uses[..result].iter().any(|one| one.call && one.id == uses[result].id)
}

/// The text of a result: its number, if it has one, whatever is around it.
fn said(content: &Content<NoHost>, input: Option<&Input>) -> String {
    let text = match content {
        Content::Blocks(blocks) => match &blocks[0].kind {
            Kind::Json(raw) => json::encode::to_string(raw, input).expect("JSON"),
            _ => content.one_text().map_or_else(String::new, |text| text.to_str(input).into_owned()),
        },
        _ => content.one_text().map_or_else(String::new, |text| text.to_str(input).into_owned()),
    };
    number_in(&text).unwrap_or(text)
}

/// The first word of a text that is the number of a result.
pub(crate) fn number_in(text: &str) -> Option<String> {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_number = |word: &str| word.strip_prefix('r').is_some_and(|digits| digits.parse::<usize>().is_ok());
    words.find(|word| is_number(word)).map(str::to_owned)
}
