//! Where a message was written: operating system and working directory.

use std::env;

use crate::{
    report::Error,
    text::{Keep, Units},
    value::{Host, Text},
};

/// How many UTF-8 bytes of a working directory are kept at most (spec 000).
pub const MAX_CURRENT_WORKING_DIRECTORY_LEN: usize = 256;

/// What is known about the environment.
#[derive(Debug)]
pub struct EnvState<H: Host> {
    /// The operating system, by Rust's name for it: `linux`, `macos`, `windows`.
    pub operating_system: Option<Text<H>>,
    /// The working directory.
    pub current_working_directory: Option<Text<H>>,
}

/// The environment of a user message.
#[derive(Debug)]
pub struct UserEnvContext<H: Host> {
    /// What is known about it.
    pub env_state: Option<EnvState<H>>,
}

impl<H: Host> EnvState<H> {
    /// An environment from the caller, with the working directory cut to [`MAX_CURRENT_WORKING_DIRECTORY_LEN`].
    pub fn new(operating_system: Option<Text<H>>, current_working_directory: Option<Text<H>>) -> Result<Self, Error> {
        let cut = |path: Text<H>| {
            let cut = path.truncate(MAX_CURRENT_WORKING_DIRECTORY_LEN, Units::Ascii(""), Keep::Head, None)?;
            Ok::<_, Error>(cut.unwrap_or(path))
        };
        Ok(Self { operating_system, current_working_directory: current_working_directory.map(cut).transpose()? })
    }

    /// The environment of this process. A working directory that cannot be found is left out, and `warn` is called with
    /// the reason.
    pub fn current(warn: impl FnOnce(&str)) -> Self {
        let current_working_directory = match env::current_dir() {
            Ok(path) => {
                let path = path.to_string_lossy();
                let cut = Units::from(&*path).cut(MAX_CURRENT_WORKING_DIRECTORY_LEN, 0, Keep::Head);
                Some(Text::own(cut.and_then(|cut| path.get(..cut.head)).unwrap_or(&path)))
            }
            Err(failure) => {
                warn(&format!("no current working directory: {failure}"));
                None
            }
        };
        Self { operating_system: Some(Text::own(env::consts::OS)), current_working_directory }
    }

    /// Another handle to the same state.
    #[must_use]
    pub fn share(&self) -> Self {
        Self {
            operating_system: self.operating_system.as_ref().map(Text::share),
            current_working_directory: self.current_working_directory.as_ref().map(Text::share),
        }
    }

    /// Whether both have the same content.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Text::same_option(self.operating_system.as_ref(), other.operating_system.as_ref())
            && Text::same_option(self.current_working_directory.as_ref(), other.current_working_directory.as_ref())
    }
}

impl<H: Host> UserEnvContext<H> {
    /// The environment of this process (spec 000: `generate_new`).
    pub fn generate_new(warn: impl FnOnce(&str)) -> Self {
        Self { env_state: Some(EnvState::current(warn)) }
    }

    /// Another handle to the same context.
    #[must_use]
    pub fn share(&self) -> Self {
        Self { env_state: self.env_state.as_ref().map(EnvState::share) }
    }

    /// Whether both have the same content.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (&self.env_state, &other.env_state) {
            (None, None) => true,
            (Some(mine), Some(theirs)) => mine.same(theirs),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::handle::NoHost;

    #[test]
    fn the_environment_of_this_process() {
        let state = EnvState::<NoHost>::current(|problem| assert_eq!(problem, ""));
        assert!(state.operating_system.as_ref().is_some_and(|name| name.is(env::consts::OS, None)));
        let here = env::current_dir().expect("tests run somewhere");
        let here = here.to_string_lossy();
        let kept = state.current_working_directory.as_ref().map(|path| path.to_str(None).into_owned());
        let kept = kept.expect("a directory");
        assert!(here.starts_with(&kept) && kept.len() <= MAX_CURRENT_WORKING_DIRECTORY_LEN);
        assert!(state.same(&state.share()));
    }
}
