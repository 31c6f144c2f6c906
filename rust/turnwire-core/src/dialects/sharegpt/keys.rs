//! Declares the keys of ShareGPT.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    HUMAN = "human";
    GPT = "gpt";
    OBSERVATION = "observation";
}
