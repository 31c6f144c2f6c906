//! Describes the keys of Gemini's parts that no parser takes, by its SDK's types, in both spellings of proto JSON.
//!
//! Proto JSON takes `null` for an absent key.

use crate::rules::{BlockRule, ExtraKeys, KeyRule, ValueRule};

const TEXT: ValueRule = ValueRule::Maybe(&ValueRule::Word);
const NUMBER: ValueRule = ValueRule::Maybe(&ValueRule::Number);
const COUNT: ValueRule = ValueRule::Maybe(&ValueRule::Count);
const FLAG: ValueRule = ValueRule::Maybe(&ValueRule::Flag);
const MAP: ValueRule = ValueRule::Maybe(&ValueRule::Map);
/// Any names of layers.
const LAYERS: ValueRule = ValueRule::Maybe(&ValueRule::ListOf(&ValueRule::Word));
const NAMES: ValueRule = ValueRule::Maybe(&ValueRule::ListOf(&ValueRule::Word));

const CODE: ValueRule = ValueRule::Fields(
    &[("code", ValueRule::Word)],
    &[("language", ValueRule::Maybe(&ValueRule::OneOf(&["LANGUAGE_UNSPECIFIED", "PYTHON"]))), ("id", TEXT)],
);
const RAN: ValueRule = ValueRule::Fields(
    &[],
    &[
        (
            "outcome",
            ValueRule::Maybe(&ValueRule::OneOf(&[
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
const TOOL_TYPE: ValueRule = ValueRule::Maybe(&ValueRule::OneOf(&[
    "TOOL_TYPE_UNSPECIFIED",
    "GOOGLE_SEARCH_WEB",
    "GOOGLE_SEARCH_IMAGE",
    "URL_CONTEXT",
    "GOOGLE_MAPS",
    "FILE_SEARCH",
    "MEDIA_PROCESSING",
]));
/// A call of a provider-run tool, and its answer.
const SERVED: ValueRule = ValueRule::Fields(
    &[],
    &[("id", TEXT), ("toolType", TOOL_TYPE), ("tool_type", TOOL_TYPE), ("args", MAP), ("response", MAP)],
);

const CLIP: ValueRule = ValueRule::Maybe(&ValueRule::Fields(
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
const PAGES: ValueRule = ValueRule::Maybe(&ValueRule::Fields(
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
const SHEET: ValueRule = ValueRule::Maybe(&ValueRule::Fields(
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
const SPEECH: ValueRule = ValueRule::Maybe(&ValueRule::Fields(&[], &[("speaker", TEXT), ("style", TEXT)]));
const RESOLUTION: ValueRule = ValueRule::Maybe(&ValueRule::Fields(
    &[],
    &[
        (
            "level",
            ValueRule::Maybe(&ValueRule::OneOf(&[
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
const PROCESSING: ValueRule =
    ValueRule::Maybe(&ValueRule::OneOf(&["MEDIA_PROCESSING_UNSPECIFIED", "STATIC", "AGENTIC"]));
const SCHEDULING: ValueRule =
    ValueRule::Maybe(&ValueRule::OneOf(&["SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT"]));
const BEHAVIOR: ValueRule = ValueRule::Maybe(&ValueRule::OneOf(&["UNSPECIFIED", "BLOCKING", "NON_BLOCKING"]));

/// The keys of a part beside its content.
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

/// Provider-run tools: the key of an entry is the tool's name, and its value is the configuration.
pub(super) const TOOLS: &[BlockRule] = &[
    BlockRule {
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
    BlockRule {
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
    BlockRule {
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
    BlockRule {
        types: "computerUse computer_use",
        needs: &[],
        may: &[
            (
                "environment",
                ValueRule::Maybe(&ValueRule::OneOf(&[
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
    BlockRule {
        types: "googleSearchRetrieval google_search_retrieval",
        needs: &[],
        may: &[("dynamicRetrievalConfig", MAP), ("dynamic_retrieval_config", MAP)],
    },
    BlockRule {
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
    BlockRule {
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
    BlockRule { types: "codeExecution code_execution urlContext url_context", needs: &[], may: &[] },
    BlockRule { types: LISTED_TOOLS, needs: &[], may: &[] },
];
/// The tools whose value is a list.
pub(super) const LISTED_TOOLS: &str = "mcpServers mcp_servers";

pub(super) const KEYS: ExtraKeys = ExtraKeys {
    // Servers accept any role of system text.
    turn: &[("role", ValueRule::Word)],
    part: PART,
    tool: &[
        ("behavior", BEHAVIOR),
        ("response", MAP),
        ("responseJsonSchema", ValueRule::Any),
        ("response_json_schema", ValueRule::Any),
    ],
    reply_only: &[
        "audioTranscription",
        "audio_transcription",
        "partialArgs",
        "partial_args",
        "willContinue",
        "will_continue",
    ],
    echoed: &[],
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
        ("functionCall", ValueRule::Map),
        ("function_call", ValueRule::Map),
        ("functionResponse", ValueRule::Map),
        ("function_response", ValueRule::Map),
    ],
    tools: TOOLS,
    around: Some(&[
        ("retrievalConfig", MAP),
        ("retrieval_config", MAP),
        ("includeServerSideToolInvocations", FLAG),
        ("include_server_side_tool_invocations", FLAG),
        ("mode", ValueRule::Word),
        ("allowedFunctionNames", NAMES),
        ("allowed_function_names", NAMES),
        ("streamFunctionCallArguments", FLAG),
        ("stream_function_call_arguments", FLAG),
    ]),
    beta: &[],
    carried: &[],
    two_spellings: true,
    any: false,
    ..ExtraKeys::ANY
};
