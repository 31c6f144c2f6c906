//! Declares the keys of Llama.

pub(super) use crate::k::*;

use crate::value::door::keys;

keys! {
    IPYTHON = "ipython";
}
