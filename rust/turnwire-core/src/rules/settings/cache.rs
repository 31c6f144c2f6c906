//! Rows about the prompt cache.

use super::{
    cell::{Cell, Kind, NONE, at, own},
    setting::Setting,
};

const CACHE_KEY: Cell = at(&["prompt_cache_key"], Kind::Text(usize::MAX));

pub(super) const ROWS: &[Setting] = &[
    Setting {
        name: "cache_key",
        meaning: "which requests share a cache",
        cells: [
            CACHE_KEY,
            CACHE_KEY,
            NONE,
            own(&["cachedContent"]),
            NONE,
            CACHE_KEY,
            NONE,
            NONE,
            own(&["cached_content"]),
        ],
    },
    Setting {
        name: "cache_mode",
        meaning: "whether the provider chooses what is cached",
        cells: [
            at(&["prompt_cache_options.mode"], Kind::Any),
            at(&["prompt_cache_options.mode"], Kind::Any),
            own(&["cache_control"]),
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
        ],
    },
    Setting {
        name: "cache_lifetime",
        meaning: "the minimum time for which cached content is kept",
        cells: [
            at(&["prompt_cache_options.ttl"], Kind::Words(&[("30m", "30m")])),
            at(&["prompt_cache_options.ttl"], Kind::Words(&[("30m", "30m"), ("12h", "12h")])),
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
        ],
    },
    Setting {
        name: "cache_comparison",
        meaning: "the reply whose use of the cache is compared",
        cells: [NONE, own(&["prompt_cache_options.comparison_response_id"]), NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "cache_prewarming",
        meaning: "whether the request only fills the cache",
        cells: [NONE, own(&["prompt_cache_options.prewarm"]), NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    },
    Setting {
        name: "cache_retention",
        meaning: "how long the cache is kept",
        cells: [
            at(&["prompt_cache_retention"], Kind::Any),
            at(&["prompt_cache_retention"], Kind::Any),
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
            NONE,
        ],
    },
];
