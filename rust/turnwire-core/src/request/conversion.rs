//! Conversions for Rust programs: the same conversation in another format, without repairs.

use super::{End, Rendered};
use crate::{
    convert::convert_json,
    detect::Reading,
    report::{Error, Options, Others, ReasoningChoice, Receipt, ServerTools},
    rules::DialectId,
    value::{Input, JsonSink, NoHost},
};

/// Begins a conversion of any list of messages to another dialect.
///
/// `messages` is JSON as for [`prepare`](crate::prepare). Nothing is repaired or cut: what the target cannot express is a
/// loss in the receipt, and all else is kept.
///
/// Fails with [`Code::UnknownDialect`](crate::Code::UnknownDialect) if no dialect has the name of the target.
///
/// ```
/// let messages = r#"[{"role":"user","content":"Hi","name":"ann"}]"#;
/// let made = turnwire_core::convert(messages, "anthropic")?.run()?;
/// assert_eq!(made.json, br#"{"messages":[{"role":"user","content":"Hi"}]}"#);
/// assert_eq!(made.receipt.headline(), "1 lost");
/// # Ok::<(), turnwire_core::Error>(())
/// ```
pub fn convert<'a>(messages: &'a (impl AsRef<[u8]> + ?Sized), target: &str) -> Result<Convert<'a>, Error> {
    Ok(Convert {
        messages: messages.as_ref(),
        target: DialectId::named(target)?,
        source: Reading::AUTO,
        options: Options::default(),
    })
}

/// A conversion that is being described. Made by [`convert`].
#[derive(Clone, Debug)]
#[must_use = "nothing happens before `run`"]
pub struct Convert<'a> {
    messages: &'a [u8],
    target: DialectId,
    /// A name that [`Reading::named`] knows.
    source: &'a str,
    options: Options,
}

impl<'a> Convert<'a> {
    /// Names the dialect of the messages, or the layout of a stored record. `auto`, the default, detects it.
    ///
    /// Fails with [`Code::UnknownDialect`](crate::Code::UnknownDialect) if none has this name.
    ///
    /// ```
    /// let gemini = r#"[{"role":"user","parts":[{"text":"Hi"}]}]"#;
    /// let made = turnwire_core::convert(gemini, "openai")?.source("gemini")?.run()?;
    /// assert_eq!(made.json, br#"{"messages":[{"role":"user","content":"Hi"}]}"#);
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn source(self, dialect: &'a str) -> Result<Self, Error> {
        Reading::named(dialect, None)?;
        Ok(Self { source: dialect, ..self })
    }

    /// Says how the list may end. [`End::Row`] writes a row of training data; the other words make no difference here.
    ///
    /// ```
    /// use turnwire_core::{End, convert};
    ///
    /// let messages = r#"[{"role":"user","content":"Hi"}]"#;
    /// let made = convert(messages, "sharegpt")?.end(End::Row).run()?;
    /// assert_eq!(made.json, br#"{"conversations":[{"from":"human","value":"Hi"}]}"#);
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn end(self, end: End) -> Self {
        Self { options: Options { row: end == End::Row, ..self.options }, ..self }
    }

    /// Chooses the reasoning that is written. The default is [`ReasoningChoice::Valid`].
    ///
    /// ```
    /// use turnwire_core::{ReasoningChoice, convert};
    ///
    /// let messages = r#"[{"role":"user","content":"Hi"},{"role":"assistant","content":"A","reasoning_content":"B"}]"#;
    /// let made = convert(messages, "anthropic")?.reasoning(ReasoningChoice::Text).run()?;
    /// assert_eq!(made.receipt.headline(), "1 restated");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn reasoning(self, choice: ReasoningChoice) -> Self {
        Self { options: Options { reasoning: choice, ..self.options }, ..self }
    }

    /// Chooses what becomes of calls that another provider ran, and of their results. The default is
    /// [`ServerTools::Drop`].
    ///
    /// ```
    /// use turnwire_core::{ServerTools, convert};
    ///
    /// let messages = r#"[{"role":"user","content":"Hi"},
    ///     {"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"rust"}}]"#;
    /// let made = convert(messages, "openai")?.server_tools(ServerTools::Text).run()?;
    /// assert!(String::from_utf8_lossy(&made.json).contains("web_search {"));
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn server_tools(self, choice: ServerTools) -> Self {
        Self { options: Options { server_tools: choice, ..self.options }, ..self }
    }

    /// Says what happens to a body's other keys, such as the model and the temperature. The default leaves them to you.
    ///
    /// ```
    /// use turnwire_core::{SettingsChoice, convert};
    ///
    /// let body = r#"{"temperature":0.5,"messages":[{"role":"user","content":"Hi"}]}"#;
    /// let made = convert(body, "gemini")?.settings(SettingsChoice::Convert).run()?;
    /// assert!(made.json.ends_with(br#""generationConfig":{"temperature":0.5}}"#));
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn settings(self, choice: Others) -> Self {
        Self { options: Options { rest: choice, ..self.options }, ..self }
    }

    /// Makes the first loss an error with [`Code::Loss`](crate::Code::Loss).
    ///
    /// ```
    /// let named = r#"[{"role":"user","content":"Hi","name":"ann"}]"#;
    /// let error = turnwire_core::convert(named, "anthropic")?.strict().run().unwrap_err();
    /// assert_eq!(error.path().to_string(), "$[0].name");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn strict(self) -> Self {
        Self { options: Options { strict: true, ..self.options }, ..self }
    }

    /// Reads the messages and writes them for the target.
    ///
    /// Fails if the messages cannot be read, or if the target cannot have them at all.
    ///
    /// ```
    /// let error = turnwire_core::convert("[", "openai")?.run().unwrap_err();
    /// assert_eq!(error.code().name(), "invalid_json");
    /// # Ok::<(), turnwire_core::Error>(())
    /// ```
    pub fn run(self) -> Result<Rendered, Error> {
        let reading = Reading::named(self.source, Some(self.target))?;
        let mut out = JsonSink::new(Vec::new());
        let input = Input::new(self.messages.to_vec());
        let rendering = convert_json::<NoHost>(&input, reading, self.target, &self.options, &mut out)?;
        Ok(Rendered::of(out.into_bytes(), self.target, rendering)?.after(Receipt::default()))
    }
}
