//! The command line of a fuzzer binary: what the user wrote (`args`), before it is resolved into a plan.
pub mod args;
pub mod libfuzzer;
pub mod parse;
pub mod units;
