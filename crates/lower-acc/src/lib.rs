//! From the source level (`acc` + `core`) to the par level: kernels and sites, one pass per file. Their order is in the crate
//! `pipeline`; behind `par-loops` no kernel has an operation of `acc`.

pub mod arguments;
pub mod assign_levels;
pub mod attributes;
pub mod call;
pub mod certain_races;
pub mod check_clauses;
pub mod dependence;
pub mod device_types;
pub mod exclusive_clauses;
pub mod gang_dims;
pub mod gang_private;
pub mod helper_globals;
pub mod host_code;
pub mod host_data;
pub mod host_flow;
pub mod idle_lanes;
pub mod implicit_clause;
pub mod implicit_data;
pub mod implied_reductions;
pub mod inferred_reductions;
pub mod inferred_sections;
pub mod kernel_splitting;
pub mod kernels_scalars;
pub mod known_values;
mod lanes_outside;
pub mod last_values;
pub mod lost_values;
pub mod outline;
pub mod par_loops;
pub mod pieces;
pub mod privatize;
pub mod result_cells;
pub mod routines;
pub mod single_modes;
pub mod sites;
pub mod unobserved_waits;
