//! Which repairs a program needs that writes the provider's format itself.

/// Which repairs a program needs that writes the provider's format itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Relay {
    /// It passes on blank texts and empty results unchanged, which some providers refuse.
    pub no_blanks: bool,
    /// It refuses or loses calls whose arguments are not a JSON object. They are sent without arguments.
    pub only_objects: bool,
    /// It writes keys and tool definitions itself, so it is unknown here whether the target accepts them.
    pub own_keys: bool,
}
