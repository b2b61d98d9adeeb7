//! The dialects of accrue.
//!
//! | dialect | level | holds |
//! | --- | --- | --- |
//! | [`core`] | all | C and Fortran value semantics: types, memory, arithmetic, structured control flow, calls |
//! | [`acc`] | source | OpenACC: constructs, decomposed data clauses, bounds, loops |
//! | [`par`] | par | target-neutral SPMD: kernels, fork and join, positions, the reduction builtins |
//!
//! Each module starts with what its operations mean; the text format of every operation is parsed and printed by the
//! same description, so `parse(print(x)) = x`.

pub mod acc;
pub mod core;
pub mod par;
