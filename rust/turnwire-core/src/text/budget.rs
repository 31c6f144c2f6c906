//! Dividing a budget of bytes between several texts: arithmetic only.

/// How a budget is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// The same share for each, whatever its size (spec 000).
    #[default]
    Even,
    /// What the small ones leave goes to the large ones.
    Fair,
}

impl Split {
    /// Every option, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Even, Self::Fair];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Fair => "fair",
        }
    }

    /// The option of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|split| split.name() == name)
    }

    /// The share of each size. The shares sum to at most `max_bytes`.
    #[must_use]
    pub fn shares(self, sizes: &[usize], max_bytes: usize) -> Vec<usize> {
        match self {
            Self::Even => vec![max_bytes.checked_div(sizes.len()).unwrap_or(0); sizes.len()],
            Self::Fair => fair(sizes, max_bytes),
        }
    }
}

/// What a budget counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// UTF-8 bytes.
    #[default]
    Bytes,
    /// What the caller's own counter counts.
    Tokens,
    /// Elements of the list.
    Turns,
}

impl Unit {
    /// Every unit there is.
    pub const ALL: &'static [Self] = &[Self::Bytes, Self::Tokens, Self::Turns];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Tokens => "tokens",
            Self::Turns => "turns",
        }
    }
}

/// The share of a budget that is freed ahead by default: a quarter.
pub const RESERVE: f64 = 0.25;

/// What `total` has to free to come under `limit`: what is too much, rounded up to steps of `reserve` (from 0 to 1) times
/// the limit. So what was freed stays the same while the total grows, until a step is used up.
#[must_use]
#[allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "a share of a size, in whole bytes")]
pub fn to_free(total: usize, limit: usize, reserve: f64) -> usize {
    let step = ((limit as f64 * reserve) as usize).max(1);
    total.saturating_sub(limit).div_ceil(step).saturating_mul(step)
}

/// Water-filling: everyone gets the same, no one more than its size, and nothing is left while someone wants more. What
/// cannot be divided goes one byte each to the first of those that want more.
fn fair(sizes: &[usize], max_bytes: usize) -> Vec<usize> {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    let mut left = max_bytes;
    let mut level = usize::MAX;
    let mut odd = 0;
    for (size, wanting) in sorted.iter().zip((1..=sizes.len()).rev()) {
        if *size > left / wanting {
            (level, odd) = (left / wanting, left % wanting);
            break;
        }
        left -= size;
    }
    let share = |size: &usize| {
        if *size <= level {
            return *size;
        }
        let extra = usize::from(odd > 0);
        odd -= extra;
        level + extra
    };
    sizes.iter().map(share).collect()
}
