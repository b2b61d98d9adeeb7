//! Par level, for GPUs: what the compilers behind them do not find by themselves ([`crate::target::Finisher`]), and versions of
//! kernels for launches of other shapes.

pub mod accumulators;
pub mod addresses;
pub mod alternation;
pub mod common_values;
pub mod counted_loops;
pub mod early_loads;
pub mod forward;
pub mod full_unroll;
pub mod grid_versions;
pub mod heap_arrays;
pub mod inductions;
pub mod interleave;
pub mod jammed_lanes;
pub mod kept_rows;
pub mod known_branches;
pub mod known_elements;
pub mod loop_invariants;
pub mod promote;
pub mod quotients;
pub mod recurrences;
pub mod remainders;
pub mod rows;
pub mod scalar_replacement;
pub mod select_arms;
pub mod selections;
pub mod simplify_math;
pub mod sincos;
pub mod staging;
pub mod strength_reduction;
mod turns;
pub mod unroll;
pub mod usual_counts;
pub mod vector_types;
pub mod vector_versions;
pub mod versions;
pub mod wide_locals;
