//! Checks that any source and sink keep their contract.
