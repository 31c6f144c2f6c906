//! Holds the dialects: the table of wire formats and their profiles, the functions that dispatch by id, and a folder for each.

mod ag_ui;
mod ai_sdk;
mod ai_sdk_ui;
pub(crate) mod amazon_q;
mod anthropic;
mod bedrock;
mod chat;
mod cohere;
pub mod describe;
mod gemini;
mod gemini_interactions;
mod history;
mod hugging_face;
mod llama;
mod mistral;
mod ollama;
mod openai;
mod openai_responses;
mod otel;
pub mod registry;
pub mod servers;
mod sharegpt;
mod structured;
mod suggest;
pub mod table;
