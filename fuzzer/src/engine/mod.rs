//! The engine: LibAFL's pieces around our own executor, feedback, scheduler and stage.
//!
//! `assembly` puts them together, in one place and with concrete types; everything that can be chosen at run time
//! is a value in the plan.
pub mod answers;
pub mod assembly;
mod climb;
mod custom;
mod effort;
mod energy;
mod executor;
mod havoc;
mod holders;
mod keep;
pub mod learning;
mod mutators;
mod parts;
pub mod run_maps;
mod stage;
mod techniques;
pub mod tokens;
mod turns;
