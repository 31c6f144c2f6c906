//! What the parts of Gemini hold beside what is read, by its SDK's types, in both spellings of proto JSON.
//!
//! Proto JSON takes `null` for what is not there.

use crate::rules::{
    block_rule::Shape,
    extra_keys::WireKeys,
    value_rule::{KeyRule, KeyValue},
};

const TEXT: KeyValue = KeyValue::Maybe(&KeyValue::Word);
const NUMBER: KeyValue = KeyValue::Maybe(&KeyValue::Number);
const COUNT: KeyValue = KeyValue::Maybe(&KeyValue::Count);
const FLAG: KeyValue = KeyValue::Maybe(&KeyValue::Flag);
const MAP: KeyValue = KeyValue::Maybe(&KeyValue::Map);
/// Layers have words of their own.
const LAYERS: KeyValue = KeyValue::Maybe(&KeyValue::ListOf(&KeyValue::Word));
const NAMES: KeyValue = KeyValue::Maybe(&KeyValue::ListOf(&KeyValue::Word));

const CODE: KeyValue = KeyValue::Fields(
    &[("code", KeyValue::Word)],
    &[("language", KeyValue::Maybe(&KeyValue::OneOf(&["LANGUAGE_UNSPECIFIED", "PYTHON"]))), ("id", TEXT)],
);
const RAN: KeyValue = KeyValue::Fields(
    &[],
    &[
        (
            "outcome",
            KeyValue::Maybe(&KeyValue::OneOf(&[
                "OUTCOME_UNSPECIFIED",
                "OUTCOME_OK",
                "OUTCOME_FAILED",
                "OUTCOME_DEADLINE_EXCEEDED",
            ])),
        ),
        ("output", TEXT),
        ("id", TEXT),
    ],
);
const TOOL_TYPE: KeyValue = KeyValue::Maybe(&KeyValue::OneOf(&[
    "TOOL_TYPE_UNSPECIFIED",
    "GOOGLE_SEARCH_WEB",
    "GOOGLE_SEARCH_IMAGE",
    "URL_CONTEXT",
    "GOOGLE_MAPS",
    "FILE_SEARCH",
    "MEDIA_PROCESSING",
]));
/// A call of a tool of the server's, and what it said.
const SERVED: KeyValue = KeyValue::Fields(
    &[],
    &[("id", TEXT), ("toolType", TOOL_TYPE), ("tool_type", TOOL_TYPE), ("args", MAP), ("response", MAP)],
);

const CLIP: KeyValue = KeyValue::Maybe(&KeyValue::Fields(
    &[],
    &[
        ("startOffset", TEXT),
        ("start_offset", TEXT),
        ("endOffset", TEXT),
        ("end_offset", TEXT),
        ("fps", NUMBER),
        ("contentLayers", LAYERS),
        ("content_layers", LAYERS),
    ],
));
const PAGES: KeyValue = KeyValue::Maybe(&KeyValue::Fields(
    &[],
    &[
        ("startPage", COUNT),
        ("start_page", COUNT),
        ("endPage", COUNT),
        ("end_page", COUNT),
        ("contentLayers", LAYERS),
        ("content_layers", LAYERS),
    ],
));
const SHEET: KeyValue = KeyValue::Maybe(&KeyValue::Fields(
    &[],
    &[
        ("visibleCells", TEXT),
        ("visible_cells", TEXT),
        ("sheetIndex", COUNT),
        ("sheet_index", COUNT),
        ("contentLayers", LAYERS),
        ("content_layers", LAYERS),
    ],
));
const SPEECH: KeyValue = KeyValue::Maybe(&KeyValue::Fields(&[], &[("speaker", TEXT), ("style", TEXT)]));
const RESOLUTION: KeyValue = KeyValue::Maybe(&KeyValue::Fields(
    &[],
    &[
        (
            "level",
            KeyValue::Maybe(&KeyValue::OneOf(&[
                "MEDIA_RESOLUTION_UNSPECIFIED",
                "MEDIA_RESOLUTION_LOW",
                "MEDIA_RESOLUTION_MEDIUM",
                "MEDIA_RESOLUTION_HIGH",
                "MEDIA_RESOLUTION_ULTRA_HIGH",
            ])),
        ),
        ("numTokens", COUNT),
        ("num_tokens", COUNT),
    ],
));
const PROCESSING: KeyValue = KeyValue::Maybe(&KeyValue::OneOf(&["MEDIA_PROCESSING_UNSPECIFIED", "STATIC", "AGENTIC"]));
const SCHEDULING: KeyValue =
    KeyValue::Maybe(&KeyValue::OneOf(&["SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT"]));
const BEHAVIOR: KeyValue = KeyValue::Maybe(&KeyValue::OneOf(&["UNSPECIFIED", "BLOCKING", "NON_BLOCKING"]));

/// What stands beside what a part says.
const PART: &[KeyRule] = &[
    ("audioMetadata", CLIP),
    ("audio_metadata", CLIP),
    ("documentMetadata", PAGES),
    ("document_metadata", PAGES),
    ("mediaProcessing", PROCESSING),
    ("media_processing", PROCESSING),
    ("mediaResolution", RESOLUTION),
    ("media_resolution", RESOLUTION),
    ("partMetadata", MAP),
    ("part_metadata", MAP),
    ("scheduling", SCHEDULING),
    ("speechMetadata", SPEECH),
    ("speech_metadata", SPEECH),
    ("spreadsheetMetadata", SHEET),
    ("spreadsheet_metadata", SHEET),
    ("thought", FLAG),
    ("videoMetadata", CLIP),
    ("video_metadata", CLIP),
];

/// Tools that the server runs; an entry names them, and what is under the name sets them up.
pub(super) const TOOLS: &[Shape] = &[
    Shape {
        types: "fileSearch file_search",
        needs: &[],
        may: &[
            ("fileSearchStoreNames", NAMES),
            ("file_search_store_names", NAMES),
            ("topK", COUNT),
            ("top_k", COUNT),
            ("metadataFilter", TEXT),
            ("metadata_filter", TEXT),
        ],
    },
    Shape {
        types: "googleSearch google_search enterpriseWebSearch enterprise_web_search",
        needs: &[],
        may: &[
            ("searchTypes", MAP),
            ("search_types", MAP),
            ("blockingConfidence", TEXT),
            ("blocking_confidence", TEXT),
            ("excludeDomains", NAMES),
            ("exclude_domains", NAMES),
            ("timeRangeFilter", MAP),
            ("time_range_filter", MAP),
        ],
    },
    Shape {
        types: "googleMaps google_maps",
        needs: &[],
        may: &[
            ("authConfig", MAP),
            ("auth_config", MAP),
            ("enableWidget", FLAG),
            ("enable_widget", FLAG),
            ("groundingTypes", MAP),
            ("grounding_types", MAP),
        ],
    },
    Shape {
        types: "computerUse computer_use",
        needs: &[],
        may: &[
            (
                "environment",
                KeyValue::Maybe(&KeyValue::OneOf(&[
                    "ENVIRONMENT_UNSPECIFIED",
                    "ENVIRONMENT_BROWSER",
                    "ENVIRONMENT_MOBILE",
                    "ENVIRONMENT_DESKTOP",
                ])),
            ),
            ("excludedPredefinedFunctions", NAMES),
            ("excluded_predefined_functions", NAMES),
            ("enablePromptInjectionDetection", FLAG),
            ("enable_prompt_injection_detection", FLAG),
            ("disabledSafetyPolicies", NAMES),
            ("disabled_safety_policies", NAMES),
        ],
    },
    Shape {
        types: "googleSearchRetrieval google_search_retrieval",
        needs: &[],
        may: &[("dynamicRetrievalConfig", MAP), ("dynamic_retrieval_config", MAP)],
    },
    Shape {
        types: "retrieval",
        needs: &[],
        may: &[
            ("disableAttribution", FLAG),
            ("disable_attribution", FLAG),
            ("externalApi", MAP),
            ("external_api", MAP),
            ("vertexAiSearch", MAP),
            ("vertex_ai_search", MAP),
            ("vertexRagStore", MAP),
            ("vertex_rag_store", MAP),
        ],
    },
    Shape {
        types: "parallelAiSearch parallel_ai_search exaAiSearch exa_ai_search",
        needs: &[],
        may: &[
            ("apiKey", TEXT),
            ("api_key", TEXT),
            ("customConfigs", MAP),
            ("custom_configs", MAP),
            ("enableDataRetention", FLAG),
            ("enable_data_retention", FLAG),
            ("enableZeroDataRetention", FLAG),
            ("enable_zero_data_retention", FLAG),
        ],
    },
    Shape { types: "codeExecution code_execution urlContext url_context", needs: &[], may: &[] },
    Shape { types: LISTED_TOOLS, needs: &[], may: &[] },
];
/// Those of which there is a list.
pub(super) const LISTED_TOOLS: &str = "mcpServers mcp_servers";

pub(super) const KEYS: WireKeys = WireKeys {
    part: PART,
    tool: &[
        ("behavior", BEHAVIOR),
        ("response", MAP),
        ("responseJsonSchema", KeyValue::Any),
        ("response_json_schema", KeyValue::Any),
    ],
    reply: &[
        "audioTranscription",
        "audio_transcription",
        "partialArgs",
        "partial_args",
        "willContinue",
        "will_continue",
    ],
    result_blocks: "inlineData inline_data fileData file_data",
    members: &[
        ("executableCode", CODE),
        ("executable_code", CODE),
        ("codeExecutionResult", RAN),
        ("code_execution_result", RAN),
        ("toolCall", SERVED),
        ("tool_call", SERVED),
        ("toolResponse", SERVED),
        ("tool_response", SERVED),
        ("functionCall", KeyValue::Map),
        ("function_call", KeyValue::Map),
        ("functionResponse", KeyValue::Map),
        ("function_response", KeyValue::Map),
    ],
    tools: TOOLS,
    around: Some(&[
        ("retrievalConfig", MAP),
        ("retrieval_config", MAP),
        ("includeServerSideToolInvocations", FLAG),
        ("include_server_side_tool_invocations", FLAG),
        ("allowedFunctionNames", NAMES),
        ("allowed_function_names", NAMES),
        ("streamFunctionCallArguments", FLAG),
        ("stream_function_call_arguments", FLAG),
    ]),
    two_spellings: true,
    any: false,
    ..WireKeys::ANY
};
