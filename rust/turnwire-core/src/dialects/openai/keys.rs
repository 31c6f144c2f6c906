//! Declares the keys of OpenAI.

use crate::value::door::keys;

keys! {
    INPUT_AUDIO = "input_audio";
    DATA = "data";
    FILE = "file";
    FILE_DATA = "file_data";
    FILE_ID = "file_id";
    FILENAME = "filename";
    MP3 = "mp3";
    WAV = "wav";
    FUNCTIONS = "functions";
}
