//! Which result answers which call.

pub(crate) mod answers;
pub(crate) mod bond;
pub(crate) mod links;
pub(crate) mod pending;
mod spread;
pub(crate) mod steps;
pub mod unnamed;
mod unreasoned;

pub(crate) use self::{
    links::{CallSite, Fate, Links, Matching},
    steps::{Steps, Whole},
    unnamed::{Given, Open},
    unreasoned::unreasoned,
};
