//! Rows about how the provider serves, stores and guards the request.

use super::{
    cell::{Cell, Kind, NONE, at, own},
    setting::Setting,
};

const TIERS: Kind = Kind::Words(&[
    ("auto", "auto"),
    ("default", "default"),
    ("flex", "flex"),
    ("priority", "priority"),
    ("scale", "scale"),
    ("fast", "fast"),
]);
const ALONE_OR_NOT: Kind = Kind::Words(&[("auto", "auto"), ("standard_only", "default")]);
const INTERACTIONS_TIERS: Kind =
    Kind::Words(&[("standard", "default"), ("flex", "flex"), ("priority", "priority"), ("", "auto")]);
const OPENAI_LABELS: Cell = at(&["metadata"], Kind::Labels(16, 512));
const END_USER: Cell = at(&["safety_identifier", "user"], Kind::Text(usize::MAX));

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "service_tier",
        meaning: "how soon the request is served",
        cells: [
            at(&["service_tier"], TIERS),
            at(&["service_tier"], TIERS),
            at(&["service_tier"], ALONE_OR_NOT),
            at(
                &["serviceTier"],
                Kind::Words(&[
                    ("unspecified", "auto"),
                    ("standard", "default"),
                    ("flex", "flex"),
                    ("priority", "priority"),
                ]),
            ),
            at(
                &["serviceTier.type"],
                Kind::Words(&[
                    ("default", "default"),
                    ("flex", "flex"),
                    ("priority", "priority"),
                    ("reserved", "scale"),
                    ("", "auto"),
                ]),
            ),
            at(&["service_tier"], ALONE_OR_NOT),
            own(&["priority"]),
            NONE,
            at(&["service_tier"], INTERACTIONS_TIERS),
        ],
    },
    Setting {
        name: "agent",
        meaning: "which agent of the provider answers, and how",
        cells: [NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, own(&["agent", "agent_config"])],
    },
    Setting {
        name: "speed",
        meaning: "whether the reply comes faster, at a higher price",
        cells: [
            NONE,
            NONE,
            at(&["speed"], Kind::Words(&[("standard", "standard"), ("fast", "fast")])),
            NONE,
            at(&["performanceConfig.latency"], Kind::Words(&[("standard", "standard"), ("optimized", "fast")])),
            NONE,
            NONE,
            NONE,
            NONE,
        ],
    },
    Setting {
        name: "end_user",
        meaning: "the user that the request is made for",
        cells: [END_USER, END_USER, at(&["metadata.user_id"], Kind::Text(256)), NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "metadata",
        meaning: "labels that the provider keeps with the request",
        cells: [
            OPENAI_LABELS,
            OPENAI_LABELS,
            NONE,
            own(&["labels"]),
            at(&["requestMetadata"], Kind::Labels(16, 256)),
            at(&["metadata"], Kind::Labels(usize::MAX, usize::MAX)),
            NONE,
            NONE,
            own(&["labels"]),
        ],
    },
    Setting {
        name: "store",
        meaning: "whether the provider keeps the reply",
        cells: [
            at(&["store"], Kind::Flag),
            at(&["store"], Kind::Flag).absent("true"),
            NONE,
            at(&["store"], Kind::Flag),
            NONE,
            NONE,
            NONE,
            NONE,
            at(&["store"], Kind::Flag).absent("true"),
        ],
    },
    Setting {
        name: "background",
        meaning: "whether the reply is fetched later",
        cells: [
            NONE,
            own(&["background", "background_options"]),
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            own(&["background", "webhook_config"]),
        ],
    },
    Setting {
        name: "safety",
        meaning: "what is filtered from the request or the reply",
        cells: [
            at(&["moderation"], Kind::Any),
            at(&["moderation"], Kind::Any),
            NONE,
            own(&["safetySettings", "modelArmorConfig"]),
            own(&["guardrailConfig"]),
            own(&["safe_prompt", "guardrails"]),
            own(&["safety_mode"]),
            NONE,
            own(&["safety_settings"]),
        ],
    },
    Setting {
        name: "place_of_work",
        meaning: "where the request is processed",
        cells: [NONE, NONE, own(&["inference_geo", "workspace_id"]), NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "loading",
        meaning: "how the model is loaded into memory",
        cells: [
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            own(&[
                "keep_alive",
                "options.num_ctx",
                "options.num_gpu",
                "options.num_thread",
                "options.num_batch",
                "options.num_keep",
                "options.main_gpu",
                "options.use_mmap",
                "options.use_mlock",
                "options.numa",
                "options.low_vram",
                "options.vocab_only",
                "options.f16_kv",
                "options.logits_all",
                "options.embedding_only",
            ]),
            NONE,
        ],
    },
    Setting {
        name: "fallbacks",
        meaning: "which other models answer if this one does not",
        cells: [
            NONE,
            NONE,
            own(&["fallbacks"]),
            own(&["generationConfig.modelSelectionConfig", "generationConfig.routingConfig"]),
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
        ],
    },
];
