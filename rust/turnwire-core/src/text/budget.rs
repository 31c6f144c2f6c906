//! Divides a budget of bytes between several texts. Arithmetic only.

/// How a budget is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// The same share for each text, whatever its size (spec 000).
    #[default]
    Even,
    /// Small texts leave the rest of their shares to large ones.
    Fair,
}

impl Split {
    /// Every option, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Even, Self::Fair];

    /// The name of the option.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Fair => "fair",
        }
    }

    /// The option with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|split| split.name() == name)
    }

    /// The share of each text. The shares sum to at most `max_bytes`.
    #[must_use]
    pub fn shares(self, sizes: &[usize], max_bytes: usize) -> Vec<usize> {
        match self {
            Self::Even => vec![max_bytes.checked_div(sizes.len()).unwrap_or(0); sizes.len()],
            Self::Fair => fair(sizes, max_bytes),
        }
    }
}

/// The unit of a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// UTF-8 bytes.
    #[default]
    Bytes,
    /// Tokens of the caller's counter.
    Tokens,
    /// Elements of the payload's list.
    Turns,
}

impl Unit {
    /// Every unit.
    pub const ALL: &'static [Self] = &[Self::Bytes, Self::Tokens, Self::Turns];

    /// The name of the unit.
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

/// The amount by which `total` must shrink to fit `limit`. The excess is rounded up to a multiple of `reserve` (0 to 1)
/// times the limit. So the amount stays the same for several requests while the total grows.
#[must_use]
#[allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "a share of a size, in whole bytes")]
pub fn to_free(total: usize, limit: usize, reserve: f64) -> usize {
    let step = ((limit as f64 * reserve) as usize).max(1);
    total.saturating_sub(limit).div_ceil(step).saturating_mul(step)
}

/// Water-filling: all texts get the same share, but no text gets more than its size, and the rest is shared again. If
/// bytes are left over, the first texts that need more get one each.
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
