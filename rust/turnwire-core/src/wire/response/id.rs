//! Derives the id of a reply in another format: the same tail after another prefix, so that a reply and its stream
//! agree.

/// The prefixes of reply ids in all formats, the longest first.
const PREFIXES: [&str; 8] = ["chatcmpl-", "msg_bdrk_", "gen-", "resp_", "msg_", "cmpl-", "run_", "v1_"];

/// Longer tails are hashed to a fixed length. The strictest servers accept ids of 64 characters, prefixes included.
const MOST: usize = 40;

/// The tail that all ids of one reply share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tail(String);

impl Tail {
    /// The tail of an existing id.
    pub(crate) fn of(id: &str) -> Self {
        let tail = PREFIXES.iter().find_map(|prefix| id.strip_prefix(prefix)).unwrap_or(id);
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let fits = !tail.is_empty() && tail.len() <= MOST && tail.bytes().all(plain);
        if fits { Self(tail.to_owned()) } else { Self::hashed(id.as_bytes()) }
    }

    /// A tail for a reply without an id, always the same for the same bytes.
    pub(crate) fn hashed(bytes: &[u8]) -> Self {
        // FNV-1a with 128 bits: short, and the same on every machine.
        let step =
            |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013B);
        let hash = bytes.iter().fold(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D, step);
        Self(format!("{hash:032x}"))
    }

    /// The id of the reply.
    pub(crate) fn reply(&self, prefix: &str) -> String {
        format!("{prefix}{}", self.0)
    }

    /// The id of one of its items.
    pub(crate) fn item(&self, prefix: &str, index: usize) -> String {
        format!("{prefix}{}_{index}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_stays() {
        assert_eq!(Tail::of("msg_01ABC").reply("chatcmpl-"), "chatcmpl-01ABC");
        assert_eq!(Tail::of("chatcmpl-x_1").reply("msg_"), "msg_x_1");
        assert_eq!(Tail::of("resp_1").item("fc_", 2), "fc_1_2");
        assert_eq!(Tail::of("3f2a").reply("resp_"), "resp_3f2a");
    }

    #[test]
    fn what_fits_nowhere_is_hashed() {
        for id in ["", "msg_", "a b", "ä", &"x".repeat(41)] {
            let tail = Tail::of(id);
            assert_eq!(tail, Tail::hashed(id.as_bytes()), "{id:?}");
            assert_eq!(tail.reply("").len(), 32);
        }
        assert_ne!(Tail::of("a b"), Tail::of("a c"));
        assert_eq!(Tail::hashed(b"").reply(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(Tail::hashed(b"a").reply(""), "d228cb696f1a8caf78912b704e4a8964");
    }
}
