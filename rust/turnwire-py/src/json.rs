//! JSON text and Python objects: text read straight into dicts and lists, and a caller's containers written as JSON.

mod dump;
mod keys;
mod load;

pub(crate) use self::{
    dump::dump,
    load::{Loader, number},
};
