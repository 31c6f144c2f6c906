//! A host with strings of 16-bit units and numbers that may be NaN, so that the writer can be tested without Python.

use std::{convert::Infallible, sync::Arc};

use turnwire_core::{
    report::{Error, error::Code},
    text::{Cut, Units},
    value::{Host, NodeKind, Value},
};

#[derive(Debug)]
pub(crate) enum TestHost {}

impl Host for TestHost {
    type Str = Arc<Vec<u16>>;
    type Leaf = f64;
    type Loan = Infallible;

    fn units(text: &Self::Str) -> Units<'_> {
        Units::Ucs2(text)
    }
    fn share(text: &Self::Str) -> Self::Str {
        text.clone()
    }
    fn share_leaf(leaf: &f64) -> f64 {
        *leaf
    }
    fn share_loan(loan: &Infallible) -> Infallible {
        match *loan {}
    }
    fn cut(_: &Self::Str, _: &Cut, _: Units<'_>) -> Result<Self::Str, Error> {
        Err(Error::new(Code::NoMemory, "this host cuts nothing"))
    }
    fn leaf_kind(_: &f64) -> NodeKind {
        NodeKind::Number
    }
    fn write_leaf(leaf: &f64, out: &mut Vec<u8>) -> Result<(), Error> {
        if !leaf.is_finite() {
            return Err(Error::new(Code::NotJson, "not finite"));
        }
        out.extend_from_slice(leaf.to_string().as_bytes());
        Ok(())
    }
    fn write_loan(loan: &Infallible, _: &mut Vec<u8>) -> Result<usize, Error> {
        match *loan {}
    }
    fn freeze(loan: &Infallible) -> Result<Value<Self>, Error> {
        match *loan {}
    }
    fn same_leaf(a: &f64, b: &f64) -> bool {
        a.total_cmp(b).is_eq()
    }
}
