//! Rows about the format of the reply's text.

use super::{
    cell::{FormatShape, Kind, NONE, at, own},
    setting::Setting,
};

const LEVELS: Kind = Kind::Words(&[("low", "low"), ("medium", "medium"), ("high", "high")]);

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "response_format",
        meaning: "whether the reply is text, JSON, or JSON of a schema",
        cells: [
            at(&["response_format"], Kind::Format(FormatShape::Nested)),
            at(&["text.format"], Kind::Format(FormatShape::Flat)),
            at(&["output_config.format", "output_format"], Kind::Format(FormatShape::SchemaOnly)),
            at(
                &[
                    "generationConfig.responseMimeType",
                    "generationConfig.responseJsonSchema",
                    "generationConfig.responseSchema",
                ],
                Kind::Format(FormatShape::MimeType),
            ),
            at(&["outputConfig.textFormat"], Kind::Format(FormatShape::SchemaText)),
            at(&["response_format"], Kind::Format(FormatShape::Nested)),
            at(&["response_format"], Kind::Format(FormatShape::Object)),
            at(&["format"], Kind::Format(FormatShape::Bare)),
            at(&["response_format"], Kind::Format(FormatShape::Typed)),
        ],
    },
    Setting {
        name: "verbosity",
        meaning: "how long the reply is",
        cells: [at(&["verbosity"], LEVELS), at(&["text.verbosity"], LEVELS), NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "prediction",
        meaning: "a text that the reply will mostly repeat",
        cells: [
            at(&["prediction"], Kind::Any),
            NONE,
            NONE,
            NONE,
            NONE,
            at(&["prediction"], Kind::Any),
            NONE,
            NONE,
            NONE,
        ],
    },
    Setting {
        name: "modalities",
        meaning: "whether the reply is text, sound or pictures",
        cells: [
            own(&["modalities"]),
            NONE,
            NONE,
            own(&["generationConfig.responseModalities"]),
            NONE,
            NONE,
            NONE,
            NONE,
            own(&["response_modalities", "response_mime_type"]),
        ],
    },
    Setting {
        name: "audio_out",
        meaning: "how the reply sounds",
        cells: [
            own(&["audio"]),
            NONE,
            NONE,
            own(&["generationConfig.speechConfig"]),
            NONE,
            NONE,
            NONE,
            NONE,
            own(&["generation_config.speech_config", "generation_config.transcription_config"]),
        ],
    },
    Setting {
        name: "image_settings",
        meaning: "how pictures are made, or in how much detail they are read",
        cells: [
            NONE,
            own(&["image"]),
            NONE,
            own(&["generationConfig.imageConfig", "generationConfig.mediaResolution"]),
            NONE,
            NONE,
            NONE,
            NONE,
            own(&["generation_config.image_config", "generation_config.video_config"]),
        ],
    },
    Setting {
        name: "citations",
        meaning: "how the reply cites its sources",
        cells: [NONE, NONE, NONE, NONE, NONE, NONE, own(&["citation_options", "citation_quality"]), NONE, NONE],
    },
];
