//! Declares the keys of OpenAI.

pub(super) use crate::{dialects::chat::keys::EXTRA_CONTENT, k::*};

use crate::value::door::keys;

keys! {
    MP3 = "mp3";
    WAV = "wav";
    FUNCTIONS = "functions";
    AUDIO_URL = "audio_url";
    VIDEO_URL = "video_url";
    GOOGLE = "google";
    THOUGHT_SIGNATURE = "thought_signature";
    PROVIDER_SPECIFIC_FIELDS = "provider_specific_fields";
}
