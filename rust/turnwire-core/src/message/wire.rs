//! A user message in the wire shape of its own backend: `userInputMessage` in camelCase.

use super::{
    image::ImageBlock,
    tool::{Block, REDACTED_RESULT},
    user::UserMessage,
};
use crate::{
    error::{Code, Error},
    handle::{Host, Raw, Text},
    media::MediaClass,
    path::{Path, Step},
    tool::ToolResult,
    value::{Key, Sink, keys},
};

keys! {
    USER_INPUT_MESSAGE = "userInputMessage";
    CONTENT = "content";
    CONTEXT = "userInputMessageContext";
    ENV_STATE = "envState";
    OPERATING_SYSTEM = "operatingSystem";
    WORKING_DIRECTORY = "currentWorkingDirectory";
    TOOL_RESULTS = "toolResults";
    TOOL_USE_ID = "toolUseId";
    STATUS = "status";
    SUCCESS = "success";
    ERROR = "error";
    TEXT = "text";
    JSON = "json";
    TOOLS = "tools";
    IMAGES = "images";
    FORMAT = "format";
    SOURCE = "source";
    BYTES = "bytes";
    MODEL_ID = "modelId";
}

impl<H: Host> UserMessage<H> {
    /// Writes the message as it is kept in a history: without tools and model.
    pub fn write_history_entry(&self, out: &mut impl Sink<H>) -> Result<(), Error> {
        self.write_user_input_message(None, &[], out)
    }

    /// Writes the message as it is sent: with the tools that the model may call, and the model. What is absent has no key.
    pub fn write_user_input_message(
        &self,
        model_id: Option<&Text<H>>,
        tools: &[Raw<H>],
        out: &mut impl Sink<H>,
    ) -> Result<(), Error> {
        let results = self.content.tool_use_results().unwrap_or_default();
        let content = self.content_with_context()?;
        // A result's image has no place inside it on this wire: it joins the message's own.
        let mut images: Vec<_> = self.images.iter().flatten().map(image_of_block).collect::<Result<_, _>>()?;
        for (index, result) in results.iter().enumerate() {
            for (at, block) in result.blocks().enumerate() {
                if let Some(image) = image_of(&block).map_err(|error| error.at_path(place(index, at)))? {
                    images.push(image);
                }
            }
        }

        out.open_map();
        out.key(&USER_INPUT_MESSAGE);
        out.open_map();
        out.key(&CONTENT);
        out.text(&content);
        self.write_context(results, tools, out);
        if !images.is_empty() {
            out.key(&IMAGES);
            out.open_list();
            for (format, data) in &images {
                out.open_map();
                out.key(&FORMAT);
                out.text(format);
                out.key(&SOURCE);
                out.open_map();
                out.key(&BYTES);
                out.text(data);
                out.close();
                out.close();
            }
            out.close();
        }
        if let Some(model_id) = model_id {
            out.key(&MODEL_ID);
            out.text(model_id);
        }
        out.close();
        out.close();
        out.fault().map_or(Ok(()), Err)
    }

    fn write_context(&self, results: &[ToolResult<H>], tools: &[Raw<H>], out: &mut impl Sink<H>) {
        let env_state = self.env_context.env_state.as_ref();
        if env_state.is_none() && results.is_empty() && tools.is_empty() {
            return;
        }
        out.key(&CONTEXT);
        out.open_map();
        if let Some(state) = env_state {
            out.key(&ENV_STATE);
            out.open_map();
            let fields =
                [(&OPERATING_SYSTEM, &state.operating_system), (&WORKING_DIRECTORY, &state.current_working_directory)];
            for (key, text) in fields {
                if let Some(text) = text {
                    out.key(key);
                    out.text(text);
                }
            }
            out.close();
        }
        if !results.is_empty() {
            out.key(&TOOL_RESULTS);
            out.open_list();
            for result in results {
                write_result(result, out);
            }
            out.close();
        }
        if !tools.is_empty() {
            out.key(&TOOLS);
            out.open_list();
            for tool in tools {
                out.raw(tool);
            }
            out.close();
        }
        out.close();
    }
}

fn write_result<H: Host>(result: &ToolResult<H>, out: &mut impl Sink<H>) {
    out.open_map();
    out.key(&TOOL_USE_ID);
    out.text(&result.id);
    out.key(&CONTENT);
    out.open_list();
    let mut nothing = true;
    for block in result.blocks() {
        match block {
            Block::Text(text) => entry(&TEXT, out, |out| out.text(text)),
            Block::Json(raw) => entry(&JSON, out, |out| out.raw(raw)),
            Block::Media(_) | Block::Other(_) => continue,
        }
        nothing = false;
    }
    if nothing {
        entry(&TEXT, out, |out| out.text(&Text::own(REDACTED_RESULT)));
    }
    out.close();
    out.key(&STATUS);
    out.literal(if result.error { &ERROR } else { &SUCCESS });
    out.close();
}

fn entry<H: Host, K: Sink<H>>(key: &'static Key, out: &mut K, value: impl FnOnce(&mut K)) {
    out.open_map();
    out.key(key);
    value(out);
    out.close();
}

type Image<H> = (Text<H>, Text<H>);

fn image_of_block<H: Host>(image: &ImageBlock<H>) -> Result<Image<H>, Error> {
    Ok((image.format.share(), image.data.base64()?))
}

/// The image that a block is, as format and base64 text. What this wire has no form for is an error.
fn image_of<H: Host>(block: &Block<'_, H>) -> Result<Option<Image<H>>, Error> {
    let what = match block {
        Block::Text(_) | Block::Json(_) => return Ok(None),
        Block::Other(_) => "a block that only another dialect knows",
        Block::Media(media) if media.class != MediaClass::Image => "media other than images",
        Block::Media(media) => match (media.base64(None)?, media.media_type(None)) {
            (Some(inline), Some(mime)) if mime.starts_with("image/") => {
                return Ok(Some((H::text(&mime.as_bytes()["image/".len()..])?, inline.data)));
            }
            _ => "an image without its bytes or its media type",
        },
    };
    Err(Error::new(Code::Refused, format!("{what} has no place in the result of a tool on this wire")))
}

fn place(result: usize, block: usize) -> Path {
    Path::key("tool_use_results").then(Step::Index(result)).then(Step::Key("content")).then(Step::Index(block))
}
