//! Par level, for GPUs only: what ptxas and OpenCL compilers do not find by themselves.

pub mod counted_loops;
pub mod full_unroll;
pub mod grid_versions;
pub mod interleave;
pub mod promote;
pub mod scalar_replacement;
pub mod select_arms;
pub mod simplify_math;
pub mod sincos;
pub mod strength_reduction;
pub mod unroll;
pub mod vector_versions;
