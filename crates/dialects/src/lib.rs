//! The dialects of accrue.
//!
//! | dialect | level | holds |
//! | --- | --- | --- |
//! | [`core`] | all | C and Fortran value semantics: types, memory, arithmetic, structured control flow, calls |
//! | [`acc`] | source | OpenACC: constructs, decomposed data clauses, bounds, loops |
//! | [`omp`] | source | OpenMP: target regions, teams, parallel, loop nests; its data clauses are those of [`acc`] |
//! | [`par`] | par | target-neutral SPMD: kernels, fork and join, positions, the reduction builtins |
//! | [`simt`] | SIMT | groups of threads: barriers, shuffles, memory of the group; no vendor |
//!
//! Each module starts with what its operations mean; the text format of every operation is parsed and printed by the
//! same description, so `parse(print(x)) = x`.

pub mod acc;
pub mod address_use;
pub mod core;
pub mod ends;
pub mod flow;
pub mod functions;
pub mod omp;
pub mod par;
pub mod simt;
pub mod source;

use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};

/// An operation of any dialect, for analyses that have an answer for each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum View {
    Core(core::CoreOp),
    Par(par::ParOp),
    Source(source::SourceOp),
    Simt(simt::SimtOp),
    /// `builtin`, and what a target adds.
    Other,
}

impl View {
    pub fn of(ctx: &Context, op: Ptr<Operation>) -> View {
        None.or_else(|| core::CoreOp::of(ctx, op).map(View::Core))
            .or_else(|| par::ParOp::of(ctx, op).map(View::Par))
            .or_else(|| source::SourceOp::of(ctx, op).map(View::Source))
            .or_else(|| simt::SimtOp::of(ctx, op).map(View::Simt))
            .unwrap_or(View::Other)
    }

    /// What the operation is in its directive language, if it is of one.
    pub fn role(ctx: &Context, op: Ptr<Operation>) -> Option<source::Role> {
        source::SourceOp::of(ctx, op).map(|op| op.role(ctx))
    }
}
