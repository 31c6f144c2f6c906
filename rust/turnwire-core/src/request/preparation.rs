//! Requests for Rust programs: repaired, under a budget, written for a target.

use super::{End, Rendered, Wording};
use crate::{
    check::check as receipt_of,
    convert::{parse_payload, render},
    detect::{ReadAs, Reading, detect},
    model::Conversation,
    report::{Error, Options, Others, Path, ReasoningChoice, Receipt, ServerTools, Step, error::Code},
    rules::DialectId,
    stage::{self, Budget, Failed, Front, Inputs},
    value::{Host, Input, JsonSink, NoHost, Source},
};

/// The target that stands for the messages' own dialect.
const SAME: &str = "same";

/// The place of the tools in the paths of errors.
const TOOLS: &str = "tools";

/// Begins a valid request of any list of messages.
///
/// `messages` is JSON in UTF-8 and less than four GiB: a list, or a whole body with one. Nothing is read before
/// [`Prepare::run`] or [`Prepare::check`], which copy these bytes once. `target` is the name of a dialect, such as
/// `openai`, `anthropic` or `openai:deepseek`, or `same` for the dialect of the messages.
///
/// Fails with [`Code::UnknownDialect`] if no dialect has this name.
///
/// ```
/// let messages = r#"[{"role":"user","content":"Hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
/// let ready = turnwire_core::prepare(messages, "anthropic")?.budget(300_000).run()?;
/// assert_eq!(ready.json, br#"{"messages":[{"role":"user","content":"Hi"}]}"#);
/// assert_eq!(ready.receipt.changes[0].code.name(), "orphan_result");
/// # Ok::<(), turnwire_core::Error>(())
/// ```
pub fn prepare<'a>(messages: &'a (impl AsRef<[u8]> + ?Sized), target: &str) -> Result<Prepare<'a>, Error> {
    Ok(Prepare {
        messages: messages.as_ref(),
        target: if target == SAME { None } else { Some(DialectId::named(target)?) },
        source: Reading::AUTO,
        model: None,
        system: None,
        tools: None,
        budget: None,
        pinned: &[],
        end: End::Request,
        reasoning: ReasoningChoice::Valid,
        server_tools: ServerTools::Drop,
        settings: Others::Caller,
        wording: Wording::default(),
        strict: false,
    })
}

/// A request that is being described. Made by [`prepare`].
#[derive(Clone, Debug)]
#[must_use = "nothing happens before `run` or `check`"]
pub struct Prepare<'a> {
    messages: &'a [u8],
    /// `None` for the dialect of the messages.
    target: Option<DialectId>,
    /// A name that [`Reading::named`] knows.
    source: &'a str,
    model: Option<&'a str>,
    system: Option<&'a str>,
    tools: Option<&'a [u8]>,
    budget: Option<Budget<'a>>,
    pinned: &'a [usize],
    end: End,
    reasoning: ReasoningChoice,
    server_tools: ServerTools,
    settings: Others,
    wording: Wording<'a>,
    strict: bool,
}

impl<'a> Prepare<'a> {
    /// Names the dialect of the messages, which is detected otherwise. `auto` detects it, too.
    ///
    /// Fails with [`Code::UnknownDialect`] if no dialect has this name.
    ///
    /// ```
    /// let gemini = r#"[{"role":"user","parts":[{"text":"Hi"}]}]"#;
    /// let ready = turnwire_core::prepare(gemini, "openai")?.source("gemini")?.run()?;
    /// assert_eq!(ready.json, br#"{"messages":[{"role":"user","content":"Hi"}]}"#);
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn source(self, dialect: &'a str) -> Result<Self, Error> {
        Reading::named(dialect, None)?;
        Ok(Self { source: dialect, ..self })
    }

    /// Names the model, for what only some models of a provider accept. A body may name it itself.
    ///
    /// ```
    /// let messages = r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]"#;
    /// let ready = turnwire_core::prepare(messages, "openai")?.model("o1-mini").run()?;
    /// assert_eq!(ready.receipt.changes[0].code.name(), "refused_content");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn model(self, name: &'a str) -> Self {
        Self { model: Some(name), ..self }
    }

    /// Puts system text before that of the messages.
    ///
    /// ```
    /// let ready = turnwire_core::prepare(r#"[{"role":"user","content":"Hi"}]"#, "anthropic")?.system("Be brief.").run()?;
    /// assert_eq!(ready.json, br#"{"system":"Be brief.","messages":[{"role":"user","content":"Hi"}]}"#);
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn system(self, text: &'a str) -> Self {
        Self { system: Some(text), ..self }
    }

    /// Puts tool definitions before those of the messages: a JSON list, each tool in any provider's form. If two tools
    /// have one name, the one that is given here counts.
    ///
    /// ```
    /// let tools = r#"[{"name":"look","input_schema":{"type":"object"}}]"#;
    /// let ready = turnwire_core::prepare(r#"[{"role":"user","content":"Hi"}]"#, "openai")?.tools(tools).run()?;
    /// assert!(ready.json.ends_with(br#"{"name":"look","parameters":{"type":"object","properties":{}}}}]}"#));
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn tools(self, json: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self { tools: Some(json.as_ref()), ..self }
    }

    /// Sets the most that may be sent. A number is UTF-8 bytes of text; [`Budget::Tokens`] takes your own counter.
    ///
    /// ```
    /// use turnwire_core::Budget;
    ///
    /// let messages = r#"[{"role":"user","content":"Hi"}]"#;
    /// let count = |text: &str| Ok(text.len().div_ceil(4));
    /// let ready = turnwire_core::prepare(messages, "openai")?.budget(Budget::Tokens(8_000, &count)).run()?;
    /// assert_eq!(ready.receipt.totals.map(|totals| totals.after), Some(1));
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn budget(self, budget: impl Into<Budget<'a>>) -> Self {
        Self { budget: Some(budget.into()), ..self }
    }

    /// Names messages, by their indices from 0, that the budget may neither cut nor drop.
    ///
    /// ```
    /// let messages = r#"[{"role":"user","content":"One"},{"role":"assistant","content":"Two"},
    ///     {"role":"user","content":"Three"},{"role":"assistant","content":"Four"},{"role":"user","content":"Five"}]"#;
    /// let request = turnwire_core::prepare(messages, "openai")?.budget(15);
    /// assert_eq!(request.clone().run()?.sources, [[0], [4]]);
    /// assert_eq!(request.pinned(&[1]).run()?.sources, [[0], [1], [4]]);
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn pinned(self, indices: &'a [usize]) -> Self {
        Self { pinned: indices, ..self }
    }

    /// Says how the list may end. The default is [`End::Request`].
    ///
    /// ```
    /// use turnwire_core::{End, prepare};
    ///
    /// let row = r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]"#;
    /// assert!(prepare(row, "mistral")?.run().is_err());
    /// assert!(prepare(row, "mistral")?.end(End::Row).run().is_ok());
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn end(self, end: End) -> Self {
        Self { end, ..self }
    }

    /// Chooses the reasoning that is sent. The default is [`ReasoningChoice::Valid`].
    ///
    /// ```
    /// use turnwire_core::{ReasoningChoice, prepare};
    ///
    /// let messages = r#"[{"role":"assistant","content":"A","reasoning_content":"B"},{"role":"user","content":"C"}]"#;
    /// let ready = prepare(messages, "openai")?.reasoning(ReasoningChoice::Drop).run()?;
    /// assert_eq!(ready.receipt.headline(), "1 dropped");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn reasoning(self, choice: ReasoningChoice) -> Self {
        Self { reasoning: choice, ..self }
    }

    /// Chooses what becomes of calls that another provider ran, and of their results. The default is
    /// [`ServerTools::Drop`].
    ///
    /// ```
    /// use turnwire_core::{ServerTools, prepare};
    ///
    /// let messages = r#"[{"role":"user","content":"Hi"},
    ///     {"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"rust"}},
    ///     {"role":"user","content":"And now?"}]"#;
    /// let ready = prepare(messages, "anthropic")?.server_tools(ServerTools::Text).run()?;
    /// assert!(String::from_utf8_lossy(&ready.json).contains("web_search {"));
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn server_tools(self, choice: ServerTools) -> Self {
        Self { server_tools: choice, ..self }
    }

    /// Says what happens to a body's other keys, such as the model and the temperature. The default leaves them to you.
    /// What is converted also has the model that is named here.
    ///
    /// ```
    /// use turnwire_core::{SettingsChoice, prepare};
    ///
    /// let body = r#"{"max_completion_tokens":9,"messages":[{"role":"user","content":"Hi"}]}"#;
    /// let ready = prepare(body, "anthropic")?.model("claude-sonnet-4-5").settings(SettingsChoice::Convert).run()?;
    /// let body = String::from_utf8_lossy(&ready.json);
    /// assert!(body.contains(r#""model":"claude-sonnet-4-5""#) && body.contains(r#""max_tokens":9"#));
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn settings(self, choice: Others) -> Self {
        Self { settings: choice, ..self }
    }

    /// Sets the texts that are written in your name.
    ///
    /// ```
    /// use turnwire_core::{Wording, prepare};
    ///
    /// let wording = Wording { opening: Some("(The user was silent.)"), ..Wording::default() };
    /// let messages = r#"[{"role":"assistant","content":"Hi"},{"role":"user","content":"Hello"}]"#;
    /// let ready = prepare(messages, "anthropic")?.wording(wording).run()?;
    /// assert_eq!(ready.receipt.headline(), "1 added");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn wording(self, wording: Wording<'a>) -> Self {
        Self { wording, ..self }
    }

    /// Makes the first loss an error with [`Code::Loss`]. A loss is what the target cannot express; repairs are none.
    ///
    /// ```
    /// let named = r#"[{"role":"user","content":"Hi","name":"ann"}]"#;
    /// let failed = turnwire_core::prepare(named, "anthropic")?.strict().run().unwrap_err();
    /// assert_eq!(failed.error.path().to_string(), "$[0].name");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn strict(self) -> Self {
        Self { strict: true, ..self }
    }

    /// Repairs, fits and writes the request.
    ///
    /// Fails if the messages cannot be read, if nothing can make them valid, or if they do not fit the budget. The error
    /// has a code and a path, and comes with the changes until then.
    ///
    /// ```
    /// let failed = turnwire_core::prepare("[]", "openai")?.run().unwrap_err();
    /// assert_eq!(failed.error.code().name(), "empty_messages");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn run(self) -> Result<Rendered, Failed> {
        self.with(|conversation, inputs, target| {
            let built = stage::build(conversation, inputs)?;
            let mut out = JsonSink::new(Vec::new());
            let made = render(&built.conversation, target, inputs.rendering, &mut out)
                .and_then(|rendering| Rendered::of(out.into_bytes(), target, rendering));
            match made {
                Ok(rendered) => Ok(rendered.after(built.receipt)),
                Err(error) => Err(failed(error, built.receipt)),
            }
        })
        .unwrap_or_else(|error| Err(failed(error, Receipt::default())))
    }

    /// Says what [`run`](Self::run) would change, and writes nothing.
    ///
    /// What `run` refuses is a change, too, of the kind [`ChangeKind::Refused`](crate::ChangeKind::Refused). What is
    /// unusual and stays, because the target accepts it, is a warning. Fails only if the messages cannot be read.
    ///
    /// ```
    /// let messages = r#"[{"role":"user","content":"Hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
    /// let receipt = turnwire_core::prepare(messages, "anthropic")?.check()?;
    /// assert_eq!(receipt.headline(), "1 dropped");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn check(self) -> Result<Receipt, Error> {
        self.with(|conversation, inputs, _| receipt_of(conversation, inputs))
    }

    /// Reads the messages and what comes before them, and hands them to `work` with the inputs of a build.
    fn with<T>(
        &self,
        work: impl FnOnce(&Conversation<NoHost>, &Inputs<'_, NoHost>, DialectId) -> T,
    ) -> Result<T, Error> {
        let input = Input::new(self.messages.to_vec());
        let tape = Reading::named(self.source, self.target)?.tape(&input)?;
        let view = tape.view();
        let root = view.root::<NoHost>();
        let target = self.target_of(&root)?;
        let reading = Reading::named(self.source, Some(target))?;
        let read = parse_payload(&root, reading, &|_| None, &ReadAs::default())?;
        check_pins(self.pinned, &read)?;
        let conversation = read.fronted(self.front(target)?);
        let rendering = self.rendering();
        let texts = self.wording.texts();
        let inputs = Inputs {
            budget: self.budget,
            cut_words: self.wording.cut,
            omitted: texts.omitted.as_ref(),
            missing_result: texts.missing_result.as_ref(),
            opening: texts.opening.as_ref(),
            bridge: texts.bridge.as_ref(),
            pinned: self.pinned,
            target: Some(target),
            model: self.model,
            prefill: self.end == End::Prefill,
            keep_open: self.end.keeps_open(),
            rendering: &rendering,
            ..Inputs::default()
        };
        Ok(work(&conversation, &inputs, target))
    }

    /// How the result is written.
    fn rendering(&self) -> Options {
        Options {
            strict: self.strict,
            reasoning: self.reasoning,
            server_tools: self.server_tools,
            row: self.end == End::Row,
            rest: self.settings,
            model: self.model.map(Into::into),
            ..Options::default()
        }
    }

    /// The dialect to write: the one that is named, or that of the messages.
    fn target_of<S: Source>(&self, messages: &S) -> Result<DialectId, Error> {
        match (self.target, Reading::named(self.source, None)?.named_or_likely()) {
            (Some(target), _) | (None, Ok(target)) => Ok(target),
            (None, Err(_)) => detect(messages, None),
        }
    }

    fn front(&self, target: DialectId) -> Result<Front<NoHost>, Error> {
        let system: Vec<_> = self.system.iter().map(|text| (*text).to_owned()).collect();
        let tools = self.tools.map(|json| Input::new(json.to_vec()));
        Front::read(&system, tools.as_ref(), Some(target)).map_err(|error| {
            // Only the reader of definitions says by itself that it reads the tools.
            if error.path().is_within(&Path::key(TOOLS)) { error } else { error.under(Step::Key(TOOLS)) }
        })
    }
}

/// A number is bytes.
impl From<usize> for Budget<'_> {
    fn from(bytes: usize) -> Self {
        Self::Bytes(bytes)
    }
}

/// A request that could not be made, with the changes until then.
fn failed(error: Error, receipt: Receipt) -> Failed {
    // Nothing was made that could differ from what was given.
    Failed { error, receipt: Box::new(Receipt { first_changed_index: None, ..receipt }) }
}

fn check_pins<H: Host>(pinned: &[usize], conversation: &Conversation<H>) -> Result<(), Error> {
    let count = conversation.turns().len();
    match pinned.iter().find(|index| **index >= count) {
        None => Ok(()),
        Some(index) => {
            Err(Error::new(Code::OutOfRange, format!("pinned: expected indices below {count}, got {index}")))
        }
    }
}
