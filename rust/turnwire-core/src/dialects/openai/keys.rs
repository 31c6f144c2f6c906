//! Declares the keys of OpenAI.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    MP3 = "mp3";
    WAV = "wav";
    FUNCTIONS = "functions";
    AUDIO_URL = "audio_url";
    VIDEO_URL = "video_url";
}
